import { type Address, type Hash, type Hex, isAddressEqual, recoverTypedDataAddress, zeroHash } from 'viem'
import { golemIdOf } from './golemIdOf.ts'

/** An owner's statement that a Golem is theirs. */
export type GolemAttestation = {
  readonly owner: Address
  /** The Golem's id. It is derived from the owner and the first key, so no other owner can attest for it. */
  readonly golem: Hash
  readonly firstKey: Address
  readonly name: string
  /** The owner's account, for which the Golem acts. */
  readonly account: Address
  /** Unix seconds. */
  readonly issuedAt: bigint
}

/** A signed attestation on one chain. */
export type SignedGolemAttestation = GolemAttestation & {
  readonly chainId: number
  readonly signature: Hex
}

/** What a reader already knows. A field that is not given is not compared. */
export type ExpectedAttestation = Partial<Pick<GolemAttestation, 'owner' | 'golem' | 'account'>> & {
  readonly chainId: number
}

/**
 * The typed data that an owner signs with their key.
 *
 * @example
 * const signature = await owner.signTypedData(golemAttestationTypedData(attestation, 8453))
 */
export function golemAttestationTypedData(attestation: GolemAttestation, chainId: number) {
  const { owner, golem, firstKey, name, account, issuedAt } = attestation
  return {
    domain: { name: 'Bardo', version: '1', chainId },
    types: {
      GolemAttestation: [
        { name: 'owner', type: 'address' },
        { name: 'golem', type: 'bytes32' },
        { name: 'firstKey', type: 'address' },
        { name: 'name', type: 'string' },
        { name: 'account', type: 'address' },
        { name: 'issuedAt', type: 'uint64' },
      ],
    },
    primaryType: 'GolemAttestation',
    message: { owner, golem, firstKey, name, account, issuedAt },
  } as const
}

/**
 * Why an attestation does not count; undefined if it does. It needs no chain: the Golem's id proves its owner, and the
 * signature proves the rest. `golem`: another Golem, or an id that is not derived from this owner.
 *
 * @example
 * await golemAttestationRefusal(attestation, { chainId: 8453, golem }) // undefined: attestation.owner owns this Golem
 */
export async function golemAttestationRefusal(
  attestation: SignedGolemAttestation,
  expected: ExpectedAttestation,
): Promise<'chain' | 'owner' | 'golem' | 'account' | 'signature' | undefined> {
  const { chainId, signature, owner, firstKey } = attestation
  if (chainId !== expected.chainId) return 'chain'
  if (expected.owner && !isAddressEqual(owner, expected.owner)) return 'owner'
  const golem = attestation.golem.toLowerCase()
  if (golem !== golemIdOf({ owner, firstKey, salt: zeroHash })) return 'golem'
  if (expected.golem && golem !== expected.golem.toLowerCase()) return 'golem'
  if (expected.account && !isAddressEqual(attestation.account, expected.account)) return 'account'
  const typedData = golemAttestationTypedData(attestation, chainId)
  const signer = await recoverTypedDataAddress({ ...typedData, signature }).catch(() => undefined)
  return signer && isAddressEqual(signer, owner) ? undefined : 'signature'
}
