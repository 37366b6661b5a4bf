import { BardoError, type ChainName, supportedChains } from '@bardo/core'
import { createPublicClient, http, type PublicClient } from 'viem'
import { create2Factory } from './create2Factory.ts'

/** A client of a node that is on the expected chain and has the CREATE2 factory. */
export async function openChain(rpcUrl: string, name: ChainName): Promise<PublicClient> {
  const client = createPublicClient({ transport: http(rpcUrl), pollingInterval: 1_000, cacheTime: 0 })
  const id = await client.getChainId().catch((cause) => {
    // The URL often contains an API key: only the host is shown, and the cause stays out of the message.
    throw new BardoError('The RPC node does not answer.', {
      code: 'RPC_UNAVAILABLE',
      details: [hostOf(rpcUrl)],
      remedy: 'Check --rpc-url. Nothing was sent.',
      cause,
    })
  })
  if (id !== supportedChains[name].id)
    throw new BardoError('The RPC node is on a different chain.', {
      code: 'CHAIN_MISMATCH',
      details: [`${name} is chain ${supportedChains[name].id}`, `${hostOf(rpcUrl)} is on chain ${id}`],
      remedy: 'Correct --chain or --rpc-url. Nothing was sent.',
      docsPath: 'deployment.md',
    })
  await requireFactory(client)
  return client
}

async function requireFactory(client: PublicClient) {
  const code = await client.getCode({ address: create2Factory.address })
  if (code?.toLowerCase() === create2Factory.code) return
  throw new BardoError('The chain does not have the CREATE2 factory.', {
    code: 'FACTORY_MISSING',
    details: [
      `${create2Factory.address} has ${code ? 'other code' : 'no code'}`,
      'without it, contracts cannot get the same addresses as on other chains',
    ],
    remedy:
      'Deploy it first with its pre-signed transaction: github.com/Arachnid/deterministic-deployment-proxy.',
    docsPath: 'deployment.md#when-it-refuses',
  })
}

function hostOf(rpcUrl: string): string {
  return URL.canParse(rpcUrl) ? new URL(rpcUrl).host : 'the RPC URL is not a valid URL'
}
