import { type Address, encodeAbiParameters, type Hex, keccak256 } from 'viem'

/** The inputs of a Golem's id. */
export type GolemIdentity = {
  /** The account or key that owns the Golem's row. */
  readonly owner: Address
  readonly firstKey: Address
  readonly salt: Hex
}

/**
 * A Golem's id, as GolemVitals computes it.
 *
 * @example
 * const golem = golemIdOf({ owner, firstKey: sessionKey, salt: zeroHash })
 */
export function golemIdOf({ owner, firstKey, salt }: GolemIdentity): Hex {
  const types = [{ type: 'address' }, { type: 'address' }, { type: 'bytes32' }] as const
  return keccak256(encodeAbiParameters(types, [owner, firstKey, salt]))
}
