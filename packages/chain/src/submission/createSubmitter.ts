import {
  BardoError,
  type Clock,
  type Intent,
  type Journal,
  type JournalRecord,
  type Mined,
  minedTransaction,
  type SubmissionEvent,
} from '@bardo/core'
import { type Address, type Hex, isAddress, isHex, type PublicClient } from 'viem'
import { advance, type Memory, type SubmitterContext } from './advance.ts'
import { closeGap } from './closeGap.ts'
import { guardJournal } from './guardJournal.ts'
import { closed, differentIntent, displaced, malformed, retired, stillOpen, withOutcome } from './refusals.ts'
import { reviewSettled } from './reviewSettled.ts'
import { defaultSettings, type SubmitterSettings } from './settings.ts'
import type { TransactionSigner } from './signAttempt.ts'
import type { SubmissionBackend } from './submissionBackend.ts'
import { transactionBackend } from './transactionBackend.ts'

/**
 * A transaction that is sent once. The caller chooses the id: submitting it again returns the first result.
 */
export type TransactionRequest = {
  readonly id: string
  readonly to: Address
  readonly value?: bigint
  readonly data?: Hex
  /** Default: the estimate plus a fifth. */
  readonly gas?: bigint
  /**
   * Sends the key's whole balance: each attempt sends what its own fee leaves. Only for a key's plain
   * transactions.
   */
  readonly sweep?: true
  /** Milliseconds since 1970. After this time its nonce is closed instead. */
  readonly expiresAt?: number
  /** Runs before anything is stored, and only then: a repeated submission is not refused. */
  readonly check?: () => Promise<void>
}

/** A transaction that landed and is final. It may have reverted, and has used its nonce in any case. */
export type Landed = {
  readonly id: string
  readonly nonce: number
  /** The transaction; for a UserOperation the bundler's. */
  readonly hash: Hex
  readonly status: 'success' | 'reverted'
  readonly blockNumber: bigint
  readonly blockHash: Hex
}

/** How an intent landed, from the journal. */
export function landedAs(id: string, nonce: number, mined: Mined): Landed {
  const { status, blockNumber, blockHash } = mined
  return { id, nonce, hash: minedTransaction(mined), status, blockNumber, blockHash }
}

/** Options of every submitter. */
export type SubmissionOptions = {
  readonly chainId: number
  readonly journal: Journal
  readonly clock: Clock
  readonly settings?: Partial<SubmitterSettings>
  /** Whether the key may start new intents; false once a rotation retired it. Default: true. */
  readonly isInUse?: () => Promise<boolean>
  /**
   * The key is gone: its signed attempts are followed and rebroadcast, and gaps are left to `resendSettled`.
   * Default: false.
   */
  readonly isKeyless?: boolean
  /** Receives landings that a reorganisation removed, and nonce gaps. After a crash, an event may repeat. */
  readonly onEvent?: (event: SubmissionEvent) => void | Promise<void>
}

export type SubmitterOptions = SubmissionOptions & {
  readonly client: PublicClient
  readonly signer: TransactionSigner
}

export type Submitter = {
  /** Sends it, or continues with it, until it has landed and is final. */
  submit(request: TransactionRequest): Promise<Landed>
  /** Stops it from landing, and returns how it ended: it may have landed first. */
  cancel(id: string): Promise<JournalRecord>
  /** Continues all open intents: call it when a process starts. Returns their records, settled or not. */
  recover(): Promise<readonly JournalRecord[]>
}

/**
 * Sends transactions of one key exactly once each, across crashes, lost answers, races and reorganisations.
 *
 * @example
 * const submitter = createSubmitter({ client, chainId: 8453, journal, clock, signer })
 * await submitter.recover()
 * const { hash, status } = await submitter.submit({ id: 'tick-42', to, data })
 */
export function createSubmitter(options: SubmitterOptions): Submitter {
  return createSubmitterOn(transactionBackend(options), options)
}

