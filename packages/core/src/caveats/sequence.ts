import type { Address, Hex } from 'viem'
import type { BoundKind } from './boundKind.ts'
import type { ChainState, Frame, HookContext, HookName, Traces, Verdict } from './caveatKind.ts'
import { plainAddress } from './execution/digits.ts'

/** One caveat of a redemption: its kind, if known, and the inputs of its hooks. */
export type Step = {
  readonly kind: BoundKind<unknown> | undefined
  readonly terms: Hex
  readonly context: Omit<HookContext, 'before' | 'after' | 'frames'>
}

/** The chain before and after, and the frames that were open already. */
export type Moments = Pick<HookContext, 'before' | 'after' | 'frames'>

/** The verdicts in order, the frames that each caveat holds open, and their effects. */
export type Sequence = {
  readonly verdicts: readonly Verdict[]
  readonly opened: readonly Opened[]
  readonly traces: Traces
}

/** A frame and its owner. */
type Opened = { readonly place: number; readonly frame: Frame }

const rounds: readonly HookName[] = ['beforeAllHook', 'beforeHook', 'afterHook', 'afterAllHook']

/** The first round in which a caveat may refuse; undefined if it passes. */
export function roundOf(verdict: Verdict): number | undefined {
  if (verdict.type === 'pass') return undefined
  return rounds.indexOf(verdict.hook ?? usualHook(verdict))
}

function usualHook(verdict: Verdict & { type: 'refuse' | 'unknown' }): HookName {
  if (verdict.type === 'refuse') return verdict.hook
  if (verdict.missing === 'kind') return 'beforeAllHook'
  return verdict.missing === 'after' || verdict.missing === 'earlier' ? 'afterHook' : 'beforeHook'
}

/**
 * Evaluates caveats in the order of their first hooks: each sees the rows and frames of those before it.
 *
 * @param isTraced - whether a later caveat needs all effects
 */
export function evaluateInOrder(
  steps: readonly Step[],
  { before, after, frames = [] }: Moments,
  isTraced: boolean,
): Sequence {
  const verdicts: Verdict[] = []
  const opened: Opened[] = []
  const rewrites: Rewrite[] = []
  const lastPlaces = isTraced ? undefined : lastPlacesOf(steps)
  for (const [place, { kind, terms, context }] of steps.entries()) {
    if (!kind) {
      verdicts.push({ type: 'unknown', missing: 'kind' })
      continue
    }
    const seen: HookContext = {
      ...context,
      before: rewritten(before, kind.wraps ? rewrites : ofEnforcer(rewrites, context.enforcer)),
      after,
      frames: opened.length === 0 ? frames : [...frames, ...opened.map(({ frame }) => frame)],
    }
    const verdict = kind.evaluate(terms, seen)
    verdicts.push(verdict)
    const round = roundOf(verdict)
    // A caveat that may refuse in its first hook has no effect on later ones: if it refuses, nothing runs.
    if (round !== undefined && round < 2) continue
    if (lastPlaces && place >= lastPlaces({ kind, context })) continue
    const traces = kind.leaves?.(terms, seen)
    if (traces?.rewrite) rewrites.push({ enforcer: context.enforcer, rewrite: traces.rewrite })
    for (const frame of traces?.frames ?? []) opened.push({ place, frame })
  }
  for (const place of sharedRows(opened)) {
    if (verdicts[place]?.type !== 'unknown') verdicts[place] = { type: 'unknown', missing: 'earlier' }
  }
  return {
    verdicts,
    opened,
    traces: {
      frames: opened.map(({ frame }) => frame),
      rewrite: (read, answer) => rewrites.reduce((current, { rewrite }) => rewrite(read, current), answer),
    },
  }
}

/**
 * The last caveat that can see this caveat's effects. Rows and frames belong to an enforcer: only another
 * caveat of the same enforcer sees them, and often only one of the same delegation, or one that contains
 * others.
 */
function lastPlacesOf(steps: readonly Step[]): (step: Pick<Step, 'kind' | 'context'>) => number {
  const last = new Map<string, number>()
  let wrapper = -1
  for (const [place, step] of steps.entries()) {
    last.set(ownerOfRows(step), place)
    if (step.kind?.wraps) wrapper = place
  }
  return (step) => Math.max(wrapper, last.get(ownerOfRows(step)) ?? wrapper)
}

function ownerOfRows({ kind, context }: Pick<Step, 'kind' | 'context'>): string {
  const enforcer = plainAddress(context.enforcer)
  return kind?.rowsPerDelegation ? enforcer + context.delegationHash : enforcer
}

/** What a caveat wrote, and into whose rows. */
type Rewrite = { readonly enforcer: Address; readonly rewrite: NonNullable<Traces['rewrite']> }

function ofEnforcer(rewrites: readonly Rewrite[], enforcer: Address): readonly Rewrite[] {
  if (rewrites.length === 0) return rewrites
  const own = plainAddress(enforcer)
  return rewrites.filter((one) => plainAddress(one.enforcer) === own)
}

function rewritten(state: ChainState, rewrites: readonly Rewrite[]): ChainState {
  if (rewrites.length === 0) return state
  return {
    ...state,
    answer: (read) => rewrites.reduce((current, { rewrite }) => rewrite(read, current), state.answer(read)),
  }
}

/**
 * One lineage measured on two accounts: the frames do not conflict, but both write one row in their last
 * hooks. The values they find there are unknown here.
 */
function sharedRows(opened: readonly Opened[]): readonly number[] {
  return opened.flatMap(({ place, frame }) => {
    const isShared = opened.some(
      ({ place: elsewhere, frame: other }) =>
        elsewhere !== place && other.enforcer === frame.enforcer && other.key === frame.key,
    )
    return isShared ? [place] : []
  })
}
