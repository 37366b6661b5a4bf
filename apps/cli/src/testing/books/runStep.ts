import { BardoError } from '@bardo/core'
import { createRandom, type Random } from '@bardo/core/testing/random'
import { callTool, tools } from '@bardo/tools'
import { z } from 'zod'
import { count, type Ledger, type Subject } from './ledger.ts'
import type { BooksWorld, CommandResult } from './openBooksWorld.ts'
import type { Operation, Step } from './step.ts'

const strategies = [
  'Every minute, swap $2 of USDC into WETH. Spawn replicants.\nbudget: $700/day\nlifespan: 30 days\n',
  'Deposit USDC in the vault, and withdraw from it. Spawn replicants.\nbudget: $10/day\nlifespan: 14 days\n',
  'Every hour, swap $3 of USDC into WETH.\nNever spawn replicants.\nbudget: $30/day\nlifespan: 10 days\n',
] as const

/** Refusals that are not faults: another operation is running or took the key, or a limit is reached. */
const refusals = new Set([
  'RATE_LIMITED',
  'ROTATION_REFUSED',
  'GOLEM_DYING',
  'STORE_UNAVAILABLE',
  'INTENT_CLOSED',
])

const daySeconds = 86_400

type Context = { readonly here: BooksWorld; readonly ledger: Ledger; readonly dice: Random }
type Work = (context: Context, subject: Subject) => Promise<readonly string[]>

/** Runs a step. Returns its problems. */
export async function runStep(here: BooksWorld, ledger: Ledger, step: Step): Promise<readonly string[]> {
  const dice = createRandom(step.seed)
  await here.follow()
  const context = { here, ledger, dice }
  if (step.operation === 'summon') return summon(context)
  const living = await livingSubjects(here, ledger)
  const [first, ...others] = living
  if (!first) {
    count(ledger, `${step.operation}, with no Golem alive`)
    return []
  }
  return work[step.operation](context, dice.pick([first, ...others]))
}

/** The Golems whose shutdown has not begun. */
export async function livingSubjects(
  { store }: BooksWorld,
  { subjects }: Ledger,
): Promise<readonly Subject[]> {
  const rows = await Promise.all(subjects.map(({ id }) => store.golems.find(id)))
  return subjects.filter((_, at) => {
    const status = rows[at]?.status
    return status === 'alive' || status === 'observing' || status === 'onboarding'
  })
}

