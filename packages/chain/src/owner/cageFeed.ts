import { BardoError, type Delegation, hashDelegation, stockKinds } from '@bardo/core'
import { type Address, encodeFunctionData, erc20Abi, isAddressEqual, pad } from 'viem'
import { type SmartAccount, signDelegation } from '../accounts/smartAccount.ts'
import type { RedemptionStep } from '../redemption/encodeRedemption.ts'
import { stockCaveat } from './stockCaveat.ts'

/**
 * Lets a Golem draw on the grant that an upgraded EOA gave to its cage account, and only into that account. The grant
 * itself never names a session key: whoever stole the key could then skip the Cage.
 */
export async function signFeed(cageAccount: SmartAccount, feed: Feed): Promise<Delegation> {
  return signDelegation(cageAccount, unsignedFeed(cageAccount, feed))
}

/** For whom a feed is, and the grant below which it stands. */
export type Feed = { readonly grant: Delegation; readonly delegate: Address; readonly salt?: bigint }

/** What a cage account signs to be fed, for whoever shows it to a wallet or checks it. */
export function unsignedFeed(
  cageAccount: Pick<SmartAccount, 'address' | 'framework'>,
  { grant, delegate, salt = 0n }: Feed,
): Delegation {
  if (!isAddressEqual(grant.delegate, cageAccount.address))
    throw new BardoError('The grant is not for the cage account.', {
      code: 'INVALID_INPUT',
      details: [`it is for ${grant.delegate}`, `the cage account is ${cageAccount.address}`],
      remedy:
        'Revoke it, and ask the wallet for one to the cage account: whoever holds this one is bound by no Cage.',
      docsPath: 'redeeming.md#the-cage-account',
    })
  // The grant lets ERC-20 transfers through and nothing else; this fixes their recipient, the first argument.
  const recipient = stockCaveat(cageAccount.framework, stockKinds.AllowedCalldata, {
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

/** The step that brings money from the EOA into the cage account: first in the same redemption that spends it. */
export function feedStep({
  feed,
  grant,
  token,
  amount,
}: {
  readonly feed: Delegation
  readonly grant: Delegation
  readonly token: Address
  readonly amount: bigint
}): RedemptionStep {
  const args = [feed.delegator, amount] as const
  return {
    links: [feed, grant],
    calls: [{ to: token, data: encodeFunctionData({ abi: erc20Abi, functionName: 'transfer', args }) }],
  }
}
