import type { Address } from 'viem'
import type { ChainState } from '../caveatKind.ts'
import { classBits } from '../execution/actionClass.ts'
import { type Mandate, trackedAsset } from '../terms/mandate.ts'
import { questions } from '../verdict/questions.ts'
import { refuse } from '../verdict/refuse.ts'
import { askAddress } from '../verdict/staticRead.ts'
import { balanceOf, type Opened } from './flows.ts'
import { centsUp, microsUp, quoteOf } from './prices.ts'
import { larger, smaller } from './vaultNav.ts'

/** The minimum that a vault must return when the account withdraws. */
export type VaultFloor = {
  readonly vault: Address
  /** Base units of the vault's asset per 10^18 base units of shares; below 2^128, not zero. */
  readonly floor: bigint
}

/** The shares that the account held before it withdrew from a vault with a floor. */
export type HeldShares = VaultFloor & { readonly shares: bigint }

const maxFloors = 8
const sharesOfFloor = 10n ** 18n
const maxAmount = 2n ** 128n - 1n

/** Refuses invalid floors. */
export function requireFloors(floors: readonly VaultFloor[]): void {
  const count = BigInt(floors.length)
  if (floors.length === 0 || floors.length > maxFloors)
    refuse('FloorsMalformed', count, `0x${'0'.repeat(40)}`, 0n)
  let last = 0n
  for (const { vault, floor } of floors) {
    if (BigInt(vault) <= last || floor === 0n) refuse('FloorsMalformed', count, vault, floor)
    last = BigInt(vault)
  }
}

/** The shares in the vault that an execution withdraws from; undefined if that vault has no floor. */
export function sharesBefore(
  chain: ChainState,
  { account }: Mandate,
  floors: readonly VaultFloor[] | undefined,
  left: Address | undefined,
): HeldShares | undefined {
  const signed = floors?.find(({ vault }) => vault === left)
  return signed && { ...signed, shares: balanceOf(chain, signed.vault, account) }
}

/**
 * The shortfall of a vault below its floor, in cents, rounded up. A vault that returns enough is not priced:
 * a price feed that is down must not block closing a position.
 *
 * @param isHeld - whether the day's limit covers these cents
 */
export function shortfallCents(
  chain: ChainState,
  mandate: Mandate,
  { plan, balances }: Opened,
  held: HeldShares | undefined,
  isHeld: (cents: bigint) => boolean,
): bigint {
  if (!held || (plan.classes & classBits.withdraw) === 0) return 0n
  const { vault, floor, shares } = held
  const burned = larger(shares - balanceOf(chain, vault, mandate.account), 0n)
  if (burned === 0n) return 0n
  const owed = (burned * floor + sharesOfFloor - 1n) / sharesOfFloor
  const place = trackedAsset(mandate, askAddress(chain, questions.asset(vault)))
  const asset = mandate.assets[place]
  if (!asset) return 0n
  const came = larger(balanceOf(chain, asset.token, mandate.account) - (balances[place] ?? 0n), 0n)
  if (came >= owed) return 0n
  const cents = centsUp(microsUp(smaller(owed - came, maxAmount), quoteOf(chain, asset)))
  return isHeld(cents) ? cents : refuse('BelowFloor', vault, came, owed)
}
