import { rmSync } from 'node:fs'
import { mkdtemp } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createSubmitter, type Submitter, systemClock } from '@bardo/chain'
import {
  type AddressBook,
  BardoError,
  type Clock,
  type Deployment,
  deploymentOn,
  type SealingSecret,
} from '@bardo/core'
import { type Devnet, devnetAccount, devnetBook, startDevnet } from '@bardo/devnet'
import { openStore, type Store } from '@bardo/store'
import { type Address, createPublicClient, erc20Abi, http, type LocalAccount, type PublicClient } from 'viem'
import { type Owner, openOwner } from './openOwner.ts'

/** The setting of the demo: a chain, a store, an owner and an operator. */
export type Stage = {
  readonly world: Devnet
  readonly store: Store
  readonly client: PublicClient
  readonly deployment: Deployment
  readonly book: AddressBook
  readonly clock: Clock
  /** The secret that encrypts session keys. */
  readonly secret: SealingSecret
  readonly owner: Owner
  /** Runs the machine: pays for the deployment of the owner's account, and is paid from the runway. */
  readonly operator: Submitter
  balanceOf(token: Address, holder: Address): Promise<bigint>
}

/** The local chain mines every transaction at once, and never reorganises. */
export const submission = {
  finality: 1,
  pollMs: 20,
  maxPriorityFeePerGas: 1_000_000n,
} as const

/** A local chain with the real Delegation Framework and the real Uniswap, an empty store, and an owner with a wallet. */
export async function openStage(port: number): Promise<Stage & AsyncDisposable> {
  await using opening = new AsyncDisposableStack()
  const home = await temporaryFolder()
  opening.defer(() => rmSync(home, { recursive: true, force: true }))
  const storing = openStore({ home, clock: systemClock })
  // In parallel, but report a taken port before the store is ready.
  storing.catch(() => undefined)
  const world = opening.use(await startDevnet({ port }))
  // As on a rollup: at a gwei, the gas of the busy first day would cost more than the Golem's two dollars.
  await world.client.setNextBlockBaseFeePerGas({ baseFeePerGas: 1_000_000n })
  const store = opening.use(await storing)
  const client = createPublicClient({
    chain: world.chain,
    transport: http(world.url),
    cacheTime: 0,
    pollingInterval: submission.pollMs,
  })
  const { chainId } = world
  const deployment = deploymentOn(chainId)
  const submitterOf = (signer: LocalAccount) =>
    createSubmitter({
      client,
      chainId,
      journal: store.journal,
      clock: systemClock,
      signer,
      settings: submission,
    })
  const owner = await openOwner({ world, client, deployment, submitterOf })
  const opened = opening.move()
  return {
    world,
    store,
    client,
    deployment,
    book: devnetBook(world),
    clock: systemClock,
    secret: { kind: 'operator', secret: crypto.getRandomValues(new Uint8Array(32)) },
    owner,
    operator: submitterOf(devnetAccount('operator')),
    balanceOf: (address, holder) =>
      client.readContract({ address, abi: erc20Abi, functionName: 'balanceOf', args: [holder] }),
    [Symbol.asyncDispose]: () => opened.disposeAsync(),
  }
}

/** A folder that is removed when the process exits, also on Ctrl-C. */
async function temporaryFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'bardo-demo-')).catch((cause: unknown) => {
    throw new BardoError('The demo cannot create a temporary folder.', {
      code: 'STORE_UNWRITABLE',
      details: [tmpdir()],
      remedy: 'Set TMPDIR to a writable folder.',
      cause,
    })
  })
  process.once('exit', () => rmSync(folder, { recursive: true, force: true }))
  return folder
}
