import { systemClock } from '@bardo/chain'
import { startDevnet } from '@bardo/devnet'
import { openStore } from '@bardo/store'
import type { Hash } from 'viem'
import { createGolem } from '../../runtime/createGolem.ts'
import { partsOf, summonIn, testHome } from '../../runtime/testing/golemWorld.ts'
import type { ToolContext } from '../toolContext.ts'

const waits = async () => ({ is: 'wait', because: 'a test decides' }) as const

/** A devnet with a store, for tests of tools. Its Golems do nothing by themselves. */
export async function openToolWorld() {
  const [world, home] = await Promise.all([startDevnet({ port: 0 }), testHome()])
  const store = await openStore({ home: home.home, clock: systemClock })
  const partsFor = (id: Hash) => partsOf(world, store, id, { strategy: waits })

  /** A Golem that has ticked once, and the tools that were opened for it. */
  async function summon(strategy = 'Swap USDC into WETH.\n\nbudget: $50/day\nlifespan: 30 days') {
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

/** What {@link openToolWorld} gives. */
export type ToolWorld = Awaited<ReturnType<typeof openToolWorld>>
