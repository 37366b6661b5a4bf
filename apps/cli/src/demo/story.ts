import type { Hash } from 'viem'
import type { NamedRefusal } from './namedRefusal.ts'

/** The result of one step: a sentence, and its transaction. */
export type StepResult = {
  readonly what: string
  /** Its transaction, or the most important one of several. */
  readonly transaction?: Hash
  /** The refusal, if the chain refused it. */
  readonly refusal?: NamedRefusal
  /** Its duration, if it was part of a longer operation. */
  readonly milliseconds?: number
}

/** A finished step. */
export type Step = Omit<StepResult, 'milliseconds'> & {
  readonly name: string
  readonly verdict: 'done' | 'refused'
  readonly gas?: bigint
  readonly milliseconds: number
}

/** A promise, and whether it was kept. */
export type PromiseCheck = { readonly kept: boolean; readonly what: string }

/** Receives the story while it runs. */
export type Listener = {
  chapter(number: number, title: string, why: string): void
  step(step: Step): void
  promise(promised: PromiseCheck): void
  aside(text: string): void
}

/** Records the steps of the demo and passes them to a listener. */
export type Story = {
  /** All steps and promises so far, and the time they took. */
  soFar(): {
    readonly steps: readonly Step[]
    readonly promises: readonly PromiseCheck[]
    readonly milliseconds: number
  }
  chapter(title: string, why: string): void
  /** Runs a step, measures its time, and returns its result. */
  step<Result extends StepResult>(name: string, work: () => Promise<Result>): Promise<Result>
  promise(kept: boolean, what: string): void
  /** Prints text that is not a step. */
  aside(text: string): void
  /** Sets the function that reads the gas of later steps. */
  weighBy(gasOf: (transaction: Hash) => Promise<bigint>): void
}

/** Creates an empty story. */
export function createStory(listener?: Listener): Story {
  const begun = performance.now()
  const steps: Step[] = []
  const promises: PromiseCheck[] = []
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
