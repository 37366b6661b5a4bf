import { policyCage } from '@bardo/contracts'
import { type Devnet, devnetAccount, devnetBook, startDevnet } from '@bardo/devnet'
import {
  encodeFunctionData,
  type Hex,
  numberToHex,
  parseEther,
  parseUnits,
  toFunctionSelector,
  zeroAddress,
  zeroHash,
} from 'viem'
import { afterAll, beforeAll, describe, expect, it, test } from 'vitest'
import { bardoRegistry } from '../caveats/bardoRegistry.ts'
import type { CageTerms } from '../caveats/cage/cageTerms.ts'
import { cage } from '../caveats/cage.ts'
import type { ChainState, Names } from '../caveats/caveatKind.ts'
import { classBits } from '../caveats/execution/actionClass.ts'
import { metamaskRegistry } from '../caveats/metamask/metamaskKinds.ts'
import { findWidenings } from '../delegation/attenuation.ts'
import { crossGolemDelegation } from '../delegation/crossGolemDelegation.ts'
import { anyDelegate, type Delegation } from '../delegation/delegation.ts'
import { hashDelegation } from '../delegation/hashDelegation.ts'
import { treeToJson, treeToText } from '../delegation/renderTree.ts'
import { addressOf } from '../delegation/testing/delegations.ts'
import { signDelegation } from '../delegation/testing/signDelegation.ts'
import { buildTree } from '../delegation/tree.ts'
import { type ExampleName, type ExampleParties, exampleTree } from './exampleTree.ts'
import { type CagedWorld, createCagedWorld, swapCalls } from './testing/cagedWorld.ts'

const enforcers = {
  cageEnforcer: addressOf(101),
  replicantBudgetEnforcer: addressOf(102),
  limitedCallsEnforcer: addressOf(103),
  redeemerEnforcer: addressOf(104),
}
const [account, alpha, replicant, sleepwalker, beta, usdc, weth] = [1, 2, 3, 4, 5, 6, 7].map(addressOf) as [
  Hex,
  Hex,
  Hex,
  Hex,
  Hex,
  Hex,
  Hex,
]
const id = (number: number) => numberToHex(number, { size: 32 })
const parties: ExampleParties = {
  now: 1_800_000_000n,
  account,
  book: {
    assets: new Map([
      ['USDC', { token: usdc, feed: zeroAddress, maxAgeSeconds: 0, scale: 14 }],
      ['WETH', { token: weth, feed: addressOf(8), maxAgeSeconds: 3_600, scale: 26 }],
    ]),
    pools: new Map([['USDC/WETH', addressOf(9)]]),
    vaults: new Map([['USDC', addressOf(10)]]),
    contracts: { swapRouter02: addressOf(11), positionManager: addressOf(12) },
  },
  enforcers,
  alpha: { golem: id(1), key: alpha },
  replicant: { golem: id(2), key: replicant },
  sleepwalker,
  beta: { golem: id(3), key: beta },
  publisher: { address: addressOf(14), selector: '0x87654321' },
  constitution: id(4),
  portfolioDollars: 2_000,
}
const bardo = bardoRegistry(enforcers)
const metamask = metamaskRegistry({
  LimitedCallsEnforcer: enforcers.limitedCallsEnforcer,
  RedeemerEnforcer: enforcers.redeemerEnforcer,
})
const registry = (enforcer: Hex) => bardo(enforcer) ?? metamask(enforcer)
const tokens = new Map([
  [usdc, { symbol: 'USDC', decimals: 6 }],
  [weth, { symbol: 'WETH', decimals: 18 }],
])
const labels = new Map<Hex, string>([
  [account, 'Owner'],
  [alpha, 'Golem Alpha'],
  [replicant, 'Replicant Alpha-1'],
  [sleepwalker, 'Sleepwalker'],
  [beta, 'Golem Beta'],
  [addressOf(10), 'the USDC vault'],
  [addressOf(11), 'SwapRouter02'],
  [addressOf(12), 'the positions'],
  [addressOf(14), 'the publisher'],
])
const names: Names = {
  token: (address) => tokens.get(address),
  label: (address) => labels.get(address),
}
const silent: ChainState = { timestamp: 1_800_000_001n, blockNumber: 1n, answer: () => undefined }
const facts = { manager: addressOf(99), state: silent, disabled: new Map() }

