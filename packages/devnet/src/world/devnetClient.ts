import {
  type Client,
  createTestClient,
  defineChain,
  type HttpTransport,
  http,
  type PublicActions,
  publicActions,
  type TestActions,
  type TestRpcSchema,
  type WalletActions,
  walletActions,
} from 'viem'
import { foundry } from 'viem/chains'

/** The devnet's chain, for viem. */
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

/**
 * For dumping and loading a large devnet on a busy machine. Other requests time out sooner and are repeated.
 */
export const dumpTimeoutMs = 60_000

type DevnetChain = ReturnType<typeof devnetChain>

/** A viem client that can read, write, and control time, balances and code. */
export type DevnetClient = Client<
  HttpTransport,
  DevnetChain,
  undefined,
  TestRpcSchema<'anvil'>,
  { mode: 'anvil' } & TestActions &
    PublicActions<HttpTransport, DevnetChain, undefined> &
    WalletActions<DevnetChain, undefined>
>

/** The client of the devnet at a URL. */
export function createDevnetClient(url: string, timeoutMs = 10_000): DevnetClient {
  return createTestClient({
    mode: 'anvil',
    chain: devnetChain(url),
    // The dump of a devnet after a day of trading exceeds viem's default limit of ten megabytes.
    transport: http(url, { maxResponseBodySize: false, timeout: timeoutMs }),
    // anvil mines at once; the usual polling interval of four seconds would only cause delays.
    pollingInterval: 20,
    cacheTime: 0,
  })
    .extend(publicActions)
    .extend(walletActions)
}
