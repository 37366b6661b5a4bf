import { type Address, bytesToHex, domainSeparator, getAddress, type Hex, hexToBytes } from 'viem'
import { type CryptoEngine, nobleEngine } from '../crypto/cryptoEngine.ts'
import { BardoError } from '../errors/BardoError.ts'
import { checkSignature } from './checkSignature.ts'
import type { Delegation } from './delegation.ts'
import { delegationStructHash } from './hashDelegation.ts'
import { delegationDomain } from './signing/delegationTypedData.ts'

/** Options of {@link createDelegationVerifier}. */
export type DelegationVerifierOptions = {
  readonly chainId: number
  readonly manager: Address
  readonly engine?: CryptoEngine
}

/** Checks signatures of one manager's delegations on one chain. */
export type DelegationVerifier = {
  /** The EIP-712 digest that a delegator signs. */
  digestOf(delegation: Delegation): Hex
  /**
   * The key that signed: a plain key's own address, or one of a smart account's signers. Refuses with
   * `SIGNATURE_MALFORMED` a signature that no key makes, and the longer formats of contract accounts, which
   * only the account can verify.
   */
  signerOf(delegation: Delegation): Address
  /** The indexes in the list at which the signing key is not the expected one. */
  findForged(
    delegations: readonly Delegation[],
    expected: (delegation: Delegation) => Address,
  ): readonly number[]
}

/**
 * Creates a verifier. With Node's engine it checks about ten thousand signatures a second.
 *
 * @example
 * const verifier = createDelegationVerifier({ chainId, manager, engine: await createWasmEngine() })
 * verifier.findForged(delegations, ({ delegator }) => delegator) // [] when every delegator signed
 */
export function createDelegationVerifier({
  chainId,
  manager,
  engine = nobleEngine,
}: DelegationVerifierOptions): DelegationVerifier {
  const domain = delegationDomain(chainId, manager)
  const prefix = hexToBytes(`0x1901${domainSeparator({ domain }).slice(2)}`)

  function digestBytes(delegation: Delegation): Uint8Array {
    const bytes = new Uint8Array(prefix.length + 32)
    bytes.set(prefix)
    bytes.set(delegationStructHash(delegation, engine.keccak256), prefix.length)
    return engine.keccak256(bytes)
  }

  /** The last twenty bytes of the public key's hash, in lower case. */
  function signer(delegation: Delegation): Hex {
    checkSignature(delegation.signature, 0)
    const signature = hexToBytes(delegation.signature)
    if (signature.length !== 65) throw unreadable(signature.length)
    const recoverable = Uint8Array.of((signature[64] ?? 0) - 27, ...signature.subarray(0, 64))
    let publicKey: Uint8Array
    try {
      publicKey = engine.recoverPublicKey(recoverable, digestBytes(delegation))
    } catch (cause) {
      throw unreadable(65, cause)
    }
    return bytesToHex(engine.keccak256(publicKey.subarray(1)).subarray(12))
  }

  return {
    digestOf: (delegation) => bytesToHex(digestBytes(delegation)),
    signerOf: (delegation) => getAddress(signer(delegation)),
    findForged: (delegations, expected) =>
      delegations.flatMap((delegation, place) => {
        try {
          return signer(delegation) === expected(delegation).toLowerCase() ? [] : [place]
        } catch (error) {
          if (error instanceof BardoError) return [place]
          throw error
        }
      }),
  }
}

function unreadable(length: number, cause?: unknown): BardoError {
  return new BardoError('The signature does not match any key.', {
    code: 'SIGNATURE_MALFORMED',
    details: [length === 65 ? 'it is not a point on the curve' : `${length} bytes; expected 65`],
    remedy: 'Ask the delegator to sign again, or verify it on chain with the delegator’s account.',
    docsPath: 'delegations.md#signatures',
    cause,
  })
}
