import { type Address, type Hex, numberToHex, zeroAddress } from 'viem'
import type { Names } from '../caveatKind.ts'
import type { Mandate } from '../terms/mandate.ts'

const person = (index: number): Address => numberToHex(0xaa00 + index, { size: 20 })

export const people = {
  account: person(1),
  payee: person(2),
  author: person(3),
  vault: person(4),
  router: person(5),
}
export const usdc = person(6)
const [weth, wethFeed] = [person(7), person(8)]
export const id: Hex = numberToHex(9, { size: 32 })
export const otherId: Hex = numberToHex(10, { size: 32 })

/** USDC at par and WETH by its feed, one router, one vault, one payee. */
export const mandate: Mandate = {
  account: people.account,
  assets: [
    { token: usdc, feed: zeroAddress, maxAgeSeconds: 0, scale: 14 },
    { token: weth, feed: wethFeed, maxAgeSeconds: 3_600, scale: 26 },
  ],
  targets: [
    { kind: 1, address: people.router, selector: '0x00000000' },
    { kind: 6, address: people.vault, selector: '0x00000000' },
  ],
  payees: [people.payee],
}

const labels = new Map<Address, string>([
  [people.vault, 'the USDC vault'],
  [people.author, 'Ada'],
  [people.payee, 'Paul'],
  [people.router, 'SwapRouter02'],
])

export const names: Names = {
  token: (address) =>
    address === usdc
      ? { symbol: 'USDC', decimals: 6 }
      : address === weth
        ? { symbol: 'WETH', decimals: 18 }
        : undefined,
  label: (address) => labels.get(address),
}
