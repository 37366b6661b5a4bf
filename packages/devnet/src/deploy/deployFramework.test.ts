import { canonicalFramework } from '@bardo/core'
import { getSmartAccountsEnvironment } from '@metamask/smart-accounts-kit'
import { type Address, domainSeparator, parseAbi } from 'viem'
import { base } from 'viem/chains'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { type Devnet, startDevnet } from '../startDevnet.ts'

const abi = parseAbi([
  'function owner() view returns (address)',
  'function getDomainHash() view returns (bytes32)',
  'function delegationManager() view returns (address)',
  'function argsEqualityCheckEnforcer() view returns (address)',
  'function entryPoint() view returns (address)',
  'function initialize(address owner, string[] keyIds, uint256[] x, uint256[] y)',
])
const { DelegationManager, EntryPoint, implementations, caveatEnforcers } = canonicalFramework

let world: Devnet
beforeAll(async () => {
  world = await startDevnet({ port: 0 })
})
afterAll(() => world.stop())

function at(address: Address | undefined): { address: Address; abi: typeof abi } {
  if (!address) throw new Error('no such contract')
  return { address, abi }
}

it('has MetaMask’s addresses of every chain', () => {
  expect(world.framework).toEqual(canonicalFramework)
  expect(world.framework).toMatchObject(getSmartAccountsEnvironment(base.id))
  expect(world.addresses.delegationManager).toBe(DelegationManager)
})

it('has the domain of its own address and chain', async () => {
  const domain = {
    name: 'DelegationManager',
    version: '1',
    chainId: world.chainId,
    verifyingContract: DelegationManager,
  }
  expect(await world.client.readContract({ ...at(DelegationManager), functionName: 'getDomainHash' })).toBe(
    domainSeparator({ domain }),
  )
})

it('has the values that its constructors stored', async () => {
  expect(await world.client.readContract({ ...at(DelegationManager), functionName: 'owner' })).toBe(
    world.accounts.faucet,
  )
  // The implementation itself can never get an owner.
  const initialize = { functionName: 'initialize', args: [world.accounts.stranger, [], [], []] } as const
  await expect(
    world.client.simulateContract({ ...at(implementations['HybridDeleGatorImpl']), ...initialize }),
  ).rejects.toThrow(/revert/)
})

it.each(Object.entries(implementations))('%s names the manager and the EntryPoint', async (_, address) => {
  const { client } = world
  expect(await client.readContract({ ...at(address), functionName: 'delegationManager' })).toBe(
    DelegationManager,
  )
  expect(await client.readContract({ ...at(address), functionName: 'entryPoint' })).toBe(EntryPoint)
})

it.each(['NativeTokenPaymentEnforcer', 'LogicalOrWrapperEnforcer'])('%s names the manager', async (name) => {
  const enforcer = at(caveatEnforcers[name])
  expect(await world.client.readContract({ ...enforcer, functionName: 'delegationManager' })).toBe(
    DelegationManager,
  )
})

it('NativeTokenPaymentEnforcer names the enforcer of its arguments', async () => {
  const enforcer = at(caveatEnforcers['NativeTokenPaymentEnforcer'])
  expect(await world.client.readContract({ ...enforcer, functionName: 'argsEqualityCheckEnforcer' })).toBe(
    caveatEnforcers['ArgsEqualityCheckEnforcer'],
  )
})
