import type { Address, Hex } from 'viem'
import type { BoundKind, Registry } from '../boundKind.ts'
import type { HookContext, HookName, Names, Refusal, Verdict } from '../caveatKind.ts'
import { selectorOf } from '../execution/digits.ts'
import { evaluateInOrder, roundOf, type Sequence, type Step } from '../sequence.ts'
import { decodeCaveatGroups, decodeGroupChoice, encodeCaveatGroups, encodeGroupChoice } from '../terms/abi.ts'
import { encodedError } from '../verdict/refuse.ts'
import { demand, Revert, same, Unforeseen } from './bytes.ts'
import { answered, onlyDefault, orMalformed } from './metamaskKind.ts'
import { view } from './views.ts'
import { covered, wider } from './words.ts'

/** A caveat inside a group; the redeemer supplies its `args`. */
type Inner = { readonly enforcer: Address; readonly terms: Hex }

/** Groups of caveats; the redeemer chooses which one must hold. */
export type LogicalOrWrapperTerms = { readonly groups: readonly (readonly Inner[])[] }

const name = 'LogicalOrWrapper'
const enforcer = `${name}Enforcer`
const delegationManager = view('delegationManager()')

/**
 * LogicalOrWrapper: one of several groups of caveats must hold; the redeemer chooses it in `args`.
 *
 * The inner enforcers see the wrapper as their manager, so their rows differ from those without the wrapper.
 */
export function logicalOrWrapper(registry: Registry): BoundKind<LogicalOrWrapperTerms> {
  const reads: BoundKind<LogicalOrWrapperTerms>['reads'] = (terms, context) => {
    const steps = stepsOf(terms, context, registry)
    const inner = typeof steps === 'string' ? [] : steps
    return [
      delegationManager(context.enforcer),
      ...inner.flatMap((step) => step.kind?.reads(step.terms, step.context) ?? []),
    ]
  }
  return {
    name,
    wraps: true,
    encode: ({ groups }) => orMalformed(name, () => encodeGroups(groups)),
    decode: (terms) =>
      orMalformed(name, () => {
        const groups = groupsIn(terms)
        for (const inner of groups.flat()) registry(inner.enforcer)?.decode(inner.terms)
        return { groups }
      }),
    covers: (parent, child) => coversGroups(parent, child, registry),
    describe: ({ groups }, names) =>
      `one of ${groups.length}: ${groups.map((group) => describeGroup(group, names, registry)).join('; or ')}`,
    reads,
    evaluate(terms, context) {
      try {
        return evaluateGroup(terms, context, registry)
      } catch (thrown) {
        if (thrown instanceof Revert) return refused('beforeAllHook', thrown)
        if (thrown instanceof Unforeseen)
          return { type: 'unknown', missing: 'simulation', hook: 'beforeAllHook' }
        throw thrown
      }
    },
    leaves(terms, context) {
      const steps = stepsOf(terms, context, registry)
      return typeof steps === 'string' ? {} : evaluateInOrder(steps, context, true).traces
    },
  }
}

function evaluateGroup(terms: Hex, context: HookContext, registry: Registry): Verdict {
  const asked = delegationManager(context.enforcer)
  const answer = context.before.answer(asked)
  if (!answer) return { type: 'unknown', missing: [asked], hook: 'beforeAllHook' }
  if (!answer.ok) throw new Unforeseen()
  demand(
    answered(answer.data) === BigInt(context.manager),
    `${enforcer}:only-delegation-manager`,
    'Put this caveat into the delegation itself.',
  )
  const steps = stepsOf(terms, context, registry)
  if (steps === 'unreadable') throw new Unforeseen()
  demand(
    steps !== 'no such group',
    `${enforcer}:invalid-group-index`,
    'Put the index of an existing group into args.',
  )
  demand(
    typeof steps !== 'string',
    `${enforcer}:invalid-caveat-args-length`,
    'Give args for every caveat of the group; use empty args for a caveat that takes none.',
  )
  return typeof steps === 'string'
    ? { type: 'pass' }
    : together(evaluateInOrder(steps, context, true), context)
}

/**
 * The group's verdict: the first of its caveats that may refuse. Here the last hooks also run from first to
 * last.
 */
function together({ verdicts, opened }: Sequence, { execution }: HookContext): Verdict {
  const closing = verdicts.map((verdict, place) => closedInTurn(verdict, place, opened))
  const [first] = closing
    .map((verdict) => ({ verdict, round: roundOf(verdict) }))
    .filter(({ round }) => round !== undefined)
    .sort((one, other) => (one.round ?? 0) - (other.round ?? 0))
  if (first?.round !== 0) {
    // The wrapper checks the mode itself, but only in the second round.
    try {
      onlyDefault(execution.mode)
    } catch (thrown) {
      if (thrown instanceof Revert) return refused('beforeHook', thrown)
      throw thrown
    }
  }
  if (first?.verdict.type !== 'refuse') return first?.verdict ?? { type: 'pass' }
  const { refusal } = first.verdict
  return refusal.data === '0x' ? { ...first.verdict, refusal: failedCall } : first.verdict
}

