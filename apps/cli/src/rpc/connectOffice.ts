import { rmSync, statSync } from 'node:fs'
import { connect, type Socket } from 'node:net'
import { BardoError, type ErrorCode, errorCodes } from '@bardo/core'
import { z } from 'zod'
import { readLines } from './lines.ts'
import type { Answer, Office, TaskName } from './office.ts'
import type { Hearing } from './task.ts'

/** The longest accepted answer. */
const longestAnswer = 64 * 1_048_576

/** Error codes of a socket that a dead process left behind, and of a missing socket. */
const leftBehind = new Set(['ECONNREFUSED', 'ENOTSOCK'])
const absent = new Set(['ENOENT', 'ENOTDIR'])

const codes = Object.keys(errorCodes) as [ErrorCode, ...ErrorCode[]]
const lineSchema = z.discriminatedUnion('type', [
  z.object({ type: z.literal('note'), text: z.string() }),
  z.object({ type: z.literal('part'), part: z.unknown() }),
  z.object({ type: z.literal('answer'), answer: z.unknown() }),
  z.object({
    type: z.literal('error'),
    error: z.object({
      code: z.enum(codes),
      message: z.string(),
      details: z.array(z.string()),
      remedy: z.string().exactOptional(),
      docsPath: z.string().exactOptional(),
      outcome: z.enum(['not-sent', 'unknown', 'landed']),
      retryable: z.boolean(),
      retryAfter: z.string().exactOptional(),
    }),
  }),
])

/** Connects to the process that holds the data folder; undefined if none runs. Removes a socket that a dead process left. */
export async function connectOffice(path: string): Promise<Office | undefined> {
  const first = await dial(path)
  if (!first) return undefined
  first.destroy()
  return {
    ask: async <Name extends TaskName>(name: Name, question: unknown, hearing: Partial<Hearing> = {}) => {
      const socket = await dial(path)
      if (!socket) throw gone()
      // Both ends run the same code, so the answer has the type of the task.
      return (await askOver(socket, name, question, hearing)) as Answer<Name>
    },
    async [Symbol.asyncDispose]() {},
  }
}

/** For a folder with a long path, the socket is in the temporary folder, where any user can create one. Only the user's own is accepted. */
function requireOwn(path: string): void {
  const owner = process.platform === 'win32' ? undefined : statSync(path, { throwIfNoEntry: false })?.uid
  if (owner === undefined || owner === process.getuid?.()) return
  throw new BardoError('The socket of this data folder belongs to another user.', {
    code: 'STORE_UNAVAILABLE',
    details: [path, `it belongs to user ${owner}`],
    remedy: 'Remove it, or choose a data folder with a shorter path.',
    docsPath: 'cli.md#one-process-per-data-folder',
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
        new BardoError('The Bardo process of this data folder cannot be reached.', {
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
    // A close without an answer means that the other process is gone. After an answer, this has no effect.
    socket.on('error', () => {})
    socket.on('close', () => settle(() => (hearing.signal?.aborted ? resolve({}) : reject(gone()))))
    readLines(socket, longestAnswer, {
      onTooLong: () => settle(() => reject(gone())),
      onLine(text) {
        const line = parse(text)
        if (!line) return settle(() => reject(gone()))
        if (line.type === 'note') hearing.note?.(line.text)
        if (line.type === 'part') hearing.tell?.(line.part)
        if (line.type === 'answer') settle(() => resolve(line.answer))
        if (line.type === 'error') {
          const { message, ...rest } = line.error
          settle(() => reject(new BardoError(message, rest)))
        }
      },
    })
    // Aborted while connecting: the caller no longer waits.
    if (hearing.signal?.aborted) stop()
    else socket.write(`${JSON.stringify({ task, question })}\n`)
    hearing.input?.on('data', (chunk) => socket.write(chunk))
    // An empty line ends the input; the answer still follows.
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
  return new BardoError('The Bardo process of this data folder stopped before it answered.', {
    code: 'OUTCOME_UNKNOWN',
    outcome: 'unknown',
    remedy: 'Run the command again: it continues where the process stopped, and sends nothing twice.',
    docsPath: 'cli.md#one-process-per-data-folder',
  })
}
