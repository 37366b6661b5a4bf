import { type Devnet, devnetBook, startDevnet } from '@bardo/devnet'
import { type Hex, isAddressEqual, numberToHex, parseUnits, zeroAddress } from 'viem'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { bardoCaveats } from '../caveats/bardoCaveats.ts'
import { bardoRegistry } from '../caveats/bardoRegistry.ts'
import { type BoundKind, registryOf } from '../caveats/boundKind.ts'
import type { CageTerms } from '../caveats/cage/cageTerms.ts'
import { cage } from '../caveats/cage.ts'
import type { Answer, ChainState, Names, Read } from '../caveats/caveatKind.ts'
import { dailySpendLimit } from '../caveats/dailySpendLimit.ts'
import { classBits } from '../caveats/execution/actionClass.ts'
import { methodBits } from '../caveats/execution/methods.ts'
import { mortalityTimeWindow } from '../caveats/mortalityTimeWindow.ts'
import { replicantBudget } from '../caveats/replicantBudget.ts'
import { mandate } from '../caveats/testing/sample.ts'
import { prepareSignatures } from '../permissions/prepareSignatures.ts'
import { type CagedWorld, createCagedWorld, swapCalls } from '../permissions/testing/cagedWorld.ts'
import { findWidenings } from './attenuation.ts'
import type { Delegation } from './delegation.ts'
import { treeToJson, treeToText } from './renderTree.ts'
import { revocationState } from './revocationState.ts'
import { addressOf, delegate } from './testing/delegations.ts'
import { buildTree } from './tree.ts'
import { treeReads } from './usage.ts'

const names: Names = { token: () => undefined, label: () => undefined }
const emptyCage: CageTerms = {
  version: 2,
  golem: numberToHex(1, { size: 32 }),
  start: 0,
  end: 0,
  classes: 0,
  methods: 0,
  pairs: 0n,
  graceSeconds: 0,
  mood: { minPleasure: 0, maxArousal: 0, minDominance: 0 },
  restricted: 0,
  dayCents: 0n,
  slippageBps: 0,
  spreadBps: 0,
  cadenceSeconds: 0,
  calls: 0,
  dollarsByPhase: [0, 0, 0, 0, 0],
  settlement: 255,
  mandate,
}
const silent: ChainState = { timestamp: 1n, blockNumber: 1n, answer: () => undefined }

