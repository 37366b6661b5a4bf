import { BardoError, type Clock, type Intent, type Journal, type JournalRecord } from '@bardo/core'
import { type Address, type Hex, isAddress, isHex, type PublicClient } from 'viem'
import { advance, type Desk } from './advance.ts'
import type { Fees } from './fees.ts'
import { guardJournal } from './guardJournal.ts'
import type { Rail } from './rail.ts'
import { closed, differentIntent, displaced, malformed, stillOpen, withOutcome } from './refusals.ts'
import { defaultSettings, type SubmitterSettings } from './settings.ts'
import type { TransactionSigner } from './signAttempt.ts'
import { transactionRail } from './transactionRail.ts'

/** A transaction that is wanted once. The id is the caller's: submitting it again is asking what became of it. */
export type Wish = {
  readonly id: string
  readonly to: Address
  readonly value?: bigint
  readonly data?: Hex
  /** Estimated, with a fifth on top, unless told. */
  readonly gas?: bigint
  /**
   * Wei for each unit of gas, paid whole however low the block's own fee is: what it costs is known to the wei before it
   * is sent. The day's fees unless told. It is not written down: whoever carries on after a crash offers the day's.
   */
  readonly price?: bigint
  /** Milliseconds since 1970; from then on its nonce is closed instead. */
  readonly expiresAt?: number
  /** Runs before anything is written down, and only then: asking again what became of it is not refused. */
  readonly check?: () => Promise<void>
}

/** A transaction that landed for good. It may have reverted: it has used its nonce up all the same. */
export type Landed = {
  readonly id: string
  readonly nonce: number
  readonly hash: Hex
  readonly status: 'success' | 'reverted'
  readonly blockNumber: bigint
  readonly blockHash: Hex
}

/** What every submitter needs, whatever it sends. */
export type SubmissionOptions = {
  readonly chainId: number
  readonly journal: Journal
  readonly clock: Clock
  readonly settings?: Partial<SubmitterSettings>
}

export type SubmitterOptions = SubmissionOptions & {
  readonly client: PublicClient
  readonly signer: TransactionSigner
}

export type Submitter = {
  /** Sends it, or carries on with it, until it landed for good. */
  submit(wish: Wish): Promise<Landed>
  /** Sees to it that it does not land any more, and says how it ended: it may have been faster. */
  cancel(id: string): Promise<JournalRecord>
  /** Carries on with all that is open: call it when a process starts. Tells which are settled now and which are not. */
  recover(): Promise<readonly JournalRecord[]>
}

/**
 * Sends transactions of one key exactly once each, over crashes, lost answers, races and reorganisations (P8).
 *
 * @example
 * const submitter = createSubmitter({ client, chainId: 8453, journal, clock, signer })
 * await submitter.recover()
 * const { hash, status } = await submitter.submit({ id: 'tick-42', to, data })
 */
export function createSubmitter(options: SubmitterOptions): Submitter {
  return createSubmitterOn(transactionRail(options), options)
}

/** The same over any rail. */
export function createSubmitterOn(rail: Rail, options: SubmissionOptions): Submitter {
  const { chainId, clock } = options
  const journal = guardJournal(options.journal)
  const settings = { ...defaultSettings, ...options.settings }
  const sender = { chainId, from: rail.from }
  const memory = { sent: new Map(), underpriced: new Set<Hex>() }
  const desk: Desk = { rail, journal, clock, settings, ...memory }

  async function add(wish: Wish): Promise<void> {
    const { id, to, value = 0n, data = '0x', expiresAt } = wish
    // What cannot be signed must not get a nonce.
    const isSound =
      isAddress(to) && isHex(data) && data.length % 2 === 0 && value >= 0n && (wish.gas ?? 1n) > 0n
    if (!isSound) throw malformed(id)
    const known = await journal.find(id)
    if (!known) {
      // Before a nonce is claimed: a call that reverts today leaves no gap behind.
      await wish.check?.()
      const expiry = expiresAt === undefined ? {} : { expiresAt }
      const intent: Intent = { id, ...sender, ...(await rail.draft(wish)), ...expiry }
      if (await journal.addIntent(intent, clock.now())) return
    }
    const { intent } = known ?? (await find(id))
    if (!rail.isSame(intent, wish)) throw differentIntent(id)
  }

  async function find(id: string): Promise<JournalRecord> {
    const record = await journal.find(id)
    if (record) return record
    throw new BardoError('The journal has no such intent.', { code: 'INVALID_INPUT', details: [id] })
  }

  /** Takes steps for a record until it is settled. */
  async function follow(id: string, price?: bigint): Promise<JournalRecord> {
    const at =
      price === undefined ? desk : { ...desk, rail: { ...rail, todaysFees: async () => whole(price) } }
    const deadline = clock.now() + settings.patienceMs
    let trouble: unknown
    for (;;) {
      const record = await find(id)
      if (record.settlement) return record
      try {
        if ((await advance(at, record)) === 'moved') continue
        await help(record)
        trouble = undefined
      } catch (error) {
        if (error instanceof BardoError) throw withOutcome(error, record)
        // The node's trouble, not the intent's: patience.
        trouble = error
      }
      if (clock.now() >= deadline) throw stillOpen(record, trouble)
      await clock.sleep(settings.pollMs)
    }
  }

  /** A transaction waits for those with lower nonces. Whoever owned them may be dead: take their next step. */
  async function help({ nonce = 0 }: JournalRecord): Promise<void> {
    for (const other of await journal.open(sender)) {
      if (other.nonce === undefined || other.nonce >= nonce) continue
      const touchedAt = other.attempts.at(-1)?.storedAt ?? other.addedAt
      if (clock.now() - touchedAt >= settings.replaceAfterMs) await advance(desk, other)
    }
  }

  return {
    async submit(wish) {
      await add(wish)
      return conclude(await follow(wish.id, wish.price))
    },

    async cancel(id) {
      await journal.close(id)
      return follow(id)
    },

    async recover() {
      const open = await journal.open(sender)
      const ends = await Promise.allSettled(open.map(({ intent }) => follow(intent.id)))
      // What is still open after all patience is a fact, not a failure; a dead journal is one.
      for (const end of ends) {
        const isFatal = end.status === 'rejected' && end.reason?.code !== 'OUTCOME_UNKNOWN'
        if (isFatal) throw end.reason
      }
      return Promise.all(open.map(({ intent }) => find(intent.id)))
    },
  }
}

/** All of it to whoever builds the block: then the price does not hang on the block's fee. */
function whole(price: bigint): Fees {
  return { maxFeePerGas: price, maxPriorityFeePerGas: price }
}

function conclude({ intent, nonce = 0, settlement }: JournalRecord): Landed {
  switch (settlement?.kind) {
    case 'landed':
      return { id: intent.id, nonce, ...settlement.mined }
    case 'displaced':
      throw displaced(intent, nonce, settlement.by)
    default:
      throw closed(intent)
  }
}
