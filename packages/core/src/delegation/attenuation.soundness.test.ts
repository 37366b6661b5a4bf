import fc from 'fast-check'
import { type Address, type Hex, numberToHex, zeroHash } from 'viem'
import { expect, it } from 'vitest'
import { bardoCaveats } from '../caveats/bardoCaveats.ts'
import { type BoundKind, type Registry, registryOf } from '../caveats/boundKind.ts'
import type { Answer, HookContext, Read } from '../caveats/caveatKind.ts'
import { logicalOrWrapper } from '../caveats/metamask/logicalOrWrapper.ts'
import { metamaskKinds } from '../caveats/metamask/metamaskKinds.ts'
import { view } from '../caveats/metamask/views.ts'
import { type Dice, drawMandate, drawScenery, drawSigns, now } from '../caveats/testing/cases.ts'
import { changed } from '../caveats/testing/changed.ts'
import type { DrawnKind } from '../caveats/testing/drawTerms.ts'
import { players } from '../caveats/testing/harness.ts'
import { replayRandom, tape } from '../caveats/testing/replayRandom.ts'
import { chainOf, sceneryOf } from '../caveats/testing/stubContracts.ts'
import { underRules } from '../caveats/underRules.ts'
import { questions } from '../caveats/verdict/questions.ts'
import { BardoError } from '../errors/BardoError.ts'
import { findWidenings } from './attenuation.ts'
import type { Caveat, Delegation } from './delegation.ts'
import { rootAuthority } from './delegation.ts'
import { hashDelegation } from './hashDelegation.ts'
import { signature } from './testing/delegations.ts'
import { drawCaveat, type Enforcer } from './testing/drawCaveat.ts'
import { amountIn, around, drawCollection, drawWhat, metamaskStage } from './testing/drawRedemption.ts'
import { buildTree } from './tree.ts'

const pairs = process.env['BARDO_TEST'] === 'full' ? 60_000 : 3_000
const place = (index: number): Address => numberToHex(0xee00 + index, { size: 20 })
const vitals = place(254)
const policyCage = place(255)
const registry: Registry = (enforcer) => known(enforcer)
const metamask: Readonly<Record<string, BoundKind<unknown>>> = {
  ...metamaskKinds,
  LogicalOrWrapper: logicalOrWrapper(registry),
}
const enforcers: readonly Enforcer[] = [
  ...([1, 2] as const).flatMap((rules) =>
    (Object.keys(bardoCaveats) as DrawnKind[]).map((bardo) => ({
      name: bardoCaveats[bardo].name,
      kind: underRules(bardoCaveats[bardo] as BoundKind<unknown>, rules),
      bardo,
      rules,
    })),
  ),
  ...Object.entries(metamask).map(([name, kind]) => ({ name, kind, bardo: undefined })),
].map((enforcer, i) => ({ ...enforcer, address: place(i) }))
const known = registryOf(enforcers.map(({ address, kind }) => [address, kind]))
// A token that does not answer blocks the parent that lists it; a child without it does not count as wider.
const aboutTokens = ['NoAnswer', 'BalanceNotSupported', 'Reverted', 'Revert']

it('the parent’s caveats never refuse what a child without widenings allows', {
  timeout: 600_000,
}, () => {
  const seen = { narrower: 0, wider: 0, passed: 0, kinds: new Set<string>() }
  fc.assert(
    fc.property(tape, (throws) => {
      const dice = replayRandom(throws)
      const { parents, drawContext } = drawWorld(dice)
      const root = delegation(players.account, rootAuthority, parents)
      const child = delegation(players.stranger, hashDelegation(root), drawChild(dice, parents))
      const hash = hashDelegation(child)
      const tree = buildTree([root, child])
      if (findWidenings(tree, registry).some(({ node }) => node === hash)) {
        seen.wider += 1
        return
      }
      seen.narrower += 1
      for (const context of Array.from({ length: 4 }, () => drawContext(dice))) {
        if (!child.caveats.every((caveat) => verdictOf(caveat, context).type === 'pass')) continue
        seen.passed += 1
        const carried = new Set(child.caveats.map(({ enforcer }) => enforcer))
        for (const bound of root.caveats.filter(({ enforcer }) => carried.has(enforcer))) {
          const above = withSomeArgs(bound, child.caveats, context)
          seen.kinds.add(registry(bound.enforcer)?.name ?? '')
          if (above.type === 'refuse' && aboutTokens.includes(above.refusal.name)) continue
          expect({ above, name: registry(bound.enforcer)?.name, bound, child: child.caveats }).toMatchObject({
            above: { type: 'pass' },
          })
        }
      }
    }),
    { numRuns: pairs },
  )
  expect(Math.min(seen.narrower, seen.wider)).toBeGreaterThan(pairs / 5)
  expect(seen.passed).toBeGreaterThan(pairs / 5)
  expect(seen.kinds.size).toBeGreaterThan(35)
})

function verdictOf({ enforcer, terms, args }: Caveat, context: Omit<HookContext, 'enforcer' | 'args'>) {
  const kind = registry(enforcer)
  return kind?.evaluate(terms, { ...context, enforcer, args }) ?? ({ type: 'pass' } as const)
}

