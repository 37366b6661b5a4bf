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
import { nobleEngine } from '../crypto/cryptoEngine.ts'
import { bardoCaveats } from './bardoCaveats.ts'
import type { Answer, Read, RulesVersion, Verdict } from './caveatKind.ts'
import { digitsOf, wordOf } from './execution/digits.ts'
import { Dice, damaged, drawExecution, drawMandate, drawScenery, drawSigns, now } from './testing/cases.ts'
import { deployEnforcers, earlierKinds } from './testing/deployEnforcers.ts'
import { drawArgs, keys } from './testing/drawArgs.ts'
import { drawBudget, drawGas, drawTotals } from './testing/drawBudget.ts'
import { type DrawnKind, drawTerms, golem } from './testing/drawTerms.ts'
import { enactConstitution } from './testing/enactConstitution.ts'
import { drawFocused, type Focus, focuses, sectionedCage } from './testing/focusedCage.ts'
import { hookData, mappingSlot, play, players, type Storage, setStage } from './testing/harness.ts'
import { replayRandom, tape } from './testing/replayRandom.ts'
import { chainOf, sceneryOf, tellingCalls } from './testing/stubContracts.ts'
import { balanceRead, questions, rowQuestion } from './verdict/questions.ts'
import type { RefusalName } from './verdict/refusalTypes.ts'

let world: Devnet
let constitution: Hex
let enforcers: Readonly<Record<RulesVersion, Readonly<Record<DrawnKind, Address>>>>
const delegationHash = numberToHex(77, { size: 32 })
const { manager, account } = players
// The delegator of the link that carries the caveat.
const delegator = players.stranger

beforeAll(async () => {
  world = await startDevnet({ port: 0 })
  await setStage(world)
  constitution = await enactConstitution(world)
  enforcers = {
    1: await deployEnforcers(world, 1, manager),
    2: await deployEnforcers(world, 2, manager),
  }
})
afterAll(() => world.stop())

// A case is one call to the EVM: about 900 here, and ten times as many in the long run.
const factor = process.env['BARDO_TEST'] === 'full' ? 10 : 1
const runsOf = (kind: DrawnKind, rules: RulesVersion) =>
  factor * (rules === 1 ? (kind === 'cage' ? 70 : 16) : kind === 'cage' ? 190 : 40)

const kinds = Object.keys(bardoCaveats) as DrawnKind[]
const cases: readonly (readonly [DrawnKind, RulesVersion])[] = [
  ...kinds.map((kind) => [kind, 2] as const),
  // The other enforcers are the same contract in both versions.
  ...earlierKinds.map((kind) => [kind, 1] as const),
]

it.each(cases)(
  '%s gives the verdict of its enforcer of version %i',
  { timeout: 60_000 * factor },
  async (kind, rules) => {
    const endings = new Map<string, number>()
    await fc.assert(
      fc.asyncProperty(fc.gen(), async (g) => {
        const { verdict, evm, shown } = await compare(kind, rules, new Dice(g))
        expect({ ...shown, verdict: verdictText(verdict) }).toEqual({ ...shown, verdict: evm })
        endings.set(
          verdictText(verdict).slice(0, 20),
          (endings.get(verdictText(verdict).slice(0, 20)) ?? 0) + 1,
        )
      }),
      { numRuns: runsOf(kind, rules) },
    )
    // A comparison without a pass, or without a refusal, proves nothing.
    expect(endings.get('pass') ?? 0).toBeGreaterThan(0)
    expect(endings.size).toBeGreaterThan(2)
  },
)

/** The refusals that a focus must produce, besides passing. */
const met: Readonly<Record<Focus, readonly RefusalName[]>> = {
  'drawing gas': ['GasLimitExceeded', 'SpendLimitExceeded', 'TotalExceeded', 'ClassNotAllowed'],
  'leaving a vault': ['BelowFloor', 'TotalExceeded'],
  'paying within totals': ['TotalExceeded', 'SpendLimitExceeded', 'AllowanceExceeded'],
  'closing while feeds are down': ['BelowFloor'],
}

