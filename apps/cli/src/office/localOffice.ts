import { Readable } from 'node:stream'
import { BardoError } from '@bardo/core'
import type { Place } from '../place/openPlace.ts'
import { plainJson } from '../shell/plainJson.ts'
import type { Answer, Office, TaskName } from './office.ts'
import type { Hearing, Task } from './task.ts'
import { tasks } from './tasks.ts'

/** Does a task by its name, whatever was sent: what cannot be meant is refused with the reason. */
export async function doTask(
  place: Place,
  name: string,
  question: unknown,
  hearing: Hearing,
): Promise<unknown> {
  const task = Object.hasOwn(tasks, name)
    ? (tasks[name as TaskName] as Task<unknown, unknown, unknown>)
    : undefined
  if (!task) throw new BardoError('There is no such task.', { code: 'INVALID_INPUT' })
  const parsed = task.input.safeParse(question)
  if (!parsed.success)
    throw new BardoError('This cannot be meant.', {
      code: 'INVALID_INPUT',
      details: parsed.error.issues
        .slice(0, 5)
        .map(({ path, message }) => `${path.join('.') || name}: ${message}`),
    })
  const answer = await task.run(place, parsed.data, hearing)
  // The same plain JSON as over a socket.
  return JSON.parse(plainJson(answer))
}

/** The office of a folder that this process has open. */
export function localOffice(place: Place): Office {
  const { signal: never } = new AbortController()
  return {
    ask: async <Name extends TaskName>(name: Name, question: unknown, hearing: Partial<Hearing> = {}) => {
      const whole = { note: () => {}, tell: () => {}, input: Readable.from([]), signal: never, ...hearing }
      return (await doTask(place, name, question, whole)) as Answer<Name>
    },
    [Symbol.asyncDispose]: () => place[Symbol.asyncDispose](),
  }
}
