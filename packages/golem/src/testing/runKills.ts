import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { systemClock } from '@bardo/chain'
import type { Devnet } from '@bardo/devnet'
import { openStore } from '@bardo/store'
import { type Books, closeBooks, type Subject } from './closeBooks.ts'
import { crashGolems } from './crashGolems.ts'
import { type CrashPoint, crashPointName } from './crashPoint.ts'
import type { MortalTask } from './crashProcess.ts'
import { summonIn } from './golemWorld.ts'
import type { LifePlan } from './killPlan.ts'

/** The result of all kills. */
export type KillReport = Books & {
  readonly kills: number
  /** The number of kills per crash point. */
  readonly byPoint: ReadonlyMap<string, number>
}

/** A process that takes longer hangs, which is reported. A life takes seconds, even on a busy machine. */
const longestLifeMs = 120_000

/** The devnet, the store and the script of the processes. */
export type Stage = {
  readonly world: Devnet
  readonly location: MortalTask['location']
  /** `crashProcess.ts`, or a bundle of it. */
  readonly script: string
}

/** How a process ended. */
type Ending = {
  readonly signal: unknown
  readonly code: unknown
  readonly said: readonly string[]
  readonly complaints: string
}

/**
 * Runs the lives of a plan one after another in one store: each is killed at its crash points and restarted
 * over the same
 * data until its death is over; then compares the records. Throws if a named point is never reached.
 */
export async function runKills(
  { world, location, script }: Stage,
  plans: readonly LifePlan[],
  onKill: (point: string) => void = () => {},
): Promise<KillReport> {
  const since = await world.client.getBlockNumber()
  const byPoint = new Map<string, number>()
  const subjects: Subject[] = []
  for (const plan of plans) {
    const subject = await summon(world, location, plan)
    const said: string[] = []
    const task = { world: world.description, location, id: subject.id, life: plan.life }
    const golemStates = [
      ...plan.awake.map((crashPoint) => ({ ...task, dying: false, crashPoint })),
      ...plan.dying.map((crashPoint) => ({ ...task, dying: true, crashPoint })),
      { ...task, dying: true, crashPoint: undefined },
    ]
    for (const life of golemStates) {
      const ending = await live(script, life)
      said.push(...ending.said)
      requireEnd(ending, life.crashPoint)
      if (!life.crashPoint) continue
      await release(world, life.crashPoint)
      const name = crashPointName(life.crashPoint)
      byPoint.set(name, (byPoint.get(name) ?? 0) + 1)
      onKill(name)
    }
    subjects.push({ ...subject, permits: wordsAfter('consumes', said), intents: wordsAfter('writes', said) })
  }
  await using store = await openStore({ ...location, clock: systemClock })
  const kills = [...byPoint.values()].reduce((sum, count) => sum + count, 0)
  return { kills, byPoint, ...(await closeBooks(world, store, subjects, since)) }
}

/** The words after a verb in the lines of a life's processes, each once. */
function wordsAfter(verb: string, said: readonly string[]): readonly string[] {
  const lines = said.filter((line) => line.startsWith(`${verb} `))
  return [...new Set(lines.map((line) => line.slice(verb.length + 1)))]
}

async function summon(world: Devnet, location: MortalTask['location'], { life }: LifePlan) {
  await using store = await openStore({ ...location, clock: systemClock })
  const { id, account, root } = await summonIn(world, store, crashGolems[life].text)
  return { id, account, key: root.delegate }
}

async function live(script: string, task: MortalTask): Promise<Ending> {
  // PGlite starts in half the time if its WebAssembly is compiled with the baseline compiler only.
  const child = spawn(process.execPath, ['--liftoff-only', script, JSON.stringify(task)], {
    stdio: ['ignore', 'pipe', 'pipe'],
    timeout: longestLifeMs,
    // Most of such a life would be spent on reading the same sources.
    env: { ...process.env, NODE_COMPILE_CACHE: join(tmpdir(), 'bardo-compile-cache') },
  })
  const said: string[] = []
  let complaints = ''
  child.stderr.on('data', (text) => {
    complaints += text
  })
  let other: Promise<Ending> | undefined
  createInterface(child.stdout).on('line', (line) => {
    const isAwakeAgain = said.at(-1)?.startsWith('sleeps ')
    said.push(line)
    if (line === 'lives' && task.crashPoint?.type === 'timer')
      setTimeout(() => child.kill('SIGKILL'), task.crashPoint.milliseconds)
    if (line.startsWith('sleeps ')) {
      other = live(script, { ...task, crashPoint: undefined })
      other.finally(() => child.kill('SIGCONT'))
    }
    if (isAwakeAgain) child.kill('SIGKILL')
  })
  const [code, signal] = await once(child, 'close')
  const meanwhile = await other
  if (meanwhile) requireEnd(meanwhile, undefined)
  return { code, signal, said: [...(meanwhile?.said ?? []), ...said], complaints }
}

/** Throws unless a process was killed at its crash point, or exited normally without one. */
function requireEnd({ code, signal, said, complaints }: Ending, crashPoint: CrashPoint | undefined): void {
  const isKilled = signal === 'SIGKILL'
  if (crashPoint ? isKilled && isReached(crashPoint, said) : code === 0) return
  const wanted = crashPoint ? `a kill, ${crashPointName(crashPoint)}` : 'a normal exit'
  throw new Error(`expected ${wanted}, got ${signal ?? code}\n${said.slice(-5).join('\n')}\n${complaints}`)
}

function isReached(crashPoint: CrashPoint, said: readonly string[]): boolean {
  if (crashPoint.type === 'at') return said.at(-1) === `dies ${crashPoint.path.at(-1)}`
  return crashPoint.type !== 'asleep' || said.includes(`sleeps ${crashPoint.path.at(-1)}`)
}

/** Mines or drops a transaction that was not mined yet. */
async function release({ client }: Devnet, crashPoint: CrashPoint): Promise<void> {
  if (crashPoint.type !== 'at' || !crashPoint.broadcast) return
  const { pending } = await client.getTxpoolStatus()
  if (pending === 0) throw new Error(`${crashPoint.name}: no pending transaction`)
  if (crashPoint.broadcast === 'dropped')
    await client.request({ method: 'anvil_dropAllTransactions' } as never)
  else await client.mine({ blocks: 1 })
  await client.setAutomine(true)
}
