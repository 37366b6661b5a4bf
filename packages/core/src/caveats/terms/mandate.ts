import { type Address, concat, type Hex } from 'viem'
import { BardoError } from '../../errors/BardoError.ts'
import type { RulesVersion } from '../caveatKind.ts'
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

/** A tracked token and its price source. */
export type Asset = {
  /** Zero for the native currency. */
  readonly token: Address
  /** Zero, with an age of zero, for "at par": the owner declares that one token is one dollar. */
  readonly feed: Address
  readonly maxAgeSeconds: number
  /** The token's decimals plus the feed's; at par, plus 8. */
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
  /** The one method that may be called, for kinds from 7; else zero. */
  readonly selector: Hex
}

/** The assets, contracts and payees that an owner signs. */
export type Mandate = {
  /** The account whose balances are measured and that receives all value. It must be the root's delegator. */
  readonly account: Address
  readonly assets: readonly Asset[]
  readonly targets: readonly Target[]
  readonly payees: readonly Address[]
}

/** The settlement index that means no settlement asset. */
export const noSettlement = 255

export const mandateHead = 23
const assetSize = 44
const targetSize = 25
const payeeSize = 20
/** The maximum number of assets in a mandate. */
export const maxAssets = 8
/** The number of targets, and of payees, must be below this. */
export const maxList = 64

/** The exact length of the mandate at this position; its head must be present. */
export function mandateSize(terms: Digits, start: number, rules?: RulesVersion): number {
  const [assets, targets, payees] = countsAt(terms, start)
  // Version 2 accepts a mandate without assets: then nothing that moves value passes.
  const least = rules === 1 ? 1 : 0
  if (assets < least || assets > maxAssets || targets >= maxList || payees >= maxList)
    refuse('MandateMalformed', BigInt(assets), BigInt(targets), BigInt(payees))
  return mandateHead + assetSize * assets + targetSize * targets + payeeSize * payees
}

/** The mandate at the end of terms, as MandateEnforcer.sol slices it. */
export function readTrailingMandate(terms: Digits, head: number, rules?: RulesVersion): Mandate {
  const length = lengthOf(terms)
  if (length < head + mandateHead) refuse('TermsLength', BigInt(length), BigInt(head + mandateHead))
  const expected = head + mandateSize(terms, head, rules)
  if (length !== expected) refuse('TermsLength', BigInt(length), BigInt(expected))
  return readMandate(terms, head)
}

/** Reads without checks: for a mandate whose size was checked. */
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
  targets.forEach(requireSelector)
  return concat([
    packed([20, account], [1, assets.length], [1, targets.length], [1, payees.length]),
    ...assets.map(({ token, feed, maxAgeSeconds, scale }) =>
      packed([20, token], [20, feed], [3, maxAgeSeconds], [1, scale]),
    ),
    ...targets.map(({ kind, address, selector }) => packed([1, kind], [20, address], [4, selector])),
    ...payees.map((payee) => packed([20, payee])),
  ])
}

/** A signed method with selector zero would let the session call the contract's fallback. */
function requireSelector({ kind, address, selector }: Target): void {
  if (kind < targetKinds.spawn || BigInt(selector) !== 0n) return
  throw new BardoError('This target kind needs the selector of the method that may be called.', {
    code: 'TERMS_MALFORMED',
    details: [`target ${address}`, `kind ${kind}`, 'selector 0x00000000'],
    remedy: 'Set the selector: the first four bytes of the hash of the method signature.',
    docsPath: 'caveats.md#the-mandate',
  })
}

/** The token's index, or -1. If it is listed twice, the first one. */
export function assetOf({ assets }: Mandate, token: Address): number {
  return assets.findIndex((asset) => asset.token === token)
}

/** The token's index; refuses a token that is not tracked. */
export function trackedAsset(mandate: Mandate, token: Address): number {
  const place = assetOf(mandate, token)
  return place === -1 ? refuse('AssetNotTracked', token) : place
}

/** The first entry of a contract. */
export function targetOf({ targets }: Mandate, address: Address): Target | undefined {
  return targets.find((target) => target.address === address)
}

/** Zero if the contract is not a target. */
export function kindOf(mandate: Mandate, address: Address): number {
  return targetOf(mandate, address)?.kind ?? 0
}

/** The token at the settlement index; undefined for none. */
export function settlementToken({ assets }: Mandate, settlement: number): Address | undefined {
  return assets[settlement]?.token
}

export function requireSettlement({ assets }: Mandate, settlement: number): void {
  if (settlement >= assets.length && settlement !== noSettlement) refuse('TermsUnknown', BigInt(settlement))
}

export function requireBps(bps: number): void {
  if (bps > 10_000) refuse('TermsUnknown', BigInt(bps))
}

/** The mandate with lower-case addresses, for comparisons. */
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
