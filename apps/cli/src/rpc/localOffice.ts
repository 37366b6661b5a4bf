import { Readable } from 'node:stream'
import { BardoError } from '@bardo/core'
import type { Context } from '../context/openContext.ts'
import { plainJson } from '../terminal/plainJson.ts'
import { shown } from '../terminal/shown.ts'
import type { Answer, Office, TaskName } from './office.ts'
import type { Hearing, Task } from './task.ts'
import { tasks } from './tasks.ts'

/** Runs a task by name. Refuses an unknown task and invalid input. */
export async function doTask(
  context: Context,
  name: string,
  question: unknown,
  hearing: Hearing,
): Promise<unknown> {
  const task = Object.hasOwn(tasks, name)
    ? (tasks[name as TaskName] as Task<unknown, unknown, unknown>)
    : undefined
  if (!task) throw new BardoError(`Unknown task "${shown(name)}".`, { code: 'INVALID_INPUT' })
  const parsed = task.input.safeParse(question)
  if (!parsed.success)
    throw new BardoError(`Invalid input for "${name}".`, {
      code: 'INVALID_INPUT',
      details: parsed.error.issues
        .slice(0, 5)
        .map(({ path, message }) => `${path.join('.') || name}: ${message}`),
    })
  const answer = await task.run(context, parsed.data, hearing)
  // The same plain JSON as over a socket.
  return JSON.parse(plainJson(answer))
}

/** Runs tasks in this process, on its own open data folder. */
export function localOffice(context: Context): Office {
  const { signal: never } = new AbortController()
  return {
    ask: async <Name extends TaskName>(name: Name, question: unknown, hearing: Partial<Hearing> = {}) => {
      const whole = { note: () => {}, tell: () => {}, input: Readable.from([]), signal: never, ...hearing }
      return (await doTask(context, name, question, whole)) as Answer<Name>
    },
    [Symbol.asyncDispose]: () => context[Symbol.asyncDispose](),
  }
}
