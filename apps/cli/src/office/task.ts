import type { Readable } from 'node:stream'
import type { z } from 'zod'
import type { Place } from '../place/openPlace.ts'

/** Who asked, and how they hear of it meanwhile. */
export type Hearing = {
  /** What is being done now, in a few words. */
  note(text: string): void
  /** A part of the answer, where it comes in parts: plain JSON. */
  tell(part: unknown): void
  /** What the asker goes on to say. */
  readonly input: Readable
  /** Aborted when nobody listens any more. */
  readonly signal: AbortSignal
}

/** Something that can be asked of a data folder. Question and answer are plain JSON. */
export type Task<Raw, Input, Output> = {
  readonly input: z.ZodType<Input, Raw>
  run(place: Place, input: Input, hearing: Hearing): Promise<Output>
}

/** Lets a task be written down with its types inferred. */
export function defineTask<Raw, Input, Output>(task: Task<Raw, Input, Output>): Task<Raw, Input, Output> {
  return task
}
