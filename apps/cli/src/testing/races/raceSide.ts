import { setTimeout as pause } from 'node:timers/promises'
import type { Store } from '@bardo/store'
import { createPublicClient, custom, type EIP1193RequestFn } from 'viem'
import { type Context, contextOf } from '../../context/openContext.ts'

/** Called before each request to the node and each call of the store, with its number and name. */
type OnMoment = (number: number, name: string) => Promise<void>

/** One of two concurrent sides: its own context on the same chain and the same data. */
export type RaceSide = {
  readonly context: Context
  /** The number of moments since it began. */
  moments(): number
  /** Restarts the count, and calls the listener at each moment. */
  listen(onMoment: OnMoment): void
}

/** Calls that write nothing, or that wait for others. */
const quiet = new Set(['subscribe', 'close', 'work', 'record'])

/**
 * A side whose moments can be observed. A whole transaction of the store is one moment: a side that is held inside it would
 * lock rows that the other side needs.
 *
 * @param onWrite - called with everything that is written to the store, also inside transactions
 */
export function createRaceSide(base: Context, onWrite: (values: readonly unknown[]) => void): RaceSide {
  let count = 0
  let heard: OnMoment = async () => {}
  const pass = async (name: string) => {
    count += 1
    await heard(count, name)
  }
  const { chain } = base
  const ask: EIP1193RequestFn = chain.client.request
  const client = createPublicClient({
    chain: chain.client.chain,
    cacheTime: 0,
    pollingInterval: chain.client.pollingInterval,
    transport: custom(
      {
        async request(question: { method: string; params?: unknown }) {
          await pass(question.method)
          return ask(question)
        },
      },
      { retryCount: 0 },
    ),
  })
  const store = watchStore(base.store, pass, onWrite)
  return {
    context: contextOf(base.settings, { ...chain, client }, store, base.clock),
    moments: () => count,
    listen(onMoment) {
      count = 0
      heard = onMoment
    },
  }
}

/** When the other side starts, and how long the first side waits. */
export type Aim = {
  /** The moment of the first side at which the other side starts. */
  readonly at: number
  /** The moments of the other side before the first side continues. */
  readonly hold: number
  /** Runs at that moment, before the other side begins. The first side then waits until the other has ended. */
  readonly happens?: (() => Promise<void>) | undefined
}

/** The result of a race. */
export type Raced = {
  readonly lead: PromiseSettledResult<unknown>
  readonly other: PromiseSettledResult<unknown>
  /** The moment of the first side at which the other side began; undefined if the first side ended before it. */
  readonly moment: string | undefined
  /** The number of moments of the first side. */
  readonly length: number
}

/** After this time, a side that waits for a lock of the other side continues. */
const longestHoldMs = 1_500

/** Runs two operations concurrently. The other one begins at the given moment of the first one, or after its end. */
export async function race(
  { at, hold, happens }: Aim,
  [first, lead]: readonly [RaceSide, () => Promise<unknown>],
  [second, other]: readonly [RaceSide, () => Promise<unknown>],
): Promise<Raced> {
  let moment: string | undefined
  let running: Promise<unknown> | undefined
  const { promise: isFar, resolve: goOn } = Promise.withResolvers<void>()
  second.listen(async (number) => {
    if (number >= hold) goOn()
  })
  first.listen(async (number, name) => {
    if (number !== at) return
    moment = `${number} (${name})`
    await happens?.()
    running = other()
    if (happens) return void (await Promise.allSettled([running]))
    void Promise.allSettled([running]).then(() => goOn())
    const over = new AbortController()
    if (hold > 0)
      await Promise.race([isFar, pause(longestHoldMs, undefined, { signal: over.signal }).catch(() => {})])
    over.abort()
  })
  const [led] = await Promise.allSettled([lead()])
  const length = first.moments()
  first.listen(async () => {})
  const [followed] = await Promise.allSettled([running ?? other()])
  second.listen(async () => {})
  return { lead: led, other: followed, moment, length }
}

function watchStore(
  store: Store,
  pass: (name: string) => Promise<void>,
  onWrite: (values: readonly unknown[]) => void,
): Store {
  const hear = <Target extends object>(target: Target, written: unknown[]): Target =>
    new Proxy(target, {
      get(_, key) {
        const value: unknown = Reflect.get(target, key)
        if (typeof value !== 'function') return isRepository(value) ? hear(value, written) : value
        return (...values: unknown[]) => {
          written.push(...values)
          return Reflect.apply(value, target, values)
        }
      },
    })
  const transaction: Store['transaction'] = async (work) => {
    await pass('transaction')
    const written: unknown[] = []
    const result = await store.transaction((open) => work(hear(open, written)))
    // Writes of a rolled-back transaction do not count.
    onWrite(written)
    return result
  }
  const watch = <Target extends object>(target: Target, path: string): Target =>
    new Proxy(target, {
      get(_, key) {
        const value: unknown = Reflect.get(target, key)
        const name = `${path}${String(key)}`
        if (name === 'transaction') return transaction
        if (typeof value !== 'function') return isRepository(value) ? watch(value, `${name}.`) : value
        if (typeof key === 'symbol' || quiet.has(key)) return value
        return async (...values: unknown[]) => {
          await pass(name)
          onWrite(values)
          return Reflect.apply(value, target, values)
        }
      },
    })
  return watch(store, '')
}

function isRepository(value: unknown): value is object {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
