import { readState } from '@bardo/chain'
import { policyCage } from '@bardo/contracts'
import {
  type Asset,
  caveatRegistry,
  hashDelegation,
  microsPerCent,
  mostOf,
  priceOf,
  priceReads,
  type Read,
  readCaveats,
  usageOf,
  wordsIn,
} from '@bardo/core'
import { type Address, encodeFunctionData, erc20Abi, isAddressEqual } from 'viem'
import type { GolemParts } from '../permission/golemParts.ts'
import type { SignedPermission } from '../permission/signedPermission.ts'
import { centsUpOf, microsOf } from '../snapshot/prices.ts'
import { type Intention, soldBy } from '../strategy/strategy.ts'
import type { Action } from './action.ts'
import { approvalsIn, usable } from './buildAction.ts'

/** The amounts that an action would reach. PolicyCage is not asked about the ones that are left out. */
export type Projection = {
  readonly moved: readonly Address[]
  /** Undefined if the action only returns assets to the owner. */
  readonly spent: { readonly tx: bigint; readonly session: bigint; readonly day: bigint } | undefined
  /** What is spent already, without this write. */
  readonly used: { readonly session: bigint; readonly day: bigint }
  /** Undefined for an action that closes a position: it always passes, as in the Cage. */
  readonly portfolio:
    | {
        readonly highestCents: bigint
        readonly nowCents: bigint
        readonly totalMicros: bigint
        /** What the account holds afterwards, in millionths of a dollar. */
        readonly held: readonly { readonly token: Address; readonly micros: bigint }[]
        /**
         * The asset that is bought: its value and the portfolio's, in millionths of a dollar; in cents for a
         * Cage of version 1.
         */
        readonly grown: { readonly token: Address; readonly held: bigint; readonly total: bigint } | undefined
      }
    | undefined
}

/** An amount of an asset, in base units. */
type Flow = { readonly asset: Asset; readonly amount: bigint }

/** What a write moves. */
export type Flows = {
  readonly from?: Flow | undefined
  /** The other token of a pool. */
  readonly alsoFrom?: Flow | undefined
  /** Without an amount: what the sold amount buys at the prices of the price feeds. */
  readonly to?: { readonly asset: Asset; readonly amount?: bigint } | undefined
  /** What counts as spent. */
  readonly spends?: Flow | undefined
  /** Closing a position always passes the checks of the portfolio, as in the Cage. */
  readonly isClosing: boolean
}

/** What an action of a strategy moves. */
export function flowsOf({ terms, plan }: SignedPermission, intention: Intention, action: Action): Flows {
  const assetOf = (symbol: string) => terms.mandate.assets[plan.assets.indexOf(symbol)]
  const [from, alsoFrom] = soldBy(intention).map((symbol) => {
    const sold = assetOf(symbol)
    return sold && { asset: sold, amount: approvedOf(action, sold) }
  })
  const received =
    intention.type === 'swap' ? intention.to : intention.type === 'withdraw' ? intention.asset : undefined
  const bought = received === undefined ? undefined : assetOf(received)
  const isClosing =
    intention.type === 'withdraw' ||
    intention.type === 'removeLiquidity' ||
    intention.type === 'collect' ||
    (intention.type === 'swap' && intention.to === plan.settlement)
  return { from, alsoFrom, to: bought && { asset: bought }, spends: from, isClosing }
}

/**
 * Reads balances, prices and the Cage's stored usage, and computes the amounts that a write would reach.
 */
