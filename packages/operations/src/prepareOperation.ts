import { BardoError } from '@bardo/core'
import { namesOf } from '@bardo/golem/requests'
import type { Json } from '@bardo/store'
import { bytesToHex, type Hash, keccak256, stringToHex } from 'viem'
import { z } from 'zod'
import { type OperationKind, operationKinds, operations } from './operations.ts'
import { type OwnerAnswer, ownerAnswerSchema, storedAnswersSchema } from './owner/answers.ts'
import { createRemoteOwner, StepMissing } from './owner/createRemoteOwner.ts'
import { OutdatedOperation } from './owner/OutdatedOperation.ts'
import type { OperationContext } from './owner/ownerOperation.ts'
import { type OwnerStep, ownerStepSchema, ownerStepToJson } from './owner/ownerStep.ts'

/** A prepared operation ends after this time. */
const lifetimeMs = 24 * 3_600_000
/** Ended operations are kept for this time, so that a late answer is told what happened. */
const keptMs = 30 * lifetimeMs
const defaultConfirmations = 3
const defaultPatienceMs = 60_000

/** An operation that waits for the owner: what to sign or send, as JSON, as EIP-712 and as sentences. */
export const preparedOperationSchema = z.strictObject({
  type: z.literal('prepared'),
  operation: z.string(),
  kind: z.enum(operationKinds),
  chainId: z.int(),
  owner: z.templateLiteral(['0x', z.string()]),
  /** ISO time. */
  expiresAt: z.string(),
  sentences: z.array(z.string()),
  steps: z.array(ownerStepSchema),
})

/** An operation that waits for the owner. */
export type PreparedOperationJson = z.output<typeof preparedOperationSchema>

/** An operation that is done. */
export type FinishedOperation = {
  readonly type: 'done'
  readonly operation: string
  readonly kind: OperationKind
  readonly result: Json
}

/** The owner's answers to the steps of an operation: the file that `--signed` reads. */
export const signedOperationSchema = z.strictObject({
  operation: z.string().min(1).max(100),
  answers: z.array(ownerAnswerSchema).min(1).max(100),
})

/** The owner's answers to the steps of an operation. */
export type SignedOperation = z.output<typeof signedOperationSchema>

/**
 * Builds what the owner has to sign or send, and stores what it was built from. No key is needed, and nothing happens on
 * the chain.
 *
 * @example
 * const prepared = await prepareOperation(context, 'withdraw', { amount: '100', token: 'USDC' })
 */
export async function prepareOperation(
  context: OperationContext,
  kind: OperationKind,
  input: unknown,
): Promise<PreparedOperationJson> {
  const { store, clock, user, owner, deployment } = context
  const fields = await operations[kind].resolve(context, input)
  const id = bytesToHex(crypto.getRandomValues(new Uint8Array(16)))
  const { steps, result } = await attempt(context, { id, kind, fields, answers: new Map() })
  if (result !== undefined || steps.length === 0) throw nothingToSign(kind)
  const now = clock.now()
  const expiresAt = now + lifetimeMs
  await store.operations.forget(now - keptMs)
  const digests = steps.map(({ digest }) => digest)
  const { chainId } = deployment
  await store.operations.add({
    id,
    user,
    chainId,
    owner,
    kind,
    input: fields,
    digests,
    preparedAt: now,
    expiresAt,
  })
  return toJson(context, { id, kind, fields, expiresAt }, steps)
}

/**
 * Takes the owner's answers. Everything is built again from the stored fields: an answer counts only if it is the owner's,
 * and for exactly these bytes. Returns the next steps, or the result. The same answers can be given again.
 *
 * @example
 * const done = await completeOperation(context, { operation, answers: [{ digest, signature }] })
 */
