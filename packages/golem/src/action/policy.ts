import { canonicalJson } from '@bardo/core'
import { type Address, type Hash, type Hex, sha256, stringToHex } from 'viem'

/** The bounds that the runtime enforces. A policy can narrow the signed permission, and never widen it. */
export type CapabilityPolicy = {
  readonly targets: readonly Address[]
  /** Tokens that may be approved and moved. */
  readonly tokens: readonly Address[]
  /** Selectors that may be called. Default: any. */
  readonly methods?: readonly Hex[]
  readonly maxValueCents: bigint
  /** At most `most` capabilities in `seconds` seconds. */
  readonly rate: { readonly most: number; readonly seconds: number }
  /** The owner's constitution, if one is signed. */
  readonly constitution: Hash | undefined
}

/**
 * SHA-256 of a policy's canonical JSON. The order of its lists and the letter case of its addresses do not
 * matter.
 */
export function policyHash(policy: CapabilityPolicy): Hash {
  const plain = (addresses: readonly Hex[]) =>
    [...new Set(addresses.map((address) => address.toLowerCase()))].toSorted()
  const { targets, tokens, methods, constitution } = policy
  const normal = {
    ...policy,
    targets: plain(targets),
    tokens: plain(tokens),
    ...(methods && { methods: plain(methods) }),
    constitution: constitution?.toLowerCase(),
  }
  return sha256(stringToHex(canonicalJson(normal)))
}
