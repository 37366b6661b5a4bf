import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { systemClock } from '@bardo/chain'
import type { Clock } from '@bardo/core'
import { type Devnet, startDevnet } from '@bardo/devnet'
import { openStore } from '@bardo/store'
import { copyEmptyPglite } from '@bardo/store/testing/pglite'
import { localChain } from '../context/findChain.ts'
import { type Context, contextOf } from '../context/openContext.ts'
import { localOffice } from '../rpc/localOffice.ts'
import type { Office } from '../rpc/office.ts'

/** A local chain whose clock the test controls. */
export type ClockWorld = AsyncDisposable & {
  readonly world: Devnet
  readonly context: Context
  readonly office: Office
  readonly clock: Clock
  /** Advances the time of the chain and of the clock. */
  pass(seconds: number): Promise<void>
}

/** Opens one in its own folder. */
export async function openClockWorld(): Promise<ClockWorld> {
  await using opening = new AsyncDisposableStack()
  const home = mkdtempSync(join(tmpdir(), 'bardo-clock-'))
  opening.defer(() => rmSync(home, { recursive: true, force: true }))
  const world = opening.use(await startDevnet({ port: 0 }))
  let ahead = 0
  const clock: Clock = { ...systemClock, now: () => systemClock.now() + ahead }
  await copyEmptyPglite(home)
  const store = await openStore({ home, clock })
  const settings = { home, databaseUrl: undefined, rpcUrl: undefined, env: {} }
  const context = opening.use(contextOf(settings, localChain(world.description, clock.now), store, clock))
  const opened = opening.move()
  return {
    world,
    context,
    office: localOffice(context),
    clock,
    async pass(seconds) {
      ahead += seconds * 1_000
      await world.client.increaseTime({ seconds })
    },
    [Symbol.asyncDispose]: () => opened.disposeAsync(),
  }
}
