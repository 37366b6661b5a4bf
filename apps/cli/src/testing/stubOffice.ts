import { mkdirSync, rmSync } from 'node:fs'
import { createServer, type Socket } from 'node:net'
import { BardoError } from '@bardo/core'
import { readLines } from '../office/lines.ts'
import { socketPath } from '../office/socketPath.ts'

/** What an office answers with. `tell` sends a part; one that is not to end yet returns a promise that stays open. */
export type StubAnswers = Readonly<
  Record<string, (question: Readonly<Record<string, unknown>>, tell: (part: unknown) => void) => unknown>
>

/** An office that answers with samples, over the same socket as a real one. */
export type StubOffice = AsyncDisposable & {
  /** What was asked, without what only looks. */
  readonly asked: readonly { readonly task: string; readonly question: unknown }[]
}

const onlyLooks = new Set(['roster', 'events', 'status'])

/** Opens the stub of a folder's office. */
export async function serveStubOffice(home: string, answers: StubAnswers): Promise<StubOffice> {
  const open = new Set<Socket>()
  const asked: { task: string; question: unknown }[] = []
  const server = createServer({ allowHalfOpen: true }, (socket) => {
    open.add(socket)
    socket.on('close', () => open.delete(socket)).on('error', () => socket.destroy())
    const say = (line: unknown) => {
      if (!socket.destroyed) socket.write(`${JSON.stringify(line)}\n`)
    }
    const answer = async (line: string) => {
      const { task, question } = JSON.parse(line)
      if (!onlyLooks.has(task)) asked.push({ task, question })
      const found = answers[task]
      if (!found) throw new BardoError('The stub knows no such task.', { code: 'INVALID_INPUT' })
      return found(question, (part) => say({ is: 'part', part }))
    }
    readLines(socket, 1_000_000, {
      onTooLong: () => socket.destroy(),
      onLine: (line) =>
        void answer(line)
          .then(
            (given) => say({ is: 'answer', answer: given }),
            (error) => say({ is: 'error', error: error.toJSON() }),
          )
          .then(() => socket.end()),
    })
  })
  mkdirSync(home, { recursive: true })
  const path = socketPath(home)
  rmSync(path, { force: true })
  await new Promise<void>((resolve) => server.listen(path, resolve))
  return {
    asked,
    async [Symbol.asyncDispose]() {
      const closed = new Promise<void>((resolve) => server.close(() => resolve()))
      for (const socket of open) socket.destroy()
      await closed
    },
  }
}
