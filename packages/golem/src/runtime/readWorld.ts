import { caveatRegistry, decodeVitals, readState, type Vitals } from '@bardo/chain'
import { golemVitals, policyCage } from '@bardo/contracts'
import {
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
}

const managerAbi = parseAbi([
  'function disabledDelegations(bytes32) view returns (bool)',
  'function paused() view returns (bool)',
])

/** Looks at everything at once: one call to Multicall3, whatever the charter asks for. */
export async function readWorld(
  { id, client, deployment, book }: Pick<GolemParts, 'id' | 'client' | 'deployment' | 'book'>,
  { golem, links, terms, plan }: Charter,
): Promise<WorldSeen> {
  const { contracts, framework } = deployment
  const manager = framework.DelegationManager
  const { account } = terms.mandate
  const caveats = links.flatMap((delegation) => {
    const node = { hash: hashDelegation(delegation), delegation }
    return readCaveats(node, caveatRegistry(deployment), manager).flatMap((read) => read ?? [])
  })
  const usageReads = caveats.flatMap(({ kind, terms: own, row }) => kind.usageReads?.(own, row) ?? [])
  const vitals: Read = {
    to: contracts.golemVitals,
    data: encodeFunctionData({ abi: golemVitals.abi, functionName: 'vitalsOf', args: [id] }),
  }
  const paused: Read = {
    to: manager,
    data: encodeFunctionData({ abi: managerAbi, functionName: 'paused' }),
  }
  const adopted: Read = {
    to: contracts.policyCage,
    data: encodeFunctionData({
      abi: policyCage.abi,
      functionName: 'constitutionHash',
      args: [golem.owner],
    }),
  }
  const disabled = links.map((link) => disabledRead(hashDelegation(link)))
  const assets = plan.assets.flatMap((symbol) => {
    const asset = book.assets.get(symbol)
    return asset ? [{ symbol, asset, held: balanceRead(asset.token), vault: vaultRead(symbol) }] : []
  })

  const state = await readState(client, deployment, [
    vitals,
    paused,
    adopted,
    ...disabled,
    ...usageReads,
    ...assets.flatMap(({ held, vault }) => (vault ? [held, vault] : [held])),
    ...priceReads(assets.map(({ asset }) => asset)),
  ])
  const usages = caveats.flatMap((caveat) => usageOf(caveat, state))
  const day = tightest(usages.filter(({ unit, renews }) => unit === 'usdCents' && renews))
  const calls = tightest(usages.filter(({ unit }) => unit === 'calls'))
  const signed = terms.constitution
  const lastAt = Math.max(...usageReads.map((read) => lastExecution(state, read)))
  return {
    at: state.timestamp,
    vitals: decodeVitals(wordIn(state, vitals)),
    revoked: disabled.some((read) => wordIn(state, read) !== 0n),
    managerPaused: wordIn(state, paused) !== 0n,
    constitutionChanged: signed !== undefined && wordIn(state, adopted) !== hexToBigInt(signed),
    holdings: assets.map(({ symbol, asset, held, vault }) => {
      // What cannot be priced counts as nothing: it is not acted on.
      const price = priceOf(state, asset) ?? 0n
      const cents = (read: Read | undefined) => (read ? centsOf(wordIn(state, read), price, asset) : 0n)
      return { symbol, cents: cents(held), vaultCents: cents(vault) }
    }),
    day: day ?? { spent: 0n, limit: terms.dayCents },
    calls: calls && { used: calls.spent, limit: calls.limit },
    lastExecutionAt: lastAt > 0 ? lastAt : undefined,
  }

  function disabledRead(hash: Hash): Read {
    return {
      to: manager,
      data: encodeFunctionData({ abi: managerAbi, functionName: 'disabledDelegations', args: [hash] }),
    }
  }

  function balanceRead(token: Read['to']): Read {
    return {
      to: token,
      data: encodeFunctionData({ abi: erc20Abi, functionName: 'balanceOf', args: [account] }),
    }
  }

  function vaultRead(symbol: string): Read | undefined {
    const isPlanned = plan.targets.some((target) => target.role === 'vault' && target.asset === symbol)
    const to = isPlanned ? book.vaults.get(symbol) : undefined
    const data = encodeFunctionData({ abi: erc4626Abi, functionName: 'maxWithdraw', args: [account] })
    return to && { to, data }
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
