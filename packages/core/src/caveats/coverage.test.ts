import fc from 'fast-check'
import type { Address, Hex } from 'viem'
import { zeroAddress, zeroHash } from 'viem'
import { expect, it } from 'vitest'
import { BardoError } from '../errors/BardoError.ts'
import { bardoCaveats } from './bardoCaveats.ts'
import type { Answer, CaveatKind, Read, Verdict } from './caveatKind.ts'
import { Dice, drawExecution, drawMandate, drawScenery, drawSigns, now } from './testing/cases.ts'
import { changed } from './testing/changed.ts'
import { type DrawnKind, drawTerms } from './testing/drawTerms.ts'
import { drawFocused, focuses } from './testing/focusedCage.ts'
import { players } from './testing/harness.ts'
import { replayRandom, tape } from './testing/replayRandom.ts'
import { chainOf, sceneryOf } from './testing/stubContracts.ts'
import { balanceRead, questions } from './verdict/questions.ts'

const enforcer: Address = '0x00000000000000000000000000000000000000ee'
const vitals: Address = '0x00000000000000000000000000000000000000ef'
const kinds = (Object.keys(drawTerms) as DrawnKind[]).filter((kind) => kind !== 'threshold')
// A token that does not answer blocks the parent that lists it; a child without it does not count as wider.
const aboutTokens = ['NoAnswer', 'BalanceNotSupported', 'Reverted']

it.each(kinds)('%s: the parent never refuses what a covered child allows', (name) => {
  const kind = bardoCaveats[name] as CaveatKind<unknown>
  const seen = { covered: 0, wider: 0, passed: 0 }
  fc.assert(
    fc.property(fc.gen(), (g) => {
      const dice = new Dice(g)
      const mandate = drawMandate(dice)
      const parent = decoded(
        kind,
        drawTerms[name](dice, mandate, { constitution: zeroHash, keys: [players.payee] }),
      )
      const child = parent && encodable(kind, changed(dice, changed(dice, parent)))
      if (!parent || !child) return
      const { type } = kind.covers(parent, child)
      seen[type] += 1
      if (type === 'wider') return
      const evaluate = drawEvaluation(dice, mandate)
      const verdict = evaluate(kind, child)
      if (verdict.type !== 'pass') return
      seen.passed += 1
      const above = evaluate(kind, parent)
      if (above.type === 'refuse' && aboutTokens.includes(above.refusal.name)) return
      expect({ above, child: kind.encode(child), parent: kind.encode(parent) }).toMatchObject({
        above: { type: 'pass' },
      })
    }),
    { numRuns: process.env['BARDO_TEST'] === 'full' ? 5_000 : 150 },
  )
  // The only field of a dream's terms is an id, which this test does not change.
  if (name === 'dreamMode') seen.wider = 1
  expect(Math.min(seen.covered, seen.wider, seen.passed)).toBeGreaterThan(0)
})

it.each(focuses)('cage: the parent never refuses what a covered child allows when %s', (focus) => {
  const kind = bardoCaveats.cage as CaveatKind<unknown>
  const seen = { covered: 0, wider: 0, passed: 0 }
  fc.assert(
    fc.property(tape, (throws) => {
      const dice = replayRandom(throws)
      const { mandate, terms, execution } = drawFocused(dice, focus, zeroHash)
      const parent = decoded(kind, terms)
      const child = parent && encodable(kind, changed(dice, changed(dice, parent)))
      if (!parent || !child) return
      const { type } = kind.covers(parent, child)
      seen[type] += 1
      if (type === 'wider') return
      const check = drawEvaluation(dice, mandate, execution)
      if (check(kind, child).type !== 'pass') return
      seen.passed += 1
      const above = check(kind, parent)
      if (above.type === 'refuse' && aboutTokens.includes(above.refusal.name)) return
      expect({ above, child, parent }).toMatchObject({ above: { type: 'pass' } })
    }),
    { numRuns: process.env['BARDO_TEST'] === 'full' ? 5_000 : 300 },
  )
  expect(Math.min(seen.covered, seen.wider, seen.passed)).toBeGreaterThan(5)
})

function decoded(kind: CaveatKind<unknown>, terms: Hex): unknown {
  try {
    const { coSigners: _, constitution, ...rest } = kind.decode(terms) as Record<string, unknown>
    // The Cage has no constitution here: none is enacted.
    return kind.name === 'Cage' ? rest : { ...rest, ...(constitution !== undefined && { constitution }) }
  } catch (error) {
    if (error instanceof BardoError) return undefined
    throw error
  }
}

function encodable(kind: CaveatKind<unknown>, terms: unknown): unknown {
  try {
    return kind.decode(kind.encode(terms))
  } catch (error) {
    if (error instanceof BardoError) return undefined
    throw error
  }
}

/** One execution in one world, for any terms. */
function drawEvaluation(
  dice: Dice,
  mandate: Parameters<typeof drawExecution>[1],
  execution = drawExecution(dice, mandate),
) {
  const signs = drawSigns(dice)
  const own: [Read, Answer][] = [
    [
      questions.dependencies(enforcer),
      {
        ok: true,
        data: `0x${[vitals, '0xed', players.manager].map((a) => a.slice(2).padStart(64, '0')).join('')}`,
      },
    ],
    [
      questions.delegationManager(enforcer),
      { ok: true, data: `0x${players.manager.slice(2).padStart(64, '0')}` },
    ],
    [balanceRead(zeroAddress, players.account), { ok: true, data: zeroHash }],
    [questions.vitals(enforcer), { ok: true, data: `0x${vitals.slice(2).padStart(64, '0')}` }],
  ]
  const before = sceneryOf([...drawScenery(dice, mandate, vitals, signs), ...own])
  const after = sceneryOf(drawScenery(dice, mandate, vitals, signs))
  // Nothing is spent yet, and the constitution has two assets and wide limits.
  const wide = [32, 224, 9e6, 9e6, 9e6, 1_000, 10_000, 0, 2].map(BigInt)
  const content = [...wide, ...players.tokens.slice(0, 2).flatMap((token) => [BigInt(token), 8_000n])]
  const otherwise = ({ to }: Read): Answer | undefined => {
    if (to === enforcer) return { ok: true, data: `0x${'00'.repeat(256)}` }
    if (BigInt(to) !== 0xedn) return undefined
    return { ok: true, data: `0x${content.map((word) => word.toString(16).padStart(64, '0')).join('')}` }
  }
  return (kind: CaveatKind<unknown>, terms: unknown): Verdict =>
    kind.evaluate(kind.encode(terms), {
      chainId: 1,
      manager: players.manager,
      enforcer,
      execution,
      delegationHash: zeroHash,
      delegator: players.stranger,
      redeemer: players.redeemer,
      args: '0x',
      before: chainOf(now, otherwise, before),
      after: chainOf(now, otherwise, before, after),
    })
}
