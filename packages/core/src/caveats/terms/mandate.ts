import { type Address, concat, type Hex } from 'viem'
import {
  cut,
  type Digits,
  hexAt,
  lengthOf,
  packedAddressAt,
  plainAddress,
  smallAt,
} from '../execution/digits.ts'
import { refuse } from '../verdict/refuse.ts'
import { packed } from './packed.ts'

/** A token that is tracked and how its price is found. */
export type Asset = {
  /** Zero for native currency. */
  readonly token: Address
  /** Zero, with an age of zero, for "at par": one token is one dollar because the owner says so. */
  readonly feed: Address
  readonly maxAgeSeconds: number
  /** The token's decimals plus the feed's; plus 8 at par. */
  readonly scale: number
}

/** Kinds of contracts that may be called. */
export const targetKinds = {
  swapRouter02: 1,
  universalRouter: 2,
  permit2: 3,
  positionManager: 4,
  pool: 5,
  vault: 6,
  spawn: 7,
  publish: 8,
  sale: 9,
} as const

/** A contract that may be called. */
export type Target = {
  readonly kind: number
  readonly address: Address
  /** The one method that may be called, for the kinds from 7 on; else zero. */
  readonly selector: Hex
}

/** What an owner signs about money. */
export type Mandate = {
  /** The account whose balances are measured, and that all value returns to. It must be the root's delegator. */
  readonly account: Address
  readonly assets: readonly Asset[]
  readonly targets: readonly Target[]
  readonly payees: readonly Address[]
}

/** The settlement asset's place where there is none. */
export const noSettlement = 255

export const mandateHead = 23
const assetSize = 44
const targetSize = 25
const payeeSize = 20
/** The most assets of one mandate. */
export const maxAssets = 8
/** There are fewer targets than this, and fewer payees. */
export const maxList = 64

/** The one length of the mandate that begins here; its head must be there. */
export function mandateSize(terms: Digits, start: number): number {
  const [assets, targets, payees] = countsAt(terms, start)
  if (assets < 1 || assets > maxAssets || targets >= maxList || payees >= maxList)
    refuse('MandateMalformed', BigInt(assets), BigInt(targets), BigInt(payees))
  return mandateHead + assetSize * assets + targetSize * targets + payeeSize * payees
}

/** The mandate that terms end with, as MandateEnforcer.sol cuts it out. */
export function readTrailingMandate(terms: Digits, head: number): Mandate {
  const length = lengthOf(terms)
  if (length < head + mandateHead) refuse('TermsLength', BigInt(length), BigInt(head + mandateHead))
  const expected = head + mandateSize(terms, head)
  if (length !== expected) refuse('TermsLength', BigInt(length), BigInt(expected))
  return readMandate(terms, head)
}

/** Reads without checking: for a mandate whose size is known to be there. */
export function readMandate(terms: Digits, start: number): Mandate {
  const [assets, targets, payees] = countsAt(terms, start)
  const firstTarget = start + mandateHead + assetSize * assets
  const firstPayee = firstTarget + targetSize * targets
  return {
    account: packedAddressAt(terms, start),
    assets: Array.from({ length: assets }, (_, index) => {
      const entry = cut(terms, start + mandateHead + assetSize * index, assetSize)
      return {
        token: packedAddressAt(entry, 0),
        feed: packedAddressAt(entry, 20),
        maxAgeSeconds: smallAt(entry, 40, 3),
        scale: smallAt(entry, 43, 1),
      }
    }),
    targets: Array.from({ length: targets }, (_, index) => {
      const entry = cut(terms, firstTarget + targetSize * index, targetSize)
      return { kind: smallAt(entry, 0, 1), address: packedAddressAt(entry, 1), selector: hexAt(entry, 21, 4) }
    }),
    payees: Array.from({ length: payees }, (_, index) =>
      packedAddressAt(terms, firstPayee + payeeSize * index),
    ),
  }
}

export function encodeMandate({ account, assets, targets, payees }: Mandate): Hex {
  return concat([
    packed([20, account], [1, assets.length], [1, targets.length], [1, payees.length]),
    ...assets.map(({ token, feed, maxAgeSeconds, scale }) =>
      packed([20, token], [20, feed], [3, maxAgeSeconds], [1, scale]),
    ),
    ...targets.map(({ kind, address, selector }) => packed([1, kind], [20, address], [4, selector])),
    ...payees.map((payee) => packed([20, payee])),
  ])
}

/** The token's place, or -1. Where it stands twice, the first one. */
export function assetOf({ assets }: Mandate, token: Address): number {
  return assets.findIndex((asset) => asset.token === token)
}

/** The token's place; refuses one that is not tracked. */
export function trackedAsset(mandate: Mandate, token: Address): number {
  const place = assetOf(mandate, token)
  return place === -1 ? refuse('AssetNotTracked', token) : place
}

/** The first entry of a contract. */
export function targetOf({ targets }: Mandate, address: Address): Target | undefined {
  return targets.find((target) => target.address === address)
}

/** Zero when the contract is not among the targets. */
export function kindOf(mandate: Mandate, address: Address): number {
  return targetOf(mandate, address)?.kind ?? 0
}

/** The token of a settlement place; undefined for none. */
export function settlementToken({ assets }: Mandate, settlement: number): Address | undefined {
  return assets[settlement]?.token
}

export function requireSettlement({ assets }: Mandate, settlement: number): void {
  if (settlement >= assets.length && settlement !== noSettlement) refuse('TermsUnknown', BigInt(settlement))
}

export function requireBps(bps: number): void {
  if (bps > 10_000) refuse('TermsUnknown', BigInt(bps))
}

/** The mandate with addresses written as comparisons want them. */
export function plainMandate(mandate: Mandate): Mandate {
  return {
    account: plainAddress(mandate.account),
    assets: mandate.assets.map((asset) => ({
      ...asset,
      token: plainAddress(asset.token),
      feed: plainAddress(asset.feed),
    })),
    targets: mandate.targets.map((target) => ({ ...target, address: plainAddress(target.address) })),
    payees: mandate.payees.map(plainAddress),
  }
}

function countsAt(terms: Digits, start: number): readonly [assets: number, targets: number, payees: number] {
  return [smallAt(terms, start + 20, 1), smallAt(terms, start + 21, 1), smallAt(terms, start + 22, 1)]
}
