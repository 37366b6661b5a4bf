import { BardoError } from '@bardo/core'
import type {
  PermissionTypes,
  RequestExecutionPermissionsParameters,
} from '@metamask/smart-accounts-kit/actions'
import { type Address, encodeFunctionData, erc20Abi, type Hex } from 'viem'
import { decodeGrant } from './decodeGrant.ts'
import { type Execution, openWalletWorld, type WalletWorld } from './walletWorld.ts'

type Page = Awaited<ReturnType<WalletWorld['openWallet']>>['page']
type Request = RequestExecutionPermissionsParameters[number]
type Rules = Partial<Pick<Request, 'expiry' | 'payee' | 'redeemer' | 'from'>>

export const payee: Address = '0x00000000000000000000000000000000000000aa'
export const stranger: Address = '0x00000000000000000000000000000000000000bb'

/** A devnet with a grantee that gets grants and redeems them. */
export async function openGrantWorld() {
  const world = await openWalletWorld()
  const grantee = await world.fundedAccount()
  const { usdc } = world.addresses

  const ask = (permission: PermissionTypes, rules: Rules = {}): Request => ({
    chainId: world.chain.id,
    to: grantee.address,
    permission,
    ...rules,
  })

  return {
    ...world,
    grantee,
    ask,
    async grant(page: Page, permission: PermissionTypes, rules?: Rules) {
      const [granted] = await page.requestExecutionPermissions([ask(permission, rules)])
      if (granted) return granted
      throw new BardoError('The wallet granted nothing.', { code: 'INTERNAL' })
    },
    /** Redeems as the grantee. */
    use: (context: Hex, execution: Execution) => world.redeem(grantee, context, execution),
    decode: (context: Hex) => decodeGrant(world.framework, context),
    now: async () => Number((await world.client.getBlock()).timestamp),
    sendUsdc: (amount: bigint, to = payee): Execution => ({
      target: usdc,
      data: encodeFunctionData({ abi: erc20Abi, functionName: 'transfer', args: [to, amount] }),
    }),
    sendEther: (value: bigint, to = payee): Execution => ({ target: to, value }),
    /** 100 units of USDC a day. */
    periodicUsdc: (isAdjustmentAllowed = true): PermissionTypes => ({
      type: 'erc20-token-periodic',
      isAdjustmentAllowed,
      data: { tokenAddress: usdc, periodAmount: 100n, periodDuration: 86_400 },
    }),
    /** 100 wei a day. */
    periodicEther: (): PermissionTypes => ({
      type: 'native-token-periodic',
      isAdjustmentAllowed: true,
      data: { periodAmount: 100n, periodDuration: 86_400 },
    }),
  }
}

export type GrantWorld = Awaited<ReturnType<typeof openGrantWorld>>

/**
 * A permission's data in comparable form. MetaMask's decoder returns numbers in hex of any length and
 * addresses in any case, and no justification, which is not signed.
 */
export function comparable(data: object = {}) {
  const { justification: _, tokenAddress, ...numbers } = { justification: '', tokenAddress: '', ...data }
  const values = Object.entries(numbers).map(([name, value]) => [name, BigInt(String(value))])
  return { ...Object.fromEntries(values), tokenAddress: tokenAddress.toLowerCase() }
}
