import type { Address } from 'viem'
import type { Coverage } from '../caveatKind.ts'
import { isAtPar } from '../measure/prices.ts'
import {
  type Asset,
  assetOf,
  type Mandate,
  plainMandate,
  type Target,
  targetKinds,
  targetOf,
} from './mandate.ts'

/** Why the child allows more than the parent; falsy if it does not. */
export type Excess = string | false | undefined

/** Covered if there is no excess, else wider with the first excess. */
export function coverage(...excesses: readonly Excess[]): Coverage {
  const because = excesses.find(Boolean)
  return because ? { type: 'wider', because } : { type: 'covered' }
}

export function above(what: string, child: bigint | number, parent: bigint | number): Excess {
  return child > parent && `${what}: ${child} is above ${parent}`
}

export function below(what: string, child: bigint | number, parent: bigint | number): Excess {
  return child < parent && `${what}: ${child} is below ${parent}`
}

/**
 * State belongs to a lineage: a different lineage starts with nothing spent, whatever the parent's has spent.
 */
export function otherLineage(child: string, parent: string): Excess {
  return (
    child.toLowerCase() !== parent.toLowerCase() &&
    `lineage ${child} has its own budget, separate from ${parent}: earlier spending would not count`
  )
}

export function otherGolem(child: string, parent: string): Excess {
  return child.toLowerCase() !== parent.toLowerCase() && `golem ${child} has another state row than ${parent}`
}

/** A dead-man's switch: none is the laxest; a shorter one is stricter. */
export function laxerGrace(child: number, parent: number): Excess {
  if (parent === 0) return undefined
  if (child === 0) return `grace: none; the parent has ${parent} seconds`
  return above('grace in seconds', child, parent)
}

/** How to compare two mandates. */
export type MandateComparison = {
  /** Whether the enforcer uses prices. */
  readonly priced: boolean
  /** Whether it measures the whole portfolio, so that fewer assets are a different portfolio. */
  readonly sameAssets?: boolean
}

/**
 * Assumes that the assets of a mandate are tokens: one that does not answer blocks everything under the
 * mandate that lists it, and a child that omits it does not count as wider for that.
 */
export function widerMandate(
  childMandate: Mandate,
  parentMandate: Mandate,
  { priced, sameAssets = false }: MandateComparison,
): Excess {
  const child = plainMandate(childMandate)
  const parent = plainMandate(parentMandate)
  if (JSON.stringify(child) === JSON.stringify(parent)) return undefined
  if (child.account !== parent.account) return `account: ${child.account} is not ${parent.account}`
  if (hasTwice(child) || hasTwice(parent)) return 'assets: one of them is listed twice'
  return (
    firstOf(child.assets, (asset) => widerAsset(asset, parent, priced)) ??
    fewerMeasured(child, parent, priced, sameAssets) ??
    firstOf(child.targets, (target) => widerTarget(target, child, parent)) ??
    firstOf(child.payees, (payee) => widerPayee(payee, child, parent))
  )
}

function widerAsset(asset: Asset, parent: Mandate, priced: boolean): string | undefined {
  const other = parent.assets[assetOf(parent, asset.token)]
  if (!other) return `assets: ${asset.token} is not among the parent's`
  if (!priced) return undefined
  if (asset.feed !== other.feed || isAtPar(asset) !== isAtPar(other))
    return `price of ${asset.token}: feed ${asset.feed} is not ${other.feed}`
  if (asset.scale !== other.scale)
    return `price of ${asset.token}: scale ${asset.scale} is not ${other.scale}`
  return (
    above(`age of ${asset.token}'s price in seconds`, asset.maxAgeSeconds, other.maxAgeSeconds) || undefined
  )
}

/** A signed method may move any asset, so the child must measure every asset that the parent measures. */
function fewerMeasured(
  child: Mandate,
  parent: Mandate,
  priced: boolean,
  sameAssets: boolean,
): string | undefined {
  const unseen = parent.assets.find(({ token }) => assetOf(child, token) === -1)
  if (!unseen || !priced) return undefined
  const moves = child.targets.some(({ kind }) => kind >= targetKinds.spawn)
  return sameAssets || moves
    ? `assets: ${unseen.token} is measured by the parent but not by the child`
    : undefined
}

function widerTarget({ address }: Target, child: Mandate, parent: Mandate): string | undefined {
  const own = targetOf(child, address)
  // A target of an unknown kind is refused anyway.
  if (!own || own.kind < targetKinds.swapRouter02 || own.kind > targetKinds.sale) return undefined
  const other = targetOf(parent, address)
  if (other?.kind !== own.kind) return `targets: ${address} as kind ${own.kind} is not among the parent's`
  if (own.kind >= targetKinds.spawn && own.selector !== other.selector)
    return `targets: method ${own.selector} of ${address} is not the parent's ${other.selector}`
  if (assetOf(parent, address) !== -1 && assetOf(child, address) === -1)
    return `targets: ${address} is an asset of the parent, which allows only transfers and approvals on it`
  return undefined
}

function widerPayee(payee: Address, child: Mandate, parent: Mandate): string | undefined {
  if (!parent.payees.includes(payee)) return `payees: ${payee} is not among the parent's`
  const isContractOf = (mandate: Mandate) =>
    assetOf(mandate, payee) !== -1 || targetOf(mandate, payee) !== undefined
  return isContractOf(parent) && !isContractOf(child)
    ? `payees: ${payee} is a contract of the parent, which receives no native currency`
    : undefined
}

function hasTwice({ assets }: Mandate): boolean {
  return new Set(assets.map(({ token }) => token)).size !== assets.length
}

function firstOf<Item>(
  items: readonly Item[],
  excessOf: (item: Item) => string | undefined,
): string | undefined {
  for (const item of items) {
    const excess = excessOf(item)
    if (excess) return excess
  }
  return undefined
}
