import { BardoError } from '@bardo/core'
import { bytesToHex } from 'viem'
import { type HDKey, mnemonicToAccount, type PrivateKeyAccount, privateKeyToAccount } from 'viem/accounts'

/** The mnemonic every anvil starts with. Public knowledge: good for this chain and for no other. */
export const devnetMnemonic = 'test test test test test test test test test test test junk'

/**
 * Who is who among anvil's ten accounts, in order. Each has 10,000 ETH.
 *
 * `faucet` deploys the world, mints its tokens and owns its liquidity; it comes last so that everybody else starts
 * with nonce 0.
 */
export const roles = [
  'owner',
  'golem',
  'replicant',
  'operator',
  'payee',
  'stranger',
  'secondOwner',
  'bundler',
  'bundlerUtility',
  'faucet',
] as const

export type Role = (typeof roles)[number]

let keyRing: HDKey | undefined

/** The account of a role, with its key. */
export function devnetAccount(role: Role): PrivateKeyAccount {
  // Turning a mnemonic into keys is slow by design; the ten accounts share one turn.
  keyRing ??= mnemonicToAccount(devnetMnemonic, { path: "m/44'/60'/0'/0" }).getHdKey()
  const { privateKey } = keyRing.deriveChild(roles.indexOf(role))
  if (!privateKey) throw new BardoError('The devnet mnemonic gave no key.', { code: 'INTERNAL' })
  return privateKeyToAccount(bytesToHex(privateKey))
}