describe('usage, as read from the chain', () => {
  let devnet: Devnet
  let caged: CagedWorld
  let link: Delegation
  let start: bigint
  beforeAll(async () => {
    devnet = await startDevnet({ port: 0 })
    caged = createCagedWorld(devnet)
    await spend()
  })
  afterAll(() => devnet?.stop())

  /** Swaps for $312.40 under a Cage, a daily limit and a lifetime budget. */
  async function spend() {
    const { addresses, accounts, chainId } = devnet
    const { address: account, sign } = await caged.openAccount()
    await devnet.fund(account, { USDC: parseUnits('10000', 6) })
    start = await caged.now()
    const golem = await caged.registerGolem()
    const { terms, root } = prepareSignatures('Swap USDC to WETH.\nbudget: $1000/day\nlifespan: 2 days', {
      chainId,
      now: start,
      book: devnetBook(devnet),
      subject: { golem, account, graceSeconds: 0 },
      cageEnforcer: addresses.cageEnforcer,
      delegate: accounts.golem,
      salt: 1n,
      runway: { to: account },
    })
    const life = { allowedCents: 50_000n, born: Number(start), lifespanSeconds: 100_000 }
    const totals = [
      { periodSeconds: 0, cents: 100_000n },
      { periodSeconds: 604_800, cents: 70_000n },
    ]
    const { mandate } = withGas(terms)
    const limits = { lineage: golem, mandate }
    const caveats = [
      [addresses.cageEnforcer, cage.encode(withGas({ ...terms, calls: 3, life, totals }))],
      [addresses.dailySpendLimitEnforcer, dailySpendLimit.encode({ ...limits, limitCents: 90_000n })],
      [addresses.replicantBudgetEnforcer, replicantBudget.encode({ ...limits, ...life })],
    ] as const
    const bounded = {
      ...root,
      caveats: caveats.map(([enforcer, terms]) => ({ enforcer, terms, args: '0x' as const })),
    }
    link = await sign(bounded)
    const swap = (amount: string) =>
      swapCalls(addresses, account, [addresses.usdc, parseUnits(amount, 6)], addresses.weth)
    await caged.redeem([link], ...swap('112.40'))
    await caged.redeem([link], ...swap('200'))
    // A gas draw is not counted: two executions are. The single caveats do not support gas, so a separate
    // link draws it.
    const gasOnly = await sign({ ...bounded, caveats: bounded.caveats.slice(0, 1), salt: 2n })
    await devnet.client.setBalance({ address: account, value: parseUnits('1', 18) })
    await caged.redeem([gasOnly], { to: accounts.golem, value: 1_500_000_000_001n })
  }

  /** The same terms with native currency among the assets, and a gas cap. */
  function withGas(terms: CageTerms): CageTerms {
    const weth = terms.mandate.assets.find(({ token }) => isAddressEqual(token, devnet.addresses.weth))
    const native = weth ? [{ ...weth, token: zeroAddress }] : []
    return {
      ...terms,
      classes: terms.classes | classBits.gas,
      methods: terms.methods | methodBits.native,
      mandate: { ...terms.mandate, assets: [...terms.mandate.assets, ...native] },
      gas: { microEtherPerDay: 50_000n },
    }
  }

  async function look(tree: ReturnType<typeof buildTree>): Promise<ChainState> {
    const reads = treeReads(tree, registry(), devnet.addresses.delegationManager)
    const key = ({ to, data }: Read) => `${to}${data}`.toLowerCase()
    const answers = new Map<string, Answer>()
    for (const read of reads) {
      const { data = '0x' } = await devnet.client.call(read)
      answers.set(key(read), { ok: true, data })
    }
    const { timestamp, number } = await devnet.client.getBlock()
    return { timestamp, blockNumber: number, answer: (read) => answers.get(key(read)) }
  }

  const registry = () => bardoRegistry(devnet.addresses)
  const facts = (state: ChainState) => ({
    manager: devnet.addresses.delegationManager,
    state,
    disabled: new Map(),
  })

  it('is shown for each limit', async () => {
    const tree = buildTree([link])
    const state = await look(tree)
    const [node] = treeToJson(tree, { registry: registry(), names, facts: facts(state) }).delegations
    expect(node?.caveats.map(({ name, used }) => [name, used.map(({ text }) => text)])).toEqual([
      [
        'Cage',
        [
          '$312.41 of $1,000.00 used in the last 24 hours',
          '2 of 3 executions used',
          '$312.41 of $500.00 used',
          '$312.41 of $1,000.00 used',
          '$312.41 of $700.00 used in the last 7 days',
          '0.000002 of the native currency of 0.05 of the native currency used in the last 24 hours',
        ],
      ],
      ['DailySpendLimit', ['$312.40 of $900.00 used in the last 24 hours']],
      ['ReplicantBudget', ['$312.40 of $500.00 used']],
    ])
    expect(treeToText(tree, { registry: registry(), names, facts: facts(state) })).toContain(
      '($312.41 of $1,000.00 used in the last 24 hours; 2 of 3 executions used; $312.41 of $500.00 used; ',
    )
  })

  it('leaves daily budgets after a while, and never leaves the lifetime budget', async () => {
    const tree = buildTree([link])
    const state = await look(tree)
    const used = (timestamp: bigint) =>
      treeToJson(tree, {
        registry: registry(),
        names,
        facts: facts({ ...state, timestamp }),
      }).delegations[0]?.caveats.map(({ used }) => used.map(({ spent }) => spent))
    expect(used(state.timestamp + 28n * 3_600n)).toEqual([
      ['0', '2', '31241', '31241', '31241', '0'],
      ['0'],
      ['31240'],
    ])
    // A row that is newer than the state gives no usage.
    expect(used(state.timestamp - 200_000n)).toEqual([['2', '31241', '31241'], [], ['31240']])
  })

  it('ends a delegation by executions and lifetime, but not by a budget: positions can still be closed', async () => {
    const tree = buildTree([link])
    const [hash = '0x'] = tree.nodes.keys()
    const state = await look(tree)
    const at = (change: Partial<ChainState>) =>
      revocationState(tree, hash, registry(), facts({ ...state, ...change }))
    expect(at({})).toEqual({ type: 'active' })
    // The lifetime in the Cage ends before the window does.
    expect(at({ timestamp: start + 100_001n })).toEqual({ type: 'expired', link: hash, at: start + 100_000n })
    const everything = (word: bigint): Answer => ({
      ok: true,
      data: `0x${numberToHex(word, { size: 32 }).slice(2).repeat(8)}`,
    })
    expect(at({ answer: () => everything(3n) })).toMatchObject({ type: 'exhausted', total: 3n })
    const spentAll: Answer = {
      ok: true,
      data: `0x${[0n, 0n, 50_000n, 0n, 0n, 0n, 0n, 0n].map((word) => numberToHex(word, { size: 32 }).slice(2)).join('')}`,
    }
    expect(at({ answer: () => spentAll })).toEqual({ type: 'active' })
  })

  it('is not guessed if the read was not made or has no answer', () => {
    const tree = buildTree([link])
    const used = (state: ChainState) =>
      treeToJson(tree, { registry: registry(), names, facts: facts(state) }).delegations[0]?.caveats.flatMap(
        ({ used }) => used,
      )
    expect(used(silent)).toEqual([])
    expect(used({ ...silent, answer: () => ({ ok: false, data: '0x' }) })).toEqual([])
    expect(used({ ...silent, answer: () => ({ ok: true, data: '0x12' }) })).toEqual([])
  })
})

