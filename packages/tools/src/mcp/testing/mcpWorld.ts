import { createSubmitter, systemClock } from '@bardo/chain'
import { createMemoryJournal, hybridAccount, walletSigner } from '@bardo/core'
import { createOwnerWallet, type DevnetConnection, startDevnet } from '@bardo/devnet'
import { createGolem } from '@bardo/golem/heartbeat'
import { createDevnetOwner } from '@bardo/golem/requests'
import { partsOf, summonIn, testHome } from '@bardo/golem/testing/golemWorld'
import { openStore, type Store } from '@bardo/store'
import { type Hash, type Hex, parseUnits } from 'viem'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import type { ToolContext } from '../../toolContext.ts'

/** The location of a world's store. */
export type Location = { readonly home: string } | { readonly databaseUrl: string }

/** A Golem whose tools are served, and the key of its owner, used by the owner responder. */
export type ServedGolem = { readonly golem: Hash; readonly ownerKey: Hex }

/** May trade for $50 a day and use the vault, for thirty days; it does nothing by itself. */
const strategyText =
  'Swap USDC into WETH. Deposit USDC into the vault. Spawn replicants.\n\nbudget: $50/day\nlifespan: 30 days'
const waitStrategy = async () => ({ type: 'wait', because: 'a client decides' }) as const
const submitting = { finality: 1, pollMs: 20 }

/** A devnet and a store with Golems whose tools can be served. */
export async function openMcpWorld(location?: Location) {
  await using opening = new AsyncDisposableStack()
  const world = opening.use(await startDevnet({ port: 0 }))
  const home = location ?? opening.use(await testHome())
  const store = opening.use(await openStore({ ...home, clock: systemClock }))
  const open = opening.move()

  /** Summons a Golem and ticks it once. Its owner has $100 outside the account, for a runway. */
  async function summon() {
    const ownerKey = generatePrivateKey()
    const owner = privateKeyToAccount(ownerKey)
    const { id, account } = await summonIn(world, store, strategyText, undefined, { owner })
    await world.fund(owner.address, { USDC: parseUnits('100', 6) })
    const served: ServedGolem = { golem: id, ownerKey }
    await walletOf(world, served).upgrade(owner.address)
    const context = await contextFor(world, store, served)
    await (await context.open(id)).tick()
    return { ...served, owner: owner.address, account, context }
  }

  return { world, store, location: home, summon, stop: () => open.disposeAsync() }
}

/** The result of {@link openMcpWorld}. */
export type McpWorld = Awaited<ReturnType<typeof openMcpWorld>>

/** A Golem of that world. */
export type McpGolem = Awaited<ReturnType<McpWorld['summon']>>

function walletOf({ url, framework }: DevnetConnection, { ownerKey }: ServedGolem) {
  const accounts = [privateKeyToAccount(ownerKey)]
  return createOwnerWallet({ url, accounts, environment: framework, decide: () => 'approve' })
}

/** The tools' context for a Golem of a devnet. */
export async function contextFor(
  world: DevnetConnection,
  store: Store,
  served: ServedGolem,
): Promise<ToolContext> {
  const { golem, ownerKey } = served
  const partsFor = (id: Hash) => partsOf(world, store, id, { strategy: waitStrategy })
  const { client, deployment, book, clock } = partsFor(golem)
  const owner = privateKeyToAccount(ownerKey)
  const wallet = walletOf(world, served)
  await wallet.request({ method: 'eth_requestAccounts' })
  const began = { owner: owner.address }
  const responder = await createDevnetOwner({
    book,
    client,
    deployment,
    account: hybridAccount(deployment, { began, signer: walletSigner(owner) }),
    key: owner.address,
    submitter: createSubmitter({
      client,
      chainId: world.chainId,
      journal: createMemoryJournal(),
      clock,
      signer: owner,
      settings: submitting,
    }),
    store,
    owner,
    wallet,
  })
  return {
    store,
    client,
    deployment,
    book,
    clock,
    golem,
    open: (id) => createGolem(partsFor(id)),
    keys: (id) => partsFor(id).keys,
    owner: responder,
    submitter: submitting,
  }
}
