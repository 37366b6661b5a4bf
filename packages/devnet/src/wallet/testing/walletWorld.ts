import { BardoError } from '@bardo/core'
import { DelegationManager } from '@metamask/delegation-abis'
import { erc7715ProviderActions } from '@metamask/smart-accounts-kit/actions'
import {
  type Address,
  createClient,
  custom,
  encodePacked,
  type Hex,
  type LocalAccount,
  parseEther,
  walletActions,
  zeroHash,
} from 'viem'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { type Devnet, startDevnet } from '../../startDevnet.ts'
import { createOwnerWallet } from '../createOwnerWallet.ts'
import type { Decide, Decision, Prompt } from '../decision.ts'
import type { GrantDialect } from '../grants/grantAnswer.ts'

/** A call in the name of the owner's account. */
export type Execution = { readonly target: Address; readonly value?: bigint; readonly data?: Hex }

/**
 * A devnet for the wallet's tests: owners with money, a page that uses their wallet, and grantees that
 * redeem.
 */
export async function openWalletWorld() {
  const world = await startDevnet({ port: 0 })
  const fundedAccount = async () => {
    const account = privateKeyToAccount(generatePrivateKey())
    await world.fund(account.address, { ETH: parseEther('100'), USDC: 1_000_000_000n })
    return account
  }
  return {
    ...world,
    fundedAccount,
    redeem: (by: LocalAccount, context: Hex, execution: Execution) => redeem(world, by, context, execution),
    /** A wallet with new accounts, connected to a page, and the prompts since then. */
    async openWallet({
      decide = () => 'approve',
      accounts = 1,
      dialect = 'current',
    }: {
      decide?: Decide
      accounts?: number
      dialect?: GrantDialect
    } = {}) {
      const prompts: Prompt[] = []
      let answer: Decide = () => 'approve'
      const owners = await Promise.all(Array.from({ length: accounts }, fundedAccount))
      const [owner] = owners
      if (!owner) throw new BardoError('A wallet needs at least one account.', { code: 'INTERNAL' })
      const wallet = createOwnerWallet({
        url: world.url,
        accounts: owners,
        environment: world.framework,
        dialect,
        decide: (prompt): Decision | Promise<Decision> => {
          prompts.push(prompt)
          return answer(prompt)
        },
      })
      await wallet.request({ method: 'eth_requestAccounts' })
      prompts.length = 0
      answer = decide
      const page = createClient({
        chain: world.chain,
        transport: custom(wallet.provider),
        pollingInterval: 20,
      })
        .extend(walletActions)
        .extend(erc7715ProviderActions())
      return { wallet, owner, owners, page, prompts }
    },
  }
}

export type WalletWorld = Awaited<ReturnType<typeof openWalletWorld>>

/**
 * Redeems a grant for one call, as a transaction of the grantee. Throws the enforcer's reason if it is
 * refused.
 */
export async function redeem(
  { client, framework }: Pick<Devnet, 'client' | 'framework'>,
  by: LocalAccount,
  context: Hex,
  { target, value = 0n, data = '0x' }: Execution,
): Promise<void> {
  const singleCall = zeroHash
  const { request } = await client.simulateContract({
    account: by,
    address: framework.DelegationManager,
    abi: DelegationManager,
    functionName: 'redeemDelegations',
    args: [[context], [singleCall], [encodePacked(['address', 'uint256', 'bytes'], [target, value, data])]],
  })
  await client.waitForTransactionReceipt({ hash: await client.writeContract(request) })
}