it.each(focuses)(
  'cage gives the verdict of its enforcer when %s',
  { timeout: 60_000 * factor },
  async (focus) => {
    const endings = new Set<string>()
    await fc.assert(
      fc.asyncProperty(tape, async (throws) => {
        const { verdict, evm, shown } = await compareFocused(replayRandom(throws), focus)
        expect({ ...shown, verdict: verdictText(verdict) }).toEqual({ ...shown, verdict: evm })
        endings.add(verdict.type === 'refuse' ? verdict.refusal.name : verdict.type)
      }),
      { seed: 20261118, numRuns: 60 * factor },
    )
    for (const name of ['pass', ...met[focus]]) expect([...endings]).toContain(name)
  },
)

it.each<RulesVersion>([1, 2])(
  'cage of version %i refuses unknown sections and wrong lengths as its enforcer does',
  { timeout: 60_000 },
  async (rules) => {
    const dice = replayRandom({ seed: 1, throws: 0 })
    const { mandate, terms, execution } = sectionedCage(rules)
    const extrasAt = 4
    const extrasBits = rules === 1 ? 8 : 16
    const extras = Number.parseInt(terms.slice(extrasAt, extrasAt + extrasBits / 4), 16)
    const flipped = Array.from({ length: extrasBits }, (_, bit): Hex => {
      const other = (extras ^ (1 << bit)).toString(16).padStart(extrasBits / 4, '0')
      return `0x${terms.slice(2, extrasAt)}${other}${terms.slice(extrasAt + extrasBits / 4)}`
    })
    const cuts = Array.from({ length: 130 }, (_, bytes): Hex => `0x${terms.slice(2, -2 * bytes - 2)}`)
    const versions = [0, 1, 2, 3, 255].map(
      (version): Hex => `0x${wordOf(version).slice(-2)}${terms.slice(4)}`,
    )
    for (const wrong of [...flipped, ...cuts, ...versions, `${terms}00` as const]) {
      const given = { mandate, terms: wrong, execution }
      const { verdict, evm, shown } = await compare('cage', rules, dice, given)
      expect({ ...shown, verdict: verdictText(verdict) }).toEqual({ ...shown, verdict: evm })
    }
  },
)

const compareFocused = (dice: Dice, focus: Focus) =>
  compare('cage', 2, dice, drawFocused(dice, focus, constitution))

