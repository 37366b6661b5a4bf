import type { Hash } from 'viem'
import type { NamedRefusal } from './namedRefusal.ts'

/** What one step came to: a sentence, and where to look it up. */
export type Told = {
  readonly what: string
  /** Its transaction, or the one that matters most of several. */
  readonly transaction?: Hash
  /** Where the chain said no: who of it, and why. */
  readonly refusal?: NamedRefusal
  /** Where it happened inside of something longer: how long it took there. */
  readonly milliseconds?: number
}

/** A step that is over. */
export type Step = Omit<Told, 'milliseconds'> & {
  readonly name: string
  readonly verdict: 'done' | 'refused'
  readonly gas?: bigint
  readonly milliseconds: number
}

/** Something that has to hold, and whether it did. */
export type Promised = { readonly kept: boolean; readonly what: string }

/** Whoever reads along. */
export type Listener = {
  chapter(number: number, title: string, why: string): void
  step(step: Step): void
  promise(promised: Promised): void
  aside(text: string): void
}

/** Keeps what happens in a life, and tells it to whoever reads along. */
export type Story = {
  /** All that happened, and how long it took. */
  soFar(): {
    readonly steps: readonly Step[]
    readonly promises: readonly Promised[]
    readonly milliseconds: number
  }
  chapter(title: string, why: string): void
  /** Does something, takes its time, and gives back what it came to. */
  step<Result extends Told>(name: string, work: () => Promise<Result>): Promise<Result>
  promise(kept: boolean, what: string): void
  /** Says something that is no step. */
  aside(text: string): void
  /** From now on steps know their gas. */
  weighBy(gasOf: (transaction: Hash) => Promise<bigint>): void
}

/** A story in which nothing has happened yet. */
export function createStory(listener?: Listener): Story {
  const begun = performance.now()
  const steps: Step[] = []
  const promises: Promised[] = []
  let chapters = 0
  let weigh: ((transaction: Hash) => Promise<bigint>) | undefined

  return {
    soFar: () => ({ steps, promises, milliseconds: Math.round(performance.now() - begun) }),
    chapter(title, why) {
      chapters += 1
      listener?.chapter(chapters, title, why)
    },
    async step(name, work) {
      const started = performance.now()
      const result = await work()
      const { what, transaction, refusal, milliseconds = performance.now() - started } = result
      const step: Step = {
        name,
        verdict: refusal ? 'refused' : 'done',
        what,
        ...(transaction && { transaction }),
        ...(transaction && weigh && { gas: await weigh(transaction) }),
        ...(refusal && { refusal }),
        milliseconds: Math.round(milliseconds),
      }
      steps.push(step)
      listener?.step(step)
      return result
    },
    promise(kept, what) {
      promises.push({ kept, what })
      listener?.promise({ kept, what })
    },
    aside: (text) => listener?.aside(text),
    weighBy(gasOf) {
      weigh = gasOf
    },
  }
}
