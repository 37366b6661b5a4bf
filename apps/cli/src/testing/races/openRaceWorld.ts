import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { systemClock } from '@bardo/chain'
import type { Clock } from '@bardo/core'
import { devnetAccount, startDevnet } from '@bardo/devnet'
import { openStore } from '@bardo/store'
import { startPostgres } from '@bardo/store/testing/postgres'
import { localChain } from '../../context/findChain.ts'
import { localOwnerWallet } from '../../context/localOwnerWallet.ts'
import { type Context, contextOf } from '../../context/openContext.ts'

/** One chain and one store for many Golems of one owner. */
export type RaceWorld = AsyncDisposable & {
  readonly context: Context
  /** Advances the time of the chain and of the clock. */
  pass(seconds: number): Promise<void>
}

/** Opens one on PGlite, or on its own PostgreSQL server. */
export async function openRaceWorld({ isPostgres }: { readonly isPostgres: boolean }): Promise<RaceWorld> {
  await using opening = new AsyncDisposableStack()
  const home = mkdtempSync(join(tmpdir(), 'bardo-races-'))
  opening.defer(() => rmSync(home, { recursive: true, force: true }))
  const world = opening.use(await startDevnet({ port: 0 }))
  const databaseUrl = isPostgres ? await opening.use(await startPostgres()).createDatabase() : undefined
  let ahead = 0
  const clock: Clock = { ...systemClock, now: () => systemClock.now() + ahead }
  const store = await openStore({ home, databaseUrl, clock })
  const settings = { home, databaseUrl, rpcUrl: undefined, env: {} }
  const context = opening.use(contextOf(settings, localChain(world.description, clock.now), store, clock))
  const owner = devnetAccount('owner')
  // Only a smart account can grant a runway.
  await localOwnerWallet(world, owner).upgrade(owner.address)
  const opened = opening.move()
  return {
    context,
    async pass(seconds) {
      ahead += seconds * 1_000
      await world.client.increaseTime({ seconds })
      // A price older than an hour is refused. USDC has six decimals, the feed eight.
      if (seconds >= 3_600) await world.postPrice('WETH', (await world.price('WETH/USDC')) * 100n)
    },
    [Symbol.asyncDispose]: () => opened.disposeAsync(),
  }
}
