import { BardoError } from '@bardo/core'
import { createPublicClient, http, type PublicClient } from 'viem'
import { create2Factory } from './create2Factory.ts'
import { type TargetName, targets } from './targets.ts'

/** A client of a node that is known to be of the chain that was meant, and to have the factory. */
export async function openChain(rpcUrl: string, name: TargetName): Promise<PublicClient> {
  const client = createPublicClient({ transport: http(rpcUrl), pollingInterval: 1_000, cacheTime: 0 })
  const id = await client.getChainId().catch((cause) => {
    // The address often has a key in it: the host is all that is repeated, and the cause stays out of the message.
    throw new BardoError('The node does not answer.', {
      code: 'RPC_UNAVAILABLE',
      details: [hostOf(rpcUrl)],
      remedy: 'Check --rpc-url. Nothing was sent.',
      cause,
    })
  })
  if (id !== targets[name].id)
    throw new BardoError('The node is of another chain.', {
      code: 'CHAIN_MISMATCH',
      details: [`${name} is chain ${targets[name].id}`, `${hostOf(rpcUrl)} answers for chain ${id}`],
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
      `${create2Factory.address} has ${code ? 'another code' : 'no code'}`,
      'without it no contract gets the address it has elsewhere',
    ],
    remedy:
      'Deploy it first by its pre-signed transaction: github.com/Arachnid/deterministic-deployment-proxy.',
    docsPath: 'deployment.md#when-it-refuses',
  })
}

function hostOf(rpcUrl: string): string {
  return URL.canParse(rpcUrl) ? new URL(rpcUrl).host : 'the address is not a URL'
}
