import {
  type Attempt,
  BardoError,
  type Clock,
  type Journal,
  type JournalRecord,
  type Mined,
  minedTransaction,
  type SubmissionEvent,
} from '@bardo/core'
import type { Hash } from 'viem'
import { nextFees, sweepCap } from './fees.ts'
import type { Sighting } from './findAttempts.ts'
import type { SubmitterSettings } from './settings.ts'
import type { SubmissionBackend } from './submissionBackend.ts'

/** The dependencies of a submitter's steps. */
export type SubmitterContext = {
  readonly backend: SubmissionBackend
  readonly journal: Journal
  readonly clock: Clock
  readonly settings: SubmitterSettings
  readonly chainId: number
  readonly memory: Memory
  /** The key is gone: nothing is signed. */
  readonly isKeyless: boolean
  readonly emit: (event: SubmissionEvent) => Promise<void>
  /** Reopens settled intents whose block is gone. */
  readonly review: () => Promise<void>
}

/** In-memory state of a process. Losing it only costs a repetition. */
export type Memory = {
  /** When each transaction was last broadcast. */
  readonly sent: Map<Hash, number>
  readonly underpriced: Set<Hash>
  /** The step that is being taken for an intent, by its id. */
  readonly steps: Map<string, Promise<Progress>>
  /** Intents that were created to close a nonce gap: no caller asks for them. */
  readonly gapIntents: Set<string>
  /** Since when the chain has waited for a nonce below the lowest open one. */
  gapSince: number | undefined
  /** A nonce that the node reported but did not prove to be used, and since when. */
  doubt: { readonly nonce: number; readonly since: number } | undefined
}

/** `moved`: check again at once. `waiting`: wait for the chain. */
export type Progress = 'moved' | 'waiting'

/**
 * One step for one record, from any state that a crash left it in. Any number of processes may take steps for
 * the same record: each write is conditional, and all transactions of a record share its nonce, so only one
 * can land. Within a process, a step that is already being taken is joined: an event is emitted before the
 * write that ends its cause, so two concurrent steps would emit it twice.
 */
export async function advance(context: SubmitterContext, record: JournalRecord): Promise<Progress> {
  const { steps } = context.memory
  const { id } = record.intent
  const step = steps.get(id) ?? takeStep(context, record).finally(() => steps.delete(id))
  steps.set(id, step)
  return step
}

async function takeStep(context: SubmitterContext, record: JournalRecord): Promise<Progress> {
  const { journal, clock } = context
  const { intent, nonce } = record
  if (record.settlement) return 'moved'
  if (!record.closing && intent.expiresAt !== undefined && clock.now() >= intent.expiresAt) {
    await journal.close(intent.id)
    return 'moved'
  }
  if (nonce === undefined) {
    if (record.closing) await journal.settle(intent.id, { kind: 'dropped' })
    else return claim(context, record)
    return 'moved'
  }
  if (record.attempts.length === 0) return sign(context, record, nonce)
  return observe(context, record, nonce)
}

/**
 * Claims the lowest nonce that neither the chain nor the journal has used. If another process is faster,
 * repeats.
 */
async function claim(context: SubmitterContext, { intent }: JournalRecord): Promise<Progress> {
  const { backend, journal } = context
  const used = await backend.nextNonce()
  const highest = await journal.highestNonce(intent)
  const expected = highest === undefined ? 0 : highest + 1
  if (used > expected && (await isDoubtful(context, used, expected))) return 'waiting'
  await journal.claimNonce(intent.id, Math.max(used, expected))
  return 'moved'
}

/**
 * Whether the node does not prove a nonce above all that the journal has. If a node insists for longer than
 * the patience, or cannot prove it, the nonce is accepted: a gap that this leaves is closed later.
 */
async function isDoubtful(
  { backend, clock, settings, memory, emit }: SubmitterContext,
  used: number,
  expected: number,
) {
  const isProven = await backend.isUsedUpTo(used).catch(() => true)
  if (isProven) {
    memory.doubt = undefined
    return false
  }
  if (memory.doubt?.nonce !== used) {
    memory.doubt = { nonce: used, since: clock.now() }
    await emit({ name: 'submission.nonceDoubted', from: backend.from, answered: used, expected })
  }
  return clock.now() - memory.doubt.since < settings.patienceMs
}

/** Signs the next attempt, stores it, and only then broadcasts it. */
async function sign(context: SubmitterContext, record: JournalRecord, nonce: number): Promise<Progress> {
  const { backend, journal, clock, settings } = context
  const { intent, attempts } = record
  // What is signed is broadcast again as it is.
  if (context.isKeyless) return 'waiting'
  const purpose = record.closing ? 'close' : 'intent'
  if (attempts.filter((attempt) => attempt.purpose === purpose).length >= settings.maxAttempts)
    return 'waiting'
  const today = await backend.todaysFees(intent)
  const cap = intent.sweep ? sweepCap(today, settings.maxFeePerGas) : settings
  const fees = nextFees(today, await lastInPool(backend, record), cap)
  if (!fees) return 'waiting'
  const earlier = attempts.length
  // An unaffordable higher fee would replace an affordable attempt: rebroadcast the previous one instead.
  const isReplacing = earlier > 0 && purpose === 'intent'
  if (isReplacing && (await backend.affords?.(intent, fees)) === false) return 'waiting'
  const attempt = await backend.sign(intent, { nonce, fees, purpose, earlier, at: clock.now() })
  // Another process stored its attempt first: that one is broadcast, and ours is discarded unsent.
  if (!(await journal.addAttempt(intent.id, attempts.length, attempt))) return 'moved'
  return send(context, attempt)
}

