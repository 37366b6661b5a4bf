import {
  type CageTerms,
  type Call,
  type Caveat,
  cage,
  createMemoryJournal,
  type Delegation,
  deploymentOn,
  generateSessionKey,
  hybridAccount,
  noSettlement,
  rootAuthority,
  type SessionKey,
  type SmartAccount,
  signDelegation,
  targetKinds,
  walletSigner,
} from '@bardo/core'
import { devnetAccount, type Role, startDevnet, swapRouter02Abi } from '@bardo/devnet'
import {
  type Address,
  createPublicClient,
  createWalletClient,
  encodeFunctionData,
  erc20Abi,
  type Hex,
  http,
  type LocalAccount,
  numberToHex,
  parseEther,
  parseUnits,
  zeroAddress,
} from 'viem'
import { entryPoint07Abi, toPackedUserOperation } from 'viem/account-abstraction'
import { generatePrivateKey, type PrivateKeyAccount, privateKeyToAccount } from 'viem/accounts'
import { sessionKeyAccount } from '../accounts/sessionKeyAccount.ts'
import { deployAccount } from '../ownerActions/deployAccount.ts'
import type { Redeemer } from '../redemption/redeem.ts'
import type { Bundler } from '../submission/bundler.ts'
import { createOperationSubmitter } from '../submission/createOperationSubmitter.ts'
import { createSubmitter } from '../submission/createSubmitter.ts'
import { registerGolem as register } from '../vitals/registerGolem.ts'
import { createTestClock } from './fault.ts'

const everyPair = 2n ** 64n - 1n

