import {
  BardoError,
  type Call,
  type Caveat,
  cage,
  type Delegation,
  type Deployment,
  encodeExecution,
  enforcerVersion,
  hashDelegation,
  nonceRead,
  type ThresholdTerms,
  threshold,
} from '@bardo/core'
import {
  type Address,
  encodeAbiParameters,
  type Hex,
  hashTypedData,
  keccak256,
  type PublicClient,
  recoverAddress,
} from 'viem'
import { readState } from '../reads/readState.ts'

/** A link of a permission context whose every execution needs k of n signatures. */
export type CoSignedLink = {
  readonly delegation: Delegation
  /** Carries the keys in its terms and the signatures in its args. */
  readonly caveat: Caveat
  readonly version: 1 | 2
  readonly coSigners: ThresholdTerms
}

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
  const { caveat, version } = requireCoSignedLink(request)
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
 * The delegation with its council's signatures in the `args` of the caveat that names the keys. Ignores signatures by other
 * keys and second signatures by the same key; refuses if too few remain. EOA keys only: contract signatures
 * (ERC-1271) are ignored.
 */
export async function withCoSignatures(
  request: CoSigningRequest,
  signatures: readonly CoSignature[],
): Promise<Delegation> {
  const { delegation, nonce } = request
  const { caveat, coSigners: terms } = requireCoSignedLink(request)
  const signed = await validCoSignatures(request, signatures)
  if (signed.length < terms.threshold)
    throw new BardoError('Too few council members have signed.', {
      code: 'TOO_FEW_SIGNATURES',
      details: [
        `valid signatures: ${signed.length} of ${terms.threshold}`,
        `keys of the council: ${terms.keys.length}`,
      ],
      remedy: 'Collect more signatures for exactly this request.',
      docsPath: 'council.md',
    })
  return withCoSigningArgs(delegation, caveat, nonce, signed.slice(0, terms.threshold))
}

/** The delegation with these signatures in the caveat's `args`. They are not checked. */
export function withCoSigningArgs(
  delegation: Delegation,
  caveat: Caveat,
  nonce: bigint,
  signed: readonly { readonly index: number; readonly signature: Hex }[],
): Delegation {
  const bits = signed.reduce((set, { index }) => set | (1n << BigInt(index)), 0n)
  const args = encodeAbiParameters(argsTypes, [nonce, bits, signed.map(({ signature }) => signature)])
  const caveats = delegation.caveats.map((other) => (other === caveat ? { ...caveat, args } : other))
  return { ...delegation, caveats }
}

/**
 * The links whose executions need co-signatures, leaf first: by a Threshold caveat, or by a Cage that names co-signers.
 *
 * @example
 * const [link] = findCoSigned(deployment, links)
 * if (link) console.log(`${link.coSigners.threshold} of ${link.coSigners.keys.length}`)
 */
export function findCoSigned(deployment: Deployment, links: readonly Delegation[]): readonly CoSignedLink[] {
  return links.flatMap((delegation) =>
    delegation.caveats.flatMap((caveat): CoSignedLink[] => {
      const [single, caged] = [threshold, cage].map((kind) =>
        enforcerVersion(deployment, kind, caveat.enforcer),
      )
      if (single) return [{ delegation, caveat, version: single, coSigners: threshold.decode(caveat.terms) }]
      const coSigners = caged && cage.decode(caveat.terms, caged).coSigners
      return caged && coSigners ? [{ delegation, caveat, version: caged, coSigners }] : []
    }),
  )
}

/** Whether co-signatures with this nonce were used up under a delegation. */
export async function isNonceUsed(
  { client, deployment }: { readonly client: PublicClient; readonly deployment: Deployment },
  { delegation, caveat, version }: CoSignedLink,
  nonce: bigint,
): Promise<boolean> {
  const read = nonceRead(
    {
      manager: deployment.framework.DelegationManager,
      enforcer: caveat.enforcer,
      delegator: delegation.delegator,
      delegationHash: hashDelegation(delegation),
      rules: version,
    },
    nonce,
  )
  const answer = (await readState(client, deployment, [read])).answer(read)
  if (answer?.ok && answer.data.length === 66) return BigInt(answer.data) !== 0n
  throw new BardoError('The enforcer does not say whether a nonce is used.', { code: 'RPC_MALFORMED' })
}

function requireCoSignedLink({ deployment, delegation }: CoSigningRequest): CoSignedLink {
  const [first] = findCoSigned(deployment, [delegation])
  if (first) return first
  throw new BardoError('The delegation names no co-signers.', {
    code: 'INVALID_INPUT',
    docsPath: 'council.md',
  })
}

/**
 * The valid signatures, in the order of the keys, which the enforcer requires. A key counts once; a signature of other calls,
 * another nonce, chain or delegation does not count.
 */
export async function validCoSignatures(
  request: CoSigningRequest,
  signatures: readonly CoSignature[],
): Promise<readonly { readonly index: number; readonly signature: Hex }[]> {
  const { keys } = requireCoSignedLink(request).coSigners
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
