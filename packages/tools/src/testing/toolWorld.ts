import { systemClock } from '@bardo/chain'
import { startDevnet } from '@bardo/devnet'
import { createGolem } from '@bardo/golem/heartbeat'
import { partsOf, summonIn, testHome } from '@bardo/golem/testing/golemWorld'
import { openStore } from '@bardo/store'
import type { Hash } from 'viem'
import type { ToolContext } from '../toolContext.ts'

const waitStrategy = async () => ({ type: 'wait', because: 'a test decides' }) as const

/** A devnet with a store, for tests of tools. Its Golems do nothing by themselves. */
export async function openToolWorld() {
  const [world, home] = await Promise.all([startDevnet({ port: 0 }), testHome()])
  const store = await openStore({ home: home.home, clock: systemClock })
  const partsFor = (id: Hash) => partsOf(world, store, id, { strategy: waitStrategy })

  /** Summons a Golem, ticks it once, and returns the context of its tools. */
  async function summon(
    strategy = 'Swap USDC into WETH. Spawn replicants.\n\nbudget: $50/day\nlifespan: 30 days',
  ) {
    const summoned = await summonIn(world, store, strategy)
    const { id } = summoned
    const { client, deployment, book, clock } = partsFor(id)
    const open = (golem: Hash) => createGolem(partsFor(golem))
    const context: ToolContext = { store, client, deployment, book, clock, golem: id, open }
    const golem = await open(id)
    await golem.tick()
    return { ...summoned, context, golem }
  }

  async function stop() {
    await store.close()
    await home[Symbol.asyncDispose]()
    await world.stop()
  }

  return { world, store, partsFor, summon, stop }
}

/** The result of {@link openToolWorld}. */
export type ToolWorld = Awaited<ReturnType<typeof openToolWorld>>