/** A devnet in which owners delegate and Golems trade, through the real contracts. */
export async function openRedemptionWorld() {
  const world = await startDevnet({ port: 0 })
  const { addresses, chainId } = world
  const client = createPublicClient({
    chain: world.chain,
    transport: http(world.url),
    cacheTime: 0,
    // anvil mines at once, but under load not before it answers.
    pollingInterval: 20,
  })
  const deployment = deploymentOn(chainId)
  const journal = createMemoryJournal()
  let made = 0n

  const salt = (): Hex => numberToHex(++made, { size: 32 })

  async function fundedOwner(): Promise<PrivateKeyAccount> {
    const owner = privateKeyToAccount(generatePrivateKey())
    await world.client.setBalance({ address: owner.address, value: parseEther('10') })
    return owner
  }

  /** A new session key with gas. */
  async function sessionKey(curve: SessionKey['curve'] = 'secp256k1'): Promise<SessionKey> {
    const key = generateSessionKey(curve, (length) => crypto.getRandomValues(new Uint8Array(length)))
    if (key.address) await world.client.setBalance({ address: key.address, value: parseEther('1') })
    return key
  }

  const submitterOf = (signer: LocalAccount) =>
    createSubmitter({
      client,
      chainId,
      journal,
      clock: createTestClock(),
      signer,
      settings: { finality: 1 },
    })

  /** Submits operations as a bundler does, in one transaction of the operator. */
  const operatorBundler: Bundler = {
    estimate: async ({ factory, verificationGasLimit }) => ({
      verificationGasLimit: verificationGasLimit + (factory ? 400_000n : 0n),
      preVerificationGas: 60_000n,
    }),
    fees: () => client.estimateFeesPerGas(),
    async send(operation) {
      const args = [[toPackedUserOperation(operation)], devnetAccount('operator').address] as const
      const data = encodeFunctionData({ abi: entryPoint07Abi, functionName: 'handleOps', args })
      await sendAs(devnetAccount('operator'), addresses.entryPoint, data)
    },
  }

  async function sendAs(account: LocalAccount, to: Address, data: Hex, value = 0n) {
    const wallet = createWalletClient({ account, chain: world.chain, transport: http(world.url) })
    const hash = await wallet.sendTransaction({ to, data, value })
    return client.waitForTransactionReceipt({ hash })
  }

  /** A deployed Hybrid account of an owner, with money in it. */
  async function hybridOwner(funds = { USDC: parseUnits('10000', 6) }) {
    const owner = await fundedOwner()
    const account = hybridAccount(deployment, {
      began: { owner: owner.address },
      signer: walletSigner(owner),
      salt: salt(),
    })
    await deployAccount({ client, submitter: submitterOf(devnetAccount('operator')) }, account)
    await world.fund(account.address, funds)
    return { owner, account }
  }

  /** Registers a Golem for an owner. Its key writes its vitals. */
  const registerGolem = (
    owner: Address,
    key: LocalAccount = privateKeyToAccount(generatePrivateKey()),
  ): Promise<Hex> =>
    register(
      { client, deployment, submitter: submitterOf(devnetAccount('operator')) },
      { owner, key, salt: salt() },
    )

  /** A Cage for an account: $1,000 a day, $500 per action, swaps of USDC and WETH through both routers. */
  async function cageCaveat(
    account: Address,
    golem: Hex,
    terms: Partial<CageTerms> = {},
    payees: readonly Address[] = [],
  ): Promise<Caveat> {
    const now = Number((await client.getBlock()).timestamp)
    const target = (kind: number, address: Address) => ({ kind, address, selector: '0x00000000' as const })
    const full: CageTerms = {
      version: 2,
      golem,
      start: now - 60,
      end: now + 30 * 86_400,
      classes: 0xfff,
      methods: 0x7ffff,
      pairs: everyPair,
      graceSeconds: 0,
      mood: { minPleasure: -100, maxArousal: 100, minDominance: -100 },
      restricted: 0,
      dayCents: 1_000_00n,
      slippageBps: 100,
      spreadBps: 100,
      cadenceSeconds: 0,
      calls: 0,
      dollarsByPhase: [500, 500, 500, 500, 500],
      settlement: noSettlement,
      mandate: {
        account,
        assets: [
          { token: addresses.usdc, feed: zeroAddress, maxAgeSeconds: 0, scale: 14 },
          { token: addresses.weth, feed: addresses.wethFeed, maxAgeSeconds: 86_400, scale: 26 },
        ],
        targets: [
          target(targetKinds.swapRouter02, addresses.swapRouter02),
          target(targetKinds.universalRouter, addresses.universalRouter),
          target(targetKinds.permit2, addresses.permit2),
        ],
        payees,
      },
      ...terms,
    }
    const { cageEnforcer: enforcer } = full.version === 1 ? deployment.earlier : deployment.contracts
    return { enforcer, terms: cage.encode(full, full.version), args: '0x' }
  }

  /** A root delegation of the owner's account. */
  const signRoot = (
    account: SmartAccount,
    delegate: Address,
    caveats: readonly Caveat[],
  ): Promise<Delegation> =>
    signDelegation(account, { delegate, authority: rootAuthority, caveats, salt: ++made })

  return {
    ...world,
    client,
    god: world.client,
    deployment,
    journal,
    salt,
    fundedOwner,
    sessionKey,
    submitterOf,
    operatorBundler,
    sendAs,
    sendAsRole: (role: Role, to: Address, data: Hex) => sendAs(devnetAccount(role), to, data),
    hybridOwner,
    registerGolem,
    cageCaveat,
    signRoot,

    /** A redeemer that sends transactions. */
    directRedeemer(key: SessionKey): Redeemer {
      const signer = sessionKeyAccount(key)
      return { client, deployment, address: signer.address, submitter: submitterOf(signer) }
    },

    /** An account that redeems with operations. */
    operationRedeemer(account: SmartAccount): Redeemer {
      const bundler = operatorBundler
      const submitter = createOperationSubmitter({
        client,
        account,
        bundler,
        journal,
        clock: createTestClock(),
        settings: { finality: 1, patienceMs: 40_000 },
      })
      return { client, deployment, address: account.address, submitter }
    },

    /** Approve and swap USDC for WETH, as one batch. */
    swapCalls(account: Address, amountIn: bigint, recipient = account): readonly Call[] {
      const { usdc, weth, swapRouter02 } = addresses
      const swap = {
        tokenIn: usdc,
        tokenOut: weth,
        fee: 500,
        recipient,
        amountIn,
        amountOutMinimum: 1n,
        sqrtPriceLimitX96: 0n,
      }
      return [
        {
          to: usdc,
          data: encodeFunctionData({
            abi: erc20Abi,
            functionName: 'approve',
            args: [swapRouter02, amountIn],
          }),
        },
        {
          to: swapRouter02,
          data: encodeFunctionData({ abi: swapRouter02Abi, functionName: 'exactInputSingle', args: [swap] }),
        },
      ]
    },

    transferCall: (token: Address, to: Address, amount: bigint): Call => ({
      to: token,
      data: encodeFunctionData({ abi: erc20Abi, functionName: 'transfer', args: [to, amount] }),
    }),

    balanceOf: (token: Address, account: Address) =>
      client.readContract({ address: token, abi: erc20Abi, functionName: 'balanceOf', args: [account] }),

    gasOf: async (hash: Hex) => (await client.getTransactionReceipt({ hash })).gasUsed,
  }
}

export type RedemptionWorld = Awaited<ReturnType<typeof openRedemptionWorld>>
