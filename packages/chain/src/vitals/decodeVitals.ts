import { type Address, getAddress, numberToHex } from 'viem'

/** A Golem's vitals on chain. */
export type Vitals = {
  /** A dead Golem keeps its row and never becomes alive again. */
  readonly state: 'unknown' | 'alive' | 'dead'
  readonly writer: Address
  /** 0 Thriving, 1 Stable, 2 Conservation, 3 Declining, 4 Terminal. */
  readonly phase: number
  /** 0 to 10,000. */
  readonly survivalScore: number
  /** Unix seconds. */
  readonly lastUpdate: bigint
  readonly dreaming: boolean
  /** Each −100 to 100. */
  readonly mood: { readonly pleasure: number; readonly arousal: number; readonly dominance: number }
}

const flags = { alive: 1n, dreaming: 2n, dead: 4n }

/** Decodes the storage word; its layout is in `contracts/src/libraries/VitalSigns.sol`. */
export function decodeVitals(word: bigint): Vitals {
  const bits = (from: bigint, length: number) => BigInt.asUintN(length, word >> from)
  const signed = (from: bigint) => Number(BigInt.asIntN(8, word >> from))
  const flagBits = bits(248n, 8)
  const isAlive = (flagBits & flags.alive) !== 0n
  return {
    state: isAlive ? 'alive' : (flagBits & flags.dead) !== 0n ? 'dead' : 'unknown',
    writer: getAddress(numberToHex(bits(0n, 160), { size: 20 })),
    phase: Number(bits(160n, 8)),
    survivalScore: Number(bits(168n, 16)),
    lastUpdate: bits(184n, 40),
    dreaming: (flagBits & flags.dreaming) !== 0n,
    mood: { pleasure: signed(224n), arousal: signed(232n), dominance: signed(240n) },
  }
}
