import { chmodSync, rmSync } from 'node:fs'
import { createServer, type Socket } from 'node:net'
import { PassThrough } from 'node:stream'
import { BardoError } from '@bardo/core'
import { z } from 'zod'
import type { Place } from '../place/openPlace.ts'
import { plainJson } from '../shell/plainJson.ts'
import { readLines } from './lines.ts'
import { doTask } from './localOffice.ts'
import type { Hearing } from './task.ts'

/** Longer questions are refused. Origin: ours; the longest holds a strategy and two more texts. */
const longestQuestion = 16 * 1_048_576
/** So many may be asked at once. Origin: ours. */
const mostAtOnce = 64
/** What nobody reads is not kept for them beyond this. */
const mostUnread = 16 * 1_048_576

const questionSchema = z.strictObject({ task: z.string(), question: z.unknown() })

/** A message of an office, as one line of JSON. */
type OfficeLine =
  | { readonly is: 'note'; readonly text: string }
  | { readonly is: 'part'; readonly part: unknown }
  | { readonly is: 'answer'; readonly answer: unknown }
  | { readonly is: 'error'; readonly error: ReturnType<BardoError['toJSON']> }

/**
 * Serves the office of an open folder to the other processes of its owner: one question for each connection, lines of JSON
 * until the answer. Nobody else may connect.
 */
export async function serveOffice(
  place: Place,
  path: string,
  onDefect: (error: unknown) => void,
): Promise<AsyncDisposable> {
  const open = new Set<Socket>()
  const server = createServer((socket) => {
    open.add(socket)
    socket.on('close', () => open.delete(socket))
    // Whoever asked is gone: that is their affair.
    socket.on('error', () => socket.destroy())
    if (open.size > mostAtOnce) socket.end(lineOf({ is: 'error', error: busy().toJSON() }))
    else serveOne(place, socket, onDefect)
  })
  // The folder is locked by this process, so that a socket that is there has nobody behind it.
  if (process.platform !== 'win32') rmSync(path, { force: true })
  const mask = process.platform === 'win32' ? undefined : process.umask(0o177)
  try {
    await new Promise<void>((resolve, reject) => {
      server.once('error', (cause) =>
        reject(
          new BardoError('The office cannot be opened.', {
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

function serveOne(place: Place, socket: Socket, onDefect: (error: unknown) => void): void {
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
    note: (text) => say({ is: 'note', text }),
    tell: (part) => say({ is: 'part', part }),
    signal: gone.signal,
  }
  let isAsked = false
  const end = (line: OfficeLine) => {
    say(line)
    socket.end()
  }
  readLines(socket, longestQuestion, {
    onTooLong: () => end({ is: 'error', error: unreadable('it is too long').toJSON() }),
    onLine(line) {
      if (isAsked) {
        if (line === '') input.end()
        else input.write(`${line}\n`)
        return
      }
      isAsked = true
      ask(line).then(
        (answer) => end({ is: 'answer', answer }),
        (error) => end({ is: 'error', error: toPlain(error, onDefect) }),
      )
    },
  })

  async function ask(line: string): Promise<unknown> {
    const { task, question } = parse(line)
    return doTask(place, task, question, hearing)
  }
}

function parse(line: string): z.output<typeof questionSchema> {
  try {
    return questionSchema.parse(JSON.parse(line))
  } catch {
    throw unreadable('it is no question')
  }
}

/** What a stranger's error says stays here: it may hold anything. */
function toPlain(error: unknown, onDefect: (error: unknown) => void) {
  if (error instanceof BardoError) return error.toJSON()
  onDefect(error)
  return new BardoError('The process that has the folder open met a defect of Bardo.', {
    code: 'INTERNAL',
  }).toJSON()
}

function unreadable(why: string): BardoError {
  return new BardoError('The question cannot be read.', { code: 'INVALID_INPUT', details: [why] })
}

function busy(): BardoError {
  return new BardoError('Too much is asked at once.', {
    code: 'RATE_LIMITED',
    details: [`${mostAtOnce} at most`],
    remedy: 'Try again in a moment.',
  })
}

function lineOf(line: OfficeLine): string {
  return `${plainJson(line)}\n`
}
