import { type AccountContext, BardoError } from '@bardo/core'
import {
  type Address,
  isAddressEqual,
  type LocalAccount,
  type PublicClient,
  type SignedAuthorization,
} from 'viem'

/**
 * The EOA's authorization to run the framework's code from now on. Anyone can put it into a transaction.
 *
 * @param nonce - the EOA's current nonce; plus one if the EOA sends that transaction itself
 */
export async function signUpgrade(
  owner: Pick<LocalAccount, 'signAuthorization'>,
  { chainId, framework }: AccountContext,
  nonce: number,
): Promise<SignedAuthorization> {
  if (!owner.signAuthorization)
    throw new BardoError('This wallet cannot sign EIP-7702 authorizations.', {
      code: 'INVALID_INPUT',
      remedy: 'Upgrade the account in the wallet itself.',
    })
  return owner.signAuthorization({ chainId, nonce, contractAddress: upgradeCode(framework) })
}

/** Whether an account currently runs the framework's code. */
export async function isUpgraded(
  client: PublicClient,
  { framework }: Pick<AccountContext, 'framework'>,
  address: Address,
): Promise<boolean> {
  const code = await client.getCode({ address })
  const target = code?.match(/^0xef0100([0-9a-f]{40})$/i)?.[1]
  return target !== undefined && isAddressEqual(`0x${target}`, upgradeCode(framework))
}

function upgradeCode({ implementations }: AccountContext['framework']): Address {
  const code = implementations['EIP7702StatelessDeleGatorImpl']
  if (code) return code
  throw new BardoError('The framework has no EIP7702StatelessDeleGator on this chain.', {
    code: 'UNSUPPORTED_CHAIN',
  })
}