export async function projectFlows(
  { client, deployment }: Pick<GolemParts, 'client' | 'deployment'>,
  { terms, links }: SignedPermission,
  { from: sold, alsoFrom, to: bought, spends, isClosing }: Flows,
): Promise<Projection> {
  const { mandate, constitution = '0x' } = terms
  const row = rowOf()
  const limits: Read = {
    to: deployment.contracts.policyCage,
    data: encodeFunctionData({ abi: policyCage.abi, functionName: 'limitsOf', args: [constitution] }),
  }
  const assets = mandate.assets.map((asset) => ({ asset, held: balanceRead(asset) }))
  const state = await readState(client, deployment, [
    ...(row ? [row.read] : []),
    limits,
    ...assets.map(({ held }) => held),
    ...priceReads(mandate.assets),
    ...priceReads(spends ? [spends.asset] : []),
    ...priceReads(alsoFrom ? [alsoFrom.asset] : []),
  ])
  const [from, to] = [sold?.asset, bought?.asset]
  const amountOut = sold?.amount ?? 0n
  return {
    moved: [from, alsoFrom?.asset, to].flatMap((asset) => (asset ? [asset.token] : [])),
    spent: spending(),
    used: used(),
    portfolio: isClosing ? undefined : portfolio(),
  }

  function rowOf() {
    const root = links.at(-1)
    if (!root) return undefined
    const node = { hash: hashDelegation(root), delegation: root }
    const caveat = readCaveats(node, caveatRegistry(deployment), deployment.framework.DelegationManager).find(
      (candidate) => candidate?.kind.name === 'Cage',
    )
    const [read] = caveat?.kind.usageReads?.(caveat.terms, caveat.row) ?? []
    return caveat && read && { caveat, read }
  }

  function balanceRead({ token }: Asset): Read {
    const args = [mandate.account] as const
    return { to: token, data: encodeFunctionData({ abi: erc20Abi, functionName: 'balanceOf', args }) }
  }

  function used(): Projection['used'] {
    const [, , , , start = 0n, inSession = 0n] = (row && wordsIn(state, row.read, 6)) ?? []
    const [, , , sessionSeconds = 0n] = wordsIn(state, limits, 5) ?? []
    const [day] = row ? usageOf(row.caveat, state) : []
    const isOver = state.timestamp >= start + sessionSeconds
    return { session: isOver ? 0n : inSession, day: day?.spent ?? 0n }
  }

  function spending(): Projection['spent'] {
    if (!spends || spends.amount === 0n) return undefined
    const { asset, amount } = spends
    const worth = (flow: Flow) =>
      centsUpOf(flow.amount, usable(priceOf(state, flow.asset), flow.asset.token), flow.asset)
    const tx = worth({ asset, amount }) + (alsoFrom ? worth(alsoFrom) : 0n)
    const { session, day } = used()
    return { tx, session: session + tx, day: day + tx }
  }

  function portfolio(): Projection['portfolio'] {
    const [, , , highWater = 0n] = (row && wordsIn(state, row.read, 6)) ?? []
    let [before, now] = [0n, 0n]
    const after: { readonly token: Address; readonly micros: bigint }[] = []
    let grown: { token: Address; micros: bigint } | undefined
    for (const { asset, held } of assets) {
      const [balance = 0n] = wordsIn(state, held, 1) ?? []
      const also = asset === alsoFrom?.asset ? -alsoFrom.amount : 0n
      const change = asset === from ? -amountOut : asset === to ? boughtAmount() : also
      if (balance === 0n && change === 0n) continue
      const quoted = priceOf(state, asset)
      // An asset that does not move is counted only if it has a price. Version 1 needs a price for every
      // asset held.
      if (terms.version !== 1 && change === 0n && quoted === undefined) continue
      const price = usable(quoted, asset.token)
      const micros = microsOf(balance + change, price, asset)
      after.push({ token: asset.token, micros })
      before += microsOf(balance, price, asset)
      now += micros
      if (change > 0n) grown = { token: asset.token, micros }
    }
    const nowCents = now / microsPerCent
    return {
      highestCents: mostOf(highWater, before / microsPerCent),
      nowCents,
      totalMicros: now,
      held: after,
      grown: grown && { token: grown.token, ...shareOf(grown.micros) },
    }

    function shareOf(micros: bigint) {
      return terms.version === 1
        ? { held: (micros + microsPerCent - 1n) / microsPerCent, total: nowCents }
        : { held: micros, total: now }
    }
  }

  /**
   * The amount bought at the prices of the price feeds. The simulation accounts for the pool's fee and price.
   */
  function boughtAmount(): bigint {
    if (bought?.amount !== undefined) return bought.amount
    if (!from || !to) return 0n
    const [out, into] = [from, to].map((asset) => usable(priceOf(state, asset), asset.token))
    if (out === undefined || into === undefined) return 0n
    return (amountOut * out * 10n ** BigInt(to.scale)) / (into * 10n ** BigInt(from.scale))
  }
}

function approvedOf(action: Action, { token }: Asset): bigint {
  return approvalsIn(action).reduce(
    (sum, approval) => (isAddressEqual(approval.token, token) ? sum + approval.amount : sum),
    0n,
  )
}
