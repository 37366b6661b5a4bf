import { type Devnet, startDevnet } from '@bardo/devnet'
import fc from 'fast-check'
import { type Hex, numberToHex, zeroAddress, zeroHash } from 'viem'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { bardoCaveats } from '../caveats/bardoCaveats.ts'
import type { Registry } from '../caveats/boundKind.ts'
import type { ChainState, Read, SenderKind } from '../caveats/caveatKind.ts'
import { addressWord, wordOf } from '../caveats/execution/digits.ts'
import { encodePicked } from '../caveats/stock/logicalOrWrapper.ts'
import { stockKinds } from '../caveats/stock/stockKinds.ts'
import { type Call, packed } from '../caveats/stock/testing/cases.ts'
import type { Mandate } from '../caveats/terms/mandate.ts'
import { players } from '../caveats/testing/stage.ts'
import { tape, tapeDice } from '../caveats/testing/tapeDice.ts'
import { type ChainVerdict, chainReads, evaluateChain } from './evaluateChain.ts'
import type { DrawnCaveat } from './testing/drawCaveat.ts'
import { type DrawnRedemption, drawRedemption, type Theatre, type What } from './testing/drawRedemption.ts'
import { createRedemptionNode, type Ending } from './testing/redemptionNode.ts'
import { openTheatre, registryOfWorld } from './testing/theatre.ts'

const shards = 4
const runs = (process.env['BARDO_TEST'] === 'full' ? 20_000 : 2_000) / shards
const seconds = process.env['BARDO_TEST'] === 'full' ? 3_600 : 300

let world: Devnet
let theatre: Theatre
let registry: Registry
let node: ReturnType<typeof createRedemptionNode>
beforeAll(async () => {
  world = await startDevnet({ port: 0 })
  theatre = await openTheatre(world)
  registry = registryOfWorld(world)
  node = createRedemptionNode(world.url, world.addresses.delegationManager)
})
afterAll(() => world.stop())

/** How often each kind was in a chain that passed, and how often it was the one to refuse. */
const seen = new Map<string, { passed: number; refused: number }>()
const cases = { known: 0, unknown: 0, passed: 0, real: 0 }

describe('a chain’s verdict is the manager’s, with the link, the caveat, the hook and the bytes', () => {
  it.concurrent.each(Array.from({ length: shards }, (_, shard) => shard))(
    'part %i',
    { timeout: seconds * 1000 },
    async (shard) => {
      await fc.assert(
        fc.asyncProperty(tape, async (throws) => {
          const redemption = await drawRedemption(tapeDice(throws), theatre)
          const [verdict, ending] = await Promise.all([judged(redemption), node.redeem(redemption)])
          count(redemption, verdict, ending)
          agree(redemption, verdict, ending)
        }),
        {
          numRuns: runs,
          seed: 20261116 + shard,
          interruptAfterTimeLimit: seconds * 900,
          markInterruptAsFailure: true,
        },
      )
    },
  )

  it('was given for every kind, and most were known', () => {
    const poor = theatre.enforcers.filter(({ name }) => {
      const counted = seen.get(name)
      return !counted?.passed || !counted.refused
    })
    expect(poor.map(({ name }) => [name, seen.get(name)])).toEqual([])
    const all = cases.known + cases.unknown
    expect(cases.known / all).toBeGreaterThan(0.8)
    expect(cases.passed / all).toBeGreaterThan(0.2)
    // Real accounts and real signatures, not puppets.
    expect(cases.real / all).toBeGreaterThan(0.1)
  })
})

