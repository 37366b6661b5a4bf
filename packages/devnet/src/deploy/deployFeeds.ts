import { aggregator, aggregatorProxy } from '@bardo/contracts'
import { type Address, encodeAbiParameters, parseAbiParameters } from 'viem'
import type { Builder } from '../world/builder.ts'

/** Price feeds in dollars. */
export async function deployFeeds(builder: Builder) {
  return {
    usdcFeed: await deployFeed(builder, 1_00000000n),
    wethFeed: await deployFeed(builder, 3_000_00000000n),
    wbtcFeed: await deployFeed(builder, 90_000_00000000n),
  }
}

/** A price feed like Chainlink's: an aggregator behind a proxy, in dollars with eight decimals. */
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
