import { decodeVitals, readState, type Vitals } from '@bardo/chain'
import { golemVitals, policyCage } from '@bardo/contracts'
import {
  type Asset,
  BardoError,
  balanceRead,
  type ChainState,
  caveatRegistry,
  hashDelegation,
  lastExecutionIn,
  priceOf,
  priceReads,
  type Read,
  readCaveats,
  type Usage,
  usageOf,
  wordsIn,
} from '@bardo/core'
import {
  type Address,
  encodeFunctionData,
  erc20Abi,
  erc4626Abi,
  type Hash,
  hexToBigInt,
  parseAbi,
  zeroAddress,
} from 'viem'
import type { GolemParts } from '../permission/golemParts.ts'
import type { SignedPermission } from '../permission/signedPermission.ts'
import type { Holding } from '../strategy/strategy.ts'
import { centsOf } from './prices.ts'

/** Everything that a Golem reads from the chain, at one block. */
export type Snapshot = {
  readonly at: bigint
  readonly block: bigint
  readonly vitals: Vitals
  readonly revoked: boolean
  readonly managerPaused: boolean
  readonly constitutionChanged: boolean
  readonly holdings: readonly Holding[]
  readonly day: { readonly spent: bigint; readonly limit: bigint }
  readonly calls: { readonly used: bigint; readonly limit: bigint } | undefined
  /** What may still leave under the totals of longer periods and of the whole life; undefined without totals. */
  readonly leftOfTotalsCents: bigint | undefined
  /** All of the signed limits in dollars, longest period last; one without a period is for the whole life. */
  readonly totals: readonly Usage[]
  /** The gas that the key may draw; undefined if none is signed. */
  readonly gas: GasSeen | undefined
  readonly lastExecutionAt: number | undefined
  /** Dollars with eight decimals. Assets whose price feed has no usable price are left out. */
  readonly prices: readonly { readonly symbol: string; readonly price: bigint }[]
  /** The number of owner signatures that the Golem's row has accepted. */
  readonly ownerSignatures: number
}

/** What a gas draw depends on, in wei. */
export type GasSeen = {
  readonly keyWei: bigint
  readonly accountWei: bigint
  /** Cents of one whole unit; 0 without a usable price. */
  readonly nativeCents: bigint
  readonly drawn: bigint
  readonly limit: bigint
}

const managerAbi = parseAbi([
  'function disabledDelegations(bytes32) view returns (bool)',
  'function paused() view returns (bool)',
])

/** An asset of the plan, and the reads for its balances. */
type AssetReads = {
  readonly symbol: string
  readonly asset: Asset
  /** Whether a price feed sets its price. */
  readonly floats: boolean
  readonly held: Read
  readonly vault: Read | undefined
}

/** The reads of a snapshot. They are the same at every tick. */
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
  readonly gas: GasReads | undefined
}

type GasReads = {
  readonly native: Asset
  readonly key: Read
  readonly account: Read
  /** A session account's deposit with the EntryPoint, which pays before its balance. */
  readonly deposit: Read | undefined
}

type CountingCaveat = NonNullable<ReturnType<typeof readCaveats>[number]>
type SnapshotParts = Pick<GolemParts, 'id' | 'client' | 'deployment' | 'reader'>

const paused = encodeFunctionData({ abi: managerAbi, functionName: 'paused' })

/** Reads everything in one call to Multicall3, or in a part of one if many Golems share a reader. */
export async function readSnapshot(parts: SnapshotParts, permission: SignedPermission): Promise<Snapshot> {
  const { client, deployment, reader } = parts
  const reads = readsOf(parts, permission)
  const state = await (reader ? reader(reads.all) : readState(client, deployment, reads.all))
  return worldFrom(state, reads, permission)
}

const readsByPermission = new WeakMap<SignedPermission, WorldReads>()

/** The reads for a signed permission, built once. */
function readsOf(parts: SnapshotParts, permission: SignedPermission): WorldReads {
  let reads = readsByPermission.get(permission)
  if (!reads) {
    reads = worldReads(parts, permission)
    readsByPermission.set(permission, reads)
  }
  return reads
}

