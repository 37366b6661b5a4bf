import { type Address, bytesToHex, domainSeparator, getAddress, type Hex, hexToBytes } from 'viem'
import { type CryptoEngine, nobleEngine } from '../crypto/cryptoEngine.ts'
import { BardoError } from '../errors/BardoError.ts'
import { checkSignature } from './checkSignature.ts'
import type { Delegation } from './delegation.ts'
import { delegationStructHash } from './hashDelegation.ts'
import { delegationDomain } from './signing/delegationTypedData.ts'

/** Whose delegations are checked, and how fast. */
export type DelegationVerifierOptions = {
  readonly chainId: number
  readonly manager: Address
  readonly engine?: CryptoEngine
}

/** Checks the signatures of one manager's delegations on one chain. */
export type DelegationVerifier = {
  /** The EIP-712 digest, which is what a delegator signs. */
  digestOf(delegation: Delegation): Hex
  /**
   * The key that signed: a plain key's own address, or one of a smart account's signers. Refuses with
   * `SIGNATURE_MALFORMED` what no key makes, and the longer formats of contract accounts, which only these can judge.
   */
  signerOf(delegation: Delegation): Address
  /** The places in the list where the key that signed is not the expected one. */
  findForged(
    delegations: readonly Delegation[],
    expected: (delegation: Delegation) => Address,
  ): readonly number[]
}

/**
 * Makes a verifier. With Node's engine it checks some ten thousand signatures a second.
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
  return new BardoError('The signature belongs to no key.', {
    code: 'SIGNATURE_MALFORMED',
    details: [length === 65 ? 'no point of the curve fits it' : `${length} bytes, a key makes 65`],
    remedy: 'Ask its delegator to sign it again, or let the delegator’s account judge it.',
    docsPath: 'delegations.md#signatures',
    cause,
  })
}
