import { golemVitals, policyCage } from '@bardo/contracts'
import { BardoError, type Call, golemRegistrationTypedData } from '@bardo/core'
import { type Devnet, devnetAccount, type Role } from '@bardo/devnet'
import {
  contracts,
  createExecution,
  type Delegation,
  ExecutionMode,
  Implementation,
  ROOT_AUTHORITY,
  toMetaMaskSmartAccount,
} from '@metamask/smart-accounts-kit'
import { encodeExecutionCalldatas, hashDelegation } from '@metamask/smart-accounts-kit/utils'
import {
  type Address,
  createWalletClient,
  encodeFunctionData,
  type Hex,
  http,
  numberToHex,
  parseEther,
  parseUnits,
  zeroHash,
} from 'viem'

export type Caveat = {
  readonly enforcer: Address
  readonly terms: Hex
  /** The `args` that the redeemer adds to one redemption. */
  readonly args?: (redemption: Redemption) => Promise<Hex>
}

/** A context of a redemption. */
export type Redemption = {
  readonly delegationHash: Hex
  readonly mode: Hex
  readonly execution: Hex
  /** 1 for the first redemption, 2 for the second. */
  readonly nonce: bigint
}

/** One context of a redemption: a delegation, and its calls. */
export type Context = { readonly caveats: readonly Caveat[]; readonly calls: readonly Call[] }

type SignedContext = Context & { readonly delegation: Delegation }

// Terms contain times, and zero bytes cost less gas than others. A fixed clock makes every run equal.
const openingTime = 2_000_000_000

/**
 * An owner's funded Hybrid account, a registered Golem, a constitution, and functions to redeem and measure.
 */
export async function openBenchWorld(world: Devnet) {
  const { client, addresses } = world
  const owner = devnetAccount('owner')
  const golemKey = devnetAccount('golem')

  async function send(role: Role, to: Address, data: Hex): Promise<bigint> {
    const wallet = createWalletClient({
      account: devnetAccount(role),
      chain: world.chain,
      transport: http(world.url),
    })
    const { status, gasUsed } = await wallet.sendTransactionSync({ to, data })
    if (status === 'success') return gasUsed
    throw new BardoError('A redemption reverted, so its gas is meaningless.', {
      code: 'TRANSACTION_REVERTED',
      outcome: 'landed',
    })
  }

  let now = openingTime
  async function setClock(time: number) {
    now = time
    await client.setNextBlockTimestamp({ timestamp: BigInt(time) })
    await client.mine({ blocks: 1 })
  }

  await client.setBlockTimestampInterval({ interval: 1 })
  await setClock(openingTime)
  await world.postPrice('USDC', 1_00000000n)
  await world.postPrice('WETH', 3_000_00000000n)

  const account = await toMetaMaskSmartAccount({
    client,
    environment: world.framework,
    implementation: Implementation.Hybrid,
    deployParams: [owner.address, [], [], []],
    deploySalt: '0x',
    signer: { account: owner },
  })
  const { factory, factoryData } = await account.getFactoryArgs()
  if (factory && factoryData) await send('operator', factory, factoryData)
  await world.fund(account.address, { USDC: parseUnits('1000000', 6), WETH: parseEther('1') })
  const golem = await registerGolem(world, send)
  const constitution = await enactConstitution(world, send)

  let salt = 0n
  async function sign({ caveats, calls }: Context): Promise<SignedContext> {
    salt += 1n
    const unsigned = {
      delegate: golemKey.address,
      delegator: account.address,
      authority: ROOT_AUTHORITY,
      caveats: caveats.map(({ enforcer, terms }) => ({ enforcer, terms, args: '0x' as const })),
      salt: numberToHex(salt, { size: 32 }),
      signature: '0x' as const,
    }
    const signature = await account.signDelegation({ delegation: unsigned })
    return { caveats, calls, delegation: { ...unsigned, signature } }
  }

  async function redeem(contexts: readonly SignedContext[], nonce: bigint): Promise<bigint> {
    const data = contracts.DelegationManager.encode.redeemDelegations({
      delegations: await Promise.all(contexts.map(async (context) => [await withArgs(context, nonce)])),
      modes: contexts.map(modeOf),
      executions: contexts.map(({ calls }) => calls.map(toKit)),
    })
    // The limits include a minimum interval: each redemption waits for it.
    await setClock(now + 60)
    return send('golem', addresses.delegationManager, data)
  }

  /** The gas of the second of two equal redemptions: storage is warm, as it is for a running Golem. */
  async function warmGas(contexts: readonly Context[]): Promise<number> {
    const signed: SignedContext[] = []
    for (const context of contexts) signed.push(await sign(context))
    await redeem(signed, 1n)
    return Number(await redeem(signed, 2n))
  }

  return { account: account.address, golem, constitution, openedAt: openingTime, warmGas }
}

export type BenchWorld = Awaited<ReturnType<typeof openBenchWorld>>

type Send = (role: Role, to: Address, data: Hex) => Promise<bigint>

/** A call in the format of MetaMask's kit. */
const toKit = ({ to, value = 0n, data = '0x' }: Call) =>
  createExecution({ target: to, value, callData: data })

const modeOf = ({ calls }: Context) =>
  calls.length === 1 ? ExecutionMode.SingleDefault : ExecutionMode.BatchDefault

async function withArgs(context: SignedContext, nonce: bigint): Promise<Delegation> {
  const { caveats, calls, delegation } = context
  const [execution = '0x'] = encodeExecutionCalldatas([calls.map(toKit)])
  const redemption = {
    delegationHash: hashDelegation(delegation),
    mode: modeOf(context),
    execution,
    nonce,
  }
  const args = await Promise.all(caveats.map((caveat) => caveat.args?.(redemption)))
  return {
    ...delegation,
    caveats: delegation.caveats.map((caveat, place) => ({ ...caveat, args: args[place] ?? '0x' })),
  }
}

/** A registered Golem of the owner. */
async function registerGolem({ client, addresses, chainId }: Devnet, send: Send): Promise<Hex> {
  const key = devnetAccount('golem')
  const identity = [devnetAccount('owner').address, key.address, zeroHash] as const
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

/** A constitution that allows only USDC and WETH, with limits of the same size as the other limits. */
async function enactConstitution({ client, addresses }: Devnet, send: Send): Promise<Hex> {
  const constitution = {
    assets: [addresses.usdc, addresses.weth]
      .sort((a, b) => (a.toLowerCase() < b.toLowerCase() ? -1 : 1))
      .map((asset) => ({ asset, maxShareBps: 10_000 })),
    limits: {
      perTxCents: 1_000_00n,
      perSessionCents: 100_000_00n,
      perDayCents: 100_000_00n,
      sessionSeconds: 86_400,
      maxDrawdownBps: 1_500,
    },
    document: zeroHash,
  }
  const enact = { abi: policyCage.abi, functionName: 'enact', args: [constitution] } as const
  const { result } = await client.simulateContract({ address: addresses.policyCage, ...enact })
  await send('operator', addresses.policyCage, encodeFunctionData(enact))
  return result
}
