import {
  BardoError,
  coSigningDigest,
  type Delegation,
  hashDelegation,
  type ThresholdTerms,
  threshold,
} from '@bardo/core'
import { type Address, encodeAbiParameters, type Hex, keccak256, recoverAddress } from 'viem'
import type { Deployment } from '../deployments/deployment.ts'
import { type Call, encodeExecution } from '../redemption/encodeExecution.ts'

/** What a council is asked to sign: exactly these calls, by this delegation, under a nonce that works once. */
export type CoSigningRequest = {
  readonly deployment: Deployment
  readonly delegation: Delegation
  readonly calls: readonly Call[]
  readonly nonce: bigint
}

/** A key's signature of a request. */
export type CoSignature = { readonly key: Address; readonly signature: Hex }

const argsTypes = [{ type: 'uint256' }, { type: 'uint256' }, { type: 'bytes[]' }] as const

/** What each key signs, as typed data that any wallet shows. */
export function coSigningTypedData({ deployment, delegation, calls, nonce }: CoSigningRequest) {
  const { mode, calldata } = encodeExecution(calls)
  return {
    domain: {
      name: 'Bardo Threshold',
      version: '1',
      chainId: deployment.chainId,
      verifyingContract: deployment.contracts.thresholdEnforcer,
    },
    types: {
      CoSignedExecution: [
        { name: 'manager', type: 'address' },
        { name: 'delegationHash', type: 'bytes32' },
        { name: 'mode', type: 'bytes32' },
        { name: 'executionHash', type: 'bytes32' },
        { name: 'nonce', type: 'uint256' },
      ],
    },
    primaryType: 'CoSignedExecution',
    message: {
      manager: deployment.framework.DelegationManager,
      delegationHash: hashDelegation(delegation),
      mode,
      executionHash: keccak256(calldata),
      nonce,
    },
  } as const
}

/**
 * The delegation with its council's signatures in the Threshold caveat's `args`. Signatures of strangers, and second
 * ones of the same key, are left out; refuses when too few remain. EOA keys only: a contract's signature is its own.
 */
export async function withCoSignatures(
  request: CoSigningRequest,
  signatures: readonly CoSignature[],
): Promise<Delegation> {
  const { delegation, deployment, nonce } = request
  const place = delegation.caveats.findIndex(
    ({ enforcer }) => enforcer.toLowerCase() === deployment.contracts.thresholdEnforcer.toLowerCase(),
  )
  const caveat = delegation.caveats[place]
  if (!caveat)
    throw new BardoError('The delegation has no Threshold caveat.', {
      code: 'INVALID_INPUT',
      docsPath: 'redeeming.md#councils',
    })
  const terms = threshold.decode(caveat.terms)
  const signed = await validOnes(request, terms, signatures)
  if (signed.length < terms.threshold)
    throw new BardoError('Too few of the council have signed.', {
      code: 'TOO_FEW_SIGNATURES',
      details: [`${signed.length} of ${terms.threshold} needed`, `${terms.keys.length} could`],
      remedy: 'Collect more signatures of exactly this request.',
      docsPath: 'redeeming.md#councils',
    })
  const used = signed.slice(0, terms.threshold)
  const bits = used.reduce((set, { index }) => set | (1n << BigInt(index)), 0n)
  const args = encodeAbiParameters(argsTypes, [nonce, bits, used.map(({ signature }) => signature)])
  const caveats = delegation.caveats.map((other, i) => (i === place ? { ...caveat, args } : other))
  return { ...delegation, caveats }
}

/** In the order of the keys, which is what the enforcer wants. */
async function validOnes(
  { deployment, delegation, calls, nonce }: CoSigningRequest,
  { keys }: ThresholdTerms,
  signatures: readonly CoSignature[],
) {
  const digest = coSigningDigest(
    {
      chainId: deployment.chainId,
      manager: deployment.framework.DelegationManager,
      enforcer: deployment.contracts.thresholdEnforcer,
      execution: encodeExecution(calls),
      delegationHash: hashDelegation(delegation),
      delegator: delegation.delegator,
      redeemer: delegation.delegate,
      args: '0x',
    },
    nonce,
  )
  const byKey = new Map<string, Hex>()
  for (const { key, signature } of signatures) {
    const signer = await recoverAddress({ hash: digest, signature }).catch(() => undefined)
    if (signer?.toLowerCase() === key.toLowerCase()) byKey.set(key.toLowerCase(), signature)
  }
  return keys.flatMap((key, index) => {
    const signature = byKey.get(key.toLowerCase())
    return signature ? [{ index, signature }] : []
  })
}
