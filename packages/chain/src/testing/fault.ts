import type { Clock, Journal } from '@bardo/core'
import { createPublicClient, custom, http, type PublicClient } from 'viem'
import type { TransactionSigner } from '../submission/signAttempt.ts'

/** Where a fault happens: before an operation starts, or after it is done and before its result is seen. */
export type FaultPoint = `${'before' | 'after'} ${string}`

/** Thrown by every operation of a process that has crashed. */
class Crash extends Error {
  override readonly name = 'Crash'
}

/** Wraps one operation; it may do something else instead. */
export type Around = <Result>(operation: string, run: () => Promise<Result>) => Promise<Result>

/**
 * A process that crashes at a point, the `skip`-th time it gets there. From then on nothing leaves it: no
 * write, no request and no signature.
 */
export function createCrash(point: FaultPoint | undefined, skip = 0) {
  let dead = false
  let left = skip
  const crashAt = (reached: FaultPoint) => {
    if (reached === point && left-- === 0) dead = true
    if (dead) throw new Crash(reached)
  }
  const around: Around = async (operation, run) => {
    crashAt(`before ${operation}`)
    const result = await run()
    crashAt(`after ${operation}`)
    return result
  }
  return {
    around,
    get dead() {
      return dead
    },
  }
}

export function journalAround(journal: Journal, around: Around): Journal {
  return {
    addIntent: (...args) => around('addIntent', () => journal.addIntent(...args)),
    claimNonce: (...args) => around('claimNonce', () => journal.claimNonce(...args)),
    addAttempt: (...args) => around('addAttempt', () => journal.addAttempt(...args)),
    close: (...args) => around('close', () => journal.close(...args)),
    noteMined: (...args) => around('noteMined', () => journal.noteMined(...args)),
    settle: (...args) => around('settle', () => journal.settle(...args)),
    reopen: (...args) => around('reopen', () => journal.reopen(...args)),
    find: (...args) => around('find', () => journal.find(...args)),
    open: (...args) => around('open', () => journal.open(...args)),
    from: (...args) => around('from', () => journal.from(...args)),
    highestNonce: (...args) => around('highestNonce', () => journal.highestNonce(...args)),
  }
}

export function clientAround(url: string, around: Around): PublicClient {
  const node = createPublicClient({ transport: http(url, { retryCount: 0 }) })
  const request = ({ method, params }: { method: string; params?: unknown }) =>
    around(method, () => node.request({ method, params } as Parameters<typeof node.request>[0]))
  return createPublicClient({ transport: custom({ request }, { retryCount: 0 }), cacheTime: 0 })
}

export function signerAround(signer: TransactionSigner, around: Around): TransactionSigner {
  const signTransaction = ((transaction, options) =>
    around('sign', async () => signer.signTransaction(transaction, options))) as typeof signer.signTransaction
  return { address: signer.address, signTransaction }
}

/** A clock that advances only in `sleep`; `onSleep` is what happens meanwhile. */
export function createTestClock(onSleep: () => Promise<unknown> = async () => {}): Clock {
  let now = 1_800_000_000_000
  return {
    now: () => now,
    async sleep(milliseconds) {
      await onSleep()
      now += milliseconds
    },
  }
}
