import { golemVitals } from '@bardo/contracts'
import {
  BardoError,
  type CageTerms,
  type Caveat,
  cage,
  type Delegation,
  delegationTypedData,
  deploymentOn,
  encodeExecution,
  encodeRedeemCall,
  golemRegistrationTypedData,
  hashDelegation,
  type Names,
  noSettlement,
  type RedeemedContext,
  rootAuthority,
  targetKinds,
} from '@bardo/core'
import { type Devnet, devnetAccount, type Role, swapRouter02Abi } from '@bardo/devnet'
import { Implementation, toMetaMaskSmartAccount } from '@metamask/smart-accounts-kit'
import {
  type Address,
  createPublicClient,
  createWalletClient,
  encodeFunctionData,
  erc20Abi,
  type Hex,
  http,
  parseEther,
  parseUnits,
  zeroAddress,
  zeroHash,
} from 'viem'

/** An owner's funded account, a registered Golem, and functions to delegate, redeem and explain. */
export async function openDelegationBench(world: Devnet) {
  const { addresses, accounts, chainId } = world
  const client = createPublicClient({ transport: http(world.url), cacheTime: 0, pollingInterval: 20 })
  const deployment = deploymentOn(chainId)
  const manager = deployment.framework.DelegationManager

  /** Sends with an explicit gas limit, so that a failing transaction is mined too. */
  async function send(role: Role, to: Address, data: Hex, gas = 3_000_000n) {
    const wallet = createWalletClient({
      account: devnetAccount(role),
      chain: world.chain,
      transport: http(world.url),
    })
    return wallet.sendTransactionSync({ to, data, gas })
  }

  async function mustSend(role: Role, to: Address, data: Hex) {
    const receipt = await send(role, to, data)
    if (receipt.status === 'success') return receipt
    throw new BardoError('A transaction reverted.', { code: 'TRANSACTION_REVERTED', outcome: 'landed' })
  }

  const account = await toMetaMaskSmartAccount({
    client: world.client,
    environment: world.framework,
    implementation: Implementation.Hybrid,
    deployParams: [accounts.owner, [], [], []],
    deploySalt: '0x',
    signer: { account: devnetAccount('owner') },
  })
  const { factory, factoryData } = await account.getFactoryArgs()
  if (factory && factoryData) await mustSend('operator', factory, factoryData)
  await world.fund(account.address, { USDC: parseUnits('100000', 6), WETH: parseEther('10') })
  const golem = await registerGolem(world, mustSend)
  const { timestamp } = await client.getBlock()
  let salt = 0n

  async function signed(role: Role, unsigned: Omit<Delegation, 'salt' | 'signature'>): Promise<Delegation> {
    salt += 1n
    const delegation = { ...unsigned, salt }
    const signature = await devnetAccount(role).signTypedData(
      delegationTypedData(chainId, manager, delegation),
    )
    return { ...delegation, signature }
  }

  return {
    client,
    deployment,
    manager,
    account: account.address,
    golem,
    openedAt: Number(timestamp),
    send,
    mustSend,

    /** A root from the owner's account to the Golem's key. */
    delegate: (caveats: readonly Caveat[], delegate: Address = accounts.golem) =>
      signed('owner', { delegate, delegator: account.address, authority: rootAuthority, caveats }),

    /** A link below, signed by the delegate of its parent. */
    redelegate: (role: Role, parent: Delegation, delegate: Address, caveats: readonly Caveat[] = []) =>
      signed(role, {
        delegate,
        delegator: devnetAccount(role).address,
        authority: hashDelegation(parent),
        caveats,
      }),

    /** A Cage: $1,000 a day, $500 per action, USDC and WETH, one router, one vault, one payee. */
    cage(terms: Partial<CageTerms> = {}, args: Hex = '0x'): Caveat {
      const full: CageTerms = {
        version: 2,
        golem,
        start: Number(timestamp) - 10,
        end: Number(timestamp) + 7 * 86_400,
        classes: 0xfff,
        methods: 0x7ffff,
        pairs: 2n ** 64n - 1n,
        graceSeconds: 0,
        mood: { minPleasure: -128, maxArousal: 127, minDominance: -128 },
        restricted: 0,
        dayCents: 1_000_00n,
        slippageBps: 200,
        spreadBps: 200,
        cadenceSeconds: 0,
        calls: 0,
        dollarsByPhase: [500, 500, 500, 500, 500],
        settlement: noSettlement,
        mandate: {
          account: account.address,
          assets: [
            { token: addresses.usdc, feed: zeroAddress, maxAgeSeconds: 0, scale: 14 },
            { token: addresses.weth, feed: addresses.wethFeed, maxAgeSeconds: 86_400, scale: 26 },
          ],
          targets: [
            { kind: targetKinds.swapRouter02, address: addresses.swapRouter02, selector: '0x00000000' },
            { kind: targetKinds.vault, address: addresses.usdcVault, selector: '0x00000000' },
          ],
          payees: [accounts.payee],
        },
        ...terms,
      }
      const { cageEnforcer: enforcer } = full.version === 1 ? deployment.earlier : deployment.contracts
      return { enforcer, terms: cage.encode(full, full.version), args }
    },

    /** A MetaMask caveat by its enforcer's name. */
    metamask(name: string, terms: Hex): Caveat {
      return { enforcer: deployment.framework.caveatEnforcers[name] ?? zeroAddress, terms, args: '0x' }
    },

    pay: (amount: bigint, payee: Address = accounts.payee) =>
      encodeExecution([
        {
          to: addresses.usdc,
          data: encodeFunctionData({ abi: erc20Abi, functionName: 'transfer', args: [payee, amount] }),
        },
      ]),

    /** Approves and swaps USDC into WETH. */
    swap: (amountIn: bigint, amountOutMinimum = 0n) =>
      encodeExecution([
        {
          to: addresses.usdc,
          data: encodeFunctionData({
            abi: erc20Abi,
            functionName: 'approve',
            args: [addresses.swapRouter02, amountIn],
          }),
        },
        {
          to: addresses.swapRouter02,
          data: encodeFunctionData({
            abi: swapRouter02Abi,
            functionName: 'exactInputSingle',
            args: [
              {
                tokenIn: addresses.usdc,
                tokenOut: addresses.weth,
                fee: 500,
                recipient: account.address,
                amountIn,
                amountOutMinimum,
                sqrtPriceLimitX96: 0n,
              },
            ],
          }),
        },
      ]),

    redeem: (contexts: readonly RedeemedContext[], role: Role = 'golem') =>
      send(role, manager, encodeRedeemCall(contexts)),

    names: namesOf(world, account.address),
  }
}

