import { type Address, encodeFunctionData, erc20Abi, isAddressEqual, pad } from 'viem'
import { type SmartAccount, signDelegation } from '../accounts/smartAccount.ts'
import { metamaskKinds } from '../caveats/metamask/metamaskKinds.ts'
import type { Delegation } from '../delegation/delegation.ts'
import { hashDelegation } from '../delegation/hashDelegation.ts'
import { metamaskCaveat } from '../deployments/metamaskCaveat.ts'
import { BardoError } from '../errors/BardoError.ts'
import type { RedemptionStep } from '../redemption/encodeRedemption.ts'

/**
 * Lets a Golem draw on the grant that an upgraded EOA gave to its Cage account, and only into that account.
 * The grant itself never names a session key: a thief of that key could bypass the Cage.
 *
 * @example
 * const draw = await signRunwayDraw(cageAccount, { grant, delegate: golem })
 */
export async function signRunwayDraw(cageAccount: SmartAccount, draw: RunwayDraw): Promise<Delegation> {
  return signDelegation(cageAccount, unsignedRunwayDraw(cageAccount, draw))
}

/** A runway draw: the delegate that draws, and the grant that it draws on. */
export type RunwayDraw = { readonly grant: Delegation; readonly delegate: Address; readonly salt?: bigint }

/**
 * The delegation that a Cage account signs for a runway draw, unsigned: to show it to a wallet or to check
 * it.
 *
 * @example
 * const typedData = delegationTypedData(chainId, manager, unsignedRunwayDraw(cageAccount, { grant, delegate: golem }))
 */
export function unsignedRunwayDraw(
  cageAccount: Pick<SmartAccount, 'address' | 'framework'>,
  { grant, delegate, salt = 0n }: RunwayDraw,
): Delegation {
  if (!isAddressEqual(grant.delegate, cageAccount.address))
    throw new BardoError('The grant names another delegate than the Cage account.', {
      code: 'INVALID_INPUT',
      details: [`delegate of the grant: ${grant.delegate}`, `Cage account: ${cageAccount.address}`],
      remedy: 'Revoke it and request one for the Cage account: no Cage limits the delegate of this grant.',
      docsPath: 'redeeming.md#the-cage-account',
    })
  // The grant allows only ERC-20 transfers. This caveat fixes their recipient, the first argument.
  const recipient = metamaskCaveat(cageAccount.framework, metamaskKinds.AllowedCalldata, {
    startIndex: 4,
    value: pad(cageAccount.address, { size: 32 }),
  })
  return {
    delegate,
    delegator: cageAccount.address,
    authority: hashDelegation(grant),
    caveats: [recipient],
    salt,
    signature: '0x',
  }
}

/**
 * The step that moves money from the EOA into the Cage account: the first step of the redemption that spends
 * it.
 *
 * @param below - the delegations below the draw, leaf first, if its key redelegated it
 *
 * @example
 * const steps = [runwayDrawStep({ feed, grant, token: usdc, amount: 5_000_000n }), { links: [root], calls: [swap] }]
 */
export function runwayDrawStep({
  feed,
  below = [],
  grant,
  token,
  amount,
}: {
  readonly feed: Delegation
  readonly below?: readonly Delegation[]
  readonly grant: Delegation
  readonly token: Address
  readonly amount: bigint
}): RedemptionStep {
  const args = [feed.delegator, amount] as const
  return {
    links: [...below, feed, grant],
    calls: [{ to: token, data: encodeFunctionData({ abi: erc20Abi, functionName: 'transfer', args }) }],
  }
}