const work: Readonly<Record<Exclude<Operation, 'summon'>, Work>> = {
  async tick({ here, ledger, dice }, { id }) {
    for (let ticks = 1 + dice.below(3); ticks > 0; ticks -= 1) {
      await here.tick(id)
      await here.pass(dice.pick([15, 61, 3_601]))
    }
    count(ledger, 'tick')
    return []
  },
  feed: (context, subject) => replace(context, subject, 'feed', ['feed', subject.name, '--yes']),
  adjust(context, subject) {
    const { here, dice } = context
    const file = here.write('NEXT.md', dice.pick(strategies))
    const words = ['adjust', subject.name, file, '--yes', ...(dice.chance(0.4) ? ['--close-first'] : [])]
    return replace(context, subject, 'adjust', words)
  },
  async rotate(context, subject) {
    return (await command(context, subject, 'rotate', ['rotate', subject.name])).problems
  },
  async suspect(context, subject) {
    const { here } = context
    const before = await here.store.sessionKeys.list(subject.id)
    const done = await command(context, subject, 'rotate --suspected', [
      'rotate',
      subject.name,
      '--suspected',
      '--yes',
    ])
    if (done.result.exit !== 0) return done.problems
    const after: unknown = done.result.data.after
    for (const { address } of before) if (address !== after) subject.suspected.add(address)
    subject.rootsReplaced += 1
    // The right to draw ends with a suspected key.
    subject.runway = undefined
    return done.result.data.isRotated ? [] : ['rotate --suspected succeeded without another key']
  },
  async replicate(context, subject) {
    const { here, ledger } = context
    const name = `${subject.name}.${ledger.subjects.length}`
    const { result, problems } = await command(
      context,
      subject,
      'replicate',
      ['replicate', subject.name, name],
      {
        // Only a Thriving Golem that is not a child itself may have children, within its own limits.
        more: ['ACTION_NOT_ALLOWED', 'POLICY_REFUSED', 'INVALID_INPUT', 'DELEGATION_INVALID'],
      },
    )
    if (result.exit === 0)
      ledger.subjects.push(newSubject(result.data.golem, name, await timeOf(here), subject))
    return problems
  },
  runway: askForRunway,
  async draw(context, subject) {
    const { here, ledger, dice } = context
    const problems: string[] = []
    if (!subject.runway) problems.push(...(await askForRunway(context, subject)))
    // A rotated key draws on the same runway.
    if (dice.chance(0.5)) problems.push(...(await work.rotate(context, subject)))
    if (problems.length > 0) return problems
    // A tick during a feed leaves the Golem in observe-only mode until the next tick.
    await here.pass(61)
    await here.tick(subject.id)
    const now = await timeOf(here)
    const { runway } = subject
    const isDrawnToday = runway?.drawnAt !== undefined && now - runway.drawnAt <= daySeconds
    const isExpected = runway !== undefined && now < runway.endsAt - 60 && !isDrawnToday
    const drawn = await callAgentTool(here, subject, 'metamask_redeem_runway', {})
    if (drawn.type === 'refused') {
      count(ledger, `draw, refused (${drawn.code})`)
      const isWrong = isExpected && !refusals.has(drawn.code)
      return isWrong
        ? [`${subject.name} cannot draw on a runway that has not ended: ${drawn.message}`]
        : drawn.problems
    }
    count(ledger, 'draw')
    if (runway) subject.runway = { ...runway, drawnAt: now }
    return []
  },
  async pass({ here, ledger, dice }, { id }) {
    await here.pass(dice.pick([61, 3_601, 86_401, 2 * 86_400, 4 * 86_400]))
    await here.tick(id)
    await here.watch()
    count(ledger, 'pass')
    return []
  },
  async sleep({ here, ledger, dice }, { id }) {
    await here.tick(id)
    await here.watch()
    await here.pass(dice.pick([75, 1_800, 5 * 3_600, 26 * 3_600]))
    // The watcher may wake before the worker.
    for (let looks = dice.below(4); looks > 0; looks -= 1) {
      await here.watch()
      await here.pass(20)
    }
    await here.tick(id)
    count(ledger, 'sleep')
    return []
  },
  async price({ here, ledger, dice }) {
    const { world } = here
    const price = await world.price('WETH/USDC')
    const next = (price * BigInt(98 + dice.below(5))) / 100n
    await world.movePrice('WETH/USDC', next)
    // Six decimals of USDC, eight of the feed.
    await world.postPrice('WETH', next * 100n)
    count(ledger, 'price')
    return []
  },
  async reorg({ here, ledger, dice }, { id }) {
    const { client } = here.world
    await here.pass(3_601)
    const before = await client.getBlockNumber()
    await here.tick(id)
    const mined = Number((await client.getBlockNumber()) - before)
    const depth = Math.min(mined, 1 + dice.below(4))
    // Only blocks of the tick are replaced by empty ones; the owner's transactions stay.
    if (depth > 0)
      await client.request<{ Method: 'anvil_reorg'; Parameters: [number, []]; ReturnType: null }>({
        method: 'anvil_reorg',
        params: [depth, []],
      })
    for (let ticks = 0; ticks < 3; ticks += 1) {
      await here.pass(61)
      await here.tick(id)
    }
    count(ledger, 'reorg')
    return []
  },
  async revoke(context, subject) {
    const { result, problems } = await command(context, subject, 'revoke', ['revoke', subject.name, '--yes'])
    if (result.exit === 0) subject.isRevoked = true
    await die(context, subject)
    return problems
  },
  async kill(context, subject) {
    // Record it first: a tick in between may already carry it out.
    subject.isKilled = true
    const { problems } = await command(context, subject, 'kill', ['kill', subject.name, '--yes'])
    await die(context, subject)
    return problems
  },
}

async function summon({ here, ledger, dice }: Context): Promise<readonly string[]> {
  const name = `g${ledger.since}-${ledger.subjects.length}`
  const file = here.write('STRATEGY.md', dice.pick(strategies))
  const words = ['summon', file, '--name', name, '--yes', '--owner-key', ledger.keyFile]
  const { exit, data } = await here.bardo(...words)
  if (exit !== 0) return [`summon failed: ${JSON.stringify(data)}`]
  ledger.account = data.account
  ledger.subjects.push(newSubject(data.golem, name, await timeOf(here)))
  await here.tick(data.golem)
  count(ledger, 'summon')
  return []
}

