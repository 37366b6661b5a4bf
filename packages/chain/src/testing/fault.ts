import type { Clock, Journal } from '@bardo/core'
import { createPublicClient, custom, http, type PublicClient } from 'viem'
import type { TransactionSigner } from '../submission/signAttempt.ts'

/** Where something goes wrong: before an operation begins, or after it was done and before anybody hears of it. */
export type FaultPoint = `${'before' | 'after'} ${string}`

/** Thrown by everything a process touches once it has crashed. */
class Crash extends Error {
  override readonly name = 'Crash'
}

/** Goes around one operation; it may do something else instead. */
export type Around = <Result>(operation: string, run: () => Promise<Result>) => Promise<Result>

/**
 * A process that dies at a point, the `skip`-th time it gets there. From then on nothing leaves it: neither a write,
 * nor a request, nor a signature.
 */
export function createCrash(point: FaultPoint | undefined, skip = 0) {
  let dead = false
  let left = skip
  const dieAt = (reached: FaultPoint) => {
    if (reached === point && left-- === 0) dead = true
    if (dead) throw new Crash(reached)
  }
  const around: Around = async (operation, run) => {
    dieAt(`before ${operation}`)
    const result = await run()
    dieAt(`after ${operation}`)
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
    find: (...args) => around('find', () => journal.find(...args)),
    open: (...args) => around('open', () => journal.open(...args)),
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

/** A clock that runs as fast as it is asked to; `onSleep` is what the world does meanwhile. */
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
