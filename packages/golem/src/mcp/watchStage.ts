import { setTimeout } from 'node:timers/promises'
import { findSubject } from '../tools/findSubject.ts'
import { type Stage, stageOfLife, stages } from '../tools/stage.ts'
import type { ToolContext } from '../tools/toolContext.ts'

/** The stage of life that tools are offered for. */
export type StageWatch = {
  /** As it was seen last. */
  seen(): Stage
  /** As it is now. A change is told at once. */
  look(): Promise<Stage>
  /** Looks again and again, until the signal is aborted. */
  watch(): Promise<void>
}

export type StageWatchOptions = {
  readonly context: Pick<ToolContext, 'store' | 'golem'>
  readonly signal: AbortSignal
  readonly onError: (error: Error) => void
  /** Hears of every change. */
  readonly onChange: () => void
}

/** How often a stage of life is looked at. Origin: ours; a phase lasts hours. */
const pauseMs = 2_000

/** Reads a stage of life, and is ready to watch it. An unknown Golem is refused here, before anybody is let in. */
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
      // A database that is away for a moment changes no stage.
      await look().catch((cause: unknown) =>
        onError(new Error('the stage of life cannot be read', { cause })),
      )
    }
  }
  return { seen: () => seen, look, watch }
}

/** Where the tools were opened for nobody in particular, they are there as long as any life has a use for them. */
async function readStage({ store, golem }: StageWatchOptions['context']): Promise<Stage> {
  if (golem !== undefined) return stageOfLife(await findSubject({ store, golem }))
  const all = (await store.golems.list()).map((one) => stages.indexOf(stageOfLife(one)))
  return stages[Math.min(...all)] ?? 'terminal'
}