describe('caveats that meet in one redemption', () => {
  const [token = players.stranger] = players.tokens
  const mandate: Mandate = {
    account: players.account,
    assets: [{ token, feed: zeroAddress, maxAgeSeconds: 0, scale: 14 }],
    targets: [{ kind: 9, address: players.market, selector: '0x12345678' }],
    payees: [players.payee],
  }
  const data: Hex = `0xa9059cbb${addressWord(players.payee)}${wordOf(1_000_000)}`
  const payment = whatOf({ target: token, value: 0n, callData: data })
  const sale = whatOf({ target: players.market, value: 0n, callData: '0x12345678' })
  const daily = (lineage: number, limitCents = 100_000n) =>
    caveatOf(
      'DailySpendLimit',
      bardoCaveats.dailySpendLimit.encode({
        lineage: numberToHex(lineage, { size: 32 }),
        limitCents,
        mandate,
      }),
    )
  const royalty = () =>
    caveatOf(
      'KnowledgeRoyalty',
      bardoCaveats.knowledgeRoyalty.encode({ author: players.payee, bps: 0, mandate }),
    )
  const either = (...inner: readonly DrawnCaveat[]): DrawnCaveat => ({
    ...caveatOf(
      'LogicalOrWrapper',
      stockKinds.LogicalOrWrapper.encode({
        groups: [inner.map(({ enforcer, terms }) => ({ enforcer: enforcer.address, terms }))],
      }),
    ),
    args: encodePicked(
      0n,
      inner.map(({ args }) => args),
    ),
  })

  it.each<[string, What, SenderKind, () => readonly (readonly DrawnCaveat[])[], string]>([
    ['two lineages in one link', payment, 'key', () => [[daily(1), daily(2)]], 'pass'],
    ['one lineage of two delegators', payment, 'key', () => [[daily(1)], [daily(1)]], 'pass'],
    ['one lineage twice', payment, 'key', () => [[daily(1), daily(1)]], 'LineageBusy'],
    ['one lineage twice, by a contract', payment, 'contract', () => [[daily(1), daily(1)]], 'LineageBusy'],
    ['two measured, by a contract', payment, 'contract', () => [[daily(1)], [daily(2)]], 'pass'],
    [
      'two measured, by a key with code',
      payment,
      'upgraded key',
      () => [[daily(1)], [daily(2)]],
      'AccountBusy',
    ],
    ['one measured, by a key with code', payment, 'upgraded key', () => [[daily(1)]], 'pass'],
    ['two royalties of one delegation', sale, 'key', () => [[royalty(), royalty()]], 'SaleBusy'],
    ['two royalties of two delegations', sale, 'key', () => [[royalty()], [royalty()]], 'pass'],
    [
      'two refusals afterwards: the root’s is the first',
      payment,
      'key',
      () => [[daily(1, 1n)], [daily(2, 2n)]],
      'SpendLimitExceeded',
    ],
    [
      'two refusals afterwards: the last caveat’s is the first',
      payment,
      'key',
      () => [[daily(1, 1n), daily(2, 2n)]],
      'SpendLimitExceeded',
    ],
    ['two measured in one group', payment, 'key', () => [[either(daily(1), daily(2))]], 'NotOpened'],
    [
      'one measured inside a group and one outside',
      payment,
      'key',
      () => [[either(daily(1)), daily(1)]],
      'pass',
    ],
    [
      'a group’s caveat that reverts without a word',
      payment,
      'key',
      () => [[either(caveatOf('NativeTokenTransferAmount', '0x'))]],
      'FailedInnerCall',
    ],
    ['two counters of one delegation', payment, 'key', () => [[counter(1), counter(1)]], 'Error'],
    ['two counters of two delegations', payment, 'key', () => [[counter(1)], [counter(1)]], 'pass'],
    [
      'a counter inside a group and one outside',
      payment,
      'key',
      () => [[either(counter(1)), counter(1)]],
      'pass',
    ],
  ])('%s', async (_, what, sender, caveats, expected) => {
    const dice = tapeDice({ seed: 0, throws: 0 })
    const redemption = await drawRedemption(dice, theatre, { mandate, what, sender, caveats: caveats() })
    const [verdict, ending] = await Promise.all([judged(redemption), node.redeem(redemption)])
    agree(redemption, verdict, ending)
    expect(verdict.first?.refusal.name ?? verdict.is).toBe(expected)
    expect(verdict.first?.certain ?? true).toBe(true)
  })

  it('is unknown where nobody said how the redeemer comes', async () => {
    const dice = tapeDice({ seed: 0, throws: 0 })
    const caveats = [[daily(1)], [daily(2)]]
    const redemption = await drawRedemption(dice, theatre, { mandate, what: payment, sender: 'key', caveats })
    const { is, caveats: said } = await judged({ ...redemption, sender: undefined })
    expect({ is, said }).toMatchObject({ is: 'unknown', said: [{}, { verdict: { missing: 'sender' } }] })
  })
})

