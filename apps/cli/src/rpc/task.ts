import type { Readable } from 'node:stream'
import type { z } from 'zod'
import type { Context } from '../context/openContext.ts'

/** The connection to the client while a task runs. */
export type Hearing = {
  /** Reports the current step in a few words. */
  note(text: string): void
  /** Sends a part of a streamed answer: plain JSON. */
  tell(part: unknown): void
  /** Further input of the client. */
  readonly input: Readable
  /** Aborted when the client disconnects. */
  readonly signal: AbortSignal
}

/** A task on a data folder. Input and output are plain JSON. */
export type Task<Raw, Input, Output> = {
  readonly input: z.ZodType<Input, Raw>
  run(context: Context, input: Input, hearing: Hearing): Promise<Output>
}

/** Defines a task with inferred types. */
export function defineTask<Raw, Input, Output>(task: Task<Raw, Input, Output>): Task<Raw, Input, Output> {
  return task
}
