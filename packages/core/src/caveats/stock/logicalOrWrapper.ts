import {
  type Address,
  decodeAbiParameters,
  encodeAbiParameters,
  type Hex,
  parseAbiParameters,
  toFunctionSelector,
} from 'viem'
import type { BoundKind, Registry } from '../boundKind.ts'
import type { HookContext, HookName, Names, Refusal, Verdict } from '../caveatKind.ts'
import { judgeInOrder, roundOf, type Sequence, type Step } from '../sequence.ts'
import { encodedError } from '../verdict/refuse.ts'
import { demand, Revert, same, Unforeseen } from './bytes.ts'
import { answered, onlyDefault, orMalformed } from './stockKind.ts'
import { view } from './views.ts'
import { covered, wider } from './words.ts'

/** A caveat inside a group; its `args` come from the redeemer. */
type Inner = { readonly enforcer: Address; readonly terms: Hex }

/** Groups of caveats: the redeemer says which one has to hold. */
export type LogicalOrWrapperTerms = { readonly groups: readonly (readonly Inner[])[] }

const name = 'LogicalOrWrapper'
const enforcer = `${name}Enforcer`
const delegationManager = view('delegationManager()')
// The kit's encoders refuse empty args and empty groups, which the chain takes.
const groupsType = parseAbiParameters([
  'Group[] groups',
  'struct Group { Caveat[] caveats; }',
  'struct Caveat { address enforcer; bytes terms; bytes args; }',
])
const pickedType = parseAbiParameters([
  'Picked picked',
  'struct Picked { uint256 groupIndex; bytes[] caveatArgs; }',
])

/**
 * LogicalOrWrapper: of several groups of caveats one holds, and whoever redeems picks it in `args`.
 *
 * To the enforcers inside, the wrapper is the manager: their rows are others than without it.
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
        return judgeGroup(terms, context, registry)
      } catch (thrown) {
        if (thrown instanceof Revert) return refused('beforeAllHook', thrown)
        if (thrown instanceof Unforeseen)
          return { is: 'unknown', missing: 'simulation', hook: 'beforeAllHook' }
        throw thrown
      }
    },
    leaves(terms, context) {
      const steps = stepsOf(terms, context, registry)
      return typeof steps === 'string' ? {} : judgeInOrder(steps, context, true).traces
    },
  }
}

function judgeGroup(terms: Hex, context: HookContext, registry: Registry): Verdict {
  const asked = delegationManager(context.enforcer)
  const answer = context.before.answer(asked)
  if (!answer) return { is: 'unknown', missing: [asked], hook: 'beforeAllHook' }
  if (!answer.ok) throw new Unforeseen()
  demand(
    answered(answer.data) === BigInt(context.manager),
    `${enforcer}:only-delegation-manager`,
    'Put this caveat into the delegation itself.',
  )
  const steps = stepsOf(terms, context, registry)
  if (steps === 'unreadable') throw new Unforeseen()
  demand(steps !== 'no such group', `${enforcer}:invalid-group-index`, 'Name a group that is there in args.')
  demand(
    typeof steps !== 'string',
    `${enforcer}:invalid-caveat-args-length`,
    'Give args for every caveat of the group, empty ones where it takes none.',
  )
  return typeof steps === 'string' ? { is: 'pass' } : together(judgeInOrder(steps, context, true), context)
}

/** The group’s verdict: the first of its caveats that may say no. Here also the last hooks go from the first to the last. */
function together({ verdicts, opened }: Sequence, { execution }: HookContext): Verdict {
  const closing = verdicts.map((verdict, place) => closedInTurn(verdict, place, opened))
  const [first] = closing
    .map((verdict) => ({ verdict, round: roundOf(verdict) }))
    .filter(({ round }) => round !== undefined)
    .sort((one, other) => (one.round ?? 0) - (other.round ?? 0))
  if (first?.round !== 0) {
    // The wrapper itself looks at the mode, but not before the second round.
    try {
      onlyDefault(execution.mode)
    } catch (thrown) {
      if (thrown instanceof Revert) return refused('beforeHook', thrown)
      throw thrown
    }
  }
  if (first?.verdict.is !== 'refuse') return first?.verdict ?? { is: 'pass' }
  const { refusal } = first.verdict
  return refusal.data === '0x' ? { ...first.verdict, refusal: failedCall } : first.verdict
}

