import type { Address } from 'viem'
import type { Delegation } from '../../delegation/delegation.ts'
import { createDelegationVerifier } from '../../delegation/delegationVerifier.ts'
import { BardoError } from '../../errors/BardoError.ts'
import { compareGrant, type GrantDifference } from './compareGrant.ts'
import type { ReadGrant, ReadPermission } from './readGrant.ts'
import { readSignedGrant, type SignedGrant } from './readSignedGrant.ts'

/** The framework's addresses on the chain, from the deployment and never from the grant. */
export type GrantFramework = {
  readonly delegationManager: Address
  /** Keyed by the kit's names. */
  readonly caveatEnforcers: Readonly<Record<string, Address>>
}

/** A grant, judged by its signed bytes. */
export type GrantInspection = {
  readonly signed: SignedGrant
  /** Differences between the request and what was signed. Empty if granted as requested. */
  readonly differences: readonly GrantDifference[]
  /** Differences between what was signed and the wallet's description. Empty if they match. */
  readonly misstated: readonly GrantDifference[]
}

const none = 'none'

/**
 * Compares a request with the delegation that the wallet returned. The wallet may adjust the request and may
 * describe it wrongly: only the bytes in `context` and the signature over them count. A signature that does
 * not recover to the delegator's own key, for this chain and manager, is a difference: a contract account's
 * signature can only be verified on chain.
 *
 * @example
 * const { differences } = await inspectGrant(readRequest(request), grant, environment)
 * if (differences.some(({ direction }) => direction !== 'narrower')) refuse(differences)
 */
export async function inspectGrant(
  asked: ReadPermission,
  grant: ReadGrant,
  framework: GrantFramework,
): Promise<GrantInspection> {
  const { chainId } = asked
  const signed = readSignedGrant(grant.context, framework.caveatEnforcers)
  const permission = { ...signed.permission, chainId }
  const differences = [
    ...boundless(asked, signed),
    ...compareGrant(asked, permission),
    ...guards(signed),
    ...extras(signed),
    ...plainly('links', '1', `${signed.links.length}`, 'other'),
    ...plainly('delegationManager', framework.delegationManager, grant.delegationManager, 'other'),
    ...plainly('chainId', `${chainId}`, `${grant.chainId}`, 'other'),
    ...signatures(signed.links, chainId, framework.delegationManager),
  ]
  return { signed, differences, misstated: compareGrant(permission, { ...grant, chainId }) }
}

function boundless({ type }: ReadPermission, { permission }: SignedGrant): GrantDifference[] {
  return permission.type === none
    ? [{ field: 'caveats.amount', asked: type, got: 'no limit on amounts', direction: 'wider' }]
    : []
}

/** The caveats that prevent other transfers beside the granted amount. */
function guards({ permission, maxValue, calldata, hasNonce }: SignedGrant): GrantDifference[] {
  const isToken = permission.data.tokenAddress !== undefined
  const guard = isToken
    ? plainly('caveats.ValueLte', '0', `${maxValue ?? none}`, 'wider')
    : plainly('caveats.ExactCalldata', '0x', calldata ?? none, calldata === undefined ? 'wider' : 'other')
  return [
    ...(permission.type === none ? [] : guard),
    ...plainly('caveats.Nonce', 'the account’s', hasNonce ? 'the account’s' : none, 'wider'),
  ]
}

/** An additional caveat allows less; the effect of an unknown enforcer is unknown. */
function extras({ others }: SignedGrant): GrantDifference[] {
  return others.map(({ name, caveat }) => ({
    field: `caveats.${name ?? caveat.enforcer}`,
    asked: none,
    got: caveat.terms,
    direction: name === undefined ? 'other' : 'narrower',
  }))
}

function signatures(links: readonly Delegation[], chainId: bigint, manager: Address): GrantDifference[] {
  const verifier = createDelegationVerifier({ chainId: Number(chainId), manager })
  const signerOf = (link: Delegation) => {
    try {
      return verifier.signerOf(link)
    } catch (error) {
      // Not a curve point, or not the signature of a plain key.
      if (error instanceof BardoError) return 'unreadable'
      throw error
    }
  }
  return links.flatMap((link) => plainly('signature', link.delegator, signerOf(link), 'other'))
}

function plainly(
  field: string,
  asked: string,
  got: string,
  direction: GrantDifference['direction'],
): GrantDifference[] {
  return asked.toLowerCase() === got.toLowerCase() ? [] : [{ field, asked, got, direction }]
}