/** The redeemer writes `args`: a limit holds if it refuses with all args of the child's caveats. */
function withSomeArgs(bound: Caveat, caveats: readonly Caveat[], context: Parameters<typeof verdictOf>[1]) {
  const verdicts = caveats
    .filter(({ enforcer }) => enforcer === bound.enforcer)
    .map(({ args }) => verdictOf({ ...bound, args }, context))
  return verdicts.find(({ type }) => type === 'pass') ?? verdicts[0] ?? verdictOf(bound, context)
}

/** A parent's caveats, with executions and states near their limits. */
function drawWorld(dice: Dice) {
  const mandate = drawMandate(dice)
  const what = drawWhat(dice, mandate)
  const [first] = what.calls
  const amount = first ? (first.value > 0n ? first.value : amountIn(first.data)) : 0n
  const drawContext = (dice: Dice) => contextOf(dice, mandate, what)
  const usual = drawContext(dice)
  const subject = {
    enforcers,
    mandate,
    constitution: zeroHash,
    cast: {
      ...metamaskStage,
      accounts: [players.account, players.payee],
      amounts: around(amount),
      block: 1n,
    },
    calls: what.calls,
    isBatch: what.isBatch,
    lead: what.lead,
    redeemer: players.redeemer,
    passes: ({ address }: Enforcer, terms: Hex, args: Hex) =>
      verdictOf({ enforcer: address, terms, args }, usual).type !== 'refuse',
  }
  const parents = Array.from({ length: 1 + dice.below(3) }, () => drawCaveat(dice, subject)).map(
    ({ enforcer, terms, args }): Caveat => ({ enforcer: enforcer.address, terms, args }),
  )
  return { parents, drawContext }
}

function contextOf(
  dice: Dice,
  mandate: Parameters<typeof drawScenery>[1],
  { execution }: ReturnType<typeof drawWhat>,
): Omit<HookContext, 'enforcer' | 'args'> {
  const signs = drawSigns(dice)
  const timestamp = dice.once(2) ? now : now + BigInt(dice.below(7) - 3)
  const before = sceneryOf([...drawScenery(dice, mandate, vitals, signs), ...drawCollection(dice)])
  const after = sceneryOf([...drawScenery(dice, mandate, vitals, signs), ...drawCollection(dice)])
  const used = BigInt(dice.pick(0, 0, 0, 1, 2))
  const state = { blockNumber: 1n + BigInt(dice.below(3)) }
  return {
    chainId: 1,
    manager: players.manager,
    execution,
    delegationHash: zeroHash,
    delegator: players.account,
    redeemer: players.redeemer,
    sender: 'key',
    before: { ...chainOf(timestamp, (read) => otherwise(read, used), before), ...state },
    after: { ...chainOf(timestamp, (read) => otherwise(read, used), before, after), ...state },
  }
}

const isCounter = ['callCounts', 'spentMap'].map((name) => selectorOf(`${name}(address,bytes32)`))

/** Counters are compared as signed: both links have the same usage. The constitution has wide limits. */
function otherwise({ to, data }: Read, used: bigint): Answer | undefined {
  const words = (...values: readonly bigint[]): Answer => ({
    ok: true,
    data: `0x${values.map((value) => value.toString(16).padStart(64, '0')).join('')}`,
  })
  if (to === policyCage) {
    const wide = [32, 224, 9e6, 9e6, 9e6, 1_000, 10_000, 0, 2].map(BigInt)
    return words(...wide, ...players.tokens.slice(0, 2).flatMap((token) => [BigInt(token), 8_000n]))
  }
  if (!registry(to)) return undefined
  if (data === questions.dependencies(to).data)
    return words(...[vitals, policyCage, players.manager].map(BigInt))
  if (data === questions.vitals(to).data) return words(BigInt(vitals))
  if (data === selectorOf('delegationManager()')) return words(BigInt(players.manager))
  return isCounter.includes(data.slice(0, 10) as Hex) ? words(used) : words(...Array<bigint>(8).fill(0n))
}

function selectorOf(method: string): Hex {
  return view(method)(zeroHash).data
}

/** The parent's caveats: the same, slightly changed, or drawn again; sometimes one is omitted. */
function drawChild(dice: Dice, parents: readonly Caveat[]): readonly Caveat[] {
  return parents.flatMap((caveat) => {
    if (dice.once(6)) return []
    const kind = registry(caveat.enforcer)
    return [{ ...caveat, terms: dice.once(4) || !kind ? caveat.terms : moved(dice, kind, caveat.terms) }]
  })
}

function moved(dice: Dice, kind: BoundKind<unknown>, terms: Hex): Hex {
  try {
    return kind.encode(changed(dice, kind.decode(terms)))
  } catch (error) {
    if (error instanceof BardoError) return terms
    throw error
  }
}

function delegation(delegator: Address, authority: Hex, caveats: readonly Caveat[]): Delegation {
  return { delegate: players.stranger, delegator, authority, caveats, salt: 0n, signature }
}
