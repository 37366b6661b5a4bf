import { createIdentityClient, type Redeemer, redeem } from '@bardo/chain'
import { BardoError, type Delegation, hashDelegation } from '@bardo/core'
import type { Wallet } from '@bardo/wallets'
import { isAddressEqual } from 'viem'

/** The validity of a wallet's consent to act for an agent, in seconds. The registry accepts at most 300. */
const consentSeconds = 240n

/** What the owner signed: the agent, and the delegation that lets the key become its wallet. */
export type AgentWalletRequest = { readonly agentId: bigint; readonly grant: Delegation }

/**
 * Makes a Golem's key the wallet of its agent: the key signs its consent now, and sends it under the owner's grant. Does
 * nothing if the key is the wallet already.
 */
export async function setAgentWallet(
  redeemer: Redeemer & { readonly wallet: Pick<Wallet, 'address' | 'signTypedData'> },
  { agentId, grant }: AgentWalletRequest,
): Promise<void> {
  const { client, deployment, wallet } = redeemer
  const identity = createIdentityClient({ client, deployment })
  if (await identity.isWalletOf(wallet.address, agentId)) return
  if (!isAddressEqual(grant.delegate, wallet.address))
    throw new BardoError('The key was rotated since the owner signed for it.', {
      code: 'STEP_OUT_OF_ORDER',
      outcome: 'not-sent',
      details: [`signed for ${grant.delegate}`, `the key is ${wallet.address}`],
      remedy: 'Sign again: bardo identity wallet GOLEM',
    })
  const { timestamp } = await client.getBlock()
  const deadline = timestamp + consentSeconds
  const call = await identity.walletCall({ agentId, wallet, deadline })
  // An expired consent is signed again: another deadline is another intent.
  const id = `identity-wallet-${hashDelegation(grant)}-${deadline}`
  await redeem(redeemer, { id, steps: [{ links: [grant], calls: [call] }] })
}
