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

/** Why the child reaches further; anything falsy where it does not. */
export type Excess = string | false | undefined

/** Covered where nothing is in excess; else the first thing that is. */
export function coverage(...excesses: readonly Excess[]): Coverage {
  const because = excesses.find(Boolean)
  return because ? { is: 'wider', because } : { is: 'covered' }
}

export function above(what: string, child: bigint | number, parent: bigint | number): Excess {
  return child > parent && `${what}: ${child} is above ${parent}`
}

export function below(what: string, child: bigint | number, parent: bigint | number): Excess {
  return child < parent && `${what}: ${child} is below ${parent}`
}

/** State belongs to a lineage: another one starts with nothing spent, whatever the parent's has spent already. */
export function otherLineage(child: string, parent: string): Excess {
  return (
    child.toLowerCase() !== parent.toLowerCase() &&
    `lineage ${child} keeps books of its own beside ${parent}: what was spent there would not count`
  )
}

export function otherGolem(child: string, parent: string): Excess {
  return (
    child.toLowerCase() !== parent.toLowerCase() && `golem ${child} is judged by another row than ${parent}`
  )
}

/** A dead-man's switch: none is the laxest, and a shorter one is stricter. */
export function laxerGrace(child: number, parent: number): Excess {
  if (parent === 0) return undefined
  if (child === 0) return `grace: none where the parent has ${parent} seconds`
  return above('grace in seconds', child, parent)
}

/** What a child's mandate allows and the parent's does not. */
export type MandateComparison = {
  /** Whether the enforcer prices anything. */
  readonly priced: boolean
  /** Whether it looks at all that the account holds, so that fewer assets are another portfolio. */
  readonly sameAssets?: boolean
}

/**
 * Tokens of the mandates are taken to be tokens: one that does not answer stops everything under the mandate that
 * names it, and a child that leaves it out is not called wider for that.
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
  if (hasTwice(child) || hasTwice(parent)) return 'assets: one of them stands twice'
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
    return `price of ${asset.token}: by ${asset.feed} and not by ${other.feed}`
  if (asset.scale !== other.scale)
    return `price of ${asset.token}: scale ${asset.scale} is not ${other.scale}`
  return (
    above(`age of ${asset.token}'s price in seconds`, asset.maxAgeSeconds, other.maxAgeSeconds) || undefined
  )
}

/** A signed method may move any asset, so what the parent measures the child must measure too. */
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
    ? `assets: ${unseen.token} is measured by the parent and not by the child`
    : undefined
}

function widerTarget({ address }: Target, child: Mandate, parent: Mandate): string | undefined {
  const own = targetOf(child, address)
  // What is called by no kind that exists is refused anyway.
  if (!own || own.kind < targetKinds.swapRouter02 || own.kind > targetKinds.sale) return undefined
  const other = targetOf(parent, address)
  if (other?.kind !== own.kind) return `targets: ${address} as kind ${own.kind} is not among the parent's`
  if (own.kind >= targetKinds.spawn && own.selector !== other.selector)
    return `targets: method ${own.selector} of ${address} is not the parent's ${other.selector}`
  if (assetOf(parent, address) !== -1 && assetOf(child, address) === -1)
    return `targets: ${address} is an asset of the parent's, which is only paid and approved`
  return undefined
}

function widerPayee(payee: Address, child: Mandate, parent: Mandate): string | undefined {
  if (!parent.payees.includes(payee)) return `payees: ${payee} is not among the parent's`
  const isContractOf = (mandate: Mandate) =>
    assetOf(mandate, payee) !== -1 || targetOf(mandate, payee) !== undefined
  return isContractOf(parent) && !isContractOf(child)
    ? `payees: ${payee} is a contract of the parent's, which takes no native currency`
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
