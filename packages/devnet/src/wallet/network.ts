import { type Chain, type Client, createClient, defineChain, http, type Transport } from 'viem'
import { getChainId } from 'viem/actions'

/** A chain of the wallet, with its client. */
export type Network = {
  readonly chainId: number
  readonly client: Client<Transport, Chain>
}

/** Reads the chain id from the node: what a page claims about a node is not evidence. */
export async function openNetwork(url: string, onAnswer: () => void): Promise<Network> {
  // A wallet never retries on its own: sending twice is the owner's decision.
  const transport = http(url, { retryCount: 0, onFetchResponse: onAnswer })
  const chainId = await getChainId(createClient({ transport }))
  const chain = defineChain({
    id: chainId,
    name: `Chain ${chainId}`,
    nativeCurrency: { name: 'Ether', symbol: 'ETH', decimals: 18 },
    rpcUrls: { default: { http: [url] } },
  })
  // A local chain mines at once; the usual polling interval of four seconds would only cause delays.
  return { chainId, client: createClient({ chain, transport, pollingInterval: 20, cacheTime: 0 }) }
}
