import { caveatRegistry, decodeVitals, readState, type Vitals } from '@bardo/chain'
import { golemVitals, policyCage } from '@bardo/contracts'
import {
  type Asset,
  BardoError,
  type ChainState,
  hashDelegation,
  lastExecutionIn,
  type Read,
  readCaveats,
  type Usage,
  usageOf,
  wordsIn,
} from '@bardo/core'
import { encodeFunctionData, erc20Abi, erc4626Abi, type Hash, hexToBigInt, parseAbi } from 'viem'
import type { Holding } from '../strategies/strategy.ts'
import type { Charter } from './charter.ts'
import type { GolemParts } from './golemParts.ts'
import { centsOf, priceOf, priceReads } from './prices.ts'

/** All that a Golem sees of the chain, at one block. */
export type WorldSeen = {
  readonly at: bigint
  readonly vitals: Vitals
  readonly revoked: boolean
  readonly managerPaused: boolean
  readonly constitutionChanged: boolean
  readonly holdings: readonly Holding[]
  readonly day: { readonly spent: bigint; readonly limit: bigint }
  readonly calls: { readonly used: bigint; readonly limit: bigint } | undefined
  readonly lastExecutionAt: number | undefined
  /** Dollars with eight decimals; assets whose feed is silent are left out. */
  readonly prices: readonly { readonly symbol: string; readonly price: bigint }[]
  /** How many signatures of the owner's its row has taken. */
  readonly ownerSignatures: number
}

const managerAbi = parseAbi([
  'function disabledDelegations(bytes32) view returns (bool)',
  'function paused() view returns (bool)',
])

/** A holding of the plan, and where to see how much there is of it. */
type AssetReads = {
  readonly symbol: string
  readonly asset: Asset
  readonly held: Read
  readonly vault: Read | undefined
}

/** What to ask about a Golem's world: the same questions at every tick. */
type WorldReads = {
  readonly all: readonly Read[]
  readonly vitals: Read
  readonly nonces: Read
  readonly paused: Read
  readonly adopted: Read
  readonly disabled: readonly Read[]
  readonly caveats: readonly CountingCaveat[]
  readonly usage: readonly Read[]
  readonly assets: readonly AssetReads[]
}

type CountingCaveat = NonNullable<ReturnType<typeof readCaveats>[number]>
type WorldParts = Pick<GolemParts, 'id' | 'client' | 'deployment' | 'book' | 'reader'>

const paused = encodeFunctionData({ abi: managerAbi, functionName: 'paused' })

/**
 * Looks at everything at once: one call to Multicall3, whatever the charter asks for, or a part of one where many Golems
 * share a reader.
 */
export async function readWorld(parts: WorldParts, charter: Charter): Promise<WorldSeen> {
  const { client, deployment, reader } = parts
  const reads = readsOf(parts, charter)
  const state = await (reader ? reader(reads.all) : readState(client, deployment, reads.all))
  return worldFrom(state, reads, charter)
}

const known = new WeakMap<Charter, WorldReads>()

/** A charter's questions, which are put together once. */
function readsOf(parts: WorldParts, charter: Charter): WorldReads {
  let reads = known.get(charter)
  if (!reads) {
    reads = worldReads(parts, charter)
    known.set(charter, reads)
  }
  return reads
}