/**
 * The attempt that a new one must outbid. An unaffordable attempt is in no mempool: a lower fee may follow
 * it.
 */
async function lastInPool(
  backend: SubmissionBackend,
  { intent, attempts }: JournalRecord,
): Promise<Attempt | undefined> {
  const last = attempts.at(-1)
  return last?.purpose === 'intent' && (await backend.affords?.(intent, last)) === false ? undefined : last
}

async function send({ backend, clock, memory }: SubmitterContext, attempt: Attempt): Promise<Progress> {
  const { sent, underpriced } = memory
  const reception = await backend.broadcast(attempt.raw)
  sent.set(attempt.hash, clock.now())
  if (reception.kind === 'underpriced') underpriced.add(attempt.hash)
  if (reception.kind === 'unfunded')
    throw new BardoError('The key’s balance is too low for gas.', {
      code: 'INSUFFICIENT_FUNDS',
      details: [`transaction ${attempt.hash}`, 'it is signed and stored, and will be broadcast again'],
      outcome: 'unknown',
      remedy: 'Fund the key and submit the same intent again, or cancel it.',
      cause: reception.cause,
    })
  return reception.kind === 'silent' || reception.kind === 'underpriced' ? 'waiting' : 'moved'
}

async function observe(context: SubmitterContext, record: JournalRecord, nonce: number): Promise<Progress> {
  const { backend, journal, settings } = context
  const sighting = await backend.find(record, settings.finality)
  switch (sighting.kind) {
    case 'mined':
      return noteMined(context, record, sighting)
    case 'displaced':
      await journal.settle(record.intent.id, sighting)
      return 'moved'
    case 'nonce-used':
      return 'waiting'
    case 'nothing':
      return push(context, record, nonce)
  }
}

async function noteMined(
  context: SubmitterContext,
  record: JournalRecord,
  { mined, final }: Extract<Sighting, { kind: 'mined' }>,
): Promise<Progress> {
  const { journal, memory } = context
  const { intent, attempts, mined: previous } = record
  if (previous?.blockHash !== mined.blockHash || previous.hash !== mined.hash)
    await journal.noteMined(intent.id, mined)
  if (!final) return 'waiting'
  // The review stops at the newest block that is still on the chain, so everything settled below must be
  // checked now.
  await context.review()
  await settleMined(context, record, mined)
  for (const { hash } of attempts) {
    memory.sent.delete(hash)
    memory.underpriced.delete(hash)
  }
  return 'moved'
}

/**
 * Settles a record by what is final on chain. If a reorganisation undid an earlier result, emits the new one
 * first.
 */
export async function settleMined(
  { journal, emit }: Pick<SubmitterContext, 'journal' | 'emit'>,
  { intent: { id: intent, from }, attempts, nonce = 0, undone }: JournalRecord,
  mined: Mined,
): Promise<void> {
  const { hash, status } = mined
  const transaction = minedTransaction(mined)
  // The record may have been read before an earlier step settled it and emitted its new result.
  if (undone && (await journal.find(intent))?.settlement) return
  const isClosed = attempts.find((attempt) => attempt.hash === hash)?.purpose === 'close'
  if (undone && isClosed)
    await emit({ name: 'submission.gapClosed', from, nonce, by: 'selfTransfer', intent })
  if (undone && !isClosed)
    await emit({ name: 'submission.landedAgain', from, nonce, intent, transaction, status })
  await journal.settle(intent, { kind: isClosed ? 'closed' : 'landed', mined })
}

/** The chain shows nothing: broadcast again, or replace. */
async function push(context: SubmitterContext, record: JournalRecord, nonce: number): Promise<Progress> {
  const { clock, journal, backend, settings } = context
  const { sent, underpriced } = context.memory
  const last = record.attempts.at(-1)
  if (!last) return 'moved'
  const mustClose = record.closing && last.purpose === 'intent'
  if (record.mined) await journal.noteMined(record.intent.id, undefined)
  // It was in a block, and the block is gone: broadcast the same bytes again before replacing them.
  if (record.mined && !mustClose) {
    const { hash } = record.mined
    await send(context, record.attempts.find((attempt) => attempt.hash === hash) ?? last)
    sent.set(last.hash, clock.now())
    return 'waiting'
  }
  const now = clock.now()
  const isLate = now - Math.max(last.storedAt, sent.get(last.hash) ?? 0) >= settings.replaceAfterMs
  // While it waits for a lower nonce, a higher fee does not help.
  const isStale = underpriced.has(last.hash) || (isLate && (await backend.nextNonce()) >= nonce)
  if (isStale || mustClose) {
    const progress = await sign(context, record, nonce)
    if (progress === 'moved') return progress
  }
  // It was reported as not landed: it must not land just because no self-transfer could be signed yet.
  if (mustClose && record.undone) return 'waiting'
  const sentAt = sent.get(last.hash)
  if (sentAt === undefined || now - sentAt >= settings.replaceAfterMs) await send(context, last)
  return 'waiting'
}
