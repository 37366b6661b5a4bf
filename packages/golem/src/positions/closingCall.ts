import type { OwnerSigner } from '@bardo/chain'
import { type OwnerCall, ownerCall } from '@bardo/core'
import { type Address, encodeFunctionData, isAddressEqual, maxUint128, maxUint256, parseAbi } from 'viem'
import type { GolemParts } from '../permission/golemParts.ts'
import type { SignedPermission } from '../permission/signedPermission.ts'
import { signedRoots } from '../requests/requireBounded.ts'
import { redeemCall } from './closePosition.ts'
import type { HeldPosition } from './heldPositions.ts'
import { contractsIn } from './signedContracts.ts'

const managerAbi = parseAbi([
  'struct Decrease { uint256 tokenId; uint128 liquidity; uint256 amount0Min; uint256 amount1Min; uint256 deadline; }',
  'struct Collect { uint256 tokenId; address recipient; uint128 amount0Max; uint128 amount1Max; }',
  'function positions(uint256 tokenId) view returns (uint96 nonce, address operator, address token0, address token1, uint24 fee, int24 tickLower, int24 tickUpper, uint128 liquidity, uint256 growth0, uint256 growth1, uint128 owed0, uint128 owed1)',
  'function decreaseLiquidity(Decrease params)',
  'function collect(Collect params)',
  'function multicall(bytes[] data)',
])

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
  const data =
    position.type === 'vault'
      ? redeemCall(position.shares, account.address)
      : await withdrawCall(redeemer, position, account.address)
  return ownerCall(redeemer, { to, data })
}

/**
 * Removes and collects in one call. The empty NFT stays: anyone can add dust to a position, and then burning
 * it would revert
 * the whole call. No minimum is set, so that the transaction stays valid when the price moves before it is
 * sent. A
 * manipulated pool price costs nothing here: at the true price, what a position pays out at any other price
 * is worth at
 * least as much as what it pays out at the true one.
 */
async function withdrawCall(
  { client }: Pick<OwnerSigner, 'client'>,
  { manager: address, tokenId }: Extract<HeldPosition, { type: 'liquidity' }>,
  recipient: Address,
) {
  const abi = managerAbi
  const [, , , , , , , liquidity] = await client.readContract({
    address,
    abi,
    functionName: 'positions',
    args: [tokenId],
  })
  const removed = { tokenId, liquidity, amount0Min: 0n, amount1Min: 0n, deadline: maxUint256 }
  const collected = { tokenId, recipient, amount0Max: maxUint128, amount1Max: maxUint128 }
  const calls = [
    // The manager refuses to remove zero liquidity; then only fees are left.
    ...(liquidity > 0n
      ? [encodeFunctionData({ abi, functionName: 'decreaseLiquidity', args: [removed] })]
      : []),
    encodeFunctionData({ abi, functionName: 'collect', args: [collected] }),
  ]
  return encodeFunctionData({ abi, functionName: 'multicall', args: [calls] })
}
