import type { Random } from '@bardo/core/testing/random'

/**
 * Interleaves ticks with the requests of an owner's command. Each side waits for its turn before a request to the node. At each
 * request of the command, a random number lets a tick begin, send some requests, or run to its end. A tick without requests
 * left waits.
 */
export type Interleaving = {
  /** Await this before each request of the owner's command. */
  ownerAsks(): Promise<void>
  /** Await this before each request of the worker. */
  workerAsks(): Promise<void>
  /** Runs a command with ticks in between. All ticks have ended when it returns. */
  during<Result>(dice: Random, tick: () => Promise<unknown>, command: () => Promise<Result>): Promise<Result>
}

/** The most ticks that begin during a command. */
const mostTicks = 3
/** A command without a request for this long waits for the held tick, so the tick continues. */
const stuckMs = 2_000

/** The state of a running command. */
type Session = {
  readonly dice: Random
  readonly share: number
  readonly tick: () => Promise<unknown>
  ticks: number
  running: Promise<unknown> | undefined
  /** Requests that the tick may still send. */
  credit: number
  held: (() => void)[]
  pause: () => void
  askedAt: number
}

/** Creates a scheduler for one local chain. */
export function createInterleaving(): Interleaving {
  let session: Session | undefined
  let turn: Promise<void> = Promise.resolve()

  return {
    ownerAsks() {
      const current = session
      if (!current) return Promise.resolve()
      current.askedAt = Date.now()
      // Parallel requests get their turns one after the other.
      turn = turn.then(() => roll(current))
      return turn
    },
    async workerAsks() {
      for (;;) {
        const current = session
        if (!current?.running) return
        if (current.credit > 0) {
          current.credit -= 1
          return
        }
        await new Promise<void>((resolve) => {
          current.held.push(resolve)
          current.pause()
        })
      }
    },
    async during(dice, tick, command) {
      const share = dice.pick([0, 0.05, 0.15, 0.4])
      const current: Session = {
        dice,
        share,
        tick,
        ticks: 0,
        running: undefined,
        credit: 0,
        held: [],
        pause: () => {},
        askedAt: Date.now(),
      }
      session = current
      const guard = setInterval(() => {
        if (Date.now() - current.askedAt > stuckMs) release(current, Number.POSITIVE_INFINITY)
      }, stuckMs / 2)
      try {
        return await command()
      } finally {
        clearInterval(guard)
        release(current, Number.POSITIVE_INFINITY)
        await current.running
        session = undefined
      }
    },
  }
}

async function roll(current: Session): Promise<void> {
  const { dice, share } = current
  if (!dice.chance(share)) return
  if (!current.running && current.ticks >= mostTicks) return
  await advance(current, dice.chance(0.3) ? Number.POSITIVE_INFINITY : dice.below(20))
}

/** Lets the tick send a number of requests, and waits until it has, or has ended. */
async function advance(current: Session, requests: number): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>()
  current.pause = resolve
  if (current.running) release(current, requests)
  else {
    current.credit = requests
    current.ticks += 1
    current.running = current.tick().finally(() => {
      current.running = undefined
      current.pause()
    })
  }
  await promise
}

function release(current: Session, requests: number): void {
  current.credit = requests
  const held = current.held
  current.held = []
  for (const goOn of held) goOn()
}
