import { systemClock } from '@bardo/chain'
import { type Devnet, startDevnet } from '@bardo/devnet'
import { openStore, type Store } from '@bardo/store'
import { testHome } from './golemWorld.ts'

/** A world with an empty store beside it, for one file of tests. */
export type Place = { readonly world: Devnet; readonly store: Store; stop(): Promise<void> }

/** Opens both; what was opened already is closed again where the rest fails. */
export async function openPlace(): Promise<Place> {
  await using opening = new AsyncDisposableStack()
  const world = opening.use(await startDevnet({ port: 0 }))
  const folder = opening.use(await testHome())
  const store = opening.use(await openStore({ home: folder.home, clock: systemClock }))
  const open = opening.move()
  return { world, store, stop: () => open.disposeAsync() }
}
