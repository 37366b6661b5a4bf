import { setTimeout } from 'node:timers/promises'
import { findSubject } from '../findSubject.ts'
import { type Stage, stageOfLife, stages } from '../stage.ts'
import type { ToolContext } from '../toolContext.ts'

/** Watches the stage of life, which decides which tools are offered. */
export type StageWatch = {
  /** The stage at the last read. */
  seen(): Stage
  /** Reads the stage now. Calls `onChange` if it changed. */
  look(): Promise<Stage>
  /** Reads the stage periodically until the signal is aborted. */
  watch(): Promise<void>
}

export type StageWatchOptions = {
  readonly context: Pick<ToolContext, 'store' | 'golem'>
  readonly signal: AbortSignal
  readonly onError: (error: Error) => void
  /** Called on every change. */
  readonly onChange: () => void
}

/** The interval between two reads of the stage. A phase lasts hours. */
const pauseMs = 2_000

/** Reads the stage and prepares to watch it. Throws for an unknown Golem, before a client can connect. */
export async function watchStage({
  context,
  signal,
  onError,
  onChange,
}: StageWatchOptions): Promise<StageWatch> {
  let seen = await readStage(context)
  const look = async () => {
    const now = await readStage(context)
    const isChanged = now !== seen
    seen = now
    if (isChanged) onChange()
    return now
  }
  const watch = async () => {
    while (!signal.aborted) {
      await setTimeout(pauseMs, undefined, { signal }).catch(() => undefined)
      if (signal.aborted) return
      // A short outage of the database does not change the stage.
      await look().catch((cause: unknown) =>
        onError(new Error('the stage of life cannot be read', { cause })),
      )
    }
  }
  return { seen: () => seen, look, watch }
}

/**
 * If the tools were opened for no particular Golem: the earliest stage of all Golems, so that a tool is
 * offered if any Golem can use it.
 */
async function readStage({ store, golem }: StageWatchOptions['context']): Promise<Stage> {
  if (golem !== undefined) return stageOfLife(await findSubject({ store, golem }))
  const all = (await store.golems.list()).map((one) => stages.indexOf(stageOfLife(one)))
  return stages[Math.min(...all)] ?? 'terminal'
}
