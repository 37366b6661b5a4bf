/**
 * Runs two operations on the same Golem at the same time, many times: `npm run test:races`. A seed chooses the moment of the
 * first operation (a request to the node or a call of the store) at which the other begins, and how far the other gets
 * before the first continues.
 *
 * 1. Feeds, adjustments and rotations against ticks: no Golem may die, and each must trade afterwards.
 * 2. Suspected rotations against every other operation: afterwards, the chain must accept no delegation that was ever signed
 *    for a key from before the rotation.
 *
 * `-- --count N` and `--suspected N` set the number of each, `--seed N` the seed, `--postgres` the database. Ten races in a row
 * share one Golem and one seed: repeat them with the seed of a fault and `--count 10` or `--suspected 10`.
 */
import { parseArgs } from 'node:util'
import { BardoError } from '@bardo/core'
import { createRandom, type Random } from '@bardo/core/testing/random'
import type { Hash } from 'viem'
import type { Context } from '../../context/openContext.ts'
import { localOffice } from '../../rpc/localOffice.ts'
import { openRaceWorld } from './openRaceWorld.ts'
import { type Operation, type OperationName, operations, strategies } from './operations.ts'
import { createRaceSide, type Raced, race } from './raceSide.ts'
import { collectDelegations } from './signedDelegations.ts'

const { values } = parseArgs({
  options: {
    count: { type: 'string', default: '500' },
    suspected: { type: 'string', default: '200' },
    seed: { type: 'string', default: '1' },
    postgres: { type: 'boolean', default: false },
  },
})
const perGolem = 10
/** Longer than the lifespan of each strategy. */
const lifespanSeconds = 31 * 86_400
/** The most ticks, one minute apart, until a Golem must trade. */
const mostTicks = 5
/** The operations that race with a suspected rotation. */
const others = ['feed', 'adjust', 'rotate', 'runway', 'replicate', 'revoke', 'kill', 'tick'] as const
const mayEnd: ReadonlySet<OperationName> = new Set(['revoke', 'kill'])

await using here = await openRaceWorld({ isPostgres: values.postgres })
const { context: base } = here
const { store, chain } = base
const signed = collectDelegations()
const sides = [createRaceSide(base, signed.hear), createRaceSide(base, signed.hear)] as const
/** The approximate number of moments of each operation. A race whose first side ends before the chosen moment does not count. */
const lengths: Readonly<Record<OperationName, number>> = {
  feed: 60,
  adjust: 75,
  rotate: 140,
  runway: 90,
  replicate: 110,
  revoke: 40,
  kill: 280,
  tick: 70,
  suspected: 250,
}
const faults: string[] = []
const answers = new Map<string, number>()
let golems = 0

const aimed = await runRaces({
  title: 'feeds, adjustments and rotations aimed at ticks',
  count: Number(values.count),
  choose(random) {
    const pair = [random.pick(['feed', 'adjust', 'rotate'] as const), 'tick'] as const
    return random.chance(0.5) ? pair : [pair[1], pair[0]]
  },
})
const suspected = await runRaces({
  title: 'suspected rotations started during another operation',
  count: Number(values.suspected),
  choose: (random) => [random.pick(others), 'suspected'],
})

for (const [answer, times] of [...answers].toSorted()) console.log(`  ${answer}: ${times}`)
for (const fault of faults) console.log(`✗ ${fault}`)
console.log(
  `${aimed} aimed at ticks, ${suspected} suspected rotations: ${faults.length === 0 ? '0 faults' : `${faults.length} faults`}`,
)
// Set last: PGlite sets its own exit code when it closes.
process.on('exit', () => {
  process.exitCode = faults.length === 0 ? 0 : 1
})

type Races = {
  readonly title: string
  readonly count: number
  /** The operation whose moments are counted, and the one that begins at one of them. */
  choose(random: Random): readonly [OperationName, OperationName]
}

/** Runs the given number of races that really overlapped. A race whose first side ended too early does not count. */
async function runRaces({ title, count, choose }: Races): Promise<number> {
  const began = Date.now()
  const found = { deaths: 0, standing: 0, still: 0 }
  let done = 0
  for (let seed = Number(values.seed); done < count; seed += 1) {
    const random = createRandom(seed)
    let golem: Hash | undefined
    for (let turn = 0; turn < perGolem && done < count; turn += 1) {
      golem ??= await summon()
      const pair = choose(random)
      const isMet = await meet(random, golem, pair, (fault) => {
        found[fault.of] += 1
        faults.push(`seed ${seed}, race ${turn + 1}: ${fault.text}`)
        console.log(`✗ ${faults.at(-1)}`)
      })
      if ((await store.golemStates.find(golem))?.death !== undefined) golem = undefined
      if (!isMet) continue
      done += 1
      if (done % 50 === 0 || done === count) console.log(`${done} of ${count} ${title}: ${summary()}`)
    }
  }
  return done

  function summary(): string {
    const { deaths, standing, still } = found
    const seconds = Math.round((Date.now() - began) / 1_000)
    return `${deaths} deaths, ${standing} with an active root, ${still} that do not continue; ${seconds} s`
  }
}

