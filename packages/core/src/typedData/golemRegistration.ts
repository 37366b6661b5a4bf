import type { Address, Hex } from 'viem'

/** The owner and the first key of a Golem. With the salt they determine its id. */
export type GolemRegistration = { readonly owner: Address; readonly key: Address; readonly salt: Hex }

/**
 * The typed data with which a Golem's first key consents to its owner. GolemVitals verifies it.
 *
 * @example
 * const consent = await key.signTypedData(golemRegistrationTypedData(8453, golemVitals, { owner, key: key.address, salt }))
 */
export function golemRegistrationTypedData(
  chainId: number,
  golemVitals: Address,
  registration: GolemRegistration,
) {
  return {
    domain: { name: 'GolemVitals', version: '1', chainId, verifyingContract: golemVitals },
    types: {
      RegisterGolem: [
        { name: 'owner', type: 'address' },
        { name: 'key', type: 'address' },
        { name: 'salt', type: 'bytes32' },
      ],
    },
    primaryType: 'RegisterGolem',
    message: registration,
  } as const
}