describe('the example tree', () => {
  const example = exampleTree(parties)
  const options = { registry, names, facts, labels: example.labels }

  test('is rendered as text', () => {
    const window = 'from 2027-01-15T08:00:00Z to 2027-02-14T08:00:00Z'
    const alive = (golem: string) =>
      `${window}, only while the Golem 0x00000000…000${golem} is active on chain, as its phase allows; after every 1 day without a heartbeat, the next stricter phase applies`
    const trades =
      'swap, unwind, addLiquidity, deposit, removeLiquidity, withdraw, spawn, publish, approve and disapprove'
    const sizes =
      '$600 per action when Thriving, $400 per action when Stable, $400 per action when Conservation, $400 per action when Declining, $0 per action when Terminal'
    const contracts = 'the positions, SwapRouter02, the USDC vault and the publisher'
    const calm = (classes: string) =>
      `${classes} only with pleasure at least -90, arousal at most 90 and dominance at least -90`
    const opens = calm('swap, addLiquidity and deposit')
    const alphaCage = `at most $1,000 in any 24 hours, ${sizes}; max slippage 1 %; only ${trades}, with USDC and WETH; through ${contracts}; ${alive('1')}; ${opens}; within the constitution 0x00000000…0004`
    expect(treeToText(example.tree, options).split('\n')).toEqual([
      'Owner',
      '├─ D1 to Golem Alpha: active',
      `│  │  ${alphaCage}`,
      '│  ├╴ D1.P0 Thriving: swap, unwind, addLiquidity, deposit, removeLiquidity, withdraw, spawn, publish, approve and disapprove, at most $600 per action',
      '│  ├╴ D1.P1 Stable: swap, unwind, addLiquidity, deposit, removeLiquidity, withdraw, publish, approve and disapprove, at most $400 per action',
      '│  ├╴ D1.P2 Conservation: unwind, removeLiquidity, withdraw, publish, approve and disapprove, at most $400 per action',
      '│  ├╴ D1.P3 Declining: unwind, removeLiquidity, withdraw, publish, approve and disapprove, at most $400 per action',
      '│  ├╴ D1.P4 Terminal: removeLiquidity, withdraw and disapprove, at most $0 per action',
      '│  ├─ D1.1 to Replicant Alpha-1: active',
      `│  │     at most $1,000 in any 24 hours, ${sizes}; max slippage 1 %; only swap, unwind, approve and disapprove, with USDC and WETH; through SwapRouter02; ${alive('1').replace('2027-02-14', '2027-01-16')}; ${opens}; within the constitution 0x00000000…0004`,
      '│  │     at most $50 in total, from 2027-01-15T08:00:00Z to 2027-01-16T08:00:00Z',
      '│  │     at most 100 times in total',
      '│  │     only Replicant Alpha-1 may redeem',
      '│  └─ D1.2 to Sleepwalker: active',
      `│        at most $0 in any 24 hours, $0 per action; only publish, with USDC and WETH; through the publisher; ${alive('1')}; ${opens}; within the constitution 0x00000000…0004`,
      '└─ D2 to Golem Beta: active',
      `   │  at most $100 in any 24 hours, $100 per action when Thriving, $66 per action when Stable, $0 per action when Conservation, $0 per action when Declining, $0 per action when Terminal; max slippage 1 %; only swap, approve and disapprove, with USDC and WETH; swapping only USDC to WETH; through SwapRouter02; ${alive('3')}; at most one execution every 7 days; ${calm('swap')}`,
      '   ├╴ D2.P0 Thriving: swap, approve and disapprove, at most $100 per action',
      '   ├╴ D2.P1 Stable: swap, approve and disapprove, at most $66 per action',
      '   ├╴ D2.P2 Conservation: approve and disapprove, at most $0 per action',
      '   ├╴ D2.P3 Declining: approve and disapprove, at most $0 per action',
      '   └╴ D2.P4 Terminal: disapprove, at most $0 per action',
    ])
  })

  test('survives JSON, with names, phases and positions', () => {
    const json = JSON.parse(JSON.stringify(treeToJson(example.tree, options)))
    const outline = (node: {
      label: string
      phases: unknown[]
      caveats: { name: string }[]
      delegations: []
    }): unknown => ({
      label: node.label,
      phases: node.phases.length,
      caveats: node.caveats.map(({ name }) => name),
      below: node.delegations.map(outline),
    })
    expect(json.root).toBe(account)
    expect(json.delegations.map(outline)).toEqual([
      {
        label: 'D1',
        phases: 5,
        caveats: ['Cage'],
        below: [
          {
            label: 'D1.1',
            phases: 0,
            caveats: ['Cage', 'ReplicantBudget', 'LimitedCalls', 'Redeemer'],
            below: [],
          },
          { label: 'D1.2', phases: 0, caveats: ['Cage'], below: [] },
        ],
      },
      { label: 'D2', phases: 5, caveats: ['Cage'], below: [] },
    ])
    expect(json.delegations[0].phases[4]).toEqual({
      phase: 'Terminal',
      sentence: 'removeLiquidity, withdraw and disapprove, at most $0 per action',
    })
  })

  test('only ever narrows', () => {
    expect(findWidenings(example.tree, registry)).toEqual([])
  })

  /** The tree with one delegation's Cage changed. */
  const widened = (name: ExampleName, change: (terms: CageTerms) => CageTerms) => {
    const all: Record<ExampleName, Delegation> = { ...example.delegations }
    const [first, ...rest] = all[name].caveats
    if (!first) throw new Error('no caveat')
    const terms = cage.encode(change(cage.decode(first.terms)))
    all[name] = { ...all[name], caveats: [{ ...first, terms }, ...rest] }
    const node = hashDelegation(all[name])
    return { node, found: findWidenings(buildTree(Object.values(all)), registry) }
  }
  const stranger = addressOf(77)

  test.for<[name: ExampleName, because: RegExp, change: (terms: CageTerms) => CageTerms]>([
    ['D1.1', /^cents in 24 hours: 100001 is above 100000/, (terms) => ({ ...terms, dayCents: 100_001n })],
    ['D1.1', /^methods: mintShares/, (terms) => ({ ...terms, methods: terms.methods | (1 << 15) })],
    ['D1.1', /^classes: payment/, (terms) => ({ ...terms, classes: terms.classes | (1 << 6) })],
    [
      'D1.1',
      /^dollars per action in phase 0: 601/,
      (terms) => ({ ...terms, dollarsByPhase: [601, 400, 400, 400, 0] }),
    ],
    ['D1.1', /^constitution: none/, ({ constitution: _, ...terms }) => terms],
    ['D1.1', /^lineage/, (terms) => ({ ...terms, golem: id(9) })],
    ['D1.1', /^payees/, (terms) => ({ ...terms, mandate: { ...terms.mandate, payees: [stranger] } })],
    ['D1.2', /^end: /, (terms) => ({ ...terms, end: terms.end + 1 })],
    ['D1.2', /^classes: sale/, (terms) => ({ ...terms, classes: terms.classes | (1 << 9) })],
    [
      'D1.2',
      /^assets: .* is measured by the parent/,
      (terms) => ({
        ...terms,
        settlement: 0,
        mandate: { ...terms.mandate, assets: terms.mandate.assets.slice(0, 1) },
      }),
    ],
    [
      'D1.2',
      /^targets: method/,
      (terms) => ({
        ...terms,
        mandate: {
          ...terms.mandate,
          targets: terms.mandate.targets.map((target) => ({ ...target, selector: '0x00000001' as const })),
        },
      }),
    ],
    [
      'D2',
      /^the caveat measures /,
      (terms) => ({ ...terms, mandate: { ...terms.mandate, account: stranger } }),
    ],
  ])('shows where %s is widened: %s', ([name, because, change]) => {
    const { node, found } = widened(name, change)
    expect(found).toEqual([
      expect.objectContaining({ node, name: 'Cage', caveat: 0, because: expect.stringMatching(because) }),
    ])
  })

  test('a Replicant of the Replicant gets no more than its parent', () => {
    const [, ...kept] = example.delegations['D1.1'].caveats
    const parent = example.delegations['D1.1']
    const child = {
      parent,
      child: { golem: id(2), key: stranger },
      born: 1_800_000_000,
      lifespanSeconds: 3_600,
      methods: ['approve'],
      isFinal: false,
      enforcers,
      salt: 1n,
    } as const
    const found = (budgetCents: bigint, calls: number) => {
      const grandchild = crossGolemDelegation({ ...child, budgetCents, calls })
      const tree = buildTree([...Object.values(example.delegations), grandchild])
      return findWidenings(tree, registry).map(({ name, because }) => `${name}: ${because}`)
    }
    expect(kept).toHaveLength(3)
    expect(found(5_000n, 100)).toEqual([])
    expect(found(5_001n, 100)).toEqual(['ReplicantBudget: lifetime cents: 5001 is above 5000'])
    expect(found(1n, 101)).toEqual(['LimitedCalls: 101 calls; the parent allows 100'])
  })

  test('an observer publishes at no cost, and a read-only delegate does nothing', () => {
    const termsOf = (type: 'observer' | 'readOnly') => {
      const parent = example.delegations.D1
      const child = crossGolemDelegation({
        type,
        parent: { ...parent, caveats: [] },
        above: [parent],
        child: parties.replicant,
        budgetCents: 0n,
        born: 1_800_000_000,
        lifespanSeconds: 3_600,
        methods: [],
        calls: 1,
        isFinal: true,
        enforcers,
        salt: 1n,
      })
      const own = { ...child, authority: hashDelegation(parent) }
      expect(findWidenings(buildTree([...Object.values(example.delegations), own]), registry)).toEqual([])
      return cage.decode(child.caveats[0]?.terms ?? '0x')
    }
    const nothing = { dayCents: 0n, dollarsByPhase: [0, 0, 0, 0, 0], pairs: 0n, end: 1_800_003_600 }
    expect(termsOf('observer')).toMatchObject({ ...nothing, classes: classBits.publish })
    expect(termsOf('observer').mandate.targets).toMatchObject([parties.publisher])
    expect(termsOf('readOnly')).toMatchObject({
      ...nothing,
      classes: 0,
      methods: 0,
      mandate: { targets: [] },
    })
  })

  test.for<[string, object]>([
    ['publishes to a contract', { type: 'observer', parent: example.delegations.D2 }],
    ['between 1 and 1000', { calls: 1_001 }],
    ['between 1 and 1000', { calls: 0 }],
    ['only methods of its parent', { methods: ['transfer'] }],
    ['only methods of its parent', { methods: [] }],
    ['outlive', { lifespanSeconds: 31 * 86_400 }],
    ['its own key', { child: { golem: id(2), key: alpha } }],
    ['its own key', { child: { golem: id(2), key: anyDelegate } }],
    ['its own key', { parent: { ...example.delegations.D1, delegate: anyDelegate } }],
    ['exactly one Cage', { parent: { ...example.delegations.D1, caveats: [] } }],
    ['does not fit', { budgetCents: 1n << 40n }],
    ['does not fit', { budgetCents: -1n }],
  ])('refuses a child: %s %o', ([message, change]) => {
    const wanted = {
      parent: example.delegations.D1,
      child: parties.replicant,
      budgetCents: 1n,
      born: 1_800_000_000,
      lifespanSeconds: 1,
      methods: ['approve'],
      calls: 1,
      isFinal: true,
      enforcers,
      salt: 1n,
      ...change,
    } as const
    expect(() => crossGolemDelegation(wanted)).toThrow(new RegExp(message))
  })
})