type Fault = { readonly of: 'deaths' | 'standing' | 'still'; readonly text: string }

/** Runs one race. False if the two did not overlap. */
async function meet(
  random: Random,
  golem: Hash,
  [first, second]: readonly [OperationName, OperationName],
  tell: (fault: Fault) => void,
): Promise<boolean> {
  // Gives a tick something to do.
  if (random.chance(0.7)) await here.pass(61)
  const at = 1 + random.below(lengths[first])
  const hold = random.pick([0, 1 + random.below(60), 1 + random.below(200), Number.POSITIVE_INFINITY])
  // The signed time ends during a tick, and the owner signs again before the tick ends.
  const isLast = first === 'tick' && (second === 'feed' || second === 'adjust') && random.chance(0.2)
  const happens = isLast ? () => here.pass(lifespanSeconds) : undefined
  const keys = (await store.sessionKeys.list(golem)).map(({ address }) => address)
  const run = (name: OperationName, context: Context) => {
    const operation: Operation = operations[name]
    return operation(context, golem, random)
  }
  const raced = await race(
    { at, hold, happens },
    [sides[0], () => run(first, sides[0].context)],
    [sides[1], () => run(second, sides[1].context)],
  )
  const when = `${second} at moment ${raced.moment ?? 'after the end'} of ${raced.length} of ${first}, held for ${isLast ? 'the end of the signed time' : hold}: ${said(raced)}`
  note(`${second} during ${first}${isLast ? ' when its time ends' : ''}`, raced)
  if (when.includes('defect: ')) tell({ of: 'still', text: when })
  if (second === 'suspected') {
    const standing = await signed.standing(chain, keys)
    if (standing.length > 0) tell({ of: 'standing', text: `${standing.join(', ')} is active; ${when}` })
  }
  if (first === 'kill') {
    const end = await endAfter(golem)
    if (end !== 'dead') tell({ of: 'still', text: `it is not dead: ${end}; ${when}` })
  }
  if (mayEnd.has(first)) return raced.moment !== undefined
  // If the owner's signature was refused, its time has really ended.
  if (isLast && raced.other.status === 'rejected') return false
  const trades = await tradesAfter(golem)
  const { death } = (await store.golemStates.find(golem)) ?? {}
  if (death !== undefined) tell({ of: 'deaths', text: `it dies: ${Object(death).trigger}; ${when}` })
  else if (!trades)
    tell({ of: 'still', text: `it does not trade in ${mostTicks} ticks: ${await standOf(golem)}; ${when}` })
  return raced.moment !== undefined
}

/** Whether the Golem trades in its next ticks. */
async function tradesAfter(golem: Hash): Promise<boolean> {
  const { sequence: after } = await store.audit.head()
  for (let ticks = 0; ticks < mostTicks; ticks += 1) {
    await here.pass(61)
    await tick(golem)
    const events = await store.events.read({ after, golem, limit: 500 })
    if (events.some(({ name }) => name === 'action.landed')) return true
  }
  return false
}

/** The status after its next ticks. A shutdown may take an hour to close positions. */
async function endAfter(golem: Hash): Promise<string> {
  let failure = ''
  for (let ticks = 0; ticks < mostTicks; ticks += 1) {
    if ((await store.golems.find(golem))?.status === 'dead') return 'dead'
    await here.pass(1_000)
    await tick(golem).catch((error: unknown) => {
      failure = `, ${error}`
    })
  }
  return `${(await store.golems.find(golem))?.status}${failure}`
}

/** Why it does not continue, from the store. */
async function standOf(golem: Hash): Promise<string> {
  const { recovery, pending } = Object((await store.golemStates.find(golem))?.state)
  const rotation = await store.rotations.underWay(golem)
  const events = await store.events.read({ after: 0, golem, limit: 10_000 })
  const last = events.slice(-12).map(({ name }) => name)
  return JSON.stringify([recovery, pending?.intentId, rotation?.kind, rotation?.stepsDone, last])
}

async function tick(golem: Hash): Promise<void> {
  await (await base.open(golem)).tick()
}

async function summon(): Promise<Hash> {
  golems += 1
  const [strategy] = strategies
  const { golem } = await localOffice(sides[0].context).ask('summon', { name: `golem ${golems}`, strategy })
  await (await base.open(golem)).tick()
  return golem
}

function note(pair: string, raced: Raced): void {
  const name = `${pair}: ${said(raced)}`
  answers.set(name, (answers.get(name) ?? 0) + 1)
}

/** The results of both: done, or the code of the refusal. */
function said({ lead, other }: Raced): string {
  return `${wordOf(lead)} / ${wordOf(other)}`
}

function wordOf(result: PromiseSettledResult<unknown>): string {
  if (result.status === 'fulfilled') return 'done'
  if (!(result.reason instanceof BardoError)) return `bug: ${result.reason}`
  return result.reason.code
}