/** The same with any submission backend. */
export function createSubmitterOn(backend: SubmissionBackend, options: SubmissionOptions): Submitter {
  const { chainId, clock } = options
  const journal = guardJournal(options.journal)
  const settings = { ...defaultSettings, ...options.settings }
  const sender = { chainId, from: backend.from }
  const memory: Memory = {
    sent: new Map(),
    underpriced: new Set(),
    steps: new Map(),
    gapIntents: new Set(),
    gapSince: undefined,
    doubt: undefined,
  }
  const emit = async (event: SubmissionEvent) => options.onEvent?.(event)
  const context: SubmitterContext = {
    backend,
    journal,
    clock,
    settings,
    chainId,
    memory,
    emit,
    isKeyless: options.isKeyless ?? false,
    review: async () => (options.isKeyless ? undefined : reviewSettled(context)),
  }

  async function add(request: TransactionRequest): Promise<void> {
    const { id, to, value = 0n, data = '0x', expiresAt } = request
    // An invalid transaction must not get a nonce.
    const isValid =
      isAddress(to) && isHex(data) && data.length % 2 === 0 && value >= 0n && (request.gas ?? 1n) > 0n
    if (!isValid) throw malformed(id)
    const existing = await journal.find(id)
    if (!existing && (await addNew())) return requireInUse(id)
    const { intent } = existing ?? (await find(id))
    if (!backend.isSame(intent, request)) throw differentIntent(id)

    /** False if another process was faster. */
    async function addNew(): Promise<boolean> {
      try {
        // Before a nonce is claimed: a call that reverts now must not leave a gap.
        await request.check?.()
        const expiry = expiresAt === undefined ? {} : { expiresAt }
        const intent: Intent = { id, ...sender, ...(await backend.draft(request)), ...expiry }
        return await journal.addIntent(intent, clock.now())
      } catch (error) {
        // If another process has executed it meanwhile, a second draft fails. That is not a refusal.
        if (await journal.find(id)) return false
        // A rotated key has no gas: report the rotation instead.
        const hasNoGas = error instanceof BardoError && error.code === 'INSUFFICIENT_FUNDS'
        throw hasNoGas && !(await isInUse()) ? retired(id, sender.from) : error
      }
    }
  }

  /**
   * Stores the intent first and checks afterwards: a rotation that retires the key either finds the intent
   * and finishes it, or is seen here. Otherwise the key could sign after its gas was moved, and the
   * transaction could never land.
   */
  async function requireInUse(id: string): Promise<void> {
    if (await isInUse()) return
    // False if the rotation has assigned it a nonce: then it continues.
    if (await journal.settle(id, { kind: 'dropped' })) throw retired(id, sender.from)
  }

  async function isInUse(): Promise<boolean> {
    return (await options.isInUse?.()) ?? true
  }

  async function find(id: string): Promise<JournalRecord> {
    const record = await journal.find(id)
    if (record) return record
    throw new BardoError('The journal has no intent with this id.', { code: 'INVALID_INPUT', details: [id] })
  }

  /** Takes steps for a record until it is settled. Throws `OUTCOME_UNKNOWN` after the deadline. */
  async function follow(id: string, deadline = patienceEnd()): Promise<JournalRecord> {
    let nodeError: unknown
    for (;;) {
      const record = await find(id)
      if (record.settlement) return record
      try {
        if ((await advance(context, record)) === 'moved') continue
        await help(record)
        nodeError = undefined
      } catch (error) {
        if (error instanceof BardoError) {
          // Another process took the step meanwhile. That is not a refusal.
          if (hasMoved(record, await find(id), memory)) continue
          throw withOutcome(error, record)
        }
        // The node failed, not the intent: keep waiting.
        nodeError = error
      }
      if (clock.now() >= deadline) throw stillOpen(record, nodeError)
      await clock.sleep(settings.pollMs)
    }
  }

  /**
   * A transaction waits for those with lower nonces. Their process may have crashed, so take their next step.
   */
  async function help({ nonce = 0 }: JournalRecord): Promise<void> {
    if (options.isKeyless) return
    await closeGap(context)
    await tend()
    for (const other of await journal.open(sender)) {
      if (other.nonce === undefined || other.nonce >= nonce) continue
      const touchedAt = other.attempts.at(-1)?.storedAt ?? other.addedAt
      if (clock.now() - touchedAt >= settings.replaceAfterMs) await advance(context, other)
    }
  }

  function patienceEnd(): number {
    return clock.now() + settings.patienceMs
  }

  /** The open intents that were reopened, or created to close a gap. No caller waits for them. */
  async function repairs(): Promise<readonly JournalRecord[]> {
    const open = await journal.open(sender)
    return open.filter(({ intent, undone }) => undone || memory.gapIntents.has(intent.id))
  }

  /** Takes a step for each repair. */
  async function tend(): Promise<void> {
    for (const record of await repairs()) await advance(context, record)
  }

  /**
   * Checks for reorganisations before anything new is signed, and finishes the repairs: their nonces are lower than that
   * of the new intent, and nothing follows them if the new intent is refused. A failure here is not a failure of the new
   * intent.
   */
  async function review(deadline: number): Promise<void> {
    if (options.isKeyless) return
    const work = async () => {
      await closeGap(context)
      return Promise.allSettled((await repairs()).map(({ intent }) => follow(intent.id, deadline)))
    }
    const ends = await work().catch((reason: unknown) => [{ status: 'rejected', reason } as const])
    for (const end of ends)
      if (end.status === 'rejected' && end.reason?.code === 'JOURNAL_UNAVAILABLE') throw end.reason
  }

  return {
    async submit(request) {
      const deadline = patienceEnd()
      await review(deadline)
      await add(request)
      const settled = await follow(request.id, deadline)
      // A reopened intent has a lower nonce, so it has landed too. The next submission repeats a step that fails here.
      if (!options.isKeyless) await tend().catch(() => {})
      return conclude(settled)
    },

    async cancel(id) {
      await journal.close(id)
      return follow(id)
    },

    async recover() {
      try {
        if (!options.isKeyless) await closeGap(context)
      } catch (error) {
        // An unreachable node is retried below; an unavailable journal is not.
        if (error instanceof BardoError) throw error
      }
      const open = await journal.open(sender)
      const ends = await Promise.allSettled(open.map(({ intent }) => follow(intent.id)))
      // An intent that is still open after the patience is not a failure; an unavailable journal is.
      for (const end of ends) {
        const isFatal = end.status === 'rejected' && end.reason?.code !== 'OUTCOME_UNKNOWN'
        if (isFatal) throw end.reason
      }
      return Promise.all(open.map(({ intent }) => find(intent.id)))
    },
  }
}

/** Whether another process signed or settled a record. */
function hasMoved(before: JournalRecord, after: JournalRecord, { sent }: Memory): boolean {
  const added = after.attempts.slice(before.attempts.length)
  return after.settlement !== undefined || added.some(({ hash }) => !sent.has(hash))
}

function conclude({ intent, nonce = 0, settlement }: JournalRecord): Landed {
  switch (settlement?.kind) {
    case 'landed':
      return landedAs(intent.id, nonce, settlement.mined)
    case 'displaced':
      throw displaced(intent, nonce, settlement.by)
    default:
      throw closed(intent)
  }
}
