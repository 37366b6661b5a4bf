import { mkdirSync, rmSync } from 'node:fs'
import { createServer, type Socket } from 'node:net'
import { BardoError } from '@bardo/core'
import { readLines } from '../rpc/lines.ts'
import { socketPath } from '../rpc/socketPath.ts'

/** The answers of the stub. `tell` sends a part; a stream returns a promise that stays open. */
export type StubAnswers = Readonly<
  Record<string, (question: Readonly<Record<string, unknown>>, tell: (part: unknown) => void) => unknown>
>

/** A stub that answers with samples over a real socket. */
export type StubOffice = AsyncDisposable & {
  /** The received requests, without read-only ones. */
  readonly asked: readonly { readonly task: string; readonly question: unknown }[]
}

const readOnlyTasks = new Set(['roster', 'events', 'status'])

/** Opens the stub on the socket of a data folder. */
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
      if (!readOnlyTasks.has(task)) asked.push({ task, question })
      const answer = answers[task]
      if (!answer) throw new BardoError('The stub has no such task.', { code: 'INVALID_INPUT' })
      return answer(question, (part) => say({ type: 'part', part }))
    }
    readLines(socket, 1_000_000, {
      onTooLong: () => socket.destroy(),
      onLine: (line) =>
        void answer(line)
          .then(
            (given) => say({ type: 'answer', answer: given }),
            (error) => say({ type: 'error', error: error.toJSON() }),
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