function counter(limit: number): DrawnCaveat {
  return caveatOf('LimitedCalls', stockKinds.LimitedCalls.encode({ limit }))
}

function caveatOf(name: string, terms: Hex): DrawnCaveat {
  const enforcer = theatre.enforcers.find((each) => each.name === name)
  if (!enforcer) throw new Error(`no ${name}`)
  return { enforcer, terms, args: '0x', inner: [] }
}

function whatOf(call: Call): What {
  return {
    execution: { mode: zeroHash, calldata: packed(call) },
    calls: [call],
    isBatch: false,
    lead: undefined,
  }
}

type Asked = Omit<DrawnRedemption, 'sender'> & { readonly sender: SenderKind | undefined }

/** Asks the chain, as often as an answer leads to another question. */
async function judged(redemption: Asked): Promise<ChainVerdict> {
  const { links, redeemer, sender, execution } = redemption
  const question = { chainId: world.chainId, manager: theatre.manager, redeemer, sender, execution }
  const reads = new Map<string, Read>()
  const ask = (more: readonly Read[]) => {
    const before = reads.size
    for (const read of more) reads.set(`${read.to}${read.data}`.toLowerCase(), read)
    return reads.size > before
  }
  ask(chainReads(links, registry, question))
  ask(redemption.reads)
  for (;;) {
    const { before, after } = await node.look(redemption, [...reads.values()])
    const missed: Read[] = []
    const noting = (state: ChainState): ChainState => ({
      ...state,
      answer(read) {
        const answer = state.answer(read)
        if (!answer) missed.push(read)
        return answer
      },
    })
    const verdict = evaluateChain(links, registry, {
      ...question,
      before: noting(before),
      after: after && noting(after),
    })
    if (!ask(missed)) return verdict
  }
}

function count({ names, isReal }: DrawnRedemption, { is, first }: ChainVerdict, ending: Ending): void {
  const known = is === 'pass' || (is === 'refuse' && (first?.certain ?? true))
  cases[known ? 'known' : 'unknown'] += 1
  if (ending.is === 'pass') cases.passed += 1
  if (isReal) cases.real += 1
  for (const [place, name] of names.entries()) {
    const counted = seen.get(name) ?? { passed: 0, refused: 0 }
    if (ending.is === 'pass') counted.passed += 1
    else if (ending.by === 'caveat' && ending.place === place) counted.refused += 1
    seen.set(name, counted)
  }
}

/** What is known must be so; what is not must not be contradicted. */
function agree(redemption: DrawnRedemption, verdict: ChainVerdict, ending: Ending): void {
  const shown = {
    names: redemption.names,
    sender: redemption.sender,
    isReal: redemption.isReal,
    ending,
    redemption,
  }
  const { manager, caveats, first } = verdict
  if (ending.is === 'refuse' && ending.by === 'manager') {
    expect({ ...shown, said: manager }).toMatchObject({ said: { is: 'refuse', data: ending.data } })
    return
  }
  expect({ ...shown, said: manager.is }).toMatchObject({ said: 'pass' })
  if (ending.is === 'pass') {
    expect({ ...shown, said: caveats.find(({ verdict }) => verdict.is === 'refuse') }).toMatchObject({
      said: undefined,
    })
    return
  }
  if (ending.by !== 'caveat') {
    const early = caveats.find(({ verdict }) => verdict.is === 'refuse' && verdict.hook.startsWith('before'))
    expect({ ...shown, said: early }).toMatchObject({ said: undefined })
    return
  }
  const said = caveats[ending.place]?.verdict
  if (said?.is === 'unknown' && !first?.certain) return
  const { hook, data } = ending
  expect({ ...shown, said }).toMatchObject({ said: { is: 'refuse', hook, refusal: { data } } })
  const { link, caveat } = caveats[ending.place] ?? {}
  if (first?.certain) expect({ ...shown, first }).toMatchObject({ first: { link, caveat, hook } })
}
