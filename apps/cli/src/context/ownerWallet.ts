import { readFileSync } from 'node:fs'
import { createSubmitter, type OwnerSigner, systemClock } from '@bardo/chain'
import { BardoError, hybridAccount, walletSigner } from '@bardo/core'
import { devnetAccount } from '@bardo/devnet'
import type { Store } from '@bardo/store'
import { isPublicAccount } from '@bardo/wallets'
import { type Address, isAddressEqual, type LocalAccount, parseEther } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import type { ChainConnection } from './findChain.ts'
import { requirePrivate } from './sealingSecret.ts'

/** The owner's key, with the signer of their smart account. */
export type OwnerWallet = { readonly key: LocalAccount; readonly signer: OwnerSigner }

/** The least gas for a session key on the local chain: enough for a trade a minute for days, at that chain's price. */
export const localGas = parseEther('0.05')

const keyShape = /^0x[0-9a-f]{64}$/i

/**
 * The owner's wallet: the built-in test owner on the local chain, a key file on a real network. Anvil's public test keys
 * are refused on a real network.
 */
export function ownerWallet(
  { client, deployment, submitter: settings, world }: ChainConnection,
  { journal }: Pick<Store, 'journal'>,
  keyFile: string | undefined,
): OwnerWallet {
  const key = keyFile === undefined ? localOwner(world !== undefined) : readKey(keyFile)
  if (!world && isPublicAccount(key.address))
    throw new BardoError('This is one of anvil’s public test keys: anyone can use it.', {
      code: 'KEY_NOT_SECRET',
      details: [key.address],
      remedy: 'Use your own key. Money sent to this one will be stolen.',
      docsPath: 'cli.md#keys',
    })
  const { chainId } = deployment
  const submitter = createSubmitter({ client, chainId, journal, clock: systemClock, signer: key, settings })
  const account = hybridAccount(deployment, { began: { owner: key.address }, signer: walletSigner(key) })
  return { key, signer: { client, deployment, account, key: key.address, submitter } }
}

/** Refuses a key that does not own this Golem. */
export function requireOwner({ key }: OwnerWallet, owner: Address): void {
  if (!isAddressEqual(key.address, owner)) throw notOwner(owner, key.address)
}

/** Thrown for a key that does not own the Golem. */
export function notOwner(owner: Address, key: Address): BardoError {
  return new BardoError('The key does not own this Golem.', {
    code: 'ACTION_NOT_ALLOWED',
    details: [`the owner is ${owner}`, `the key is ${key}`],
    remedy: 'Give the owner’s key file with --owner-key.',
    docsPath: 'cli.md#keys',
  })
}

function localOwner(isLocal: boolean): LocalAccount {
  if (isLocal) return devnetAccount('owner')
  throw new BardoError('The owner’s key is missing.', {
    code: 'INVALID_INPUT',
    remedy: 'Give its file with --owner-key FILE.',
    docsPath: 'cli.md#keys',
  })
}

function readKey(file: string): LocalAccount {
  requirePrivate(file)
  const text = readFileSync(file, 'utf8').trim()
  if (keyShape.test(text)) return privateKeyToAccount(`0x${text.slice(2)}`)
  throw new BardoError('This file does not contain a private key.', {
    code: 'INVALID_INPUT',
    details: [file, 'expected 0x and 64 hexadecimal digits'],
    docsPath: 'cli.md#keys',
  })
}
