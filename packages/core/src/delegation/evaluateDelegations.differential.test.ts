import { type Devnet, startDevnet } from '@bardo/devnet'
import fc from 'fast-check'
import { type Hex, numberToHex, zeroAddress, zeroHash } from 'viem'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { bardoCaveats } from '../caveats/bardoCaveats.ts'
import type { Registry } from '../caveats/boundKind.ts'
import type { ChainState, Read, SenderKind } from '../caveats/caveatKind.ts'
import { addressWord, wordOf } from '../caveats/execution/digits.ts'
import { encodePicked } from '../caveats/metamask/logicalOrWrapper.ts'
import { metamaskKinds } from '../caveats/metamask/metamaskKinds.ts'
import { packed } from '../caveats/metamask/testing/cases.ts'
import type { Mandate } from '../caveats/terms/mandate.ts'
import { players } from '../caveats/testing/harness.ts'
import { replayRandom, tape } from '../caveats/testing/replayRandom.ts'
import type { Call } from '../redemption/encodeExecution.ts'
import { type DelegationVerdict, delegationReads, evaluateDelegations } from './evaluateDelegations.ts'
import type { DrawnCaveat, Enforcer } from './testing/drawCaveat.ts'
import {
  type DrawnRedemption,
  drawRedemption,
  type RedemptionHarness,
  type What,
} from './testing/drawRedemption.ts'
import { openRedemptionHarness } from './testing/redemptionHarness.ts'
import { createRedemptionNode, type Ending } from './testing/redemptionNode.ts'

const shards = 4
const runs = (process.env['BARDO_TEST'] === 'full' ? 20_000 : 2_000) / shards
const seconds = process.env['BARDO_TEST'] === 'full' ? 3_600 : 300

let world: Devnet
let harness: RedemptionHarness
let registry: Registry
let node: ReturnType<typeof createRedemptionNode>
beforeAll(async () => {
  world = await startDevnet({ port: 0 })
  harness = await openRedemptionHarness(world)
  registry = harness.registry
  node = createRedemptionNode(world.url, world.addresses.delegationManager)
})
afterAll(() => world.stop())

/** How often each kind was in a chain that passed, and how often it refused. */
const seen = new Map<string, { passed: number; refused: number }>()
const cases = { known: 0, unknown: 0, passed: 0, real: 0 }

describe('a chain’s verdict equals the manager’s, with the link, the caveat, the hook and the bytes', () => {
  it.concurrent.each(Array.from({ length: shards }, (_, shard) => shard))(
    'part %i',
    { timeout: seconds * 1000 },
    async (shard) => {
      await fc.assert(
        fc.asyncProperty(tape, async (throws) => {
          // Every fourth chain is one caveat, of each enforcer in turn.
          const { enforcers } = harness
          const only = throws.seed % 4 === 0 ? enforcers[(throws.seed >> 2) % enforcers.length] : undefined
          await compare(throws, only)
        }),
        { numRuns: runs, seed: 20261116 + shard },
      )
    },
  )

  it('covers every kind, and most verdicts are known', { timeout: 60_000 }, async () => {
    const isPoor = ({ name }: Enforcer) => !seen.get(name)?.passed || !seen.get(name)?.refused
    // A kind that was not drawn gets additional chains.
    for (const only of harness.enforcers)
      for (let seed = 0; isPoor(only) && seed < 400; seed++) await compare({ seed, throws: 20_000 }, only)
    expect(harness.enforcers.filter(isPoor).map(({ name }) => [name, seen.get(name)])).toEqual([])
    const all = cases.known + cases.unknown
    expect(cases.known / all).toBeGreaterThan(0.8)
    expect(cases.passed / all).toBeGreaterThan(0.2)
    // Real accounts and real signatures, not stubs.
    expect(cases.real / all).toBeGreaterThan(0.1)
  })
})