describe('a Cage', () => {
  it('ends with its window or its lifetime, whichever is first', () => {
    const terms = { end: 100, life: { allowedCents: 1n, born: 10, lifespanSeconds: 50 } }
    const last = (change: object) => cage.window?.({ ...emptyCage, ...terms, ...change })?.last
    expect(last({})).toBe(60n)
    expect(last({ end: 59 })).toBe(59n)
    expect(last({ life: undefined })).toBe(100n)
  })
})

describe('a time window', () => {
  it('ends after its last second', () => {
    const registry = registryOf([[addressOf(9), mortalityTimeWindow]])
    const tree = buildTree([
      delegate(0, 1, [[addressOf(9), mortalityTimeWindow.encode({ start: 5, end: 10 })]]),
    ])
    const [hash = '0x'] = tree.nodes.keys()
    const at = (timestamp: bigint) =>
      revocationState(tree, hash, registry, {
        manager: addressOf(8),
        state: { ...silent, timestamp },
        disabled: new Map(),
      })
    expect(at(10n)).toEqual({ type: 'active' })
    expect(at(11n)).toEqual({ type: 'expired', link: hash, at: 10n })
  })
})

describe('the account that a caveat measures', () => {
  const withMandate = Object.values<BoundKind<unknown>>(bardoCaveats).filter(
    ({ name }) => !['MortalityTimeWindow', 'DreamMode', 'Cadence', 'Threshold'].includes(name),
  )
  const id: Hex = numberToHex(9, { size: 32 })
  const common = {
    mandate,
    golem: id,
    lineage: id,
    constitution: id,
    author: addressOf(5),
    vault: addressOf(6),
    settlement: 255,
    graceSeconds: 0,
    mood: { minPleasure: 0, maxArousal: 0, minDominance: 0 },
    restricted: 1,
    version: 2,
    bps: 1,
    slippageBps: 1,
    spreadBps: 1,
    capCents: 1n,
    limitCents: 1n,
    allowedCents: 1n,
    born: 1,
    lifespanSeconds: 1,
    start: 1,
    end: 2,
    classes: 1,
    methods: 1,
    pairs: 1n,
    dayCents: 1n,
    cadenceSeconds: 0,
    calls: 0,
    dollarsByPhase: [1, 1, 1, 1, 1],
  }

  it('is declared by nine kinds', () => {
    expect(withMandate.map(({ name }) => name)).toHaveLength(9)
  })

  it.each(withMandate.map((kind) => [kind.name, kind] as const))(
    'must be the root’s delegator: %s',
    (name, kind) => {
      const enforcer = addressOf(200)
      const registry = registryOf([[enforcer, kind]])
      const measuring = (account: Hex) => {
        const terms = kind.encode({ ...common, mandate: { ...mandate, account } })
        return findWidenings(buildTree([delegate(0, 1, [[enforcer, terms]])]), registry)
      }
      expect(measuring(addressOf(0))).toEqual([])
      expect(measuring(addressOf(7))).toEqual([
        expect.objectContaining({
          name,
          because: `the caveat measures ${addressOf(7)}; the execution runs on ${addressOf(0)}`,
        }),
      ])
    },
  )
})