export async function completeOperation(
  { user, ...shared }: Omit<OperationContext, 'owner'>,
  signed: SignedOperation,
): Promise<PreparedOperationJson | FinishedOperation> {
  const { store, clock, deployment } = shared
  const { operation: id, answers: given } = signed
  const row = await store.operations.find(user, id)
  if (!row) throw refuse('There is no prepared operation with this id.', [id])
  const kind = z.enum(operationKinds).parse(row.kind)
  const context: OperationContext = { ...shared, user, owner: row.owner }
  if (row.chainId !== deployment.chainId)
    throw new BardoError('The operation was prepared for another chain.', {
      code: 'CHAIN_MISMATCH',
      details: [`prepared: ${row.chainId}`, `connected: ${deployment.chainId}`],
    })
  if (row.result !== undefined)
    return { type: 'done', operation: id, kind, result: operations[kind].result.parse(row.result) }
  const stored = storedAnswersSchema.parse(row.answers)
  const isStarted = Object.values(stored).some((answer) => !('signature' in answer))
  // Once the owner has sent a transaction, its outcome is still recorded.
  if (clock.now() >= row.expiresAt && !isStarted)
    throw new OutdatedOperation('It ended 24 hours after it was prepared.')
  const unknown = given.filter(({ digest }) => !row.digests.includes(digest))
  if (unknown.length > 0)
    throw refuse(
      'The answer is for something that was not prepared.',
      unknown.map(({ digest }) => digest),
    )
  const answers = new Map<Hash, OwnerAnswer>([
    ...Object.values(stored).map((answer) => [answer.digest, answer] as const),
    ...given.map((answer) => [answer.digest, answer] as const),
  ])
  const fields = row.input
  const { steps, used, result } = await attempt(context, { id, kind, fields, answers })
  for (const answer of given)
    if (!used.has(answer.digest) && !(await hasLanded(context, answer)))
      throw new OutdatedOperation('What was signed no longer fits the state of the chain.')
  if (result !== undefined) {
    await store.operations.finish(user, id, result)
    return { type: 'done', operation: id, kind, result }
  }
  const digests = [...new Set([...row.digests, ...steps.map(({ digest }) => digest)])]
  const isSaved = await store.operations.save({
    id,
    user,
    version: row.version,
    digests,
    answers: Object.fromEntries(answers),
  })
  if (!isSaved)
    throw new BardoError('Another process answered the same operation.', {
      code: 'STORE_UNAVAILABLE',
      remedy: 'Complete it again with the same answers.',
    })
  return toJson(context, { id, kind, fields, expiresAt: row.expiresAt }, steps)
}

/** Runs the operation with the answers so far: to its result, or to the steps that are missing. */
async function attempt(
  context: OperationContext,
  {
    id,
    kind,
    fields,
    answers,
  }: {
    readonly id: string
    readonly kind: OperationKind
    readonly fields: unknown
    readonly answers: ReadonlyMap<Hash, OwnerAnswer>
  },
): Promise<{
  readonly steps: readonly OwnerStep[]
  readonly used: ReadonlySet<Hash>
  readonly result?: Json
}> {
  const { confirmations = defaultConfirmations, patienceMs = defaultPatienceMs } = context
  const { idempotencyKeys } = context.store
  const claim = async (transaction: Hash) => {
    const key = `operation:${context.deployment.chainId}:${transaction.toLowerCase()}`
    return (await idempotencyKeys.claim(key, keccak256(stringToHex(id)), 0)).type !== 'mismatch'
  }
  const remote = createRemoteOwner({ ...context, confirmations, patienceMs, answers, claim })
  try {
    const result = await operations[kind].run({ ...context, operation: id }, remote.signer, fields)
    return { steps: [], used: remote.used(), result }
  } catch (error) {
    if (!(error instanceof StepMissing)) throw error
    return { steps: remote.missing(), used: remote.used() }
  }
}

/** Whether the answer is a transaction in a block. A repeated answer may be for a step that is done. */
function hasLanded({ client }: OperationContext, answer: OwnerAnswer): Promise<boolean> {
  if ('signature' in answer || 'permissions' in answer) return Promise.resolve(false)
  const hash = 'transaction' in answer ? answer.transaction : keccak256(answer.rawTransaction)
  return client.getTransactionReceipt({ hash }).then(
    () => true,
    () => false,
  )
}

function toJson(
  context: OperationContext,
  {
    id,
    kind,
    fields,
    expiresAt,
  }: {
    readonly id: string
    readonly kind: OperationKind
    readonly fields: unknown
    readonly expiresAt: number
  },
  steps: readonly OwnerStep[],
): PreparedOperationJson {
  const { deployment, owner, book } = context
  return {
    type: 'prepared',
    operation: id,
    kind,
    chainId: deployment.chainId,
    owner,
    expiresAt: new Date(expiresAt).toISOString(),
    sentences: [...operations[kind].describe(context, fields)],
    steps: steps.map((step) => ownerStepToJson(step, { deployment, names: namesOf(book) })),
  }
}

function nothingToSign(kind: OperationKind): BardoError {
  return new BardoError('There is nothing for the owner to sign or send.', {
    code: 'STEP_OUT_OF_ORDER',
    outcome: 'not-sent',
    details: [`${kind}: everything is already done`],
  })
}

function refuse(message: string, details: readonly string[]): BardoError {
  return new BardoError(message, { code: 'INVALID_INPUT', outcome: 'not-sent', details })
}
