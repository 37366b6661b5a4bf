import { type Devnet, startDevnet } from '@bardo/devnet'
import fc from 'fast-check'
import {
  type Address,
  encodeAbiParameters,
  type Hex,
  keccak256,
  numberToHex,
  parseAbiParameters,
  zeroAddress,
  zeroHash,
} from 'viem'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { bardoCaveats } from './bardoCaveats.ts'
import type { Answer, Read, Verdict } from './caveatKind.ts'
import { addressWord, digitsOf, wordOf } from './execution/digits.ts'
import { Dice, damaged, drawExecution, drawMandate, drawScenery, drawSigns, now } from './testing/cases.ts'
import { drawArgs, keys } from './testing/drawArgs.ts'
import { drawBudget } from './testing/drawBudget.ts'
import { type DrawnKind, drawTerms, golem } from './testing/drawTerms.ts'
import { enactConstitution } from './testing/enactConstitution.ts'
import { chainOf, sceneryOf, tellingCalls } from './testing/puppets.ts'
import { hookData, mappingSlot, play, players, type Storage, setStage } from './testing/stage.ts'
import { balanceRead, questions } from './verdict/questions.ts'

let world: Devnet
let constitution: Hex
const delegationHash = numberToHex(77, { size: 32 })
const { manager, account } = players
// The delegator of the link that carries the caveat.
const delegator = players.stranger

beforeAll(async () => {
  world = await startDevnet({ port: 0 })
  await setStage(world)
  constitution = await enactConstitution(world)
})
afterAll(() => world.stop())

// A case is a call to the EVM: some 900 of them here, and ten times as many where time does not matter.
const factor = process.env['BARDO_TEST'] === 'full' ? 10 : 1
const runsOf = (kind: DrawnKind) => factor * (kind === 'cage' ? 200 : 60)

it.each(Object.keys(drawTerms) as DrawnKind[])(
  '%s judges as its enforcer does',
  { timeout: 20_000 * factor },
  async (kind) => {
    const endings = new Map<string, number>()
    await fc.assert(
      fc.asyncProperty(fc.gen(), async (g) => {
        const { verdict, evm, shown } = await compare(kind, new Dice(g))
        expect({ ...shown, verdict: told(verdict) }).toEqual({ ...shown, verdict: evm })
        endings.set(told(verdict).slice(0, 20), (endings.get(told(verdict).slice(0, 20)) ?? 0) + 1)
      }),
      { numRuns: runsOf(kind), interruptAfterTimeLimit: 15_000 * factor, markInterruptAsFailure: true },
    )
    // A comparison in which nothing passes, or nothing is refused, compares nothing.
    expect(endings.get('pass') ?? 0).toBeGreaterThan(0)
    expect(endings.size).toBeGreaterThan(2)
  },
)

/** One case, judged by both. */
async function compare(kind: DrawnKind, dice: Dice) {
  const enforcer = world.addresses[`${kind}Enforcer`].toLowerCase() as Address
  const mandate = drawMandate(dice)
  const drawn = drawTerms[kind](dice, mandate, {
    constitution: dice.once(15) ? zeroHash : constitution,
    keys,
  })
  const terms = dice.once(12) ? damaged(dice, drawn) : drawn
  const execution = drawExecution(dice, mandate)
  const signs = drawSigns(dice)
  const bare = {
    chainId: world.chainId,
    manager,
    enforcer,
    execution,
    delegationHash,
    delegator,
    redeemer: players.redeemer,
    args: '0x' as Hex,
  }
  const signed = kind === 'threshold' || kind === 'cage' ? await drawArgs(dice, bare) : undefined
  const context = { ...bare, args: signed?.args ?? '0x' }
  const vitals = world.addresses.golemVitals.toLowerCase() as Address
  const rows = drawRows(kind, dice, enforcer)
  // Rows that no case fills are empty, and constitutions that nobody enacted are not there.
  const otherwise = ({ to }: Read): Answer | undefined => {
    if (to === enforcer) return { ok: true, data: `0x${'00'.repeat(192)}` }
    return to === world.addresses.policyCage.toLowerCase() ? { ok: false, data: '0x12345678' } : undefined
  }
  const known = sceneryOf([...rows.answers, ...(await constants(enforcer))])
  const before = sceneryOf([...drawScenery(dice, mandate, vitals, signs), ...(signed?.answers ?? [])])
  const after = sceneryOf(drawScenery(dice, mandate, vitals, signs))
  const verdict = bardoCaveats[kind].evaluate(terms, {
    ...context,
    before: chainOf(now, otherwise, known, before),
    after: chainOf(now, otherwise, known, before, after),
  })
  const calls = [
    ...tellingCalls(before),
    { to: enforcer, data: hookData('beforeHook', terms, context) },
    ...tellingCalls(after),
    { to: enforcer, data: hookData('afterHook', terms, context) },
  ]
  const ending = await play(world.url, calls, now, rows.storage)
  const hook =
    ending &&
    (ending.failed === calls.length - 1
      ? 'afterHook'
      : ending.failed === before.size
        ? 'beforeHook'
        : `call ${ending.failed}`)
  const evm = ending ? `${hook} ${ending.data}` : 'pass'
  return { verdict, evm, shown: { terms, execution } }
}

function told(verdict: Verdict): string {
  if (verdict.is === 'refuse') return `${verdict.hook} ${verdict.refusal.data}`
  return verdict.is === 'pass' ? 'pass' : `unknown ${JSON.stringify(verdict.missing)}`
}

