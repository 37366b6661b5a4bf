import type { z } from 'zod'
import type { Hearing } from './task.ts'
import type { tasks } from './tasks.ts'

/** What can be asked. */
export type TaskName = keyof typeof tasks

/** What a task takes. */
export type Question<Name extends TaskName> = z.input<(typeof tasks)[Name]['input']>

/** What a task gives. */
export type Answer<Name extends TaskName> = Awaited<ReturnType<(typeof tasks)[Name]['run']>>

/**
 * What an owner or operator can ask of a data folder: by whoever has it open, in this process or in another.
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
