import { isMoodDue } from '../mood/mood.ts'
import type { Publication } from './golemState.ts'

/** So far the score on the chain may be off. Origin: ours, a twentieth; each posting costs gas. */
const scoreStep = 500

/** Why the chain has to be told now; undefined where it shows the truth and is fresh enough. */
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
  // At least every half grace period, or the dead-man's switch narrows what it may do: DESIGN §4.
  if (graceSeconds > 0 && (now - shown.at) * 2 >= graceSeconds) return 'heartbeat'
  return undefined
}
