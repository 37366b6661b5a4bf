import type { Address, Hex } from 'viem'
import type { Registry } from '../caveats/boundKind.ts'
import type {
  ChainState,
  Execution,
  HookContext,
  HookName,
  Read,
  Refusal,
  SenderKind,
  Verdict,
} from '../caveats/caveatKind.ts'
import { evaluateInOrder, roundOf, type Step } from '../caveats/sequence.ts'
import { nobleEngine } from '../crypto/cryptoEngine.ts'
import type { Delegation } from './delegation.ts'
import { evaluateLinks, type ManagerRefusal, managerReads } from './evaluateLinks.ts'
import { hashDelegation } from './hashDelegation.ts'

/** The redemption to evaluate, and the known chain state. */
export type DelegationQuestion = {
  readonly chainId: number
  readonly manager: Address
  readonly redeemer: Address
  /**
   * How the redeemer calls the manager. Needed only if two caveats of a chain measure one account; unknown if
   * omitted.
   */
  readonly sender?: SenderKind | undefined
  readonly execution: Execution
  /** The links' hashes, if known: computing them is the most expensive part of an evaluation. */
  readonly hashes?: readonly Hex[] | undefined
  readonly before: ChainState
  readonly after?: ChainState | undefined
}

/** The verdict of one caveat of one link. */
export type CaveatVerdict = {
  /** 0 is the leaf. */
  readonly link: number
  readonly caveat: number
  readonly delegationHash: Hex
  readonly enforcer: Address
  /** Undefined for an unknown enforcer. */
  readonly name: string | undefined
  readonly verdict: Verdict
}

/** The first refusal. */
export type FirstRefusal = {
  readonly link: number
  readonly caveat: number
  readonly enforcer: Address
  readonly name: string | undefined
  readonly hook: HookName
  readonly refusal: Refusal
  readonly remedy: string
  /** False if an unknown caveat before it may refuse earlier. */
  readonly certain: boolean
}

/** The verdict on the whole chain, with every caveat's verdict in the order of the manager's first round. */
export type DelegationVerdict = {
  readonly type: 'pass' | 'refuse' | 'unknown'
  /** What the manager itself refuses before any hook runs. Signatures are not checked. */
  readonly manager:
    | ManagerRefusal
    | { readonly type: 'pass' }
    | { readonly type: 'unknown'; readonly missing: readonly Read[] }
  readonly caveats: readonly CaveatVerdict[]
  readonly first: FirstRefusal | undefined
}

/**
 * All reads that {@link evaluateDelegations} needs.
 *
 * @example
 * const reads = delegationReads(links, registry, { chainId, manager, redeemer, execution })
 * const answers = await Promise.all(reads.map(({ to, data }) => client.call({ to, data })))
 */
export function delegationReads(
  links: readonly Delegation[],
  registry: Registry,
  question: Omit<DelegationQuestion, 'before' | 'after'>,
): readonly Read[] {
  const hashes = question.hashes ?? links.map((link) => hashDelegation(link))
  const reads = [...managerReads(hashes, question.manager)]
  for (const { kind, terms, context } of walk(links, hashes, registry, question)) {
    if (kind) reads.push(...kind.reads(terms, context))
  }
  const distinct = new Map(reads.map((read) => [`${read.to}${read.data}`.toLowerCase(), read]))
  return [...distinct.values()]
}

/**
 * The verdict of the manager and of every caveat of every link on an execution, links leaf first.
 *
 * @example
 * const { type, first } = evaluateDelegations(links, registry, { chainId, manager, redeemer, execution,
 * before: state })
 * if (type === 'refuse') console.log(first?.refusal.name, first?.remedy)
 */
export function evaluateDelegations(
  links: readonly Delegation[],
  registry: Registry,
  question: DelegationQuestion,
): DelegationVerdict {
  const { before, after } = question
  const hashes = question.hashes ?? links.map((link) => hashDelegation(link))
  const manager = evaluateLinks(links, hashes, question)
  const steps = walk(links, hashes, registry, question)
  const { verdicts } = evaluateInOrder(steps, { before, after }, false)
  const caveats = steps.map(({ link, caveat, delegationHash, enforcer, kind }, i): CaveatVerdict => {
    const verdict = verdicts[i] ?? { type: 'unknown', missing: 'kind' }
    return { link, caveat, delegationHash, enforcer, name: kind?.name, verdict }
  })
  const first = firstRefusal(caveats)
  const unknown = manager.type === 'unknown' || caveats.some(({ verdict }) => verdict.type === 'unknown')
  const refused = manager.type === 'refuse' || first
  return { type: refused ? 'refuse' : unknown ? 'unknown' : 'pass', manager, caveats, first }
}

function walk(
  links: readonly Delegation[],
  hashes: readonly Hex[],
  registry: Registry,
  { chainId, manager, redeemer, sender, execution }: Omit<DelegationQuestion, 'before' | 'after'>,
): readonly (Step & Omit<CaveatVerdict, 'name' | 'verdict'>)[] {
  return links.flatMap(({ caveats, delegator }, link) => {
    const delegationHash = hashes[link] ?? '0x'
    return caveats.map(({ enforcer, terms, args }, caveat) => {
      const context: Omit<HookContext, 'before' | 'after'> = {
        chainId,
        manager,
        enforcer,
        execution,
        delegationHash,
        delegator,
        redeemer,
        sender,
        recoverPublicKey: nobleEngine.recoverPublicKey,
        args,
      }
      return { link, caveat, delegationHash, enforcer, kind: registry(enforcer), terms, context }
    })
  })
}

/**
 * Hooks before the execution run from the leaf's first caveat to the root's last; hooks after it run in
 * reverse.
 */
const roundsBefore = 2

function firstRefusal(caveats: readonly CaveatVerdict[]): FirstRefusal | undefined {
  if (caveats.every(({ verdict }) => verdict.type !== 'refuse')) return undefined
  const inTurn = caveats.map((caveat, place) => ({ caveat, turn: turnOf(caveat.verdict, place) }))
  const ordered = inTurn.filter(({ turn }) => turn !== undefined).sort(byTurn)
  const index = ordered.findIndex(({ caveat: { verdict } }) => verdict.type === 'refuse')
  const refusedCaveat = ordered[index]?.caveat
  if (refusedCaveat?.verdict.type !== 'refuse') return undefined
  const { link, caveat, enforcer, name } = refusedCaveat
  const { hook, refusal, remedy } = refusedCaveat.verdict
  return { link, caveat, enforcer, name, hook, refusal, remedy, certain: index === 0 }
}

/** When a verdict may first refuse: its round, and its position in that round. */
function turnOf(verdict: Verdict, place: number): readonly [number, number] | undefined {
  const round = roundOf(verdict)
  return round === undefined ? undefined : [round, round < roundsBefore ? place : -place]
}

type Turn = { readonly turn: readonly [number, number] | undefined }

function byTurn({ turn: one = [0, 0] }: Turn, { turn: other = [0, 0] }: Turn): number {
  return one[0] - other[0] || one[1] - other[1]
}
