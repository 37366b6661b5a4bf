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
import { judgeInOrder, roundOf, type Step } from '../caveats/sequence.ts'
import type { Delegation } from './delegation.ts'
import { hashDelegation } from './hashDelegation.ts'
import { judgeLinks, type ManagerRefusal, managerReads } from './judgeLinks.ts'

/** Who redeems what, where, and what is known of the chain. */
export type ChainQuestion = {
  readonly chainId: number
  readonly manager: Address
  readonly redeemer: Address
  /** How the redeemer comes. It matters where two caveats of a chain measure one account, and is unknown there if left out. */
  readonly sender?: SenderKind | undefined
  readonly execution: Execution
  /** The links' hashes, for whoever knows them: computing them is the dearest part of an evaluation. */
  readonly hashes?: readonly Hex[] | undefined
  readonly before: ChainState
  readonly after?: ChainState | undefined
}

/** What one caveat of one link says. */
export type CaveatVerdict = {
  /** 0 is the leaf. */
  readonly link: number
  readonly caveat: number
  readonly delegationHash: Hex
  readonly enforcer: Address
  /** Undefined for an enforcer that nobody here knows. */
  readonly name: string | undefined
  readonly verdict: Verdict
}

/** The first thing that says no. */
export type FirstRefusal = {
  readonly link: number
  readonly caveat: number
  readonly enforcer: Address
  readonly name: string | undefined
  readonly hook: HookName
  readonly refusal: Refusal
  readonly remedy: string
  /** False where an unknown caveat comes before it, which may refuse earlier. */
  readonly certain: boolean
}

/** The whole chain’s verdict, with every caveat’s in the order of the manager’s first round. */
export type ChainVerdict = {
  readonly is: 'pass' | 'refuse' | 'unknown'
  /** What the manager itself objects to, before any hook runs. Signatures are not looked at. */
  readonly manager:
    | ManagerRefusal
    | { readonly is: 'pass' }
    | { readonly is: 'unknown'; readonly missing: readonly Read[] }
  readonly caveats: readonly CaveatVerdict[]
  readonly first: FirstRefusal | undefined
}

/** All that has to be read for {@link evaluateChain}. */
export function chainReads(
  links: readonly Delegation[],
  registry: Registry,
  question: Omit<ChainQuestion, 'before' | 'after'>,
): readonly Read[] {
  const hashes = question.hashes ?? links.map((link) => hashDelegation(link))
  const reads = [...managerReads(hashes, question.manager)]
  for (const { kind, terms, context } of walk(links, hashes, registry, question)) {
    if (kind) reads.push(...kind.reads(terms, context))
  }
  const distinct = new Map(reads.map((read) => [`${read.to}${read.data}`.toLowerCase(), read]))
  return [...distinct.values()]
}

/** What the manager and every caveat of every link would say to an execution, links leaf first. */
export function evaluateChain(
  links: readonly Delegation[],
  registry: Registry,
  question: ChainQuestion,
): ChainVerdict {
  const { before, after } = question
  const hashes = question.hashes ?? links.map((link) => hashDelegation(link))
  const manager = judgeLinks(links, hashes, question)
  const steps = walk(links, hashes, registry, question)
  const { verdicts } = judgeInOrder(steps, { before, after }, false)
  const caveats = steps.map(({ link, caveat, delegationHash, enforcer, kind }, i): CaveatVerdict => {
    const verdict = verdicts[i] ?? { is: 'unknown', missing: 'kind' }
    return { link, caveat, delegationHash, enforcer, name: kind?.name, verdict }
  })
  const first = firstRefusal(caveats)
  const unknown = manager.is === 'unknown' || caveats.some(({ verdict }) => verdict.is === 'unknown')
  const refused = manager.is === 'refuse' || first
  return { is: refused ? 'refuse' : unknown ? 'unknown' : 'pass', manager, caveats, first }
}

function walk(
  links: readonly Delegation[],
  hashes: readonly Hex[],
  registry: Registry,
  { chainId, manager, redeemer, sender, execution }: Omit<ChainQuestion, 'before' | 'after'>,
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
        args,
      }
      return { link, caveat, delegationHash, enforcer, kind: registry(enforcer), terms, context }
    })
  })
}

/** Hooks that run before the execution go from the leaf’s first caveat to the root’s last, those after it the other way. */
const roundsBefore = 2

function firstRefusal(caveats: readonly CaveatVerdict[]): FirstRefusal | undefined {
  if (caveats.every(({ verdict }) => verdict.is !== 'refuse')) return undefined
  const inTurn = caveats.map((caveat, place) => ({ caveat, turn: turnOf(caveat.verdict, place) }))
  const ordered = inTurn.filter(({ turn }) => turn !== undefined).sort(byTurn)
  const index = ordered.findIndex(({ caveat: { verdict } }) => verdict.is === 'refuse')
  const found = ordered[index]?.caveat
  if (found?.verdict.is !== 'refuse') return undefined
  const { link, caveat, enforcer, name } = found
  const { hook, refusal, remedy } = found.verdict
  return { link, caveat, enforcer, name, hook, refusal, remedy, certain: index === 0 }
}

/** When a verdict may first be a no: its round, and its place in that round. */
function turnOf(verdict: Verdict, place: number): readonly [number, number] | undefined {
  const round = roundOf(verdict)
  return round === undefined ? undefined : [round, round < roundsBefore ? place : -place]
}

type Turn = { readonly turn: readonly [number, number] | undefined }

function byTurn({ turn: one = [0, 0] }: Turn, { turn: other = [0, 0] }: Turn): number {
  return one[0] - other[0] || one[1] - other[1]
}
