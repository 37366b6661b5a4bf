import type { BalanceSheet, Line } from './balanceSheet.ts'
import { inDollars } from './money.ts'

const decimals = { USDC: 6, WETH: 18, ETH: 18 } as const
const shownDecimals = 6

/**
 * A balance sheet for a terminal of 80 columns, with a summary in dollars. Six decimals are shown; the sums use all of them.
 *
 * @param price - of one ether, in base units of USDC
 */
export function sheetToText(sheet: BalanceSheet, price: bigint): string {
  const { lines, outside } = sheet
  const assets = ['USDC', 'WETH', 'ETH'] as const
  const tables = assets.map((asset) => {
    const rows = lines.filter((line) => line.asset === asset)
    const isGas = asset === 'ETH'
    const heads = ['at start', 'received', 'sent', ...(isGas ? ['gas'] : []), 'at end']
    const body = rows.map((row) => [row.name, ...numbersOf(row, isGas)])
    return [[asset, ...heads], ...body].map(([name = '', ...cells]) => rowToText(name, cells)).join('\n')
  })
  const gone = outside.map(({ name, asset, net }) =>
    net > 0n
      ? `${name} received ${amount(net, asset)} ${asset}`
      : `${name} gave ${amount(-net, asset)} ${asset}`,
  )
  return [...tables, `Outside: ${gone.join(',\n         ')}.`, inShort(sheet, price)].join('\n\n')
}

function inShort({ lines, outside }: BalanceSheet, price: bigint): string {
  const sumOf = (asset: Line['asset'], isGain: boolean) =>
    outside
      .filter((one) => one.asset === asset && one.net < 0n === isGain)
      .reduce((sum, { net }) => sum + (isGain ? -net : net), 0n)
  const worth = (wei: bigint) => toCents((wei * price) / 10n ** 18n)
  const gas = lines.reduce((sum, line) => sum + line.gas, 0n)
  const bought = sumOf('WETH', true)
  return [
    `In short: ${inDollars(sumOf('USDC', false))} were spent, on one day of runway and on`,
    `${amount(bought, 'WETH')} WETH, worth ${inDollars(worth(bought))}, which the owner holds.`,
    `All gas together cost ${amount(gas, 'ETH')} ETH (${inDollars(worth(gas))}).`,
  ].join('\n')
}

/** Rounds down to whole cents. */
function toCents(units: bigint): bigint {
  return units - (units % 10_000n)
}

function numbersOf(
  { asset, opening, received, sent, gas, closing }: Line,
  isGas: boolean,
): readonly string[] {
  const all = isGas ? [opening, received, sent, gas, closing] : [opening, received, sent, closing]
  return all.map((units) => amount(units, asset))
}

function rowToText(name: string, cells: readonly string[]): string {
  return `${name.padEnd(11)}${cells.map((cell) => cell.padStart(cells.length > 4 ? 13 : 15)).join('')}`.trimEnd()
}

/** Base units with six decimals, rounded down. */
function amount(units: bigint, asset: Line['asset']): string {
  const cut = units / 10n ** BigInt(decimals[asset] - shownDecimals)
  const rest = `${cut % 1_000_000n}`.padStart(shownDecimals, '0')
  return `${(cut / 1_000_000n).toLocaleString('en')}.${rest}`
}