/** One case, evaluated by both. */
async function compare(
  kind: DrawnKind,
  rules: RulesVersion,
  dice: Dice,
  { mandate, terms, execution } = drawCase(kind, rules, dice),
) {
  const enforcer = enforcers[rules][kind]
  const signs = drawSigns(dice)
  const bare = {
    rules,
    chainId: world.chainId,
    manager,
    enforcer,
    execution,
    delegationHash,
    delegator,
    redeemer: players.redeemer,
    recoverPublicKey: nobleEngine.recoverPublicKey,
    args: '0x' as Hex,
  }
  const signed = kind === 'threshold' || kind === 'cage' ? await drawArgs(dice, bare) : undefined
  const context = { ...bare, args: signed?.args ?? '0x' }
  const vitals = world.addresses.golemVitals.toLowerCase() as Address
  const rows = drawRows(kind, rules, dice, enforcer)
  // Rows without a case are empty, and no other constitution is enacted.
  const otherwise = (read: Read): Answer | undefined => {
    const { to } = read
    if (to === enforcer) return rows.state?.(read) ?? { ok: true, data: `0x${'00'.repeat(256)}` }
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

function drawCase(kind: DrawnKind, rules: RulesVersion, dice: Dice) {
  const mandate = drawMandate(dice)
  const drawn = drawTerms[kind](dice, mandate, {
    constitution: dice.once(15) ? zeroHash : constitution,
    keys,
    rules,
  })
  const terms = dice.once(12) ? damaged(dice, drawn) : drawn
  return { mandate, terms, execution: drawExecution(dice, mandate) }
}

function verdictText(verdict: Verdict): string {
  if (verdict.type === 'refuse') return `${verdict.hook} ${verdict.refusal.data}`
  return verdict.type === 'pass' ? 'pass' : `unknown ${JSON.stringify(verdict.missing)}`
}

/** What is the same in every case: the enforcer's contracts and the constitution. */
const fixed = new Map<Address, [Read, Answer][]>()
async function constants(enforcer: Address): Promise<[Read, Answer][]> {
  const policyCage = world.addresses.policyCage
  const known =
    fixed.get(enforcer) ??
    (await Promise.all(
      [
        questions.dependencies(enforcer),
        questions.delegationManager(enforcer),
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

/** The enforcer's state: in its storage, and as its own answers. */
function drawRows(
  kind: DrawnKind,
  rules: RulesVersion,
  dice: Dice,
  enforcer: Address,
): { storage: Storage; answers: [Read, Answer][]; state?: (read: Read) => Answer | undefined } {
  const [key, nonceKey] = [golem, delegationHash].map((lineage) =>
    keccak256(
      rules === 1
        ? encodeAbiParameters(parseAbiParameters('address, address, bytes32'), [manager, delegator, lineage])
        : encodeAbiParameters(parseAbiParameters('address, bytes32'), [delegator, lineage]),
    ),
  ) as [Hex, Hex]
  const owner = { manager, enforcer, delegator, rules }
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
  const gas = drawGas(dice)
  const totals = drawTotals(dice)
  const answer = (...values: readonly bigint[]): Answer => ({
    ok: true,
    data: `0x${values.map(wordOf).join('')}`,
  })
  const word = (value: bigint) => numberToHex(value, { size: 32 })
  const packedSession = word(session.start | (session.cents << 40n))
  // The Cage's row for any constitution and any period.
  const state = ({ data }: Read): Answer | undefined => {
    const question = rowQuestion(owner, 'lineageState', golem).data
    if (!data.startsWith(question)) return undefined
    const [hash, period] = [data.slice(question.length, question.length + 64), data.slice(-64)]
    const high = hash === digitsOf(constitution) ? highWater : 0n
    const [, total = 0n] = totals.find(([seconds]) => wordOf(seconds) === period) ?? []
    const added = rules === 1 ? [] : [gas, total]
    return answer(budget, calls, spent, high, session.start, session.cents, ...added)
  }
  const nonces = (slot: bigint) => mappingSlot(word(5n), mappingSlot(nonceKey, slot))
  const nonceAnswer: [Read, Answer] = [
    rowQuestion(owner, 'isNonceUsed', delegationHash, wordOf(5)),
    answer(used),
  ]
  const unused: [Read, Answer][] = [0n, 6n, 2n ** 255n].map((n) => [
    rowQuestion(owner, 'isNonceUsed', delegationHash, wordOf(n)),
    answer(0n),
  ])
  const high = (slot: bigint) => mappingSlot(constitution, mappingSlot(key, slot))
  switch (kind) {
    case 'cadence':
      return one(
        enforcer,
        mappingSlot(key, 0n),
        word(last),
        rowQuestion(owner, 'lastExecution', golem),
        answer(last),
      )
    case 'dailySpendLimit':
      return one(
        enforcer,
        mappingSlot(key, 0n),
        word(budget),
        rowQuestion(owner, 'budget', golem),
        answer(budget),
      )
    case 'replicantBudget':
      return one(
        enforcer,
        mappingSlot(key, 0n),
        word(spent),
        rowQuestion(owner, 'spentCents', golem),
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
          [rowQuestion(owner, 'budget', golem), answer(budget)],
          [rowQuestion(owner, 'session', golem), answer(session.start, session.cents)],
          [rowQuestion(owner, 'highWaterCents', golem, digitsOf(constitution)), answer(highWater)],
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
            ...(rules === 1
              ? { [nonces(4n)]: word(used) }
              : {
                  [mappingSlot(key, 4n)]: word(gas),
                  ...Object.fromEntries(
                    totals.map(([period, total]) => [
                      mappingSlot(word(BigInt(period)), mappingSlot(key, 5n)),
                      word(total),
                    ]),
                  ),
                  [nonces(6n)]: word(used),
                }),
          },
        },
        answers: [...unused, nonceAnswer],
        state,
      }
    default:
      return { storage: {}, answers: [] }
  }
}

function one(enforcer: Address, slot: Hex, value: Hex, read: Read, answer: Answer) {
  return { storage: { [enforcer]: { [slot]: value } }, answers: [[read, answer] as [Read, Answer]] }
}