function worldReads(
  { id, deployment }: SnapshotParts,
  { golem, links, terms, plan, book, actsBy }: SignedPermission,
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
    const floats = priceReads([asset]).length > 0
    return [{ symbol, asset, floats, held: { to: asset.token, data: held }, vault: vaultRead(symbol) }]
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
  const entryPoint = actsBy === 'account' ? framework.EntryPoint : undefined
  const gas =
    terms.gas && book.native && gasReads(book.native, links[0].delegate, terms.mandate.account, entryPoint)
  const all = [
    ...Object.values(single),
    ...disabled,
    ...usage,
    ...assets.flatMap(({ held, vault }) => (vault ? [held, vault] : [held])),
    ...priceReads([...assets.map(({ asset }) => asset), ...(gas ? [gas.native] : [])]),
    ...(gas ? [gas.key, gas.account] : []),
    ...(gas?.deposit ? [gas.deposit] : []),
  ]
  return { ...single, all, disabled, caveats, usage, assets, gas }

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

/** Decodes the answers. */
function worldFrom(state: ChainState, reads: WorldReads, { terms }: SignedPermission): Snapshot {
  const usages = reads.caveats.flatMap((caveat) => usageOf(caveat, state))
  const day = tightest(
    usages.filter(({ unit, renews, periodSeconds }) => unit === 'usdCents' && renews && !periodSeconds),
  )
  const calls = tightest(usages.filter(({ unit }) => unit === 'calls'))
  const totals = usages.filter(
    ({ unit, renews, periodSeconds }) => unit === 'usdCents' && (!renews || periodSeconds),
  )
  const least = tightest(totals)
  const signed = terms.constitution
  const prices = reads.assets.map(({ asset }) => priceOf(state, asset))
  const lastAt = Math.max(...reads.usage.map((read) => lastExecution(state, read)))
  return {
    at: state.timestamp,
    block: state.blockNumber,
    vitals: decodeVitals(wordIn(state, reads.vitals)),
    revoked: reads.disabled.some((read) => wordIn(state, read) !== 0n),
    managerPaused: wordIn(state, reads.paused) !== 0n,
    constitutionChanged: signed !== undefined && wordIn(state, reads.adopted) !== hexToBigInt(signed),
    holdings: reads.assets.map(({ symbol, asset, floats, held, vault }, at) => {
      // An asset without a price counts as zero: the Golem does not act on it.
      const price = prices[at] ?? 0n
      const cents = (read: Read | undefined) => (read ? centsOf(wordIn(state, read), price, asset) : 0n)
      return { symbol, cents: cents(held), vaultCents: cents(vault), ...(floats && { floats }) }
    }),
    day: day ?? { spent: 0n, limit: terms.dayCents },
    calls: calls && { used: calls.spent, limit: calls.limit },
    leftOfTotalsCents: least && (least.limit > least.spent ? least.limit - least.spent : 0n),
    totals,
    gas: reads.gas && gasFrom(state, reads.gas, usages),
    lastExecutionAt: lastAt > 0 ? lastAt : undefined,
    prices: reads.assets.flatMap(({ symbol }, at) => {
      const price = prices[at]
      return price === undefined ? [] : [{ symbol, price }]
    }),
    ownerSignatures: Number(wordIn(state, reads.nonces)),
  }
}

function gasReads(native: Asset, key: Address, account: Address, entryPoint: Address | undefined): GasReads {
  const of = (address: Address) => balanceRead(zeroAddress, address)
  const args = [key] as const
  const data = encodeFunctionData({ abi: erc20Abi, functionName: 'balanceOf', args })
  return { native, key: of(key), account: of(account), deposit: entryPoint && { to: entryPoint, data } }
}

function gasFrom(state: ChainState, reads: GasReads, usages: readonly Usage[]): GasSeen | undefined {
  const drawn = tightest(usages.filter(({ unit }) => unit === 'native'))
  if (!drawn) return undefined
  return {
    keyWei: wordIn(state, reads.key) + (reads.deposit ? wordIn(state, reads.deposit) : 0n),
    accountWei: wordIn(state, reads.account),
    nativeCents: centsOf(10n ** 18n, priceOf(state, reads.native) ?? 0n, reads.native),
    drawn: drawn.spent,
    limit: drawn.limit,
  }
}

/** The usage with the smallest remainder. */
function tightest(usages: readonly Usage[]): Usage | undefined {
  return usages.toSorted((a, b) => Number(a.limit - a.spent - (b.limit - b.spent)))[0]
}

/** The first word of a Cage's row, and of a spending limit's row, holds the time of the last execution. */
function lastExecution(state: ChainState, read: Read): number {
  const [budget = 0n] = wordsIn(state, read, 1) ?? []
  return Number(lastExecutionIn(budget))
}

function wordIn(state: ChainState, read: Read): bigint {
  const [word] = wordsIn(state, read, 1) ?? []
  if (word !== undefined) return word
  throw new BardoError('A contract call returned no result.', {
    code: 'RPC_MALFORMED',
    details: [`${read.to} ${read.data.slice(0, 10)}`],
  })
}