describe('the example tree on the chain', () => {
  let devnet: Devnet
  let caged: CagedWorld
  beforeAll(async () => {
    devnet = await startDevnet({ port: 0 })
    caged = createCagedWorld(devnet)
  })
  afterAll(() => devnet?.stop())

  it('lets each delegate do its part and nothing else', async () => {
    const { addresses, accounts, framework } = devnet
    const owned = await caged.openAccount()
    await devnet.fund(owned.address, { USDC: parseUnits('10000', 6), WETH: parseEther('2') })
    const { LimitedCallsEnforcer = '0x', RedeemerEnforcer = '0x' } = framework.caveatEnforcers
    const { delegations } = exampleTree({
      ...parties,
      now: await caged.now(),
      account: owned.address,
      book: devnetBook(devnet),
      enforcers: {
        cageEnforcer: addresses.cageEnforcer,
        replicantBudgetEnforcer: addresses.replicantBudgetEnforcer,
        limitedCallsEnforcer: LimitedCallsEnforcer,
        redeemerEnforcer: RedeemerEnforcer,
      },
      alpha: { golem: await caged.registerGolem(), key: accounts.golem },
      replicant: { golem: id(2), key: accounts.replicant },
      sleepwalker: accounts.stranger,
      beta: { golem: await caged.registerGolem(), key: accounts.operator },
      publisher: {
        address: addresses.multicall3,
        selector: toFunctionSelector('function getBlockNumber()'),
      },
      constitution: await enact(),
    })
    const d1 = await owned.sign(delegations.D1)
    const replicant = [await caged.signAsGolem(delegations['D1.1']), d1]
    const sleepwalker = [await caged.signAsGolem(delegations['D1.2']), d1]
    const beta = [await owned.sign(delegations.D2)]
    const buy = (amount: string) =>
      swapCalls(addresses, owned.address, [addresses.usdc, parseUnits(amount, 6)], addresses.weth)
    const publish = {
      to: addresses.multicall3,
      data: toFunctionSelector('function getBlockNumber()'),
    }

    await caged.redeem([d1], ...buy('300'))
    await caged.redeemAs('replicant', replicant, ...buy('40'))
    expect(await caged.refusalAs('replicant', replicant, ...buy('10.01'))).toBe('AllowanceExceeded')
    expect(await caged.refusalAs('replicant', replicant, publish)).toBe('TargetNotAllowed')
    const [child] = replicant
    if (!child) throw new Error('no child')
    const unbounded = {
      ...child,
      delegator: accounts.replicant,
      caveats: [],
      authority: hashDelegation(child),
    }
    const handedOn = await signDelegation(
      devnetAccount('replicant'),
      { ...unbounded, delegate: accounts.golem },
      { chainId: devnet.chainId, manager: addresses.delegationManager },
    )
    // The Redeemer caveat's own reason.
    expect(await caged.refusal([handedOn, ...replicant], ...buy('1'))).toBe('Error')
    await caged.redeemAs('stranger', sleepwalker, publish)
    expect(await caged.refusalAs('stranger', sleepwalker, ...buy('1'))).toBe('SpenderNotAllowed')
    await caged.redeemAs('operator', beta, ...buy('100'))
    expect(await caged.refusalAs('operator', beta, ...buy('1'))).toBe('TooSoon')
    await devnet.warp(86_401)
    expect(await caged.refusalAs('replicant', replicant, ...buy('1'))).toBe('OutsideWindow')
  })

  /** A constitution with the example's drawdown. */
  async function enact(): Promise<Hex> {
    const { client, addresses } = devnet
    const constitution = {
      assets: [addresses.usdc, addresses.weth]
        .sort((a, b) => (a.toLowerCase() < b.toLowerCase() ? -1 : 1))
        .map((asset) => ({ asset, maxShareBps: 10_000 })),
      limits: {
        perTxCents: 100_000n,
        perSessionCents: 1_000_000n,
        perDayCents: 100_000n,
        sessionSeconds: 86_400,
        maxDrawdownBps: 1_500,
      },
      document: zeroHash,
    }
    const call = { abi: policyCage.abi, functionName: 'enact', args: [constitution] } as const
    const { result } = await client.simulateContract({ address: addresses.policyCage, ...call })
    await caged.send('operator', addresses.policyCage, encodeFunctionData(call))
    return result
  }
})
