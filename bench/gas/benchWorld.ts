import { golemVitals } from '@bardo/contracts'
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

export type Call = { readonly target: Address; readonly callData: Hex }
export type Caveat = { readonly enforcer: Address; readonly terms: Hex }

/** One context of a redemption: a delegation, and what is done with it. */
export type Context = { readonly caveats: readonly Caveat[]; readonly calls: readonly Call[] }

/** An owner's funded Hybrid account, a registered Golem, and the means to redeem and count. */
export async function openBenchWorld(world: Devnet) {
  const owner = devnetAccount('owner')
  const golemKey = devnetAccount('golem')
  const account = await toMetaMaskSmartAccount({
    client: world.client,
    environment: world.framework,
    implementation: Implementation.Hybrid,
    deployParams: [owner.address, [], [], []],
    deploySalt: '0x',
    signer: { account: owner },
  })

  async function send(role: Role, to: Address, data: Hex): Promise<bigint> {
    const wallet = createWalletClient({
      account: devnetAccount(role),
      chain: world.chain,
      transport: http(world.url),
    })
    const hash = await wallet.sendTransaction({ to, data })
    return (await world.client.waitForTransactionReceipt({ hash })).gasUsed
  }

  const { factory, factoryData } = await account.getFactoryArgs()
  if (factory && factoryData) await send('operator', factory, factoryData)
  await world.fund(account.address, { USDC: parseUnits('1000000', 6), WETH: parseEther('1') })

  const signature = await golemKey.signTypedData({
    domain: {
      name: 'GolemVitals',
      version: '1',
      chainId: world.chainId,
      verifyingContract: world.addresses.golemVitals,
    },
    types: {
      RegisterGolem: [
        { name: 'owner', type: 'address' },
        { name: 'key', type: 'address' },
        { name: 'salt', type: 'bytes32' },
      ],
    },
    primaryType: 'RegisterGolem',
    message: { owner: owner.address, key: golemKey.address, salt: zeroHash },
  })
  const vitals = { address: world.addresses.golemVitals, abi: golemVitals.abi } as const
  const identity = [owner.address, golemKey.address, zeroHash] as const
  await send(
    'operator',
    vitals.address,
    encodeFunctionData({ abi: vitals.abi, functionName: 'register', args: [...identity, signature] }),
  )
  const golem = await world.client.readContract({ ...vitals, functionName: 'golemId', args: identity })

  let salt = 0n
  async function sign(caveats: readonly Caveat[]): Promise<Delegation> {
    salt += 1n
    const delegation = {
      delegate: golemKey.address,
      delegator: account.address,
      authority: ROOT_AUTHORITY,
      caveats: caveats.map((caveat) => ({ ...caveat, args: '0x' as const })),
      salt: numberToHex(salt, { size: 32 }),
      signature: '0x' as const,
    }
    return { ...delegation, signature: await account.signDelegation({ delegation }) }
  }

  /** The gas of a redemption that was made twice: the second time storage is warm, as it is for a living Golem. */
  async function warmGas(contexts: readonly Context[]): Promise<bigint> {
    const delegations = await Promise.all(contexts.map(async ({ caveats }) => [await sign(caveats)]))
    const data = contracts.DelegationManager.encode.redeemDelegations({
      delegations,
      modes: contexts.map(({ calls }) =>
        calls.length === 1 ? ExecutionMode.SingleDefault : ExecutionMode.BatchDefault,
      ),
      executions: contexts.map(({ calls }) => calls.map((call) => createExecution(call))),
    })
    // A cadence is among the bounds: each redemption waits for its turn.
    await world.warp(60)
    await send('golem', world.addresses.delegationManager, data)
    await world.warp(60)
    return send('golem', world.addresses.delegationManager, data)
  }

  return { account: account.address, golem, warmGas }
}

export type BenchWorld = Awaited<ReturnType<typeof openBenchWorld>>
