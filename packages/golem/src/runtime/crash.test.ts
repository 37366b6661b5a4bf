import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { systemClock } from '@bardo/chain'
import { type Devnet, startDevnet } from '@bardo/devnet'
import { openStore } from '@bardo/store'
import fc from 'fast-check'
import { parseUnits } from 'viem'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { z } from 'zod'
import { createGolem } from './createGolem.ts'
import { readWorld } from './readWorld.ts'
import { balanceOf, partsOf, summonIn, testHome } from './testing/golemWorld.ts'
import type { MortalTask } from './testing/mortalProcess.ts'

const kills = 5
/** A tick has about fifty moments. */
const moments = fc.sample(fc.noBias(fc.integer({ min: 1, max: 220 })), { numRuns: kills, seed: 20_261_116 })
const strategy = 'Swap USDC into WETH.\n\nbudget: $200/day\nlifespan: 30 days'
const landed = z.object({ intent: z.string(), spentCents: z.coerce.bigint() })

let world: Devnet
beforeAll(async () => {
  world = await startDevnet({ port: 0 })
})
afterAll(() => world?.stop())

/** Runs a process until it dies, and returns what it said. */
async function live(task: MortalTask): Promise<{ readonly signal: unknown; readonly said: string }> {
  const script = join(import.meta.dirname, 'testing/mortalProcess.ts')
  const child = spawn(process.execPath, [script, JSON.stringify(task)], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const [said, [, signal]] = await Promise.all([text(child.stdout), once(child, 'close')])
  return { signal, said }
}

it(`is killed ${kills} times: every intent lands once, none is lost, and the books agree with the chain`, async () => {
  await using folder = await testHome()
  const { home } = folder
  const first = await openStore({ home, clock: systemClock })
  const { id, account, root } = await summonIn(world, first, strategy)
  const before = await balanceOf(world, world.addresses.usdc, account)
  await first.close()

  const task = { world: world.description, home, id }
  for (const diesAt of moments) {
    const { signal, said } = await live({ ...task, diesAt })
    expect(signal, said).toBe('SIGKILL')
  }
  expect(await live(task)).toMatchObject({ signal: null })

  await using store = await openStore({ home, clock: systemClock })
  const parts = partsOf(world, store, id)
  const golem = await createGolem(parts)
  expect(await golem.kill()).toMatchObject({ phase: 'over', death: { impossible: [] } })

  const events = await store.events.read({ after: 0, golem: id, limit: 10_000 })
  const landings = events.filter(({ name }) => name === 'action.landed').map(({ body }) => landed.parse(body))
  const intended = events.filter(({ name }) => name === 'action.intended')
  expect(landings.length).toBeGreaterThanOrEqual(kills)
  expect(new Set(landings.map(({ intent }) => intent)).size).toBe(landings.length)
  // What was decided, and no tick could finish any more, is in the journal too: it is neither lost nor done twice.
  expect(intended.length).toBe(landings.length)
  const spent = before - (await balanceOf(world, world.addresses.usdc, account))
  expect(spent).toBe(BigInt(landings.length) * parseUnits('5', 6))

  const sender = { chainId: world.chainId, from: root.delegate }
  expect(await store.journal.open(sender)).toEqual([])
  const sent = await world.client.getTransactionCount({ address: root.delegate })
  expect(await store.journal.highestNonce(sender)).toBe(sent - 1)

  const { day } = await readWorld(parts, (await golem.status()).charter)
  expect(day.spent).toBe(landings.reduce((sum, { spentCents }) => sum + spentCents, 0n))
  expect(await store.audit.verify()).toMatchObject({ is: 'intact' })
}, 120_000)
