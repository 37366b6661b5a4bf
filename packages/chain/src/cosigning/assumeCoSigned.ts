import { type Delegation, type Deployment, hashDelegation } from '@bardo/core'
import { createPublicClient, custom, type Hex, isAddressEqual, type PublicClient } from 'viem'
import { type CoSignedLink, findCoSigned, withCoSigningArgs } from './coSign.ts'

/** Code that accepts every signature (ERC-1271): it returns `isValidSignature`'s own selector. */
const acceptsAll: Hex = '0x631626ba7e60e01b60005260206000f3'

/** Links that may need co-signatures, and the client that reads their chain. */
export type CoSigningContext = {
  readonly client: PublicClient
  readonly deployment: Deployment
  readonly links: readonly [Delegation, ...Delegation[]]
  /** The nonce under one of the links. Default: one that no proposal uses. */
  readonly asked?: { readonly delegation: Delegation; readonly nonce: bigint }
}

/**
 * Client and links with which every evaluation and simulation goes as if enough co-signers had signed. Nothing else of the
 * chain changes, and nothing is sent: the override of the co-signers' code exists in simulations only.
 * Returns both unchanged if no link needs co-signatures.
 *
 * @example
 * const assumed = assumeCoSigned({ client, deployment, links })
 * await simulates(assumed.client, deployment, { ...trial, links: assumed.links })
 */
export function assumeCoSigned({
  client,
  deployment,
  links,
  asked,
}: CoSigningContext): Pick<CoSigningContext, 'client' | 'links'> {
  const coSigned = findCoSigned(deployment, links)
  if (coSigned.length === 0) return { client, links }
  const [leaf, ...above] = links
  const accounts = links.map(({ delegator }) => delegator)
  const signing = coSigned.map((link) => ({ link, signers: assumedSigners(link, accounts) }))
  const nonceOf = ({ delegation }: CoSignedLink) =>
    asked && hashDelegation(asked.delegation) === hashDelegation(delegation) ? asked.nonce : unusedNonce
  const assumed = (delegation: Delegation) =>
    signing.reduce(
      (current, { link, signers }) =>
        link.delegation === delegation
          ? withCoSigningArgs(current, link.caveat, nonceOf(link), signers)
          : current,
      delegation,
    )
  const keys = signing.flatMap(({ signers }) => signers.map(({ key }) => key))
  return { client: overriding(client, keys), links: [assumed(leaf), ...above.map(assumed)] }
}

/** No proposal uses it: proposals count from 1. */
const unusedNonce = (1n << 256n) - 1n

/** As many keys as are needed, without the accounts that execute: their own code must run. */
function assumedSigners({ coSigners }: CoSignedLink, accounts: readonly Hex[]) {
  return coSigners.keys
    .map((key, index) => ({ key, index, signature: '0x' as const }))
    .filter(({ key }) => !accounts.some((account) => isAddressEqual(account, key)))
    .slice(0, coSigners.threshold)
}

type Override = Readonly<Record<Hex, { readonly code: Hex }>>

function overriding(client: PublicClient, keys: readonly Hex[]): PublicClient {
  const override: Override = Object.fromEntries(keys.map((key) => [key, { code: acceptsAll }]))
  const request = ({ method, params }: { readonly method: string; readonly params?: unknown }) =>
    client.request({ method, params: overridden(method, params, override) } as Parameters<
      PublicClient['request']
    >[0])
  return createPublicClient({
    ...(client.chain && { chain: client.chain }),
    transport: custom({ request }, { retryCount: 0 }),
    pollingInterval: client.pollingInterval,
    cacheTime: 0,
  })
}

function overridden(method: string, params: unknown, override: Override): unknown {
  const [first, second, third]: readonly unknown[] = Array.isArray(params) ? params : []
  switch (method) {
    case 'eth_call':
      return [first, second ?? 'latest', override]
    case 'eth_simulateV1': {
      const { blockStateCalls, ...rest }: { readonly blockStateCalls?: unknown } = Object(first)
      const blocks: readonly unknown[] = Array.isArray(blockStateCalls) ? blockStateCalls : []
      const all = blocks.map((block) => ({ ...Object(block), stateOverrides: override }))
      return [{ ...rest, blockStateCalls: all }, second]
    }
    case 'debug_traceCall':
      return [first, second, { ...Object(third), stateOverrides: override }]
    default:
      return params
  }
}
