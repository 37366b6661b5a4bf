import type { Address, Hex } from 'viem'
import type { Registry, Usage } from '../caveats/boundKind.ts'
import type { Names } from '../caveats/caveatKind.ts'
import { ether, money, named } from '../caveats/metamask/words.ts'
import { formatDuration } from '../format/duration.ts'
import { formatDollars } from '../format/money.ts'
import { formatNumber } from '../format/number.ts'
import { formatMoment } from '../format/time.ts'
import { phaseNames } from '../phase/phase.ts'
import { type RevocationFacts, type RevocationState, revocationState } from './revocationState.ts'
import type { DelegationNode, DelegationTree } from './tree.ts'
import { type ReadCaveat, readCaveats, usageOf } from './usage.ts'

/** A tree as plain data: numbers are decimal strings, so that it survives JSON. */
export type TreeJson = { readonly root: Address; readonly delegations: readonly NodeJson[] }

/** One delegation, with its children. */
export type NodeJson = {
  /** The label of the delegation; undefined if none was given. */
  readonly label: string | undefined
  readonly hash: Hex
  readonly delegator: Address
  readonly delegate: Address
  readonly state: Readonly<Record<string, string>> & { readonly type: RevocationState['type'] }
  readonly caveats: readonly {
    readonly enforcer: Address
    /** Undefined for an unknown enforcer. */
    readonly name: string | undefined
    readonly sentence: string
    /** One entry per counted limit. */
    readonly used: readonly {
      readonly spent: string
      readonly limit: string
      readonly unit: string
      readonly text: string
    }[]
  }[]
  /** What its Cage allows in each phase. Shown like children, but these are terms of this delegation. */
  readonly phases: readonly { readonly phase: string; readonly sentence: string }[]
  readonly delegations: readonly NodeJson[]
}

/** The inputs of a rendering. */
export type RenderOptions = {
  readonly registry: Registry
  readonly names: Names
  readonly facts: RevocationFacts
  /** Names of delegations by their hashes: `D1`. */
  readonly labels?: ReadonlyMap<Hex, string>
}

/**
 * The tree as data: what each delegation allows, what is spent, and whether it is still valid.
 *
 * @example
 * const { delegations } = treeToJson(buildTree([root]), { registry, names, facts })
 * delegations[0]?.caveats.map(({ sentence }) => sentence)
 */
export function treeToJson(tree: DelegationTree, options: RenderOptions): TreeJson {
  const below = new Map<Hex, NodeJson[]>()
  const top: NodeJson[] = []
  // Children come after their parents, so in reverse order every node finds its children complete.
  for (const node of [...tree.nodes.values()].reverse()) {
    const rendered = nodeToJson(tree, node, below.get(node.hash) ?? [], options)
    const siblings = node.parent === undefined ? top : (below.get(node.parent) ?? [])
    siblings.unshift(rendered)
    if (node.parent !== undefined) below.set(node.parent, siblings)
  }
  return { root: tree.root, delegations: top }
}

function nodeToJson(
  tree: DelegationTree,
  node: DelegationNode,
  delegations: readonly NodeJson[],
  { registry, names, facts, labels }: RenderOptions,
): NodeJson {
  const { delegator, delegate } = node.delegation
  const { type, ...rest } = revocationState(tree, node.hash, registry, facts)
  const state = { ...Object.fromEntries(Object.entries(rest).map(([key, value]) => [key, `${value}`])), type }
  const read = readCaveats(node, registry, facts.manager)
  const caveats = node.delegation.caveats.map(({ enforcer, terms }, i) => {
    const caveat = read[i]
    const used = caveat ? usageOf(caveat, facts.state) : []
    return {
      enforcer,
      name: registry(enforcer)?.name,
      sentence: caveat ? caveat.kind.describe(caveat.terms, names) : `unreadable: ${enforcer} with ${terms}`,
      used: used.map((usage) => ({
        spent: `${usage.spent}`,
        limit: `${usage.limit}`,
        unit: usage.unit,
        text: usedText(usage, names),
      })),
    }
  })
  const label = labels?.get(node.hash)
  // A child is subject to the phases of its root.
  const phases = node.parent === undefined ? read.flatMap(phasesOf) : []
  return { label, hash: node.hash, delegator, delegate, state, caveats, phases, delegations }
}

function phasesOf(caveat: ReadCaveat | undefined): NodeJson['phases'] {
  const sentences = caveat?.kind.phases?.(caveat.terms) ?? []
  return sentences.map((sentence, phase) => ({ phase: phaseNames[phase] ?? `${phase}`, sentence }))
}

/**
 * The tree as lines for a terminal.
 *
 * @example
 * console.log(treeToText(buildTree([root, child]), { registry, names, facts }))
 */
export function treeToText(tree: DelegationTree, options: RenderOptions): string {
  const { names, facts } = options
  const lines = [named(tree.root, names)]
  const stack = treeToJson(tree, options)
    .delegations.map((node, i, all) => ({ node, indent: '', last: i === all.length - 1 }))
    .reverse()
  for (let entry = stack.pop(); entry; entry = stack.pop()) {
    const { node, indent, last } = entry
    lines.push(
      `${indent}${last ? '└─' : '├─'} ${node.label ?? node.hash.slice(0, 10)} to ${named(node.delegate, names)}: ${stateText(node, facts)}`,
    )
    const inner = `${indent}${last ? '   ' : '│  '}`
    const bar = node.delegations.length + node.phases.length > 0 ? '│  ' : '   '
    for (const { sentence, used } of node.caveats) {
      const spent = used.map(({ text }) => text).join('; ')
      lines.push(`${inner}${bar}${sentence}${spent && ` (${spent})`}`)
    }
    if (node.caveats.length === 0) lines.push(`${inner}${bar}no caveats`)
    const prefix = node.label === undefined ? '' : `${node.label}.`
    for (const [i, { phase, sentence }] of node.phases.entries()) {
      const isLast = node.delegations.length === 0 && i === node.phases.length - 1
      lines.push(`${inner}${isLast ? '└╴' : '├╴'} ${prefix}P${i} ${phase}: ${sentence}`)
    }
    const children = node.delegations.map((child, i, all) => ({
      node: child,
      indent: inner,
      last: i === all.length - 1,
    }))
    stack.push(...children.reverse())
  }
  return lines.join('\n')
}

function stateText({ hash, state }: NodeJson, { state: { timestamp } }: RevocationFacts): string {
  const where = state['link'] === hash ? '' : ', through a parent'
  switch (state.type) {
    case 'active':
      return 'active'
    case 'revoked':
      return `revoked at ${formatMoment(BigInt(state['at'] ?? timestamp))} in ${state['transaction']}${where}`
    case 'expired':
      return `expired at ${formatMoment(BigInt(state['at'] ?? timestamp))}${where}`
    case 'exhausted':
      return `used up${where}`
  }
}

function usedText({ spent, limit, unit, renews, periodSeconds }: Usage, names: Names): string {
  const say = (amount: bigint) => {
    switch (unit) {
      case 'calls':
        return formatNumber(amount)
      case 'usdCents':
        return formatDollars(amount)
      case 'native':
        return ether(amount)
      default:
        return money(amount, unit, names)
    }
  }
  const period =
    unit === 'usdCents' || periodSeconds ? ` in the last ${windowOf(periodSeconds)}` : ' in this period'
  const what = unit === 'calls' ? ' executions' : ''
  return `${say(spent)} of ${say(limit)}${what} used${renews ? period : ''}`
}

function windowOf(periodSeconds = 86_400): string {
  return periodSeconds === 86_400 ? '24 hours' : formatDuration(periodSeconds)
}