/** Frames are a pile, and the first caveat’s lies at the bottom: where another one lies on it, closing finds that. */
function closedInTurn(verdict: Verdict, place: number, opened: Sequence['opened']): Verdict {
  const own = opened.find((frame) => frame.place === place)?.frame
  const isCovered = opened.some(
    ({ place: later, frame }) => later > place && frame.enforcer === own?.enforcer && frame.book === own.book,
  )
  if (!own || !isCovered) return verdict
  const refusal: Refusal = { name: 'NotOpened', args: [own.key], data: encodedError('NotOpened', [own.key]) }
  return {
    is: 'refuse',
    hook: 'afterHook',
    refusal,
    remedy: 'Put only one caveat of this enforcer into the group.',
  }
}

/** OpenZeppelin’s word for a call that reverts without one. */
const failedCall: Refusal = {
  name: 'FailedInnerCall',
  args: [],
  data: toFunctionSelector('FailedInnerCall()'),
}

/** The caveats of the group that `args` names, or why there are none. */
function stepsOf(
  terms: Hex,
  context: Step['context'],
  registry: Registry,
): readonly Step[] | 'unreadable' | 'no such group' | 'other args' {
  let picked: { readonly group: readonly Inner[] | undefined; readonly args: readonly Hex[] }
  try {
    const { groupIndex, caveatArgs } = argsIn(context.args)
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
  return encodeAbiParameters(groupsType, [
    groups.map((group) => ({ caveats: group.map((caveat) => ({ ...caveat, args: '0x' as const })) })),
  ])
}

/** The choice that a redeemer writes into `args`. */
export function encodePicked(groupIndex: bigint, caveatArgs: readonly Hex[]): Hex {
  return encodeAbiParameters(pickedType, [{ groupIndex, caveatArgs }])
}

/** The groups, where an encoder could have written these bytes: of others it is not known whether the chain can read them. */
function groupsIn(terms: Hex): LogicalOrWrapperTerms['groups'] {
  const [groups] = decodeAbiParameters(groupsType, terms)
  if (!same(encodeAbiParameters(groupsType, [groups]), terms)) throw new Error('not canonical')
  return groups.map(({ caveats }) => caveats.map(({ enforcer, terms }) => ({ enforcer, terms })))
}

function argsIn(args: Hex) {
  const [picked] = decodeAbiParameters(pickedType, args)
  if (!same(encodePicked(picked.groupIndex, picked.caveatArgs), args)) throw new Error('not canonical')
  return picked
}

/** Place by place: the same `args` pick the same place in both. */
function coversGroups(parent: LogicalOrWrapperTerms, child: LogicalOrWrapperTerms, registry: Registry) {
  for (const [i, group] of child.groups.entries()) {
    const above = parent.groups[i]
    if (above?.length !== group.length) return wider(`group ${i + 1} is not one of the parent’s`)
    for (const [j, inner] of group.entries()) {
      const bound = above[j]
      const kind = registry(inner.enforcer)
      if (!bound || !same(bound.enforcer, inner.enforcer))
        return wider(`group ${i + 1}: caveat ${j + 1} is of another enforcer`)
      if (same(bound.terms, inner.terms)) continue
      if (!kind) return wider(`group ${i + 1}: nobody here knows ${inner.enforcer}, and the terms differ`)
      const coverage = kind.covers(kind.decode(bound.terms), kind.decode(inner.terms))
      if (coverage.is === 'wider') return wider(`group ${i + 1}: ${coverage.because}`)
    }
  }
  return covered
}

function describeGroup(group: readonly Inner[], names: Names, registry: Registry): string {
  if (group.length === 0) return 'no bound at all'
  return group
    .map(({ enforcer, terms }) => {
      const kind = registry(enforcer)
      return kind ? kind.describe(kind.decode(terms), names) : `what ${enforcer} makes of ${terms}`
    })
    .join(', and ')
}

function refused(hook: HookName, { refusal, remedy }: Revert): Verdict {
  return { is: 'refuse', hook, refusal, remedy }
}
