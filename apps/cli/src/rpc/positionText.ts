import { formatDollars } from '@bardo/core'
import type { PositionJson } from '@bardo/golem'

/** A position as a short text: what it is, where, and whether the Golem manages it. */
export function positionText(position: PositionJson, golem: string): string {
  const { managed } = position
  const owned =
    managed === 'now' ? '' : `, ${managed === 'before' ? 'no longer managed' : 'not managed'} by ${golem}`
  return `${amountText(position)}${owned}`
}

function amountText(position: PositionJson): string {
  const { kind, id, contract, symbol, shares, cents, liquidity } = position
  if (kind === 'liquidity') {
    const name = id.replace('-', ' ')
    if (!liquidity || cents === null) return `${name} at ${contract}`
    const fees = liquidity.feeCents === null ? '' : `, ${formatDollars(liquidity.feeCents)} of it fees`
    return `${formatDollars(cents)} in ${name}${fees}, ${liquidity.inRange ? 'in range' : 'out of range'}`
  }
  const vault = symbol === null ? `the vault ${contract}` : `the ${symbol} vault`
  return cents === null ? `${shares ?? '0'} shares of ${vault}` : `${formatDollars(cents)} in ${vault}`
}

/** The positions that the balances of a status do not include. */
export function furtherPositions({
  positions,
  balances,
}: {
  readonly positions: readonly PositionJson[]
  readonly balances: readonly { readonly symbol: string; readonly vaultCents: string }[]
}): readonly PositionJson[] {
  const isShown = ({ managed, symbol }: PositionJson) =>
    managed === 'now' && balances.some((one) => one.symbol === symbol && one.vaultCents !== '0')
  return positions.filter((position) => !isShown(position))
}

/** The positions that stay open after a change of strategy, and that only the owner can close. */
export function unmanagedText({
  name,
  unmanaged,
}: {
  readonly name: string
  readonly unmanaged: readonly PositionJson[]
}): readonly string[] {
  return unmanaged.map((position) => `Still open in your account: ${positionText(position, name)}.`)
}
