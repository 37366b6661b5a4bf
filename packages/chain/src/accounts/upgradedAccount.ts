import { BardoError } from '@bardo/core'
import {
  type Address,
  isAddressEqual,
  type LocalAccount,
  type PublicClient,
  type SignedAuthorization,
} from 'viem'
import type { AccountSigner } from './accountSigner.ts'
import type { AccountPlace, SmartAccount } from './smartAccount.ts'

/** An EOA that runs the framework's code (EIP-7702). It is its own signer. */
export function upgradedAccount(
  { chainId, framework }: AccountPlace,
  { address, signer }: { readonly address: Address; readonly signer: AccountSigner },
): SmartAccount {
  return { kind: 'upgraded', address, chainId, framework, factory: undefined, signer }
}

/**
 * The EOA's word that it runs the framework's code from now on. Anybody can put it into a transaction.
 *
 * @param nonce - the EOA's at that moment; one more where the EOA sends that transaction itself
 */
export async function signUpgrade(
  owner: Pick<LocalAccount, 'signAuthorization'>,
  { chainId, framework }: AccountPlace,
  nonce: number,
): Promise<SignedAuthorization> {
  if (!owner.signAuthorization)
    throw new BardoError('This wallet signs no EIP-7702 authorizations.', {
      code: 'INVALID_INPUT',
      remedy: 'Upgrade the account in the wallet itself.',
    })
  return owner.signAuthorization({ chainId, nonce, contractAddress: upgradeCode(framework) })
}

/** Whether an account runs the framework's code now. */
export async function isUpgraded(
  client: PublicClient,
  { framework }: Pick<AccountPlace, 'framework'>,
  address: Address,
): Promise<boolean> {
  const code = await client.getCode({ address })
  const target = code?.match(/^0xef0100([0-9a-f]{40})$/i)?.[1]
  return target !== undefined && isAddressEqual(`0x${target}`, upgradeCode(framework))
}

function upgradeCode({ implementations }: AccountPlace['framework']): Address {
  const code = implementations['EIP7702StatelessDeleGatorImpl']
  if (code) return code
  throw new BardoError('The framework has no code for upgraded accounts here.', { code: 'UNSUPPORTED_CHAIN' })
}
