/**
 * A worker in its own process. Its argument is its task; it prints `ready`, then a line for each tick that it
 * begins, and
 * ends when its input ends.
 */
import { systemClock } from '@bardo/chain'
import { connectDevnet, type WorldDescription } from '@bardo/devnet'
import { openStore } from '@bardo/store'
import { createGolem } from '../heartbeat/createGolem.ts'
import { runWorker } from '../worker/runWorker.ts'
import { fleetParts } from './summonFleet.ts'

/** Its task, as JSON. */
export type FleetTask = {
  readonly world: WorldDescription
  readonly databaseUrl: string
  readonly concurrency: number
  /** How long a dead worker keeps its ticks. */
  readonly heartbeatSeconds: number
  /** Whether it begins ticks and never ends one. */
  readonly hangs: boolean
}

const task: FleetTask = JSON.parse(process.argv[2] ?? '{}')
const { databaseUrl, concurrency, heartbeatSeconds } = task
const say = (line: string) => process.stdout.write(`${line}\n`)
const stop = new AbortController()
process.stdin.on('end', () => stop.abort()).resume()

await using store = await openStore({ databaseUrl, clock: systemClock, jobs: { heartbeatSeconds } })
const partsOf = fleetParts(connectDevnet(task.world), store)
say('ready')
await runWorker({
  store,
  clock: systemClock,
  concurrency,
  signal: stop.signal,
  pollMs: 100,
  onError: (error, golem) => say(`error ${golem} ${error}`),
  async summon(id) {
    say(`begins ${id}`)
    if (task.hangs) return new Promise(() => {})
    return createGolem(partsOf(id))
  },
})
