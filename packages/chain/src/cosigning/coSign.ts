import {
  BardoError,
  type Call,
  type Delegation,
  type Deployment,
  encodeExecution,
  enforcerVersion,
  hashDelegation,
  type ThresholdTerms,
  threshold,
} from '@bardo/core'
import { type Address, encodeAbiParameters, type Hex, hashTypedData, keccak256, recoverAddress } from 'viem'

/** What a council signs: exactly these calls, under this delegation, with a nonce that works once. */
export type CoSigningRequest = {
  readonly deployment: Deployment
  readonly delegation: Delegation
  readonly calls: readonly Call[]
  readonly nonce: bigint
}

/** One key's signature of a request. */
export type CoSignature = { readonly key: Address; readonly signature: Hex }

const argsTypes = [{ type: 'uint256' }, { type: 'uint256' }, { type: 'bytes[]' }] as const

const fields = [
  { name: 'manager', type: 'address' },
  { name: 'delegationHash', type: 'bytes32' },
  { name: 'mode', type: 'bytes32' },
  { name: 'executionHash', type: 'bytes32' },
  { name: 'nonce', type: 'uint256' },
]

/**
 * What one key signs, as typed data that a wallet can show.
 *
 * @param signer - the key. Version 2 of the enforcer covers it, so that one signature cannot count for two
 *   keys.
 */
export function coSigningTypedData(request: CoSigningRequest, signer: Address) {
  const { deployment, delegation, calls, nonce } = request
  const { caveat, version } = thresholdIn(request)
  const { mode, calldata } = encodeExecution(calls)
  const message = {
    manager: deployment.framework.DelegationManager,
    delegationHash: hashDelegation(delegation),
    mode,
    executionHash: keccak256(calldata),
    nonce,
  }
  return {
    domain: {
      name: 'Bardo Threshold',
      version: `${version}`,
      chainId: deployment.chainId,
      verifyingContract: caveat.enforcer,
    },
    types: { CoSignedExecution: version === 1 ? fields : [...fields, { name: 'signer', type: 'address' }] },
    primaryType: 'CoSignedExecution' as const,
    message: version === 1 ? message : { ...message, signer },
  }
}

/**
 * The delegation with its council's signatures in the Threshold caveat's `args`. Ignores signatures by other
 * keys and second signatures by the same key; refuses if too few remain. EOA keys only: contract signatures
 * (ERC-1271) are ignored.
 */
export async function withCoSignatures(
  request: CoSigningRequest,
  signatures: readonly CoSignature[],
): Promise<Delegation> {
  const { delegation, nonce } = request
  const { caveat } = thresholdIn(request)
  const terms = threshold.decode(caveat.terms)
  const signed = await validSignatures(request, terms, signatures)
  if (signed.length < terms.threshold)
    throw new BardoError('Too few council members have signed.', {
      code: 'TOO_FEW_SIGNATURES',
      details: [
        `valid signatures: ${signed.length} of ${terms.threshold}`,
        `keys of the council: ${terms.keys.length}`,
      ],
      remedy: 'Collect more signatures for exactly this request.',
      docsPath: 'redeeming.md#councils',
    })
  const used = signed.slice(0, terms.threshold)
  const bits = used.reduce((set, { index }) => set | (1n << BigInt(index)), 0n)
  const args = encodeAbiParameters(argsTypes, [nonce, bits, used.map(({ signature }) => signature)])
  const caveats = delegation.caveats.map((other) => (other === caveat ? { ...caveat, args } : other))
  return { ...delegation, caveats }
}

/** Whether this is a Threshold enforcer, of any version. */
export function isThreshold(deployment: Deployment, enforcer: Address): boolean {
  return enforcerVersion(deployment, threshold, enforcer) !== undefined
}

/** The Threshold caveat of a delegation, and the version of its enforcer. */
function thresholdIn({ deployment, delegation }: CoSigningRequest) {
  for (const caveat of delegation.caveats) {
    const version = enforcerVersion(deployment, threshold, caveat.enforcer)
    if (version) return { caveat, version }
  }
  throw new BardoError('The delegation has no Threshold caveat.', {
    code: 'INVALID_INPUT',
    docsPath: 'redeeming.md#councils',
  })
}

/** The valid signatures, in the order of the keys, which the enforcer requires. */
async function validSignatures(
  request: CoSigningRequest,
  { keys }: ThresholdTerms,
  signatures: readonly CoSignature[],
) {
  const byKey = new Map<string, Hex>()
  for (const { key, signature } of signatures) {
    const hash = hashTypedData(coSigningTypedData(request, key))
    const signer = await recoverAddress({ hash, signature }).catch(() => undefined)
    if (signer?.toLowerCase() === key.toLowerCase()) byKey.set(key.toLowerCase(), signature)
  }
  return keys.flatMap((key, index) => {
    const signature = byKey.get(key.toLowerCase())
    return signature ? [{ index, signature }] : []
  })
}
