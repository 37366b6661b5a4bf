import { rmSync, statSync } from 'node:fs'
import { connect, type Socket } from 'node:net'
import { BardoError, type ErrorCode, errorCodes } from '@bardo/core'
import { z } from 'zod'
import { readLines } from './lines.ts'
import type { Answer, Office, TaskName } from './office.ts'
import type { Hearing } from './task.ts'

/** Longer answers are no answers. */
const longestAnswer = 64 * 1_048_576

/** Nobody is behind it: a socket that was left, or no socket at all. */
const leftBehind = new Set(['ECONNREFUSED', 'ENOTSOCK'])
const absent = new Set(['ENOENT', 'ENOTDIR'])

const codes = Object.keys(errorCodes) as [ErrorCode, ...ErrorCode[]]
const lineSchema = z.discriminatedUnion('is', [
  z.object({ is: z.literal('note'), text: z.string() }),
  z.object({ is: z.literal('part'), part: z.unknown() }),
  z.object({ is: z.literal('answer'), answer: z.unknown() }),
  z.object({
    is: z.literal('error'),
    error: z.object({
      code: z.enum(codes),
      message: z.string(),
      details: z.array(z.string()),
      remedy: z.string().exactOptional(),
      docsPath: z.string().exactOptional(),
      outcome: z.enum(['not-sent', 'unknown', 'landed']),
      retryable: z.boolean(),
    }),
  }),
])

/** The office of a process that has the folder open; undefined where there is none. A socket that was left is removed. */
export async function connectOffice(path: string): Promise<Office | undefined> {
  const first = await dial(path)
  if (!first) return undefined
  first.destroy()
  return {
    ask: async <Name extends TaskName>(name: Name, question: unknown, hearing: Partial<Hearing> = {}) => {
      const socket = await dial(path)
      if (!socket) throw gone()
      // Both ends are the same Bardo: what it gives is typed by the task's own work.
      return (await askOver(socket, name, question, hearing)) as Answer<Name>
    },
    async [Symbol.asyncDispose]() {},
  }
}

/** A folder with a long name has its socket where anybody can make one: only the owner's own is talked to. */
function requireOwn(path: string): void {
  const owner = process.platform === 'win32' ? undefined : statSync(path, { throwIfNoEntry: false })?.uid
  if (owner === undefined || owner === process.getuid?.()) return
  throw new BardoError('Somebody else listens where this folder’s office should be.', {
    code: 'STORE_UNAVAILABLE',
    details: [path, `it belongs to user ${owner}`],
    remedy: 'Remove it, or name a folder with a shorter path.',
    docsPath: 'cli.md#one-process-has-the-folder',
  })
}

function dial(path: string): Promise<Socket | undefined> {
  requireOwn(path)
  return new Promise((resolve, reject) => {
    const socket = connect(path)
    socket.once('connect', () => resolve(socket))
    socket.once('error', (error: NodeJS.ErrnoException) => {
      const { code = 'unknown' } = error
      if (leftBehind.has(code)) rmSync(path, { force: true })
      if (leftBehind.has(code) || absent.has(code)) return resolve(undefined)
      reject(
        new BardoError('The process that has the folder open cannot be asked.', {
          code: 'STORE_UNAVAILABLE',
          details: [path, code],
        }),
      )
    })
  })
}

function askOver(
  socket: Socket,
  task: string,
  question: unknown,
  hearing: Partial<Hearing>,
): Promise<unknown> {
  return new Promise((resolve, reject) => {
    const stop = () => socket.destroy()
    hearing.signal?.addEventListener('abort', stop)
    const settle = (end: () => void) => {
      hearing.signal?.removeEventListener('abort', stop)
      end()
      socket.destroy()
    }
    // Where it ends without an answer, the other process is gone; after an answer this changes nothing.
    socket.on('error', () => {})
    socket.on('close', () => settle(() => (hearing.signal?.aborted ? resolve({}) : reject(gone()))))
    readLines(socket, longestAnswer, {
      onTooLong: () => settle(() => reject(gone())),
      onLine(text) {
        const line = parse(text)
        if (!line) return settle(() => reject(gone()))
        if (line.is === 'note') hearing.note?.(line.text)
        if (line.is === 'part') hearing.tell?.(line.part)
        if (line.is === 'answer') settle(() => resolve(line.answer))
        if (line.is === 'error') {
          const { message, ...rest } = line.error
          settle(() => reject(new BardoError(message, rest)))
        }
      },
    })
    // Aborted while it was dialled: nobody listens any more.
    if (hearing.signal?.aborted) stop()
    else socket.write(`${JSON.stringify({ task, question })}\n`)
    hearing.input?.on('data', (chunk) => socket.write(chunk))
    // An empty line: nothing more comes, and the answer is still waited for.
    hearing.input?.on('end', () => socket.write('\n\n'))
  })
}

function parse(text: string): z.output<typeof lineSchema> | undefined {
  try {
    return lineSchema.parse(JSON.parse(text))
  } catch {
    return undefined
  }
}

function gone(): BardoError {
  return new BardoError('The process that has the folder open is gone.', {
    code: 'OUTCOME_UNKNOWN',
    outcome: 'unknown',
    remedy: 'Ask again: what was begun is carried on, and nothing happens twice.',
    docsPath: 'cli.md#one-process-has-the-folder',
  })
}