function newSubject(id: Subject['id'], name: string, bornAt: number, parent?: Subject): Subject {
  return {
    id,
    name,
    parent: parent?.id,
    bornAt,
    isKilled: false,
    isRevoked: false,
    rootsReplaced: 0,
    parentRoots: parent?.rootsReplaced ?? 0,
    suspected: new Set(),
    runway: undefined,
  }
}

async function timeOf({ world }: BooksWorld): Promise<number> {
  return Number((await world.client.getBlock()).timestamp)
}

/** The agent of a Golem requests a runway, and the owner approves it, in full or for fewer days. */
async function askForRunway(context: Context, subject: Subject): Promise<readonly string[]> {
  const { here, ledger, dice } = context
  if (subject.parent) return []
  const input = { golems: [subject.id], dailyCapUsdc: 1 + dice.below(5), durationDays: 1 + dice.below(3) }
  const asked = await callAgentTool(here, subject, 'metamask_request_runway', input)
  if (asked.type === 'refused') {
    count(ledger, `runway, refused (${asked.code})`)
    return asked.problems
  }
  const { requestId } = z.looseObject({ requestId: z.string() }).parse(asked.output)
  const days = dice.chance(0.3) ? 1 : input.durationDays
  const less = days < input.durationDays ? ['--days', `${days}`] : []
  const words = ['requests', requestId, 'yes', ...less]
  const { result, problems } = await command(context, subject, 'runway', words)
  if (result.exit === 0)
    subject.runway = { endsAt: (await timeOf(here)) + days * daySeconds, drawnAt: undefined }
  return problems
}

/** Feeds or adjusts: the owner replaces the old root with a new one. */
async function replace(context: Context, subject: Subject, name: string, words: readonly string[]) {
  const { result, problems } = await command(context, subject, name, words, {
    // A child has no root of its own, and a position may not be closable at this moment.
    more: ['ACTION_NOT_ALLOWED', 'OUTCOME_UNKNOWN'],
  })
  if (result.exit === 0) subject.rootsReplaced += 1
  return problems
}

/** Runs a command of the owner, with ticks of the Golem between its requests. */
async function command(
  { here, ledger, dice }: Context,
  { id }: Subject,
  name: string,
  words: readonly string[],
  { more = [] }: { readonly more?: readonly string[] } = {},
): Promise<{ readonly result: CommandResult; readonly problems: readonly string[] }> {
  // Gives the ticks in between something to do.
  if (dice.chance(0.6)) await here.pass(dice.pick([61, 3_601]))
  const keyed = words[0] === 'replicate' ? words : [...words, '--owner-key', ledger.keyFile]
  const result = await here.interleaving.during(
    dice,
    () => here.tick(id),
    () => here.bardo(...keyed),
  )
  if (result.exit === 0) {
    count(ledger, name)
    return { result, problems: [] }
  }
  const code = `${result.data?.error?.code}`
  count(ledger, `${name}, refused (${code})`)
  const isAnswer = refusals.has(code) || more.includes(code)
  return {
    result,
    problems: isAnswer ? [] : [`${words.slice(0, 1)} failed: ${JSON.stringify(result.data)}`],
  }
}

/** Runs the ticks that a Golem needs to shut down. */
async function die({ here }: Context, { id }: Subject): Promise<void> {
  for (let ticks = 0; ticks < 6; ticks += 1) {
    if ((await here.store.golems.find(id))?.status === 'dead') return
    await here.pass(20)
    await here.tick(id)
  }
}

type ToolAnswer =
  | { readonly type: 'done'; readonly output: unknown }
  | {
      readonly type: 'refused'
      readonly code: string
      readonly message: string
      readonly problems: readonly string[]
    }

/** Calls a tool as the Golem's agent. A refusal with a code is a valid answer. */
async function callAgentTool(
  { context }: BooksWorld,
  { id }: Subject,
  name: string,
  input: object,
): Promise<ToolAnswer> {
  const tool = tools.find((one) => one.name === name)
  if (!tool) throw new TypeError(`unknown tool ${name}`)
  try {
    return { type: 'done', output: await callTool(context.toolsFor(id), tool, input) }
  } catch (error) {
    const { code, message } =
      error instanceof BardoError
        ? error
        : { code: 'INTERNAL', message: `${error instanceof Error ? error.stack : error}` }
    const problems = code === 'INTERNAL' ? [`${name} failed: ${message}`] : []
    return { type: 'refused', code, message, problems }
  }
}
