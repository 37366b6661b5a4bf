import type { Address } from 'viem'
import type { Delegation } from '../../delegation/delegation.ts'
import { createDelegationVerifier } from '../../delegation/delegationVerifier.ts'
import { BardoError } from '../../errors/BardoError.ts'
import { compareGrant, type GrantDifference } from './compareGrant.ts'
import type { ReadGrant, ReadPermission } from './readGrant.ts'
import { readSignedGrant, type SignedGrant } from './readSignedGrant.ts'

/** Where the framework stands on the chain, from the deployment and never from the grant. */
export type GrantFramework = {
  readonly delegationManager: Address
  /** By the kit's names. */
  readonly caveatEnforcers: Readonly<Record<string, Address>>
}

/** A grant, judged by its signed bytes. */
export type GrantInspection = {
  readonly signed: SignedGrant
  /** Between what was asked and what was signed. Empty: granted as asked. */
  readonly differences: readonly GrantDifference[]
  /** Between what was signed and what the wallet says about it. Empty: it told the truth. */
  readonly misstated: readonly GrantDifference[]
}

const none = 'none'

/**
 * Compares a request with the delegation that came back for it. The wallet may have adjusted it and may describe it
 * wrongly: what counts are the bytes in `context` and the signature over them. A signature that is not one of the
 * delegator's own key, for this chain and manager, is a difference: a contract account's can only be judged on-chain.
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
    ? [{ field: 'caveats.amount', asked: type, got: 'no bound on amounts', direction: 'wider' }]
    : []
}

/** What keeps anything else from moving along with the amount. */
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

/** Every caveat more allows less; but what an unknown contract does, nobody knows. */
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
      // No point of the curve, or no signature of a plain key.
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
