import { type Address, concat, encodePacked, type Hex, zeroAddress } from 'viem'

/** A token the Cage tracks. Without a feed it is taken at par. */
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

/** The section about money that all metered enforcers share. */
function encodeMandate({ account, assets, targets, payees }: Mandate): Hex {
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

/** The bounds that every policy of this benchmark shares. */
export type Bounds = {
  readonly golem: Hex
  readonly start: number
  readonly end: number
  readonly graceSeconds: number
  readonly mood: { readonly minPleasure: number; readonly maxArousal: number; readonly minDominance: number }
  readonly restrictedClasses: number
  readonly dayCents: number
  readonly slippageBps: number
  readonly cadenceSeconds: number
  readonly dollarsAtOnce: number
}

const everyClass = 0xfff
const everyMethod = 0x7ffff
const everyPair = 2n ** 64n - 1n

/** Terms of the Cage without optional sections. */
export function encodeCageTerms(bounds: Bounds, mandate: Mandate): Hex {
  const { golem, start, end, graceSeconds, mood, restrictedClasses } = bounds
  const { dayCents, slippageBps, cadenceSeconds, dollarsAtOnce } = bounds
  return concat([
    encodePacked(['uint8', 'uint8', 'bytes32', 'uint40', 'uint40'], [1, 0, golem, start, end]),
    encodePacked(
      ['uint16', 'uint24', 'uint64', 'uint32'],
      [everyClass, everyMethod, everyPair, graceSeconds],
    ),
    encodePacked(
      ['int8', 'int8', 'int8', 'uint16'],
      [mood.minPleasure, mood.maxArousal, mood.minDominance, restrictedClasses],
    ),
    encodePacked(
      ['uint32', 'uint16', 'uint16', 'uint32', 'uint32'],
      [dayCents, slippageBps, slippageBps, cadenceSeconds, 0],
    ),
    ...Array.from({ length: 5 }, () => encodePacked(['uint24'], [dollarsAtOnce])),
    encodePacked(['uint8'], [0]),
    encodeMandate(mandate),
  ])
}
