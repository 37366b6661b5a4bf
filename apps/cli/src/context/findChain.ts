import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { devnetDeployment, type SubmitterSettings, verifyDeployment } from '@bardo/chain'
import { type AddressBook, BardoError, type Deployment, deploymentOn } from '@bardo/core'
import {
  connectDevnet,
  type DevnetConnection,
  devnetBook,
  freshTransport,
  type WorldDescription,
} from '@bardo/devnet'
import {
  type Chain,
  createPublicClient,
  defineChain,
  http,
  type PublicClient,
  parseGwei,
  type Transport,
} from 'viem'
import { z } from 'zod'
import { bookOn } from './readBook.ts'
import type { Settings } from './settings.ts'

/** The connected chain. */
export type ChainConnection = {
  readonly client: PublicClient
  readonly deployment: Deployment
  readonly book: AddressBook
  readonly submitter: Partial<SubmitterSettings>
  /** The local chain's own functions; undefined on a real network. */
  readonly world: DevnetConnection | undefined
}

/** A node that does not answer within this time counts as unavailable. */
const patienceMs = 10_000
const devnetChainId = 31_337

/** The local chain mines at once, so one confirmation and fast polling are enough. */
const localSubmitter = { finality: 1, pollMs: 50 } as const

/**
 * The tip on the local chain, as on a quiet layer 2. Anvil suggests 1 gwei: a Golem that trades every minute would use up a
 * day of gas in two hours.
 */
const localTip = parseGwei('0.001')

const descriptionSchema = z.looseObject({
  url: z.string(),
  chainId: z.number(),
  mnemonic: z.string(),
  accounts: z.record(z.string(), z.string()),
  addresses: z.record(z.string(), z.string()),
  framework: z.looseObject({ DelegationManager: z.string() }),
})

/**
 * Connects to the chain: the configured node, or else the local chain of this data folder. Checks the chain id and that
 * Bardo's contracts are deployed.
 */
export async function findChain({ home, rpcUrl }: Settings): Promise<ChainConnection> {
  const file = join(home, 'devnet.json')
  const description = readDescription(file)
  if (rpcUrl === undefined || rpcUrl === description?.url) {
    if (!description) throw noChain(home)
    await requireChain(description.url, devnetChainId)
    return localChain(description)
  }
  const chainId = await askChain(rpcUrl)
  if (chainId === devnetChainId) {
    // Another URL of the local chain. Its contract addresses are only in the file.
    if (!description) throw noChain(home)
    return localChain({ ...description, url: rpcUrl })
  }
  const deployment = deploymentOn(chainId)
  const client = clientAt(transportTo(rpcUrl), chainOf(chainId, rpcUrl), 1_000)
  await verifyDeployment(client, deployment)
  const book = bookOn(chainId, join(home, `book-${chainId}.json`))
  return { client, deployment, book, submitter: {}, world: undefined }
}

/**
 * The connection to a running local chain. Requests advance its clock to the current time.
 *
 * @param now - milliseconds since 1970
 */
export function localChain(description: WorldDescription, now?: () => number): ChainConnection {
  const world = connectDevnet(description)
  const chain = { ...world.chain, fees: { maxPriorityFeePerGas: localTip } }
  return {
    client: clientAt(freshTransport(transportTo(world.url), now), chain, 50),
    deployment: devnetDeployment(world.framework),
    book: devnetBook(world),
    submitter: localSubmitter,
    world,
  }
}

function transportTo(url: string): Transport {
  return http(url, { timeout: patienceMs })
}

function clientAt(transport: Transport, chain: Chain, pollingInterval: number): PublicClient {
  return createPublicClient({ chain, transport, cacheTime: 0, pollingInterval })
}

function chainOf(id: number, url: string): Chain {
  return defineChain({
    id,
    name: `chain ${id}`,
    nativeCurrency: { name: 'Ether', symbol: 'ETH', decimals: 18 },
    rpcUrls: { default: { http: [url] } },
    contracts: { multicall3: { address: '0xcA11bde05977b3631167028862bE2a173976CA11' } },
  })
}

async function askChain(url: string): Promise<number> {
  try {
    return await createPublicClient({
      transport: http(url, { timeout: patienceMs, retryCount: 1 }),
    }).getChainId()
  } catch {
    // Do not show the original error: it contains the URL, which may hold an API key.
    throw new BardoError('The RPC node does not answer.', {
      code: 'RPC_UNAVAILABLE',
      details: [new URL(url).host],
      remedy: 'Check its URL (--rpc, BARDO_RPC_URL), or start the local chain with bardo up.',
      docsPath: 'cli.md#which-chain',
    })
  }
}

async function requireChain(url: string, expected: number): Promise<void> {
  const chainId = await askChain(url)
  if (chainId === expected) return
  throw new BardoError(`The RPC node is on chain ${chainId}; expected ${expected}.`, {
    code: 'CHAIN_MISMATCH',
    details: [new URL(url).host],
    remedy: 'Stop the process that listens there, or choose another data folder with --home.',
    docsPath: 'cli.md#which-chain',
  })
}

function readDescription(file: string): WorldDescription | undefined {
  let text: string
  try {
    text = readFileSync(file, 'utf8')
  } catch {
    return undefined
  }
  try {
    const value: unknown = JSON.parse(text)
    descriptionSchema.parse(value)
    return value as WorldDescription
  } catch {
    throw new BardoError('The file of the local chain is damaged.', {
      code: 'CONFIG_INVALID',
      details: [file],
      remedy: 'Remove it, then start the local chain again: bardo up.',
      docsPath: 'cli.md#which-chain',
    })
  }
}

function noChain(home: string): BardoError {
  return new BardoError('No chain to connect to.', {
    code: 'RPC_UNAVAILABLE',
    details: [`no local chain is running for ${home}`],
    remedy: 'Start one with bardo up, or give an RPC node with --rpc.',
    docsPath: 'cli.md#which-chain',
  })
}