/** What is the same in every case: which contracts the enforcer knows, and what the constitution says. */
const fixed = new Map<Address, [Read, Answer][]>()
async function constants(enforcer: Address): Promise<[Read, Answer][]> {
  const policyCage = world.addresses.policyCage
  const known =
    fixed.get(enforcer) ??
    (await Promise.all(
      [
        questions.vitals(enforcer),
        questions.policyCage(enforcer),
        questions.constitutionOf(policyCage, digitsOf(constitution)),
        questions.constitutionOf(policyCage, digitsOf(zeroHash)),
        balanceRead(zeroAddress, account),
      ].map(async (read): Promise<[Read, Answer]> => {
        const { data } = await world.client.call(read).catch(() => ({ data: undefined }))
        return [read, data ? { ok: true, data } : { ok: false, data: '0x12345678' }]
      }),
    ))
  fixed.set(enforcer, known)
  return known
}

/** What the enforcer remembers: in its storage, and as its own answers. */
function drawRows(
  kind: DrawnKind,
  dice: Dice,
  enforcer: Address,
): { storage: Storage; answers: [Read, Answer][] } {
  const key = keccak256(
    encodeAbiParameters(parseAbiParameters('address, address, bytes32'), [manager, delegator, golem]),
  )
  const nonceKey = keccak256(
    encodeAbiParameters(parseAbiParameters('address, address, bytes32'), [
      manager,
      delegator,
      delegationHash,
    ]),
  )
  const row = [addressWord(manager), addressWord(delegator), digitsOf(golem)]
  const nonceRow = [addressWord(manager), addressWord(delegator), digitsOf(delegationHash)]
  const budget = drawBudget(dice)
  const last = dice.pick(0n, now - 99n, now - 100n, now - 101n)
  const spent = BigInt(dice.pick(0, 3_000, 4_000, 9_000))
  const calls = BigInt(dice.pick(0, 2, 3))
  const highWater = BigInt(dice.pick(0, 10_000, 30_000, 10 ** 7))
  const session = {
    start: now - dice.pick(0n, 999n, 1_000n, 5_000n),
    cents: BigInt(dice.pick(0, 5_000, 8_000)),
  }
  const used = dice.once(12) ? 1n : 0n
  const answer = (...values: readonly bigint[]): Answer => ({
    ok: true,
    data: `0x${values.map(wordOf).join('')}`,
  })
  const word = (value: bigint) => numberToHex(value, { size: 32 })
  const packedSession = word(session.start | (session.cents << 40n))
  const state = (hash: Hex, high: bigint): [Read, Answer] => [
    questions.lineageState(enforcer, ...row, digitsOf(hash)),
    answer(budget, calls, spent, high, session.start, session.cents),
  ]
  const nonces = (slot: bigint) => mappingSlot(word(5n), mappingSlot(nonceKey, slot))
  const nonceAnswer: [Read, Answer] = [questions.isNonceUsed(enforcer, ...nonceRow, wordOf(5)), answer(used)]
  const unused: [Read, Answer][] = [0n, 6n, 2n ** 255n].map((n) => [
    questions.isNonceUsed(enforcer, ...nonceRow, wordOf(n)),
    answer(0n),
  ])
  const high = (slot: bigint) => mappingSlot(constitution, mappingSlot(key, slot))
  switch (kind) {
    case 'cadence':
      return one(
        enforcer,
        mappingSlot(key, 0n),
        word(last),
        questions.lastExecution(enforcer, ...row),
        answer(last),
      )
    case 'dailySpendLimit':
      return one(
        enforcer,
        mappingSlot(key, 0n),
        word(budget),
        questions.budget(enforcer, ...row),
        answer(budget),
      )
    case 'replicantBudget':
      return one(
        enforcer,
        mappingSlot(key, 0n),
        word(spent),
        questions.spentCents(enforcer, ...row),
        answer(spent),
      )
    case 'threshold':
      return { storage: { [enforcer]: { [nonces(0n)]: word(used) } }, answers: [...unused, nonceAnswer] }
    case 'policyCage':
      return {
        storage: {
          [enforcer]: {
            [mappingSlot(key, 0n)]: packedSession,
            [high(1n)]: word(highWater),
            [mappingSlot(key, 2n)]: word(budget),
          },
        },
        answers: [
          [questions.budget(enforcer, ...row), answer(budget)],
          [questions.session(enforcer, ...row), answer(session.start, session.cents)],
          [questions.highWaterCents(enforcer, ...row, digitsOf(constitution)), answer(highWater)],
        ],
      }
    case 'cage':
      return {
        storage: {
          [enforcer]: {
            [key]: word(budget),
            [mappingSlot(key, 0n)]: packedSession,
            [high(1n)]: word(highWater),
            [mappingSlot(key, 2n)]: word(calls),
            [mappingSlot(key, 3n)]: word(spent),
            [nonces(4n)]: word(used),
          },
        },
        answers: [state(zeroHash, 0n), state(constitution, highWater), ...unused, nonceAnswer],
      }
    default:
      return { storage: {}, answers: [] }
  }
}

function one(enforcer: Address, slot: Hex, value: Hex, read: Read, answer: Answer) {
  return { storage: { [enforcer]: { [slot]: value } }, answers: [[read, answer] as [Read, Answer]] }
}
