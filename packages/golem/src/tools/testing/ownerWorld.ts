import { systemClock } from '@bardo/chain'
import type { Phase } from '@bardo/core'
import { createOwnerWallet, type Decide, type Devnet, startDevnet } from '@bardo/devnet'
import { openStore, type Store } from '@bardo/store'
import type { Hash, LocalAccount } from 'viem'
import { createDevnetOwner } from '../../owner/createDevnetOwner.ts'
import { createGolem } from '../../runtime/createGolem.ts'
import { partsOf, summonIn, testHome } from '../../runtime/testing/golemWorld.ts'
import type { ToolContext } from '../toolContext.ts'

const vaultAndSwaps =
  'Buy WETH with USDC, $100 every day. Deposit USDC into the vault. At most $300 a day. Close within 30 days.'

/** A devnet with a store, and Golems whose owners have a wallet. */
export async function openOwnerWorld() {
  const [world, home] = await Promise.all([startDevnet({ port: 0 }), testHome()])
  let late = 0
  const clock = { ...systemClock, now: () => systemClock.now() + late }
  const store = await openStore({ home: home.home, clock })
  return {
    world,
    store,
    /** The store's clock jumps forward. */
    wait(milliseconds: number) {
      late += milliseconds
    },
    /** Puts a Golem into a phase, as its row shows it. */
    async age(id: Hash, phase: Phase) {
      const golem = await store.golems.find(id)
      if (!golem || !(await store.golems.save({ ...golem, phase }))) throw new Error('there is no such Golem')
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
  known?: LocalAccount,
) {
  const succession = known ? { owner: known, name: 'beta' } : {}
  const { id, owner, account, desk, root } = await summonIn(world, store, strategy, undefined, succession)
  const wallet = createOwnerWallet({
    url: world.url,
    accounts: [owner],
    environment: world.framework,
    decide: (prompt) => (prompt.kind === 'connect' ? 'approve' : decide(prompt)),
  })
  await wallet.request({ method: 'eth_requestAccounts' })
  const { client, deployment, book, clock } = partsOf(world, store, id)
  /** The tools of a process that sees this store. */
  const contextOn = (seen: Store): ToolContext => ({
    store: seen,
    client,
    deployment,
    book,
    clock,
    golem: id,
    open: (golem) => createGolem(partsOf(world, seen, golem)),
    keys: (golem) => partsOf(world, seen, golem).keys,
    submitter: { finality: 1, pollMs: 20 },
  })
  const context = contextOn(store)
  const seat = (override = false) => createDevnetOwner({ ...desk, store, owner, wallet, override })
  return { id, owner, account, desk, root, wallet, context, contextOn, seat }
}

/** All that a call could leave behind for a Golem, beside its events. */
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