function worldReads(
  { id, deployment, book }: WorldParts,
  { golem, links, terms, plan }: Charter,
): WorldReads {
  const { contracts, framework } = deployment
  const manager = framework.DelegationManager
  const args = [terms.mandate.account] as const
  const registry = caveatRegistry(deployment)
  const caveats = links.flatMap((delegation) =>
    readCaveats({ hash: hashDelegation(delegation), delegation }, registry, manager).flatMap(
      (read) => read ?? [],
    ),
  )
  const usage = caveats.flatMap(({ kind, terms: own, row }) => kind.usageReads?.(own, row) ?? [])
  const assets = plan.assets.flatMap((symbol): AssetReads[] => {
    const asset = book.assets.get(symbol)
    if (!asset) return []
    const held = encodeFunctionData({ abi: erc20Abi, functionName: 'balanceOf', args })
    return [{ symbol, asset, held: { to: asset.token, data: held }, vault: vaultRead(symbol) }]
  })
  const single = {
    vitals: {
      to: contracts.golemVitals,
      data: encodeFunctionData({ abi: golemVitals.abi, functionName: 'vitalsOf', args: [id] }),
    },
    nonces: {
      to: contracts.golemVitals,
      data: encodeFunctionData({ abi: golemVitals.abi, functionName: 'nonces', args: [id] }),
    },
    paused: { to: manager, data: paused },
    adopted: {
      to: contracts.policyCage,
      data: encodeFunctionData({
        abi: policyCage.abi,
        functionName: 'constitutionHash',
        args: [golem.owner],
      }),
    },
  }
  const disabled = links.map((link) => disabledRead(hashDelegation(link)))
  const all = [
    ...Object.values(single),
    ...disabled,
    ...usage,
    ...assets.flatMap(({ held, vault }) => (vault ? [held, vault] : [held])),
    ...priceReads(assets.map(({ asset }) => asset)),
  ]
  return { ...single, all, disabled, caveats, usage, assets }

  function disabledRead(hash: Hash): Read {
    return {
      to: manager,
      data: encodeFunctionData({ abi: managerAbi, functionName: 'disabledDelegations', args: [hash] }),
    }
  }

  function vaultRead(symbol: string): Read | undefined {
    const isPlanned = plan.targets.some((target) => target.role === 'vault' && target.asset === symbol)
    const to = isPlanned ? book.vaults.get(symbol) : undefined
    return to && { to, data: encodeFunctionData({ abi: erc4626Abi, functionName: 'maxWithdraw', args }) }
  }
}

/** What the answers mean. */
function worldFrom(state: ChainState, reads: WorldReads, { terms }: Charter): WorldSeen {
  const usages = reads.caveats.flatMap((caveat) => usageOf(caveat, state))
  const day = tightest(usages.filter(({ unit, renews }) => unit === 'usdCents' && renews))
  const calls = tightest(usages.filter(({ unit }) => unit === 'calls'))
  const signed = terms.constitution
  const lastAt = Math.max(...reads.usage.map((read) => lastExecution(state, read)))
  return {
    at: state.timestamp,
    vitals: decodeVitals(wordIn(state, reads.vitals)),
    revoked: reads.disabled.some((read) => wordIn(state, read) !== 0n),
    managerPaused: wordIn(state, reads.paused) !== 0n,
    constitutionChanged: signed !== undefined && wordIn(state, reads.adopted) !== hexToBigInt(signed),
    holdings: reads.assets.map(({ symbol, asset, held, vault }) => {
      // What cannot be priced counts as nothing: it is not acted on.
      const price = priceOf(state, asset) ?? 0n
      const cents = (read: Read | undefined) => (read ? centsOf(wordIn(state, read), price, asset) : 0n)
      return { symbol, cents: cents(held), vaultCents: cents(vault) }
    }),
    day: day ?? { spent: 0n, limit: terms.dayCents },
    calls: calls && { used: calls.spent, limit: calls.limit },
    lastExecutionAt: lastAt > 0 ? lastAt : undefined,
    prices: reads.assets.flatMap(({ symbol, asset }) => {
      const price = priceOf(state, asset)
      return price === undefined ? [] : [{ symbol, price }]
    }),
    ownerSignatures: Number(wordIn(state, reads.nonces)),
  }
}

/** The one with the least left. */
function tightest(usages: readonly Usage[]): Usage | undefined {
  return usages.toSorted((a, b) => Number(a.limit - a.spent - (b.limit - b.spent)))[0]
}

/** The first word of a Cage's row, as of a spending limit's, holds when it last let something through. */
function lastExecution(state: ChainState, read: Read): number {
  const [budget = 0n] = wordsIn(state, read, 1) ?? []
  return Number(lastExecutionIn(budget))
}

function wordIn(state: ChainState, read: Read): bigint {
  const [word] = wordsIn(state, read, 1) ?? []
  if (word !== undefined) return word
  throw new BardoError('A contract did not answer.', {
    code: 'RPC_MALFORMED',
    details: [`${read.to} ${read.data.slice(0, 10)}`],
  })
}
