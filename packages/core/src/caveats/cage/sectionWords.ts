import { zeroAddress } from 'viem'
import { formatAmount, formatShortDollars } from '../../format/money.ts'
import type { Names } from '../caveatKind.ts'
import type { VaultFloor } from '../measure/floors.ts'
import type { Total } from '../measure/totals.ts'
import { nameOf, periodOf } from '../terms/words.ts'
import type { GasBound } from './cageTerms.ts'

const microEtherDecimals = 6
const floorDecimals = 18

/** An amount of gas: 0.05 ETH. */
export function gasOf({ microEtherPerDay }: GasBound, names: Names): string {
  const amount = formatAmount(microEtherPerDay, microEtherDecimals)
  const symbol = names.token(zeroAddress)?.symbol
  return symbol ? `${amount} ${symbol}` : `${amount} of the native currency`
}

/** A total in words: at most $100 in any 7 days, spendable in parts. */
export function totalOf({ periodSeconds, cents }: Total): string {
  return periodSeconds === 0
    ? `at most ${formatShortDollars(cents)} over its whole life`
    : `at most ${formatShortDollars(cents)} in ${periodOf(periodSeconds)}, spendable in parts`
}

/** The minimum return of a vault: 0.99 USDC a share. In base units if the decimals are unknown. */
export function floorOf({ vault, floor }: VaultFloor, names: Names): string {
  const shares = names.token(vault)
  const asset = names.vaultAsset?.(vault)
  const token = asset && names.token(asset)
  if (!shares || !token)
    return `${formatAmount(floor, floorDecimals)} base units of its asset for each base unit of its shares`
  // First the rate in base units, then in whole tokens.
  const rate = floor * 10n ** BigInt(shares.decimals)
  return `${formatAmount(rate, floorDecimals + token.decimals)} ${token.symbol} a share`
}

/** When leaving a vault counts as spending. */
export function leavingOf(floor: VaultFloor, names: Names): string {
  return `leaving ${nameOf(floor.vault, names)} counts as spending when it returns less than ${floorOf(floor, names)}`
}
