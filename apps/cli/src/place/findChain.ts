import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { type Deployment, deploymentOn, type SubmitterSettings, verifyDeployment } from '@bardo/chain'
import { type AddressBook, BardoError } from '@bardo/core'
import { connectDevnet, type DevnetConnection, devnetBook, type WorldDescription } from '@bardo/devnet'
import { type Chain, createPublicClient, defineChain, http, type PublicClient } from 'viem'
import { z } from 'zod'
import { readBook } from './readBook.ts'
import type { Settings } from './settings.ts'

/** The chain that is worked on. */
export type ChainPlace = {
  readonly client: PublicClient
  readonly deployment: Deployment
  readonly book: AddressBook
  readonly submitter: Partial<SubmitterSettings>
  /** The local world, with what only it has; undefined on a real chain. */
  readonly world: DevnetConnection | undefined
}

/** A node that says nothing for so long is not there. */
const patienceMs = 10_000
const devnetChainId = 31_337

/** A chain that mines at once needs no patience. */
const localSubmitter = { finality: 1, pollMs: 50 } as const

const descriptionSchema = z.looseObject({
  url: z.string(),
  chainId: z.number(),
  mnemonic: z.string(),
  accounts: z.record(z.string(), z.string()),
  addresses: z.record(z.string(), z.string()),
  framework: z.looseObject({ DelegationManager: z.string() }),
})

/**
 * Finds the chain: the node that is named, or else the local world that runs with this data folder. It is asked who it is,
 * and has to have what Bardo needs.
 */
export async function findChain({ home, rpcUrl }: Settings): Promise<ChainPlace> {
  const file = join(home, 'devnet.json')
  const description = readDescription(file)
  if (rpcUrl === undefined || rpcUrl === description?.url) {
    if (!description) throw noChain(home)
    await requireChain(description.url, devnetChainId)
    return localChain(description)
  }
  const chainId = await askChain(rpcUrl)
  if (chainId === devnetChainId) {
    // Another name for the same machine: what it is made of stands in the file alone.
    if (!description) throw noChain(home)
    return localChain({ ...description, url: rpcUrl })
  }
  const deployment = deploymentOn(chainId)
  const client = clientAt(rpcUrl, chainOf(chainId, rpcUrl), 1_000)
  await verifyDeployment(client, deployment)
  const book = readBook(join(home, `book-${chainId}.json`))
  return { client, deployment, book, submitter: {}, world: undefined }
}

/** The place that a running local world is. */
export function localChain(description: WorldDescription): ChainPlace {
  const world = connectDevnet(description)
  return {
    client: clientAt(world.url, world.chain, 50),
    deployment: deploymentOn(world.chainId, world.framework),
    book: devnetBook(world),
    submitter: localSubmitter,
    world,
  }
}

function clientAt(url: string, chain: Chain, pollingInterval: number): PublicClient {
  return createPublicClient({
    chain,
    transport: http(url, { timeout: patienceMs }),
    cacheTime: 0,
    pollingInterval,
  })
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
    // The error would repeat the address, which may hold a key.
    throw new BardoError('The node does not answer.', {
      code: 'RPC_UNAVAILABLE',
      details: [new URL(url).host],
      remedy: 'Check its address (--rpc, BARDO_RPC_URL), or start the local world with bardo up.',
      docsPath: 'cli.md#which-chain',
    })
  }
}

async function requireChain(url: string, wanted: number): Promise<void> {
  const chainId = await askChain(url)
  if (chainId === wanted) return
  throw new BardoError('The node is of another chain.', {
    code: 'CHAIN_MISMATCH',
    details: [`${wanted} was meant`, `${new URL(url).host} answers for ${chainId}`],
    remedy: 'Stop what answers there, or name another data folder with --home.',
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
    throw new BardoError('The file of the local world cannot be read.', {
      code: 'CONFIG_INVALID',
      details: [file],
      remedy: 'Remove it and start the world again: bardo up.',
      docsPath: 'cli.md#which-chain',
    })
  }
}

function noChain(home: string): BardoError {
  return new BardoError('No chain is running here.', {
    code: 'RPC_UNAVAILABLE',
    details: [`no world runs with ${home}`],
    remedy: 'Start one with bardo up, or name a node with --rpc.',
    docsPath: 'cli.md#which-chain',
  })
}
