import { type Address, concat, encodePacked, type Hex, zeroAddress } from 'viem'

/** A token that is tracked. Without a feed it is taken at par. */
type Asset = { readonly token: Address; readonly decimals: number; readonly feed?: Address }

/** Kinds of targets, as contracts/src/libraries/Mandate.sol numbers them. */
export const targetKinds = { swapRouter02: 1, vault: 6 } as const

export type Mandate = {
  readonly account: Address
  readonly assets: readonly Asset[]
  readonly targets: readonly { readonly kind: number; readonly address: Address }[]
  readonly payees: readonly Address[]
}

const feedDecimals = 8
const maxAgeSeconds = 86_400

/** The section about money that ends the terms of every enforcer that reads calls. */
export function encodeMandate({ account, assets, targets, payees }: Mandate): Hex {
  return concat([
    encodePacked(
      ['address', 'uint8', 'uint8', 'uint8'],
      [account, assets.length, targets.length, payees.length],
    ),
    ...assets.map(({ token, decimals, feed }) =>
      encodePacked(
        ['address', 'address', 'uint24', 'uint8'],
        [token, feed ?? zeroAddress, feed ? maxAgeSeconds : 0, decimals + feedDecimals],
      ),
    ),
    ...targets.map(({ kind, address }) =>
      encodePacked(['uint8', 'address', 'bytes4'], [kind, address, '0x00000000']),
    ),
    ...payees,
  ])
}