/** One chain, evaluated by both. */
async function compare(
  throws: Parameters<typeof replayRandom>[0],
  only: Enforcer | undefined,
): Promise<void> {
  const redemption = await drawRedemption(replayRandom(throws), harness, { only })
  const [verdict, ending] = await Promise.all([evaluated(redemption), node.redeem(redemption)])
  count(redemption, verdict, ending)
  agree(redemption, verdict, ending)
}

describe('caveats in one redemption', () => {
  const [token = players.stranger] = players.tokens
  const mandate: Mandate = {
    account: players.account,
    assets: [{ token, feed: zeroAddress, maxAgeSeconds: 0, scale: 14 }],
    targets: [{ kind: 9, address: players.market, selector: '0x12345678' }],
    payees: [players.payee],
  }
  const data: Hex = `0xa9059cbb${addressWord(players.payee)}${wordOf(1_000_000)}`
  const payment = whatOf({ to: token, value: 0n, data })
  const sale = whatOf({ to: players.market, value: 0n, data: '0x12345678' })
  const daily = (lineage: number, limitCents = 100_000n) =>
    caveatOf(
      'DailySpendLimit',
      bardoCaveats.dailySpendLimit.encode({
        lineage: numberToHex(lineage, { size: 32 }),
        limitCents,
        mandate,
      }),
    )
  const earlier = (lineage: number): DrawnCaveat => ({
    ...daily(lineage),
    enforcer: enforcerOf('DailySpendLimit of version 1'),
  })
  const royalty = () =>
    caveatOf(
      'KnowledgeRoyalty',
      bardoCaveats.knowledgeRoyalty.encode({ author: players.payee, bps: 0, mandate }),
    )
  const either = (...inner: readonly DrawnCaveat[]): DrawnCaveat => ({
    ...caveatOf(
      'LogicalOrWrapper',
      metamaskKinds.LogicalOrWrapper.encode({
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
    ['two measurements, by a contract', payment, 'contract', () => [[daily(1)], [daily(2)]], 'pass'],
    [
      'two measurements, by a key with code',
      payment,
      'upgraded key',
      () => [[daily(1)], [daily(2)]],
      'AccountBusy',
    ],
    ['one measurement, by a key with code', payment, 'upgraded key', () => [[daily(1)]], 'pass'],
    ['two royalties of one delegation', sale, 'key', () => [[royalty(), royalty()]], 'SaleBusy'],
    ['two royalties of two delegations', sale, 'key', () => [[royalty()], [royalty()]], 'pass'],
    [
      'two refusals in afterHook: the root’s comes first',
      payment,
      'key',
      () => [[daily(1, 1n)], [daily(2, 2n)]],
      'SpendLimitExceeded',
    ],
    [
      'two refusals in afterHook: the last caveat’s comes first',
      payment,
      'key',
      () => [[daily(1, 1n), daily(2, 2n)]],
      'SpendLimitExceeded',
    ],
    ['one measurement inside a group', payment, 'key', () => [[either(daily(1))]], 'NotDelegationManager'],
    [
      'two version 1 measurements in one group',
      payment,
      'key',
      () => [[either(earlier(1), earlier(2))]],
      'NotOpened',
    ],
    [
      'one version 1 measurement inside a group and one outside',
      payment,
      'key',
      () => [[either(earlier(1)), earlier(1)]],
      'pass',
    ],
    ['one lineage under both versions', payment, 'key', () => [[daily(1), earlier(1)]], 'pass'],
    [
      'a group’s caveat that reverts without data',
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
    const dice = replayRandom({ seed: 0, throws: 0 })
    const redemption = await drawRedemption(dice, harness, { mandate, what, sender, caveats: caveats() })
    const [verdict, ending] = await Promise.all([evaluated(redemption), node.redeem(redemption)])
    agree(redemption, verdict, ending)
    expect(verdict.first?.refusal.name ?? verdict.type).toBe(expected)
    expect(verdict.first?.certain ?? true).toBe(true)
  })

  it('is unknown if it depends on how the redeemer calls the manager', async () => {
    const dice = replayRandom({ seed: 0, throws: 0 })
    const caveats = [[daily(1)], [daily(2)]]
    const redemption = await drawRedemption(dice, harness, { mandate, what: payment, sender: 'key', caveats })
    const { type, caveats: said } = await evaluated({ ...redemption, sender: undefined })
    expect({ type, said }).toMatchObject({ type: 'unknown', said: [{}, { verdict: { missing: 'sender' } }] })
  })
})

function counter(limit: number): DrawnCaveat {
  return caveatOf('LimitedCalls', metamaskKinds.LimitedCalls.encode({ limit }))
}

function caveatOf(name: string, terms: Hex): DrawnCaveat {
  return { enforcer: enforcerOf(name), terms, args: '0x', inner: [] }
}

function enforcerOf(name: string): DrawnCaveat['enforcer'] {
  const enforcer = harness.enforcers.find((each) => each.name === name)
  if (!enforcer) throw new Error(`no ${name}`)
  return enforcer
}

function whatOf(call: Required<Call>): What {
  return {
    execution: { mode: zeroHash, calldata: packed(call) },
    calls: [call],
    isBatch: false,
    lead: undefined,
  }
}

type Asked = Omit<DrawnRedemption, 'sender'> & { readonly sender: SenderKind | undefined }

/** Reads the chain until no answer leads to another read. */
async function evaluated(redemption: Asked): Promise<DelegationVerdict> {
  const { links, redeemer, sender, execution } = redemption
  const question = { chainId: world.chainId, manager: harness.manager, redeemer, sender, execution }
  const reads = new Map<string, Read>()
  const ask = (more: readonly Read[]) => {
    const before = reads.size
    for (const read of more) reads.set(`${read.to}${read.data}`.toLowerCase(), read)
    return reads.size > before
  }
  ask(delegationReads(links, registry, question))
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
    const verdict = evaluateDelegations(links, registry, {
      ...question,
      before: noting(before),
      after: after && noting(after),
    })
    if (!ask(missed)) return verdict
  }
}

function count({ names, isReal }: DrawnRedemption, { type, first }: DelegationVerdict, ending: Ending): void {
  const known = type === 'pass' || (type === 'refuse' && (first?.certain ?? true))
  cases[known ? 'known' : 'unknown'] += 1
  if (ending.type === 'pass') cases.passed += 1
  if (isReal) cases.real += 1
  for (const [place, name] of names.entries()) {
    const counted = seen.get(name) ?? { passed: 0, refused: 0 }
    if (ending.type === 'pass') counted.passed += 1
    else if (ending.by === 'caveat' && ending.place === place) counted.refused += 1
    seen.set(name, counted)
  }
}

/** A known verdict must match; an unknown one must not be contradicted. */
function agree(redemption: DrawnRedemption, verdict: DelegationVerdict, ending: Ending): void {
  const shown = {
    names: redemption.names,
    sender: redemption.sender,
    isReal: redemption.isReal,
    ending,
    redemption,
  }
  const { manager, caveats, first } = verdict
  if (ending.type === 'refuse' && ending.by === 'manager') {
    expect({ ...shown, said: manager }).toMatchObject({ said: { type: 'refuse', data: ending.data } })
    return
  }
  expect({ ...shown, said: manager.type }).toMatchObject({ said: 'pass' })
  if (ending.type === 'pass') {
    expect({ ...shown, said: caveats.find(({ verdict }) => verdict.type === 'refuse') }).toMatchObject({
      said: undefined,
    })
    return
  }
  if (ending.by !== 'caveat') {
    const early = caveats.find(
      ({ verdict }) => verdict.type === 'refuse' && verdict.hook.startsWith('before'),
    )
    expect({ ...shown, said: early }).toMatchObject({ said: undefined })
    return
  }
  const said = caveats[ending.place]?.verdict
  if (said?.type === 'unknown' && !first?.certain) return
  const { hook, data } = ending
  expect({ ...shown, said }).toMatchObject({ said: { type: 'refuse', hook, refusal: { data } } })
  const { link, caveat } = caveats[ending.place] ?? {}
  if (first?.certain) expect({ ...shown, first }).toMatchObject({ first: { link, caveat, hook } })
}
