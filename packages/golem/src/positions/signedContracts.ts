import {
  type Asset,
  type Caveat,
  cage,
  type Delegation,
  type Deployment,
  dailySpendLimit,
  type Mandate,
  readTerms,
  targetKinds,
} from '@bardo/core'
import { type Address, getAddress, isAddressEqual } from 'viem'
import type { GolemParts } from '../permission/golemParts.ts'
import type { SignedPermission } from '../permission/signedPermission.ts'
import { knownGrants } from '../requests/knownGrants.ts'

/** The contracts in which an account may hold positions, and the assets to value them. */
export type PositionContracts = {
  readonly vaults: readonly Address[]
  readonly managers: readonly Address[]
  readonly assets: readonly Asset[]
}

/**
 * Every vault and position manager that any root ever signed for this Golem names, including replaced roots.
 */
export async function signedContracts(
  { id, store, deployment }: Pick<GolemParts, 'id' | 'store' | 'deployment'>,
  { terms }: Pick<SignedPermission, 'terms'>,
): Promise<PositionContracts> {
  const grants = (await knownGrants(store, id)).filter(({ of }) => of === 'golem' || of === 'sessionKey')
  const delegations = grants.map(({ delegation }) => delegation)
  return contractsIn(delegations, deployment, terms.mandate)
}

/** The same for some delegations, plus those of a known mandate. */
export function contractsIn(
  delegations: readonly Delegation[],
  deployment: Deployment,
  known: Mandate,
): PositionContracts {
  const caveats = delegations.flatMap((delegation) => delegation.caveats)
  const mandates = [known, ...caveats.flatMap((caveat) => mandateIn(caveat, deployment) ?? [])]
  const own = mandates.filter(({ account }) => isAddressEqual(account, known.account))
  const targets = own.flatMap((mandate) => mandate.targets)
  const addressesOf = (targetKind: number) =>
    distinct(targets.flatMap(({ kind, address }) => (kind === targetKind ? [address] : [])))
  return {
    vaults: addressesOf(targetKinds.vault),
    managers: addressesOf(targetKinds.positionManager),
    assets: own.flatMap(({ assets }) => assets),
  }
}

/** The mandate in a caveat of Bardo; undefined for a caveat without one, or an unreadable one. */
function mandateIn(caveat: Caveat, deployment: Deployment): Mandate | undefined {
  try {
    return (readTerms(deployment, cage, caveat) ?? readTerms(deployment, dailySpendLimit, caveat))?.mandate
  } catch {
    // A row that Bardo did not write must not hide the positions of the other roots.
    return undefined
  }
}

/** The distinct addresses, in checksum form. */
export function distinct(addresses: readonly Address[]): readonly Address[] {
  return [...new Set(addresses.map((address) => getAddress(address)))]
}
