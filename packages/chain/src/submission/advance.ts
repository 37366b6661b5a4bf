import { type Attempt, BardoError, type Clock, type Journal, type JournalRecord } from '@bardo/core'
import type { Hash } from 'viem'
import { nextFees } from './fees.ts'
import type { Sighting } from './look.ts'
import type { Rail } from './rail.ts'
import type { SubmitterSettings } from './settings.ts'

/** What every step of a submitter works with. */
export type Desk = {
  readonly rail: Rail
  readonly journal: Journal
  readonly clock: Clock
  readonly settings: SubmitterSettings
  /** When this process last handed each transaction to the node, and what it learned. Losing it costs a repetition. */
  readonly sent: Map<Hash, number>
  readonly underpriced: Set<Hash>
}

/** `moved`: look again at once. `waiting`: the chain's turn. */
export type Progress = 'moved' | 'waiting'

/**
 * One step for one record, from whatever state a crash left it in. Any number of processes may take steps for the same
 * record: each write is conditional, and all transactions of a record share its nonce, so that one can land.
 */
export async function advance(desk: Desk, record: JournalRecord): Promise<Progress> {
  const { journal, clock } = desk
  const { intent, nonce } = record
  if (record.settlement) return 'moved'
  if (!record.closing && intent.expiresAt !== undefined && clock.now() >= intent.expiresAt) {
    await journal.close(intent.id)
    return 'moved'
  }
  if (nonce === undefined) {
    if (record.closing) await journal.settle(intent.id, { kind: 'dropped' })
    else await claim(desk, record)
    return 'moved'
  }
  if (record.attempts.length === 0) return sign(desk, record, nonce)
  return observe(desk, record, nonce)
}

/** The lowest nonce that neither the chain nor the journal has given away. Another process may be faster: then again. */
async function claim({ rail, journal }: Desk, { intent }: JournalRecord) {
  const used = await rail.nextNonce()
  const highest = await journal.highestNonce(intent)
  await journal.claimNonce(intent.id, Math.max(used, highest === undefined ? 0 : highest + 1))
}

/** Signs the next attempt, stores it, and only then lets it out. */
async function sign(desk: Desk, record: JournalRecord, nonce: number): Promise<Progress> {
  const { rail, journal, clock, settings } = desk
  const { intent, attempts } = record
  const purpose = record.closing ? 'close' : 'intent'
  if (attempts.filter((attempt) => attempt.purpose === purpose).length >= settings.maxAttempts)
    return 'waiting'
  const fees = nextFees(await rail.todaysFees(), attempts.at(-1), settings.maxFeePerGas)
  if (!fees) return 'waiting'
  const earlier = attempts.length
  // A higher fee that it cannot pay would take the place of one that it can: the one before goes out again.
  const isReplacing = earlier > 0 && purpose === 'intent'
  if (isReplacing && (await rail.affords?.(intent, fees)) === false) return 'waiting'
  const attempt = await rail.sign(intent, { nonce, fees, purpose, earlier, at: clock.now() })
  // Somebody else's came first: theirs is what goes out, and ours is forgotten before anybody saw it.
  if (!(await journal.addAttempt(intent.id, attempts.length, attempt))) return 'moved'
  return send(desk, attempt)
}

async function send({ rail, clock, sent, underpriced }: Desk, attempt: Attempt): Promise<Progress> {
  const reception = await rail.broadcast(attempt.raw)
  sent.set(attempt.hash, clock.now())
  if (reception.kind === 'underpriced') underpriced.add(attempt.hash)
  if (reception.kind === 'unfunded')
    throw new BardoError('The key cannot pay for the gas.', {
      code: 'INSUFFICIENT_FUNDS',
      details: [`transaction ${attempt.hash}`, 'it is signed and kept, and goes out again'],
      outcome: 'unknown',
      remedy: 'Send it gas and submit the same intent again, or cancel it.',
      cause: reception.cause,
    })
  return reception.kind === 'silent' || reception.kind === 'underpriced' ? 'waiting' : 'moved'
}

async function observe(desk: Desk, record: JournalRecord, nonce: number): Promise<Progress> {
  const { rail, journal, settings } = desk
  const sighting = await rail.look(record, settings.finality)
  switch (sighting.kind) {
    case 'mined':
      return noteMined(desk, record, sighting)
    case 'displaced':
      await journal.settle(record.intent.id, sighting)
      return 'moved'
    case 'nonce-used':
      return 'waiting'
    case 'nothing':
      return push(desk, record, nonce)
  }
}

async function noteMined(
  { journal, sent, underpriced }: Desk,
  { intent, attempts, mined: known }: JournalRecord,
  { mined, final }: Extract<Sighting, { kind: 'mined' }>,
): Promise<Progress> {
  if (known?.blockHash !== mined.blockHash || known.hash !== mined.hash)
    await journal.noteMined(intent.id, mined)
  if (!final) return 'waiting'
  const purpose = attempts.find(({ hash }) => hash === mined.hash)?.purpose
  await journal.settle(intent.id, { kind: purpose === 'close' ? 'closed' : 'landed', mined })
  for (const { hash } of attempts) {
    sent.delete(hash)
    underpriced.delete(hash)
  }
  return 'moved'
}

/** Nothing to be seen: let it out again, or replace it. */
async function push(desk: Desk, record: JournalRecord, nonce: number): Promise<Progress> {
  const { clock, journal, sent, settings, underpriced } = desk
  const last = record.attempts.at(-1)
  if (!last) return 'moved'
  // It was in a block, and the block is gone.
  if (record.mined) {
    await journal.noteMined(record.intent.id, undefined)
    sent.delete(last.hash)
  }
  const now = clock.now()
  const isStale = now - last.storedAt >= settings.replaceAfterMs || underpriced.has(last.hash)
  const mustClose = record.closing && last.purpose === 'intent'
  if (isStale || mustClose) {
    const progress = await sign(desk, record, nonce)
    if (progress === 'moved') return progress
  }
  const sentAt = sent.get(last.hash)
  if (sentAt === undefined || now - sentAt >= settings.replaceAfterMs) await send(desk, last)
  return 'waiting'
}
