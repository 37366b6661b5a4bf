import { aggregator, aggregatorProxy } from '@bardo/contracts'
import { BardoError } from '@bardo/core'
import { encodeFunctionData } from 'viem'
import { devnetAccount } from './world/accounts.ts'
import { createBuilder } from './world/builder.ts'
import type { DevnetClient } from './world/devnetClient.ts'
import { type TokenSymbol, tokens } from './world/tokens.ts'
import type { WorldAddresses } from './world/worldDescription.ts'

/**
 * Posts a new round to a token's price feed.
 *
 * @param answer - dollars for one whole token, with eight decimals
 */
export async function postPrice(
  client: DevnetClient,
  addresses: WorldAddresses,
  token: TokenSymbol,
  answer: bigint,
): Promise<void> {
  if (answer <= 0n)
    throw new BardoError('A price must be above zero.', {
      code: 'INVALID_INPUT',
      details: [`${token} ${answer}`],
    })
  const source = await client.readContract({
    address: addresses[tokens[token].feed],
    abi: aggregatorProxy.abi,
    functionName: 'aggregator',
  })
  const faucet = createBuilder(client, devnetAccount('faucet').address)
  await faucet.send({
    to: source,
    data: encodeFunctionData({ abi: aggregator.abi, functionName: 'post', args: [answer] }),
  })
}

/** Posts every feed's price again, as of now: the prices of a saved devnet would be stale. */
export async function refreshFeeds(client: DevnetClient, addresses: WorldAddresses): Promise<void> {
  for (const token of Object.keys(tokens) as TokenSymbol[]) {
    const [, answer] = await client.readContract({
      address: addresses[tokens[token].feed],
      abi: aggregatorProxy.abi,
      functionName: 'latestRoundData',
    })
    await postPrice(client, addresses, token, answer)
  }
}
