import { type Devnet, devnetAccount } from '@bardo/devnet'
import { Implementation, toMetaMaskSmartAccount } from '@metamask/smart-accounts-kit'
import {
  type Address,
  encodeAbiParameters,
  encodeFunctionData,
  type Hex,
  numberToHex,
  parseAbi,
  zeroHash,
} from 'viem'
import { bardoRegistry } from '../../caveats/bardoRegistry.ts'
import type { Registry } from '../../caveats/boundKind.ts'
import type { Answer, Read } from '../../caveats/caveatKind.ts'
import { digitsOf } from '../../caveats/execution/digits.ts'
import { metamaskRegistry } from '../../caveats/metamask/metamaskKinds.ts'
import { deployEnforcers, earlierKinds } from '../../caveats/testing/deployEnforcers.ts'
import { enactConstitution } from '../../caveats/testing/enactConstitution.ts'
import { mappingSlot, setStage } from '../../caveats/testing/harness.ts'
import { questions } from '../../caveats/verdict/questions.ts'
import { allEnforcers, type RedemptionHarness } from './drawRedemption.ts'

const manager = parseAbi([
  'function paused() view returns (bool)',
  'function disabledDelegations(bytes32) view returns (bool)',
])

/**
 * Every kind, MetaMask's and Bardo's, at the addresses of a world.
 *
 * @param earlier - the addresses of the version 1 enforcers
 */
function registryOfWorld(world: Devnet, earlier: Readonly<Record<string, Address>> = {}): Registry {
  const version1 = Object.fromEntries(
    earlierKinds.flatMap((key) => (earlier[key] ? [[`${key}Enforcer`, earlier[key]]] : [])),
  )
  return metamaskRegistry(metamaskAddresses(world), bardoRegistry(world.addresses, version1))
}

function metamaskAddresses({ framework }: Devnet): Readonly<Record<string, Address>> {
  return framework.caveatEnforcers as Readonly<Record<string, Address>>
}

/** Prepares a world for redemptions: stubs, a constitution, a real account with money. */
export async function openRedemptionHarness(world: Devnet): Promise<RedemptionHarness> {
  await setStage(world)
  const constitution = await enactConstitution(world)
  const delegationManager = world.addresses.delegationManager
  const earlier = await deployEnforcers(world, 1, delegationManager)
  const registry = registryOfWorld(world, earlier)
  const enforcers = allEnforcers(world, metamaskAddresses(world), registry, earlier)
  const owner = devnetAccount('owner')
  const hybrid = await deployHybrid(world)
  await world.fund(hybrid, { USDC: 200_000_000n, ETH: 10_000n })
  return {
    world,
    manager: delegationManager,
    enforcers,
    registry,
    constitution,
    constants: await constantsOf(
      world,
      constitution,
      enforcers.map(({ address }) => address),
    ),
    hybrid,
    owner,
    pauseSlot: await findPause(world),
    disabledSlot: await findDisabled(world),
  }
}

async function deployHybrid(world: Devnet): Promise<Address> {
  const owner = devnetAccount('owner')
  const account = await toMetaMaskSmartAccount({
    client: world.client,
    environment: world.framework,
    implementation: Implementation.Hybrid,
    deployParams: [owner.address, [], [], []],
    deploySalt: zeroHash,
    signer: { account: owner },
  })
  const { factory, factoryData } = await account.getFactoryArgs()
  const from = devnetAccount('operator').address
  await world.client.impersonateAccount({ address: from })
  if (factory && factoryData) {
    const hash = await world.client.sendTransaction({ account: from, to: factory, data: factoryData })
    await world.client.waitForTransactionReceipt({ hash })
  }
  return account.address
}

/** What is the same in every case: the enforcers' contracts and the constitution. */
async function constantsOf(
  world: Devnet,
  constitution: Hex,
  enforcers: readonly Address[],
): Promise<readonly (readonly [Read, Answer])[]> {
  const { policyCage } = world.addresses
  const selectors: readonly Hex[] = ['0xea4d3c9b', '0xa42ff931']
  const reads: Read[] = [
    ...enforcers.flatMap((enforcer) => [
      questions.dependencies(enforcer),
      questions.vitals(enforcer),
      questions.policyCage(enforcer),
    ]),
    ...enforcers.flatMap((to) => selectors.map((data) => ({ to, data }))),
    questions.constitutionOf(policyCage, digitsOf(constitution)),
    questions.constitutionOf(policyCage, digitsOf(zeroHash)),
  ]
  return Promise.all(
    reads.map(async (read): Promise<[Read, Answer]> => {
      const { data } = await world.client.call(read).catch(() => ({ data: undefined }))
      return [read, data ? { ok: true, data } : { ok: false, data: '0x12345678' }]
    }),
  )
}

/** The slot and the word that pause the manager, found by trial. */
async function findPause(world: Devnet): Promise<readonly [Hex, Hex]> {
  const data = encodeFunctionData({ abi: manager, functionName: 'paused' })
  for (let slot = 0; slot < 20; slot++) {
    for (const bit of [0n, 160n]) {
      const found = [numberToHex(slot, { size: 32 }), numberToHex(1n << bit, { size: 32 })] as const
      if (await isSet(world, data, ...found)) return found
    }
  }
  throw new Error('No storage slot pauses the manager.')
}

async function findDisabled(world: Devnet): Promise<(hash: Hex) => Hex> {
  const data = encodeFunctionData({ abi: manager, functionName: 'disabledDelegations', args: [zeroHash] })
  for (let slot = 0n; slot < 20n; slot++) {
    if (await isSet(world, data, mappingSlot(zeroHash, slot), numberToHex(1, { size: 32 }))) {
      return (hash) => mappingSlot(hash, slot)
    }
  }
  throw new Error('No storage slot disables delegations.')
}

async function isSet(world: Devnet, data: Hex, slot: Hex, value: Hex): Promise<boolean> {
  const { delegationManager } = world.addresses
  const { data: answer } = await world.client.call({
    to: delegationManager,
    data,
    stateOverride: [{ address: delegationManager, stateDiff: [{ slot, value }] }],
  })
  return answer === encodeAbiParameters([{ type: 'bool' }], [true])
}
