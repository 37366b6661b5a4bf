import type { Clock } from '@bardo/core'
import type { Stage } from '../tools/stage.ts'

/** How often a stage of life is looked at. Origin: ours; a phase lasts hours. */
const pauseMs = 2_000

/** Tells of every change of a stage of life, until the signal is aborted. */
export async function watchStage(
  {
    stage,
    signal,
    context: { clock },
    onError,
  }: {
    stage(): Promise<Stage>
    readonly signal: AbortSignal
    readonly context: { readonly clock: Clock }
    readonly onError: (error: Error) => void
  },
  tell: (stage: Stage) => void,
): Promise<void> {
  const over = new Promise<void>((resolve) =>
    signal.addEventListener('abort', () => resolve(), { once: true }),
  )
  let known = await stage()
  while (!signal.aborted) {
    await Promise.race([clock.sleep(pauseMs), over])
    if (signal.aborted) return
    try {
      const now = await stage()
      if (now !== known) tell(now)
      known = now
    } catch (error) {
      // A database that is away for a moment changes no stage.
      onError(error instanceof Error ? error : new Error('the stage of life cannot be read'))
    }
  }
}
