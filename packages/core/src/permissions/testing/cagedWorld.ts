import { cageEnforcer, golemVitals } from '@bardo/contracts'
import { type Devnet, devnetAccount, type Role, swapRouter02Abi } from '@bardo/devnet'
import {
  contracts,
  createExecution,
  ExecutionMode,
  Implementation,
  toMetaMaskSmartAccount,
} from '@metamask/smart-accounts-kit'
import {
  type Address,
  BaseError,
  createWalletClient,
  decodeErrorResult,
  encodeFunctionData,
  erc20Abi,
  type Hex,
  http,
  numberToHex,
} from 'viem'
import type { Delegation } from '../../delegation/delegation.ts'
import { signDelegation } from '../../delegation/testing/signDelegation.ts'
import type { Call } from '../../redemption/encodeExecution.ts'
import { golemRegistrationTypedData } from '../../typedData/golemRegistration.ts'

/** The devnet with an address book, owners' accounts, registered Golems, and functions to redeem. */
export function createCagedWorld(world: Devnet) {
  const { client, addresses, chainId } = world
  const owner = devnetAccount('owner')
  const golemKey = devnetAccount('golem')
  let made = 0n

  async function send(role: Role, to: Address, data: Hex): Promise<void> {
    const transport = http(world.url)
    const wallet = createWalletClient({ account: devnetAccount(role), chain: world.chain, transport })
    // A fixed limit instead of an estimate: a pool used in the same second needs more gas a second later.
    const { status } = await wallet.sendTransactionSync({ to, data, gas: 5_000_000n })
    if (status !== 'success') throw new Error('The transaction reverted.')
  }

  /** A registered Golem of the owner, alive and awake. */
  async function registerGolem(): Promise<Hex> {
    made += 1n
    const [salt, address, { abi }] = [numberToHex(made, { size: 32 }), addresses.golemVitals, golemVitals]
    const identity = [owner.address, golemKey.address, salt] as const
    const registration = { owner: owner.address, key: golemKey.address, salt }
    const signature = await golemKey.signTypedData(golemRegistrationTypedData(chainId, address, registration))
    const args = [...identity, signature] as const
    await send('operator', address, encodeFunctionData({ abi, functionName: 'register', args }))
    return client.readContract({ address, abi, functionName: 'golemId', args: identity })
  }

  /** A deployed Hybrid account of the owner, and the function that signs for it. */
  async function openAccount() {
    made += 1n
    const account = await toMetaMaskSmartAccount({
      client,
      environment: world.framework,
      implementation: Implementation.Hybrid,
      deployParams: [owner.address, [], [], []],
      deploySalt: numberToHex(made, { size: 32 }),
      signer: { account: owner },
    })
    const { factory, factoryData } = await account.getFactoryArgs()
    if (factory && factoryData) await send('operator', factory, factoryData)
    return {
      address: account.address,
      sign: async (delegation: Delegation): Promise<Delegation> => ({
        ...delegation,
        signature: await account.signDelegation({ delegation: toKit(delegation) }),
      }),
    }
  }

  /** The calldata of a redemption, leaf first. */
  function redemption(links: readonly Delegation[], calls: readonly Call[]): Hex {
    return contracts.DelegationManager.encode.redeemDelegations({
      delegations: [links.map(toKit)],
      modes: [calls.length === 1 ? ExecutionMode.SingleDefault : ExecutionMode.BatchDefault],
      executions: [
        calls.map(({ to, value = 0n, data = '0x' }) =>
          createExecution({ target: to, value, callData: data }),
        ),
      ],
    })
  }

  async function refusalOf(role: Role, links: readonly Delegation[], calls: readonly Call[]) {
    const data = redemption(links, calls)
    try {
      await client.call({ account: devnetAccount(role).address, to: addresses.delegationManager, data })
      return 'passes'
    } catch (error) {
      return errorName(error)
    }
  }

  return {
    send,
    redemption,
    registerGolem,
    openAccount,
    now: async () => (await client.getBlock()).timestamp,

    /** A redemption by a key, leaf first. */
    redeemAs: (role: Role, links: readonly Delegation[], ...calls: readonly Call[]) =>
      send(role, addresses.delegationManager, redemption(links, calls)),

    /** The same, by the Golem's key. */
    redeem: (links: readonly Delegation[], ...calls: readonly Call[]) =>
      send('golem', addresses.delegationManager, redemption(links, calls)),

    /** A delegation from the Golem. */
    signAsGolem: (delegation: Delegation) =>
      signDelegation(golemKey, delegation, { chainId, manager: addresses.delegationManager }),

    /** The custom error that refuses it; `passes` if none does. */
    refusal: (links: readonly Delegation[], ...calls: readonly Call[]) => refusalOf('golem', links, calls),
    refusalAs: (role: Role, links: readonly Delegation[], ...calls: readonly Call[]) =>
      refusalOf(role, links, calls),
  }
}

export type CagedWorld = ReturnType<typeof createCagedWorld>

/** Approves and swaps; the output goes to the account. */
export function swapCalls(
  { swapRouter02 }: { readonly swapRouter02: Address },
  recipient: Address,
  [tokenIn, amountIn]: readonly [Address, bigint],
  tokenOut: Address,
): readonly Call[] {
  const params = {
    tokenIn,
    tokenOut,
    fee: 500,
    recipient,
    amountIn,
    amountOutMinimum: 0n,
    sqrtPriceLimitX96: 0n,
  }
  return [
    { to: tokenIn, data: approveCall(swapRouter02, amountIn) },
    {
      to: swapRouter02,
      data: encodeFunctionData({
        abi: swapRouter02Abi,
        functionName: 'exactInputSingle',
        args: [params],
      }),
    },
  ]
}

export function approveCall(spender: Address, amount: bigint): Hex {
  return encodeFunctionData({ abi: erc20Abi, functionName: 'approve', args: [spender, amount] })
}

export function payCall(token: Address, to: Address, amount: bigint): Call {
  const data = encodeFunctionData({ abi: erc20Abi, functionName: 'transfer', args: [to, amount] })
  return { to: token, data }
}

function toKit({ caveats, salt, ...rest }: Delegation) {
  return { ...rest, caveats: caveats.map((caveat) => ({ ...caveat })), salt: numberToHex(salt, { size: 32 }) }
}

function errorName(error: unknown): string {
  const cause = error instanceof BaseError && error.walk((each) => dataOf(each) !== undefined)
  const data = dataOf(cause)
  if (data === undefined) throw error
  return decodeErrorResult({ abi: cageEnforcer.abi, data }).errorName
}

function dataOf(error: unknown): Hex | undefined {
  if (typeof error !== 'object' || error === null || !('data' in error)) return undefined
  return typeof error.data === 'string' && error.data.length > 2 ? (error.data as Hex) : undefined
}
