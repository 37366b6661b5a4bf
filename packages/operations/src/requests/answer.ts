import { BardoError, mostOf } from '@bardo/core'
import { answerRequest, createOwnerResponder, type OwnerAnswer } from '@bardo/golem'
import { describeRequest, gasForADay, mostGasWei } from '@bardo/golem/requests'
import type { OwnerRequest } from '@bardo/store'
import { z } from 'zod'
import { lineageFields, requireSameRoots, resolveLineage } from '../lineage/lineageFields.ts'
import { scheduleTickNow } from '../lineage/scheduleTickNow.ts'
import { defineOperation, type OperationContext, type OperationSigner } from '../owner/ownerOperation.ts'
import { hashSchema } from '../owner/schemas.ts'

/** How long the owner's signature for a new writer of the Golem's row is valid, in seconds. */
const writerSeconds = 86_400n

const answerInput = z.strictObject({
  request: z.string().min(1).max(500),
  says: z.enum(['yes', 'no']),
  /** A part of what was requested. */
  amount: z.string().max(50).nullable().default(null),
  days: z.int().min(1).max(3_650).nullable().default(null),
  /** Whether to grant a runway above the default limits. */
  override: z.boolean().default(false),
})

const answerFields = lineageFields.extend(answerInput.shape).extend({
  kind: z.string(),
  /** What a yes allows, from the fields of the request. */
  sentence: z.string(),
  now: z.string().regex(/^\d{1,12}$/),
  gas: z.string().regex(/^\d{1,30}$/),
})

type AnswerFields = z.output<typeof answerFields>

/** The result of an answer. */
export const answeredResult = z.strictObject({
  request: z.string(),
  golem: hashSchema,
  name: z.string(),
  kind: z.string(),
  says: z.enum(['yes', 'no']),
  /** False if it was answered before. */
  isTaken: z.boolean(),
})

/**
 * Answers a request of a Golem as its owner. What a yes signs, sends or grants is built from the request's kind and its
 * checked fields. A refusal is signed too: without it, anyone could refuse.
 */
export const answer = defineOperation({
  input: answerInput,
  fields: answerFields,
  result: answeredResult,
  async resolve(context, input) {
    const { store, client, deployment, book, leastGas = 0n } = context
    const request = await store.ownerRequests.find(input.request)
    if (!request || !(await store.golems.find(request.golem)))
      throw new BardoError('Unknown request.', {
        code: 'INVALID_INPUT',
        remedy: 'List the waiting requests with bardo requests.',
      })
    const lineage = await resolveLineage(context, request.golem)
    requirePending(request)
    const { timestamp } = await client.getBlock()
    return {
      ...lineage,
      ...input,
      kind: request.kind,
      sentence: describeRequest(request, { book, deployment, owner: context.owner }),
      now: `${timestamp}`,
      gas: `${mostOf(await gasForADay(client), leastGas)}`,
    }
  },
  describe: (_, { name, kind, says, sentence, amount, days }) => [
    says === 'yes' ? `Approve the ${kind} request of ${name}:` : `Refuse the ${kind} request of ${name}:`,
    sentence,
    ...(amount === null ? [] : [`Only a part: ${amount}.`]),
    ...(days === null ? [] : [`Only for ${days} days.`]),
  ],
  async run(context, signer, fields) {
    const { store, note, owner } = context
    const { request: id, golem, name, kind, says } = fields
    const request = await store.ownerRequests.find(id)
    const result = { request: id, golem, name, kind, says }
    if (request?.state !== 'pending') return { ...result, isTaken: false }
    await requireSameRoots(context, fields)
    note?.(says === 'yes' ? 'Signing as the owner' : 'Refusing the request')
    const given =
      says === 'yes' ? await approve(context, signer, request, fields) : await refuse(signer, fields)
    const isTaken = await answerRequest(context, id, owner, given)
    if (isTaken) await scheduleTickNow(store, golem)
    return { ...result, isTaken }
  },
})

async function approve(
  context: OperationContext,
  signer: OperationSigner,
  request: OwnerRequest,
  fields: AnswerFields,
): Promise<OwnerAnswer> {
  const { store, book, leastGas = 0n } = context
  const { amount, days, override } = fields
  // What the owner only reads needs a signature as well: nothing else shows that it is the owner.
  if (request.kind === 'missedTicks') await signAnswer(signer, fields)
  const now = BigInt(fields.now)
  // The amount comes from a stored row. It does not follow the gas price, which may fall before the owner's answer.
  const most = mostOf(mostGasWei, leastGas)
  const gas = BigInt(fields.gas) < most ? BigInt(fields.gas) : most
  const responder = createOwnerResponder({
    ...signer,
    store,
    book,
    owner: { address: signer.key, signTypedData: signer.account.signer.signTypedData },
    override,
    leastGas,
    fixed: { now, deadline: now + writerSeconds, gas },
  })
  const given = await responder.answer(request, {
    ...(amount !== null && { amount }),
    ...(days !== null && { days }),
  })
  if (given) return given
  throw new BardoError('This runway needs explicit confirmation.', {
    code: 'ACTION_NOT_ALLOWED',
    details: ['it is for more than 90 days, or more than 100 USDC per day'],
    remedy: 'Approve it with --override, or approve less with --amount and --days.',
    docsPath: 'requests.md#runway',
  })
}

async function refuse(signer: OperationSigner, fields: AnswerFields): Promise<OwnerAnswer> {
  await signAnswer(signer, fields)
  return { type: 'refused' }
}

async function signAnswer(
  { account, deployment }: OperationSigner,
  { golem, request, says }: AnswerFields,
): Promise<void> {
  await account.signer.signTypedData({
    domain: { name: 'Bardo', version: '1', chainId: deployment.chainId },
    types: {
      RequestAnswer: [
        { name: 'golem', type: 'bytes32' },
        { name: 'request', type: 'string' },
        { name: 'answer', type: 'string' },
      ],
    },
    primaryType: 'RequestAnswer',
    message: { golem, request, answer: says },
  })
}

function requirePending({ state, golem }: OwnerRequest): void {
  if (state === 'pending') return
  if (state === 'withdrawn')
    throw new BardoError('This request was withdrawn when its Golem began to shut down.', {
      code: 'GOLEM_DYING',
      details: [golem],
      remedy: 'There is nothing to answer: a dying Golem gets no signature and no money.',
      docsPath: 'requests.md#kinds',
    })
  throw new BardoError('This request was already answered.', { code: 'INVALID_INPUT', details: [state] })
}
