import { createTestClient, defineChain, http, publicActions, walletActions } from 'viem'
import { foundry } from 'viem/chains'

/** The local chain, for viem. */
function devnetChain(url: string) {
  return defineChain({
    id: foundry.id,
    name: 'Bardo devnet',
    nativeCurrency: foundry.nativeCurrency,
    rpcUrls: { default: { http: [url] } },
    contracts: { multicall3: { address: '0xcA11bde05977b3631167028862bE2a173976CA11' } },
    testnet: true,
  })
}

/** A viem client that can read, write and play god (time, balances, code). */
export function createDevnetClient(url: string) {
  return createTestClient({
    mode: 'anvil',
    chain: devnetChain(url),
    transport: http(url),
    // anvil mines at once: the usual four seconds between two looks would be spent waiting for nothing.
    pollingInterval: 20,
    cacheTime: 0,
  })
    .extend(publicActions)
    .extend(walletActions)
}

export type DevnetClient = ReturnType<typeof createDevnetClient>
