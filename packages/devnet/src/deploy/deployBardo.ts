import { aggregator, aggregatorProxy } from '@bardo/contracts'
import { type ContractName, deploymentCall, planDeployment } from '@bardo/deploy'
import { type Address, encodeAbiParameters, parseAbiParameters } from 'viem'
import type { Builder } from './builder.ts'

/** Bardo's own contracts, at the addresses they have on every chain, and price feeds for them to read. */
export async function deployBardo(builder: Builder) {
  const plan = planDeployment()
  for (const contract of plan) await builder.send(deploymentCall(contract))
  const contracts = Object.fromEntries(plan.map(({ name, address }) => [name, address]))
  return {
    ...(contracts as Record<ContractName, Address>),
    usdcFeed: await deployFeed(builder, 1_00000000n),
    wethFeed: await deployFeed(builder, 3_000_00000000n),
    wbtcFeed: await deployFeed(builder, 90_000_00000000n),
  }
}

/** A feed as Chainlink has them: an aggregator behind a proxy, in dollars with eight decimals. */
async function deployFeed(builder: Builder, answer: bigint): Promise<Address> {
  const source = await builder.deploy(
    aggregator.bytecode,
    encodeAbiParameters(parseAbiParameters('address, int192'), [builder.from, answer]),
  )
  return builder.deploy(
    aggregatorProxy.bytecode,
    encodeAbiParameters(parseAbiParameters('address'), [source]),
  )
}
