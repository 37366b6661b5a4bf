import { isMoodDue } from '../mood/mood.ts'
import type { Publication } from '../state/golemState.ts'

/** The maximum deviation of the published score: a twentieth, because each publication costs gas. */
const scoreStep = 500

/** Why a publication is due now; undefined if the row on the chain is correct and fresh enough. */
export function publicationDue(
  shown: Publication & { readonly at: number },
  wanted: Publication,
  now: number,
  graceSeconds: number,
): 'phase' | 'dream' | 'mood' | 'score' | 'heartbeat' | undefined {
  if (shown.phase !== wanted.phase) return 'phase'
  if (shown.dreaming !== wanted.dreaming) return 'dream'
  if (isMoodDue(shown.mood, wanted.mood)) return 'mood'
  if (Math.abs(shown.survivalScore - wanted.survivalScore) >= scoreStep) return 'score'
  // Publish at least every half grace period; otherwise the dead-man's switch narrows what the Golem may do.
  if (graceSeconds > 0 && (now - shown.at) * 2 >= graceSeconds) return 'heartbeat'
  return undefined
}
