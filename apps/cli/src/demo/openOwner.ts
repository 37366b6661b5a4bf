import type { OwnerSigner, Submitter } from '@bardo/chain'
import { type Deployment, hybridAccount, type SmartAccount, walletSigner } from '@bardo/core'
import { createOwnerWallet, type Devnet, devnetAccount, type OwnerWallet, type Prompt } from '@bardo/devnet'
import { type Address, createWalletClient, custom, type LocalAccount, type PublicClient } from 'viem'

/** An owner: a key in a wallet, and the smart account that it signs for. */
export type Owner = {
  readonly address: Address
  readonly wallet: OwnerWallet
  /** The prompts that the wallet has shown so far. */
  readonly asked: readonly Prompt['kind'][]
  /** Holds the money that the Golem trades with. */
  readonly account: SmartAccount
  readonly submitter: Submitter
  readonly ownerSigner: OwnerSigner
}

/** The parts of a stage that an owner needs. */
type OwnerParts = {
  readonly world: Devnet
  readonly client: PublicClient
  readonly deployment: Deployment
  submitterOf(signer: LocalAccount): Submitter
}

/** An owner who approves every wallet prompt. The wallet replaces MetaMask; its signatures are real. */
export async function openOwner({ world, client, deployment, submitterOf }: OwnerParts): Promise<Owner> {
  const key = devnetAccount('owner')
  const { address } = key
  const asked: Prompt['kind'][] = []
  const wallet = createOwnerWallet({
    url: world.url,
    environment: world.framework,
    accounts: [key],
    decide: ({ kind }) => {
      asked.push(kind)
      return 'approve'
    },
  })
  await wallet.request({ method: 'eth_requestAccounts' })
  const page = createWalletClient({
    account: address,
    chain: world.chain,
    transport: custom(wallet.provider),
  })
  const signer = walletSigner({
    signTypedData: (typed) => page.signTypedData({ ...typed, account: address }),
  })
  const account = hybridAccount(deployment, { began: { owner: address }, signer })
  const submitter = submitterOf(key)
  return {
    address,
    wallet,
    asked,
    account,
    submitter,
    ownerSigner: { client, deployment, account, key: address, submitter },
  }
}
