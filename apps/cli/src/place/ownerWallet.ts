import { readFileSync } from 'node:fs'
import { createSubmitter, hybridAccount, type OwnerDesk, systemClock, walletSigner } from '@bardo/chain'
import { BardoError } from '@bardo/core'
import { devnetAccount } from '@bardo/devnet'
import type { Store } from '@bardo/store'
import { isPublicAccount } from '@bardo/wallets'
import { type Address, isAddressEqual, type LocalAccount } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import type { ChainPlace } from './findChain.ts'
import { requirePrivate } from './sealingSecret.ts'

/** An owner who is here: their key, and their smart account behind it. */
export type OwnerWallet = { readonly key: LocalAccount; readonly desk: OwnerDesk }

const keyShape = /^0x[0-9a-f]{64}$/i

/**
 * The owner's wallet: on the local world its well-known owner, elsewhere a key file. A key that everybody knows is refused
 * where the money is real.
 */
export function ownerWallet(
  { client, deployment, submitter: settings, world }: ChainPlace,
  { journal }: Pick<Store, 'journal'>,
  keyFile: string | undefined,
): OwnerWallet {
  const key = keyFile === undefined ? localOwner(world !== undefined) : readKey(keyFile)
  if (!world && isPublicAccount(key.address))
    throw new BardoError('Everybody knows this key: it is one of anvil’s.', {
      code: 'KEY_NOT_SECRET',
      details: [key.address],
      remedy: 'Take a key of your own. Whatever is sent to this one is gone.',
      docsPath: 'cli.md#keys',
    })
  const { chainId } = deployment
  const submitter = createSubmitter({ client, chainId, journal, clock: systemClock, signer: key, settings })
  const account = hybridAccount(deployment, { began: { owner: key.address }, signer: walletSigner(key) })
  return { key, desk: { client, deployment, account, key: key.address, submitter } }
}

/** Refuses an owner who is not this Golem's. */
export function requireOwner({ key }: OwnerWallet, owner: Address): void {
  if (isAddressEqual(key.address, owner)) return
  throw new BardoError('This Golem has another owner.', {
    code: 'ACTION_NOT_ALLOWED',
    details: [`its owner is ${owner}`, `this is ${key.address}`],
    remedy: 'Give the owner’s key with --owner-key.',
    docsPath: 'cli.md#keys',
  })
}

function localOwner(isLocal: boolean): LocalAccount {
  if (isLocal) return devnetAccount('owner')
  throw new BardoError('The owner’s key is needed.', {
    code: 'INVALID_INPUT',
    remedy: 'Give the file that holds it with --owner-key.',
    docsPath: 'cli.md#keys',
  })
}

function readKey(file: string): LocalAccount {
  requirePrivate(file)
  const text = readFileSync(file, 'utf8').trim()
  if (keyShape.test(text)) return privateKeyToAccount(`0x${text.slice(2)}`)
  throw new BardoError('This file holds no key.', {
    code: 'INVALID_INPUT',
    details: [file, '0x and 64 hexadecimal digits are needed'],
    docsPath: 'cli.md#keys',
  })
}
