import { systemClock } from '@bardo/chain'
import type { Clock } from '@bardo/core'
import { type Devnet, startDevnet } from '@bardo/devnet'
import { openStore, type Store } from '@bardo/store'
import { testHome } from './golemWorld.ts'

/** A devnet with an empty store, for one test file. */
export type TestWorld = { readonly world: Devnet; readonly store: Store; stop(): Promise<void> }

/**
 * Opens both; closes what is open if the rest fails.
 *
 * @param clock - the store's clock
 */
export async function openTestWorld(clock: Clock = systemClock): Promise<TestWorld> {
  await using opening = new AsyncDisposableStack()
  const world = opening.use(await startDevnet({ port: 0 }))
  const folder = opening.use(await testHome())
  const store = opening.use(await openStore({ home: folder.home, clock }))
  const open = opening.move()
  return { world, store, stop: () => open.disposeAsync() }
}
