import { chmodSync, rmSync } from 'node:fs'
import { createServer, type Socket } from 'node:net'
import { PassThrough } from 'node:stream'
import { BardoError } from '@bardo/core'
import { z } from 'zod'
import type { Context } from '../context/openContext.ts'
import { plainJson } from '../terminal/plainJson.ts'
import { readLines } from './lines.ts'
import { doTask } from './localOffice.ts'
import type { Hearing } from './task.ts'

/** The longest request: a strategy and two more texts of up to 4 MB each. */
const longestQuestion = 16 * 1_048_576
/** The most requests at the same time. */
const mostAtOnce = 64
/** A client that leaves more than this unread is disconnected. */
const mostUnread = 16 * 1_048_576

const questionSchema = z.strictObject({ task: z.string(), question: z.unknown() })

/** A message to the client, as one line of JSON. */
type OfficeLine =
  | { readonly type: 'note'; readonly text: string }
  | { readonly type: 'part'; readonly part: unknown }
  | { readonly type: 'answer'; readonly answer: unknown }
  | { readonly type: 'error'; readonly error: ReturnType<BardoError['toJSON']> }

/**
 * Serves an open data folder to other processes of the same user: one request per connection, JSON lines until the answer.
 * The socket has mode 600, so that other users cannot connect.
 */
export async function serveOffice(
  context: Context,
  path: string,
  onDefect: (error: unknown) => void,
): Promise<AsyncDisposable> {
  const open = new Set<Socket>()
  const server = createServer((socket) => {
    open.add(socket)
    socket.on('close', () => open.delete(socket))
    // The client disconnected.
    socket.on('error', () => socket.destroy())
    if (open.size > mostAtOnce) socket.end(lineOf({ type: 'error', error: busy().toJSON() }))
    else serveOne(context, socket, onDefect)
  })
  // This process holds the lock on the folder, so an existing socket is left over from a dead process.
  if (process.platform !== 'win32') rmSync(path, { force: true })
  const mask = process.platform === 'win32' ? undefined : process.umask(0o177)
  try {
    await new Promise<void>((resolve, reject) => {
      server.once('error', (cause) =>
        reject(
          new BardoError('Cannot open the socket of the data folder.', {
            code: 'STORE_UNWRITABLE',
            details: [path],
            cause,
          }),
        ),
      )
      server.listen(path, resolve)
    })
  } finally {
    if (mask !== undefined) process.umask(mask)
  }
  if (process.platform !== 'win32') chmodSync(path, 0o600)
  return {
    async [Symbol.asyncDispose]() {
      const closed = new Promise<void>((resolve) => server.close(() => resolve()))
      for (const socket of open) socket.destroy()
      await closed
    },
  }
}

function serveOne(context: Context, socket: Socket, onDefect: (error: unknown) => void): void {
  const gone = new AbortController()
  socket.on('close', () => gone.abort())
  const say = (line: OfficeLine) => {
    if (socket.destroyed) return
    socket.write(lineOf(line))
    if (socket.writableLength > mostUnread) socket.destroy()
  }
  const input = new PassThrough()
  socket.on('close', () => input.end())
  const hearing: Hearing = {
    input,
    note: (text) => say({ type: 'note', text }),
    tell: (part) => say({ type: 'part', part }),
    signal: gone.signal,
  }
  let isAsked = false
  const end = (line: OfficeLine) => {
    say(line)
    socket.end()
  }
  readLines(socket, longestQuestion, {
    onTooLong: () => end({ type: 'error', error: unreadable('it is too long').toJSON() }),
    onLine(line) {
      if (isAsked) {
        if (line === '') input.end()
        else input.write(`${line}\n`)
        return
      }
      isAsked = true
      ask(line).then(
        (answer) => end({ type: 'answer', answer }),
        (error) => end({ type: 'error', error: toPlain(error, onDefect) }),
      )
    },
  })

  async function ask(line: string): Promise<unknown> {
    const { task, question } = parse(line)
    return doTask(context, task, question, hearing)
  }
}

function parse(line: string): z.output<typeof questionSchema> {
  try {
    return questionSchema.parse(JSON.parse(line))
  } catch {
    throw unreadable('it is not a JSON request')
  }
}

/** An error that is not a BardoError is not sent to the client: its text may hold secrets. */
function toPlain(error: unknown, onDefect: (error: unknown) => void) {
  if (error instanceof BardoError) return error.toJSON()
  onDefect(error)
  return new BardoError('Unexpected error in the running Bardo process: this is a bug in Bardo.', {
    code: 'INTERNAL',
  }).toJSON()
}

function unreadable(why: string): BardoError {
  return new BardoError('The request cannot be read.', { code: 'INVALID_INPUT', details: [why] })
}

function busy(): BardoError {
  return new BardoError('Too many requests at the same time.', {
    code: 'RATE_LIMITED',
    details: [`the limit is ${mostAtOnce}`],
    remedy: 'Try again in a moment.',
  })
}

function lineOf(line: OfficeLine): string {
  return `${plainJson(line)}\n`
}
