import { type OwnerSigner, removeLiquidityCall } from '@bardo/chain'
import { type Call, type OwnerCall, ownerCall } from '@bardo/core'
import { type Address, isAddressEqual, maxUint256 } from 'viem'
import type { GolemParts } from '../permission/golemParts.ts'
import type { SignedPermission } from '../permission/signedPermission.ts'
import { signedRoots } from '../requests/requireBounded.ts'
import { redeemCall } from './closePosition.ts'
import type { HeldPosition } from './heldPositions.ts'
import { contractsIn } from './signedContracts.ts'

/**
 * The owner's transaction that closes a position: it redeems the shares of a vault, or removes all liquidity
 * and collects,
 * always into the account. Undefined for a contract that neither the operator's address book nor a root
 * signed by the
 * account names: a forged row in the database must not make the account call an attacker's contract.
 */
export async function closingCall(
  redeemer: OwnerSigner,
  { id, store, deployment, book }: Pick<GolemParts, 'id' | 'store' | 'deployment' | 'book'>,
  { terms }: Pick<SignedPermission, 'terms'>,
  position: HeldPosition,
): Promise<OwnerCall | undefined> {
  const { account } = redeemer
  const nothing = { account: account.address, assets: [], targets: [], payees: [] }
  const { vaults, managers } = contractsIn(
    (await signedRoots(redeemer, store, id)).map(({ root }) => root),
    deployment,
    nothing,
  )
  const { positionManager } = book.contracts
  const [to, trusted] =
    position.type === 'vault'
      ? [position.vault, [...vaults, ...book.vaults.values()]]
      : [position.manager, [...managers, ...(positionManager ? [positionManager] : [])]]
  const isKnown = trusted.some((address) => isAddressEqual(address, to))
  const isOwn = isAddressEqual(terms.mandate.account, account.address)
  if (!isKnown || !isOwn) return undefined
  return ownerCall(redeemer, accountCall(position, account.address))
}

/** The call with which an account closes its own position. */
export function accountCall(position: HeldPosition, account: Address): Required<Pick<Call, 'to' | 'data'>> {
  if (position.type === 'vault') return { to: position.vault, data: redeemCall(position.shares, account) }
  const { manager, tokenId, liquidity } = position
  return { to: manager, data: removeLiquidityCall({ tokenId, liquidity, account, deadline: maxUint256 }) }
}
