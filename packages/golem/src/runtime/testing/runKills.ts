import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { systemClock } from '@bardo/chain'
import type { Devnet } from '@bardo/devnet'
import { openStore } from '@bardo/store'
import { type Books, closeBooks, type Subject } from './closeBooks.ts'
import { type Doom, doomName } from './doom.ts'
import { summonIn } from './golemWorld.ts'
import type { LifePlan } from './killPlan.ts'
import { mortalLives } from './mortalLives.ts'
import type { MortalTask } from './mortalProcess.ts'

/** What came of all the killing. */
export type KillReport = Books & {
  readonly kills: number
  /** How often it died where. */
  readonly byPoint: ReadonlyMap<string, number>
}

/** A process that takes longer hangs, and that is told. A life of seconds, on a machine that does much else. */
const longestLifeMs = 120_000

/** Where it happens. */
export type Stage = {
  readonly world: Devnet
  readonly location: MortalTask['location']
  /** `mortalProcess.ts`, or a bundle of it. */
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
 * Lives a plan's lives one after the other in one store, each killed wherever its plan says and started again over the
 * same data, until it has died its Golem's death; then closes the books. A named point that is never reached throws.
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
    const lives = [
      ...plan.awake.map((doom) => ({ ...task, dying: false, doom })),
      ...plan.dying.map((doom) => ({ ...task, dying: true, doom })),
      { ...task, dying: true, doom: undefined },
    ]
    for (const life of lives) {
      const ending = await live(script, life)
      said.push(...ending.said)
      requireEnd(ending, life.doom)
      if (!life.doom) continue
      await release(world, life.doom)
      const name = doomName(life.doom)
      byPoint.set(name, (byPoint.get(name) ?? 0) + 1)
      onKill(name)
    }
    subjects.push({ ...subject, permits: wordsAfter('consumes', said), intents: wordsAfter('writes', said) })
  }
  await using store = await openStore({ ...location, clock: systemClock })
  const kills = [...byPoint.values()].reduce((sum, count) => sum + count, 0)
  return { kills, byPoint, ...(await closeBooks(world, store, subjects, since)) }
}

/** What the processes of a life said of a kind, each once. */
function wordsAfter(verb: string, said: readonly string[]): readonly string[] {
  const lines = said.filter((line) => line.startsWith(`${verb} `))
  return [...new Set(lines.map((line) => line.slice(verb.length + 1)))]
}

async function summon(world: Devnet, location: MortalTask['location'], { life }: LifePlan) {
  await using store = await openStore({ ...location, clock: systemClock })
  const { id, account, root } = await summonIn(world, store, mortalLives[life].text)
  return { id, account, key: root.delegate }
}

async function live(script: string, task: MortalTask): Promise<Ending> {
  // PGlite is ready in half the time where its WebAssembly is compiled but once.
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
    if (line === 'lives' && task.doom?.is === 'timer')
      setTimeout(() => child.kill('SIGKILL'), task.doom.milliseconds)
    if (line.startsWith('sleeps ')) {
      other = live(script, { ...task, doom: undefined })
      other.finally(() => child.kill('SIGCONT'))
    }
    if (isAwakeAgain) child.kill('SIGKILL')
  })
  const [code, signal] = await once(child, 'close')
  const meanwhile = await other
  if (meanwhile) requireEnd(meanwhile, undefined)
  return { code, signal, said: [...(meanwhile?.said ?? []), ...said], complaints }
}

/** A process that was to die died where it was to, and one that was to live ended well. */
function requireEnd({ code, signal, said, complaints }: Ending, doom: Doom | undefined): void {
  const isKilled = signal === 'SIGKILL'
  if (doom ? isKilled && isReached(doom, said) : code === 0) return
  const wanted = doom ? `to be killed, ${doomName(doom)}` : 'to end well'
  throw new Error(`it was ${wanted}: ${signal ?? code}\n${said.slice(-5).join('\n')}\n${complaints}`)
}

function isReached(doom: Doom, said: readonly string[]): boolean {
  if (doom.is === 'at') return said.at(-1) === `dies ${doom.path.at(-1)}`
  return doom.is !== 'asleep' || said.includes(`sleeps ${doom.path.at(-1)}`)
}

/** What the node does with a transaction that it had not mined yet. */
async function release({ client }: Devnet, doom: Doom): Promise<void> {
  if (doom.is !== 'at' || !doom.broadcast) return
  const { pending } = await client.getTxpoolStatus()
  if (pending === 0) throw new Error(`${doom.name}: there is nothing that waits`)
  if (doom.broadcast === 'dropped') await client.request({ method: 'anvil_dropAllTransactions' } as never)
  else await client.mine({ blocks: 1 })
  await client.setAutomine(true)
}
