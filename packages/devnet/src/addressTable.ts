import { formatUnits } from 'viem'
import { type Pair, pools } from './uniswap/pools.ts'
import { tokens } from './world/tokens.ts'
import type { WorldDescription } from './world/worldDescription.ts'

/** The devnet as a table for a person. The most used section comes last: it stays visible in a terminal. */
export function addressTable(world: WorldDescription, prices: Readonly<Record<Pair, bigint>>): string {
  const { addresses, framework, accounts } = world
  const sections: [title: string, rows: [name: string, value: string][]][] = [
    ['Caveat enforcers', Object.entries(framework.caveatEnforcers)],
    ['Account implementations', Object.entries(framework.implementations)],
    ['Contracts', Object.entries(addresses)],
    ['Accounts (10,000 ETH each)', Object.entries(accounts)],
    ['Prices', Object.entries(prices).map(([pair, price]) => [pair, formatPrice(pair as Pair, price)])],
  ]
  const width = Math.max(...sections.flatMap(([, rows]) => rows.map(([name]) => name.length)))
  return sections
    .map(([title, rows]) =>
      [title, ...rows.map(([name, value]) => `  ${name.padEnd(width)}  ${value}`)].join('\n'),
    )
    .join('\n\n')
}

/** Two digits are enough to recognise a price. Uniswap's rounding is far smaller. */
function formatPrice(pair: Pair, price: bigint): string {
  const { quote } = pools[pair]
  const cent = 10n ** BigInt(tokens[quote].decimals - 2)
  return `${formatUnits((price + cent / 2n) / cent, 2)} ${quote}`
}