/**
 * Frames are a stack with the first caveat's at the bottom: if another frame is on top of it, closing it
 * fails.
 */
function closedInTurn(verdict: Verdict, place: number, opened: Sequence['opened']): Verdict {
  const own = opened.find((frame) => frame.place === place)?.frame
  const isCovered = opened.some(
    ({ place: later, frame }) => later > place && frame.enforcer === own?.enforcer && frame.book === own.book,
  )
  if (!own || !isCovered) return verdict
  const refusal: Refusal = { name: 'NotOpened', args: [own.key], data: encodedError('NotOpened', [own.key]) }
  return {
    type: 'refuse',
    hook: 'afterHook',
    refusal,
    remedy: 'Put only one caveat of this enforcer into the group.',
  }
}

/** OpenZeppelin's error for a call that reverts without data. */
const failedCall: Refusal = {
  name: 'FailedInnerCall',
  args: [],
  data: selectorOf('FailedInnerCall()'),
}

/** The caveats of the group that `args` selects, or why there are none. */
function stepsOf(
  terms: Hex,
  context: Step['context'],
  registry: Registry,
): readonly Step[] | 'unreadable' | 'no such group' | 'other args' {
  let picked: { readonly group: readonly Inner[] | undefined; readonly args: readonly Hex[] }
  try {
    const { groupIndex, caveatArgs } = decodeGroupChoice(context.args)
    const groups = groupsIn(terms)
    picked = {
      group: groupIndex < BigInt(groups.length) ? groups[Number(groupIndex)] : undefined,
      args: caveatArgs,
    }
  } catch {
    return 'unreadable'
  }
  const { group, args } = picked
  if (!group) return 'no such group'
  if (group.length !== args.length) return 'other args'
  return group.map((inner, i) => ({
    kind: registry(inner.enforcer),
    terms: inner.terms,
    context: { ...context, manager: context.enforcer, enforcer: inner.enforcer, args: args[i] ?? '0x' },
  }))
}

function encodeGroups(groups: LogicalOrWrapperTerms['groups']): Hex {
  return encodeCaveatGroups(groups.map((group) => group.map((caveat) => ({ ...caveat, args: '0x' }))))
}

/** The choice that a redeemer encodes in `args`. */
export function encodePicked(groupIndex: bigint, caveatArgs: readonly Hex[]): Hex {
  return encodeGroupChoice({ groupIndex, caveatArgs })
}

/**
 * The groups, if an encoder could have written these bytes; for other bytes it is unknown whether the chain
 * reads them.
 */
function groupsIn(terms: Hex): LogicalOrWrapperTerms['groups'] {
  return decodeCaveatGroups(terms).map((group) => group.map(({ enforcer, terms }) => ({ enforcer, terms })))
}

/** Compared by position: the same `args` select the same position in both. */
function coversGroups(parent: LogicalOrWrapperTerms, child: LogicalOrWrapperTerms, registry: Registry) {
  for (const [i, group] of child.groups.entries()) {
    const above = parent.groups[i]
    if (above?.length !== group.length) return wider(`group ${i + 1} does not match a group of the parent`)
    for (const [j, inner] of group.entries()) {
      const bound = above[j]
      const kind = registry(inner.enforcer)
      if (!bound || !same(bound.enforcer, inner.enforcer))
        return wider(`group ${i + 1}: caveat ${j + 1} has another enforcer`)
      if (same(bound.terms, inner.terms)) continue
      if (!kind)
        return wider(`group ${i + 1}: the enforcer ${inner.enforcer} is unknown, and the terms differ`)
      const coverage = kind.covers(kind.decode(bound.terms), kind.decode(inner.terms))
      if (coverage.type === 'wider') return wider(`group ${i + 1}: ${coverage.because}`)
    }
  }
  return covered
}

function describeGroup(group: readonly Inner[], names: Names, registry: Registry): string {
  if (group.length === 0) return 'no limit'
  return group
    .map(({ enforcer, terms }) => {
      const kind = registry(enforcer)
      return kind
        ? kind.describe(kind.decode(terms), names)
        : `the unknown enforcer ${enforcer} with the terms ${terms}`
    })
    .join(', and ')
}

function refused(hook: HookName, { refusal, remedy }: Revert): Verdict {
  return { type: 'refuse', hook, refusal, remedy }
}
