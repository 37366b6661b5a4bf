import type { z } from 'zod'
import type { Hearing } from './task.ts'
import type { tasks } from './tasks.ts'

/** The name of a task. */
export type TaskName = keyof typeof tasks

/** The input of a task. */
export type Question<Name extends TaskName> = z.input<(typeof tasks)[Name]['input']>

/** The output of a task. */
export type Answer<Name extends TaskName> = Awaited<ReturnType<(typeof tasks)[Name]['run']>>

/**
 * Runs tasks on a data folder, in the process that holds it: this one or another.
 *
 * @example
 * await using office = await openOffice(settings)
 * const { phase } = await office.ask('status', { golem: 'alpha' })
 */
export type Office = AsyncDisposable & {
  ask<Name extends TaskName>(
    name: Name,
    question: Question<Name>,
    hearing?: Partial<Hearing>,
  ): Promise<Answer<Name>>
}
