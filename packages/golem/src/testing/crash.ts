/**
 * Kills the process of a Golem 200 times on each database and reports the outcome: `npm run test:crash`.
 * Exits with 1 if an
 * intent landed twice or was lost, if anything else disagrees, or if a named point was never reached. `--
 * --seed 7` kills
 * at other points and in another order; `-- --database PGlite` uses one database only.
 */
import { parseArgs } from 'node:util'
import { startDevnet } from '@bardo/devnet'
import { startPostgres } from '@bardo/store/testing/postgres'
import { bundleProcess } from './bundleProcess.ts'
import { testHome } from './golemWorld.ts'
import { manyKills } from './killPlan.ts'
import { type KillReport, runKills, type Stage } from './runKills.ts'

type Outcome = KillReport & { readonly database: string; readonly seconds: number }

const { values } = parseArgs({
  options: { seed: { type: 'string', default: '20261116' }, database: { type: 'string' } },
})
const seed = Number(values.seed)
await using bundle = await bundleProcess()

async function onDatabase(database: string, location: Stage['location']): Promise<Outcome> {
  await using world = await startDevnet({ port: 0 })
  const started = performance.now()
  const plan = manyKills(seed, 'databaseUrl' in location)
  let kills = 0
  const report = await runKills({ world, location, script: bundle.script }, plan, () => {
    kills += 1
    if (kills % 20 === 0) console.error(`${database}: killed ${kills} times`)
  })
  return { database, seconds: Math.round((performance.now() - started) / 1_000), ...report }
}

const databases: Readonly<Record<string, () => Promise<Outcome>>> = {
  async PGlite() {
    await using folder = await testHome()
    return await onDatabase('PGlite', { home: folder.home })
  },
  async PostgreSQL() {
    await using server = await startPostgres()
    return await onDatabase('PostgreSQL', { databaseUrl: await server.createDatabase() })
  },
}

function print(outcomes: readonly Outcome[]): void {
  const row = (first: string, cells: readonly (string | number)[]) =>
    console.log(first.padEnd(58) + cells.map((cell) => `${cell}`.padStart(12)).join(''))
  row(
    '',
    outcomes.map(({ database }) => database),
  )
  for (const point of new Set(outcomes.flatMap(({ byPoint }) => [...byPoint.keys()])))
    row(
      `  ${point}`,
      outcomes.map(({ byPoint }) => byPoint.get(point) ?? 0),
    )
  row(
    'kills',
    outcomes.map(({ kills }) => kills),
  )
  row(
    'actions landed',
    outcomes.map(({ landed }) => landed),
  )
  row(
    'double landings',
    outcomes.map(({ doubleLandings }) => doubleLandings),
  )
  row(
    'lost intents',
    outcomes.map(({ lostIntents }) => lostIntents),
  )
  row(
    'other disagreements',
    outcomes.map(({ broken }) => broken.length),
  )
  row(
    'seconds',
    outcomes.map(({ seconds }) => seconds),
  )
}

const chosen = Object.entries(databases).filter(([name]) => name === (values.database ?? name))
const runs = await Promise.allSettled(chosen.map(([, run]) => run()))
const outcomes = runs.flatMap((run) => (run.status === 'fulfilled' ? [run.value] : []))
print(outcomes)
const complaints = [
  ...runs.flatMap((run) => (run.status === 'rejected' ? [String(run.reason)] : [])),
  ...outcomes.flatMap(({ database, broken }) => broken.map((what) => `${database}: ${what}`)),
]
for (const complaint of complaints) console.error(`✗ ${complaint}`)
const isKept = outcomes.every(({ doubleLandings, lostIntents }) => doubleLandings + lostIntents === 0)
if (complaints.length > 0 || !isKept || outcomes.length === 0) process.exitCode = 1
