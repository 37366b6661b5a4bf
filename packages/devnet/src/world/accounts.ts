import { BardoError } from '@bardo/core'
import { bytesToHex } from 'viem'
import { type HDKey, mnemonicToAccount, type PrivateKeyAccount, privateKeyToAccount } from 'viem/accounts'

/** The mnemonic of every anvil. It is public: never use it on any other chain. */
export const devnetMnemonic = 'test test test test test test test test test test test junk'

/**
 * The roles of anvil's ten accounts, in order. Each has 10,000 ETH.
 *
 * `faucet` deploys the contracts, mints the tokens and owns the liquidity. It is the last one, so that all
 * others start with nonce 0.
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
  // Deriving keys from a mnemonic is slow by design; the ten accounts share one derivation.
  keyRing ??= mnemonicToAccount(devnetMnemonic, { path: "m/44'/60'/0'/0" }).getHdKey()
  const { privateKey } = keyRing.deriveChild(roles.indexOf(role))
  if (!privateKey) throw new BardoError('The devnet mnemonic yields no key.', { code: 'INTERNAL' })
  return privateKeyToAccount(bytesToHex(privateKey))
}
