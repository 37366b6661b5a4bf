import { publicOracle } from '@bardo/contracts'
import { getAddress, isAddress, parseEther, parseUnits } from 'viem'
import { devnetAccount } from '../world/accounts.ts'
import { createBuilder } from '../world/builder.ts'
import type { DevnetClient } from '../world/devnetClient.ts'
import { fund } from '../world/fund.ts'
import type { World } from '../world/worldDescription.ts'
import { deployCanonical } from './deployCanonical.ts'
import { deployFeeds } from './deployFeeds.ts'
import { deployFramework } from './deployFramework.ts'
import { deployOwn } from './deployOwn.ts'
import { deployTokens } from './deployTokens.ts'
import { deployUniswap } from './deployUniswap.ts'
import { seedPools } from './seedPools.ts'
import { seedVault } from './seedVault.ts'

/** Builds the whole devnet on an empty chain. */
export async function deployWorld(client: DevnetClient): Promise<World> {
  const builder = createBuilder(client, devnetAccount('faucet').address)
  const canonical = await deployCanonical(builder)
  const framework = await deployFramework(builder)
  const deployed = {
    delegationManager: framework.DelegationManager,
    ...canonical,
    ...(await deployTokens(builder)),
    ...(await deployUniswap(builder, canonical)),
    ...(await deployOwn(builder, framework.DelegationManager)),
    ...(await deployFeeds(builder)),
  }
  // Last, so that the addresses of the others stay.
  const pools = await seedPools(builder, deployed)
  const addresses = { ...deployed, ...pools, publicOracle: await builder.deploy(publicOracle.bytecode) }

  await seedVault(builder, addresses)
  for (const role of ['owner', 'secondOwner'] as const)
    await fund(client, addresses, devnetAccount(role).address, {
      USDC: parseUnits('100000', 6),
      WETH: parseEther('50'),
      WBTC: parseUnits('2', 8),
    })
  return checksummed({ addresses, framework })
}

/** Nodes answer in lower case; people compare checksummed addresses. */
function checksummed(world: World): World {
  return JSON.parse(JSON.stringify(world), (_, value) => (isAddress(value) ? getAddress(value) : value))
}
