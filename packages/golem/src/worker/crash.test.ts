import { type Devnet, startDevnet } from '@bardo/devnet'
import { startPostgres } from '@bardo/store/testing/postgres'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { bundleProcess, type ProcessBundle } from '../testing/bundleProcess.ts'
import { testHome } from '../testing/golemWorld.ts'
import { fewKills } from '../testing/killPlan.ts'
import { runKills } from '../testing/runKills.ts'

const seed = 20_261_116
const expected = { kills: 12, doubleLandings: 0, lostIntents: 0, broken: [] }
/** A process takes a second or two to start, and longer on a busy machine. */
const manyLivesMs = 240_000

describe.concurrent('a Golem whose process is killed 24 times: each intent lands once, none is lost, the accounts agree', () => {
  let worlds: readonly [Devnet, Devnet]
  let bundle: ProcessBundle
  beforeAll(async () => {
    worlds = [await startDevnet({ port: 0 }), await startDevnet({ port: 0 })]
    bundle = await bundleProcess()
  }, manyLivesMs)
  afterAll(async () => {
    await Promise.all(worlds?.map((world) => world.stop()) ?? [])
    await bundle?.[Symbol.asyncDispose]()
  })

  it(
    'on PGlite',
    async () => {
      await using folder = await testHome()
      const { home } = folder
      const stage = { world: worlds[0], location: { home }, script: bundle.script }
      const report = await runKills(stage, fewKills(0, seed))
      expect(report).toMatchObject(expected)
      expect(report.landed).toBeGreaterThanOrEqual(5)
    },
    manyLivesMs,
  )

  it(
    'on PostgreSQL',
    async () => {
      await using server = await startPostgres()
      const databaseUrl = await server.createDatabase()
      const stage = { world: worlds[1], location: { databaseUrl }, script: bundle.script }
      const report = await runKills(stage, fewKills(1, seed))
      expect(report).toMatchObject(expected)
      expect(report.landed).toBeGreaterThanOrEqual(5)
    },
    manyLivesMs,
  )
})