export type DelegationBench = Awaited<ReturnType<typeof openDelegationBench>>

function namesOf({ addresses, accounts }: Devnet, account: Address): Names {
  const labels = new Map<string, string>(
    [
      [account, 'the owner’s account'],
      [accounts.golem, 'the Golem'],
      [accounts.payee, 'the payee'],
      [accounts.operator, 'the operator'],
      [addresses.swapRouter02, 'SwapRouter02'],
      [addresses.usdcVault, 'the USDC vault'],
    ].map(([address = '', label = '']) => [address.toLowerCase(), label]),
  )
  const tokens = new Map([
    [addresses.usdc.toLowerCase(), { symbol: 'USDC', decimals: 6 }],
    [addresses.weth.toLowerCase(), { symbol: 'WETH', decimals: 18 }],
  ])
  return {
    token: (address) => tokens.get(address.toLowerCase()),
    label: (address) => labels.get(address.toLowerCase()),
  }
}

async function registerGolem(
  { client, addresses, accounts, chainId }: Devnet,
  send: (role: Role, to: Address, data: Hex) => Promise<unknown>,
): Promise<Hex> {
  const key = devnetAccount('golem')
  const identity = [accounts.owner, key.address, zeroHash] as const
  const [owner, , salt] = identity
  const signature = await key.signTypedData(
    golemRegistrationTypedData(chainId, addresses.golemVitals, { owner, key: key.address, salt }),
  )
  const { abi } = golemVitals
  await send(
    'operator',
    addresses.golemVitals,
    encodeFunctionData({ abi, functionName: 'register', args: [...identity, signature] }),
  )
  return client.readContract({ address: addresses.golemVitals, abi, functionName: 'golemId', args: identity })
}
