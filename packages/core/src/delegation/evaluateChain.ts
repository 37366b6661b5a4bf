import type { Address, Hex } from 'viem'
import type { Registry } from '../caveats/boundKind.ts'
import type { ChainState, Execution, HookContext, Read, Refusal, Verdict } from '../caveats/caveatKind.ts'
import type { Delegation } from './delegation.ts'
import { hashDelegation } from './hashDelegation.ts'
import { judgeLinks, type ManagerRefusal, managerReads } from './judgeLinks.ts'

/** Who redeems what, where, and what is known of the chain. */
export type ChainQuestion = {
  readonly chainId: number
  readonly manager: Address
  readonly redeemer: Address
  readonly execution: Execution
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
  readonly verdict:
    | Verdict
    /** Nobody knows the enforcer; or an earlier caveat writes what this one reads. */
    | { readonly is: 'unknown'; readonly missing: 'kind' | 'earlier' }
}

/** The first thing that says no. */
export type FirstRefusal = {
  readonly link: number
  readonly caveat: number
  readonly enforcer: Address
  readonly name: string | undefined
  readonly hook: 'beforeAllHook' | 'beforeHook' | 'afterHook' | 'afterAllHook'
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
  const hashes = links.map((link) => hashDelegation(link))
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
  const hashes = links.map((link) => hashDelegation(link))
  const manager = judgeLinks(links, hashes, question)
  const written = new Set<string>()
  const caveats = walk(links, hashes, registry, question).map(({ kind, terms, context, ...place }) => {
    if (!kind) return { ...place, name: undefined, verdict: { is: 'unknown', missing: 'kind' } as const }
    const verdict = kind.evaluate(terms, { ...context, before, after })
    const row = verdict.is === 'refuse' ? undefined : kind.writes?.(terms, context)
    const key = `${place.enforcer.toLowerCase()} ${row}`
    if (row !== undefined && written.has(key)) {
      return { ...place, name: kind.name, verdict: { is: 'unknown', missing: 'earlier' } as const }
    }
    if (row !== undefined) written.add(key)
    return { ...place, name: kind.name, verdict }
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
  { chainId, manager, redeemer, execution }: Omit<ChainQuestion, 'before' | 'after'>,
) {
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
        args,
      }
      return { link, caveat, delegationHash, enforcer, kind: registry(enforcer), terms, context }
    })
  })
}

/** Rounds in the order in which the manager makes them; the last two go from the root’s last caveat to the leaf’s first. */
const rounds = ['beforeAllHook', 'beforeHook', 'afterHook', 'afterAllHook'] as const

function firstRefusal(caveats: readonly CaveatVerdict[]): FirstRefusal | undefined {
  for (const [round, hook] of rounds.entries()) {
    const order = round < 2 ? caveats : caveats.toReversed()
    const index = order.findIndex(({ verdict }) => verdict.is === 'refuse' && verdict.hook === hook)
    const found = order[index]
    if (found?.verdict.is !== 'refuse') continue
    const { link, caveat, enforcer, name } = found
    const { refusal, remedy } = found.verdict
    const certain = !order.some(({ verdict }, i) => {
      if (verdict.is !== 'unknown') return false
      // Of an unknown enforcer every hook may refuse, also in an earlier round.
      if (verdict.missing === 'kind') return i < index || round > 0
      // Whoever only lacks the state afterwards has passed the hooks before.
      return verdict.missing === 'after' ? round > 1 && i < index : i < index || round > 1
    })
    return { link, caveat, enforcer, name, hook, refusal, remedy, certain }
  }
  return undefined
}
