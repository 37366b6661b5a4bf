import { type Chain, type Client, createClient, defineChain, http, type Transport } from 'viem'
import { getChainId } from 'viem/actions'

/** A chain the wallet knows, with the way to reach it. */
export type Network = {
  readonly chainId: number
  readonly client: Client<Transport, Chain>
}

/** Asks the node which chain it is on: what a page claims about a node is not evidence. */
export async function openNetwork(url: string, onAnswer: () => void): Promise<Network> {
  // A wallet never retries by itself: sending twice is the owner's choice.
  const transport = http(url, { retryCount: 0, onFetchResponse: onAnswer })
  const chainId = await getChainId(createClient({ transport }))
  const chain = defineChain({
    id: chainId,
    name: `Chain ${chainId}`,
    nativeCurrency: { name: 'Ether', symbol: 'ETH', decimals: 18 },
    rpcUrls: { default: { http: [url] } },
  })
  // Blocks come at once on a local chain; the usual four seconds between two looks would be spent waiting for nothing.
  return { chainId, client: createClient({ chain, transport, pollingInterval: 20, cacheTime: 0 }) }
}
