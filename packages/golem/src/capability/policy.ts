import { type Address, type Hash, type Hex, sha256, stringToHex } from 'viem'
import { canonicalJson } from './canonicalJson.ts'

/** What the runtime lets through. It narrows what the owner signed, and can widen nothing. */
export type CapabilityPolicy = {
  readonly targets: readonly Address[]
  /** Tokens that may be approved and moved. */
  readonly tokens: readonly Address[]
  /** Selectors that may be called; any where it is left out. */
  readonly methods?: readonly Hex[]
  readonly maxValueCents: bigint
  /** So many capabilities in so many seconds. */
  readonly rate: { readonly most: number; readonly seconds: number }
  /** The owner's constitution, where there is one. */
  readonly constitution: Hash | undefined
}

/** SHA-256 of a policy's canonical JSON. How its lists are ordered or written does not matter. */
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
