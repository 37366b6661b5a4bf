import { systemClock } from '@bardo/chain'
import type { Phase } from '@bardo/core'
import { createOwnerWallet, type Decide, type Devnet, startDevnet } from '@bardo/devnet'
import { createGolem } from '@bardo/golem/heartbeat'
import { createDevnetOwner } from '@bardo/golem/requests'
import { partsOf, summonIn, testHome } from '@bardo/golem/testing/golemWorld'
import { openStore, type Store } from '@bardo/store'
import type { Hash, LocalAccount } from 'viem'
import type { ToolContext } from '../toolContext.ts'

const vaultAndSwaps = 'Buy WETH with USDC. Deposit USDC into the vault. At most $300 a day.'

/** A devnet with a store, and Golems whose owners have a wallet. */
export async function openOwnerWorld() {
  const [world, home] = await Promise.all([startDevnet({ port: 0 }), testHome()])
  let offset = 0
  const clock = { ...systemClock, now: () => systemClock.now() + offset }
  const store = await openStore({ home: home.home, clock })
  return {
    world,
    store,
    /** Moves the store's clock forward. */
    wait(milliseconds: number) {
      offset += milliseconds
    },
    /** Sets a Golem's phase in its row. */
    async age(id: Hash, phase: Phase) {
      const golem = await store.golems.find(id)
      if (!golem || !(await store.golems.save({ ...golem, phase }))) throw new Error('unknown Golem')
    },
    summon: (decide?: Decide, strategy?: string, owner?: LocalAccount) =>
      summonWithWallet(world, store, decide, strategy, owner),
    async [Symbol.asyncDispose]() {
      await store.close()
      await home[Symbol.asyncDispose]()
      await world[Symbol.asyncDispose]()
    },
  }
}

async function summonWithWallet(
  world: Devnet,
  store: Store,
  decide: Decide = () => 'approve',
  strategy = vaultAndSwaps,
  existingOwner?: LocalAccount,
) {
  const succession = existingOwner ? { owner: existingOwner, name: 'beta' } : {}
  const { id, owner, account, signer, root } = await summonIn(world, store, strategy, undefined, succession)
  const wallet = createOwnerWallet({
    url: world.url,
    accounts: [owner],
    environment: world.framework,
    decide: (prompt) => (prompt.kind === 'connect' ? 'approve' : decide(prompt)),
  })
  await wallet.request({ method: 'eth_requestAccounts' })
  const { client, deployment, book, clock } = partsOf(world, store, id)
  /** The context of a process that uses this store. */
  const contextOn = (processStore: Store): ToolContext => ({
    store: processStore,
    client,
    deployment,
    book,
    clock,
    golem: id,
    open: (golem) => createGolem(partsOf(world, processStore, golem)),
    keys: (golem) => partsOf(world, processStore, golem).keys,
    submitter: { finality: 1, pollMs: 20 },
  })
  const context = contextOn(store)
  const responder = (override = false) =>
    createDevnetOwner({ ...signer, store, book, owner, wallet, override })
  return { id, owner, account, signer, book, root, wallet, context, contextOn, responder }
}

/** All traces that a call could leave for a Golem, beside its events. */
export async function footprintOf(store: Store, golem: Hash) {
  const [requests, keys, pages] = await Promise.all([
    store.ownerRequests.pending(golem),
    store.sessionKeys.list(golem),
    store.grimoire.list({ golem }),
  ])
  return {
    requests: requests.map(({ id }) => id),
    keys: keys.map(({ publicKey, status }) => `${publicKey} ${status}`),
    pages: pages.map(({ key, updatedAt }) => `${key} ${updatedAt}`),
  }
}
