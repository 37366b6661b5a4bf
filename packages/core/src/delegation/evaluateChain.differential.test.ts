import { type Devnet, startDevnet } from '@bardo/devnet'
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Registry } from '../caveats/boundKind.ts'
import type { ChainState, Read } from '../caveats/caveatKind.ts'
import { tape, tapeDice } from '../caveats/testing/tapeDice.ts'
import { type ChainVerdict, chainReads, evaluateChain } from './evaluateChain.ts'
import { type DrawnRedemption, drawRedemption, type Theatre } from './testing/drawRedemption.ts'
import { createRedemptionNode, type Ending } from './testing/redemptionNode.ts'
import { openTheatre, registryOfWorld } from './testing/theatre.ts'

const shards = 4
const runs = (process.env['BARDO_TEST'] === 'full' ? 20_000 : 2_000) / shards
const seconds = process.env['BARDO_TEST'] === 'full' ? 1_800 : 180

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

/** Asks the chain, as often as an answer leads to another question. */
async function judged(redemption: DrawnRedemption): Promise<ChainVerdict> {
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
