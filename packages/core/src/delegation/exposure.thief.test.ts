import { type Devnet, devnetAccount, devnetBook, startDevnet } from '@bardo/devnet'
import fc from 'fast-check'
import {
  type Address,
  createWalletClient,
  encodeFunctionData,
  erc20Abi,
  type Hex,
  http,
  isAddressEqual,
  parseAbi,
  parseUnits,
  zeroAddress,
} from 'viem'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { bardoRegistry } from '../caveats/bardoRegistry.ts'
import type { CageTerms } from '../caveats/cage/cageTerms.ts'
import { cage } from '../caveats/cage.ts'
import type { Answer, ChainState, Read } from '../caveats/caveatKind.ts'
import { dailySpendLimit } from '../caveats/dailySpendLimit.ts'
import { classBits } from '../caveats/execution/actionClass.ts'
import { methodBits } from '../caveats/execution/methods.ts'
import { maxSlippage } from '../caveats/maxSlippage.ts'
import { metamaskKinds, metamaskRegistry } from '../caveats/metamask/metamaskKinds.ts'
import { mortalityTimeWindow } from '../caveats/mortalityTimeWindow.ts'
import { replicantBudget } from '../caveats/replicantBudget.ts'
import { targetKinds } from '../caveats/terms/mandate.ts'
import { prepareSignatures } from '../permissions/prepareSignatures.ts'
import {
  approveCall,
  type CagedWorld,
  createCagedWorld,
  payCall,
  swapCalls,
} from '../permissions/testing/cagedWorld.ts'
import type { Call } from '../redemption/encodeExecution.ts'
import type { Caveat, Delegation } from './delegation.ts'
import { rootAuthority } from './delegation.ts'
import { type Exposure, exposure, type Sum } from './exposure.ts'
import { hashDelegation } from './hashDelegation.ts'
import { buildTree, type DelegationTree } from './tree.ts'
import { treeReads } from './usage.ts'

const day = 86_400
const isFull = process.env['BARDO_TEST'] === 'full'
/** The keys that a thief can hold. */
type KeyRole = 'golem' | 'replicant'

/** A permission of a family, drawn at random. */
type Drawn =
  | {
      readonly type: 'cage'
      /** Roots with the same number are of one Golem. */
      readonly golem: 0 | 1
      readonly dollars: number
      readonly size: number
      readonly bps: number
      readonly calls: number
      /** Millionths of the native currency in a day; 0 for no gas section. */
      readonly gas: number
      /** Whether the Golem's key is a signed payee. */
      readonly paysKey?: boolean
      /** A total for a week, in dollars; 0 for none. */
      readonly weekly?: number
      /** Hours between executions; 0 for none. */
      readonly cadence?: number
    }
  | {
      readonly type: 'vault'
      readonly golem: 0 | 1
      readonly dollars: number
      readonly deposits: boolean
      /** What the account holds in the vault when the thief comes, in dollars. */
      readonly held: number
      /** The signed floor, of a rate of 10 000. */
      readonly floorBps: number
    }
  | { readonly type: 'liquidity'; readonly golem: 0 | 1; readonly dollars: number; readonly spread: number }
  /** A further key of the first Golem: everything that the first Cage allows. */
  | { readonly type: 'key' }
  | { readonly type: 'single'; readonly dollars: number; readonly hasSlippage: boolean }
  | { readonly type: 'runway'; readonly dollars: number; readonly hoursAgo: number }
  | { readonly type: 'gasDraw'; readonly microEther: number; readonly hoursAgo: number }
  | { readonly type: 'child'; readonly dollars: number; readonly life: number }

/** A family: its permissions, what was spent before the thief comes, and the keys that the thief has. */
type Family = {
  readonly drawn: readonly Drawn[]
  readonly spentBefore: number
  readonly hoursBefore: number
  readonly keys: readonly KeyRole[]
  /** The hours at which the thief acts, besides the first and the last moment. */
  readonly hours: readonly number[]
}

const dollars = fc.integer({ min: 20, max: 900 })
const hoursAgo = fc.integer({ min: 2, max: 21 })
const drawnCage = fc.record({
  type: fc.constant('cage' as const),
  golem: fc.constantFrom(0 as const, 1 as const),
  dollars,
  size: fc.integer({ min: 15, max: 900 }),
  bps: fc.integer({ min: 60, max: 300 }),
  calls: fc.constantFrom(0, 0, 2, 3),
  gas: fc.constantFrom(0, 0, 5_000, 20_000),
  paysKey: fc.constantFrom(false, false, false, true),
  weekly: fc.constantFrom(0, 0, 100, 1_000),
  cadence: fc.constantFrom(0, 0, 0, 12),
})
const golem = fc.constantFrom(0 as const, 1 as const)
const drawnVault = fc.record({
  type: fc.constant('vault' as const),
  golem,
  dollars,
  deposits: fc.boolean(),
  held: fc.integer({ min: 50, max: 3_000 }),
  floorBps: fc.integer({ min: 9_000, max: 9_950 }),
})
const family: fc.Arbitrary<Family> = fc.record({
  drawn: fc
    .tuple(
      drawnCage,
      fc.array(
        fc.oneof(
          drawnCage,
          fc.record({ type: fc.constant('single' as const), dollars, hasSlippage: fc.boolean() }),
          fc.record({ type: fc.constant('runway' as const), dollars, hoursAgo }),
          fc.record({
            type: fc.constant('gasDraw' as const),
            microEther: fc.integer({ min: 1_000, max: 50_000 }),
            hoursAgo,
          }),
          fc.record({ type: fc.constant('child' as const), dollars, life: dollars }),
          drawnVault,
          fc.record({
            type: fc.constant('liquidity' as const),
            golem,
            dollars,
            spread: fc.integer({ min: 300, max: 600 }),
          }),
          fc.record({ type: fc.constant('key' as const) }),
        ),
        { maxLength: 3 },
      ),
    )
    .map(([first, more]) => [first, ...more]),
  spentBefore: fc.constantFrom(0, 0, 10, 15),
  hoursBefore: fc.integer({ min: 1, max: 23 }),
  keys: fc.constantFrom(
    ['golem', 'replicant'] as const,
    ['golem', 'replicant'] as const,
    ['golem'] as const,
    ['replicant'] as const,
  ),
  hours: fc.array(fc.integer({ min: 1, max: 23 }), { minLength: 1, maxLength: 2 }),
})

/** Families that are known to be hard: each was, or would be, a way to exceed the sums. */
const pinned: readonly Family[] = [
  // The edge of a period, in native currency and in a token.
  {
    drawn: [
      { type: 'runway', dollars: 50, hoursAgo: 20 },
      { type: 'gasDraw', microEther: 20_000, hoursAgo: 3 },
    ],
    spentBefore: 0,
    hoursBefore: 1,
    keys: ['golem'],
    hours: [],
  },
  // Two roots of one Golem, and its child: one budget.
  {
    drawn: [
      { type: 'cage', golem: 0, dollars: 300, size: 300, bps: 100, calls: 0, gas: 10_000 },
      { type: 'cage', golem: 0, dollars: 400, size: 400, bps: 200, calls: 0, gas: 10_000 },
      { type: 'child', dollars: 250, life: 200 },
    ],
    spentBefore: 15,
    hoursBefore: 20,
    keys: ['golem', 'replicant'],
    hours: [12],
  },
  // Only the child's key: its own limits hold.
  {
    drawn: [
      { type: 'cage', golem: 0, dollars: 500, size: 500, bps: 100, calls: 0, gas: 10_000 },
      { type: 'child', dollars: 250, life: 120 },
    ],
    spentBefore: 0,
    hoursBefore: 1,
    keys: ['replicant'],
    hours: [],
  },
  // Leaving a vault: down to the floor without a limit, and below it within the day's.
  {
    drawn: [
      { type: 'cage', golem: 0, dollars: 200, size: 200, bps: 100, calls: 0, gas: 0 },
      { type: 'vault', golem: 1, dollars: 300, deposits: false, held: 4_000, floorBps: 9_500 },
    ],
    spentBefore: 0,
    hoursBefore: 1,
    keys: ['golem'],
    hours: [],
  },
  // Deposits at a raised rate, withdrawals at a lowered one, and swaps: one budget, and the same shares twice.
  {
    drawn: [
      { type: 'cage', golem: 0, dollars: 400, size: 400, bps: 100, calls: 0, gas: 0 },
      { type: 'vault', golem: 0, dollars: 400, deposits: true, held: 1_000, floorBps: 9_000 },
      { type: 'vault', golem: 0, dollars: 400, deposits: false, held: 1_000, floorBps: 9_900 },
    ],
    spentBefore: 10,
    hoursBefore: 20,
    keys: ['golem'],
    hours: [],
  },
  // No limit on slippage: the whole swap can be lost.
  {
    drawn: [{ type: 'single', dollars: 200, hasSlippage: false }],
    spentBefore: 0,
    hoursBefore: 1,
    keys: ['golem'],
    hours: [],
  },
]

/** A key without a permission takes nothing, which shows nothing. */
function withKeys(one: Family): Family {
  const hasChild = one.drawn.some(({ type }) => type === 'child' || type === 'key')
  return hasChild ? one : { ...one, keys: ['golem'] }
}

const families = [
  ...pinned,
  ...fc.sample(family.map(withKeys), { seed: 20_261_118, numRuns: isFull ? 80 : 10 }),
]

let devnet: Devnet
let caged: CagedWorld
beforeAll(async () => {
  // A fixed time of day: the edges of four hours are far from the first and the last moment.
  devnet = await startDevnet({
    port: 0,
    openAt: (Math.ceil(Date.now() / 14_400_000) * 14_400 + 5_000) * 1_000,
  })
  caged = createCagedWorld(devnet)
})
afterAll(() => devnet?.stop())

type Action = {
  readonly cents: bigint
  calls(cents: bigint): readonly Call[] | Promise<readonly Call[]>
  /** What is moved before it. Default: nothing, or the price of the pool for a swap. */
  readonly moves?:
    | { readonly type: 'pool'; readonly bps: number }
    | { readonly type: 'rate'; readonly bps: number }
  /** Whether it waits for the last moment. */
  readonly isLast?: boolean
}

/** A signed permission and what its holder can try. */
type Held = {
  readonly links: readonly Delegation[]
  readonly by: KeyRole
  /** An action that moves about this many cents. */
  readonly actions: readonly Action[]
  /** The slippage that a swap may have; undefined if nothing limits it. */
  readonly bps: number | undefined
}

const strategy = 'Swap USDC to WETH.\nbudget: $1000/day\nlifespan: 10 days'
const usdcOf = (cents: bigint) => cents * 10_000n

/** Signs a family for a new account. */
async function sign({ drawn }: Family) {
  const { addresses, accounts, chainId, framework } = devnet
  const account = await caged.openAccount()
  await devnet.fund(account.address, {
    USDC: parseUnits('20000', 6),
    WETH: parseUnits('5', 18),
    ETH: parseUnits('5', 18),
  })
  const golems = [
    await caged.registerGolem(),
    await caged.registerGolem(),
    await caged.registerGolem(),
  ] as const
  const now = await caged.now()
  const { terms } = prepareSignatures(strategy, {
    chainId,
    now,
    book: devnetBook(devnet),
    subject: { golem: golems[0], account: account.address, graceSeconds: 0 },
    cageEnforcer: addresses.cageEnforcer,
    delegate: accounts.golem,
    salt: 1n,
    runway: { to: account.address },
  })
  const shares = Math.max(0, ...drawn.map((one) => (one.type === 'vault' ? one.held : 0)))
  if (shares > 0) await deposit(account.address, parseUnits(`${shares}`, 6))
  const price = await wethPrice()
  const weth = terms.mandate.assets.find(({ token }) => token.toLowerCase() === addresses.weth.toLowerCase())
  const swap = (cents: bigint) =>
    swapCalls(addresses, account.address, [addresses.usdc, usdcOf(cents)], addresses.weth)
  const draw = (cents: bigint): readonly Call[] => [
    { to: accounts.golem, value: (cents * 10n ** 24n) / price, data: '0x' },
  ]
  const pay = (cents: bigint) => [payCall(addresses.usdc, accounts.golem, usdcOf(cents))]
  const metamask = <Terms>(kind: { name: string; encode(terms: Terms): Hex }, terms: Terms): Caveat =>
    caveat(framework.caveatEnforcers[`${kind.name}Enforcer`] ?? zeroAddress, kind.encode(terms))
  const root = (salt: number, ...caveats: readonly Caveat[]) =>
    account.sign({
      delegate: accounts.golem,
      delegator: account.address,
      authority: rootAuthority,
      caveats,
      salt: BigInt(salt + 10),
      signature: '0x',
    })
  const held: Held[] = []
  for (const [place, one] of drawn.entries()) held.push(...(await signOne(one, place)))
  return { account: account.address, held }

  async function signOne(one: Drawn, place: number): Promise<readonly Held[]> {
    switch (one.type) {
      case 'cage': {
        const link = await root(place, caveat(addresses.cageEnforcer, cage.encode(cageTerms(one))))
        const most = BigInt(Math.min(one.size, one.dollars)) * 100n
        const gas = (BigInt(one.gas) * price) / 10n ** 12n
        const actions = [
          ...(one.gas > 0 ? [{ cents: gas, calls: draw }] : []),
          ...(one.paysKey ? [{ cents: most, calls: pay }] : []),
          { cents: most, calls: swap },
        ]
        return [{ links: [link], by: 'golem', actions, bps: one.bps }]
      }
      case 'vault': {
        const vault = addresses.usdcVault
        const { deposit: into, withdraw: from, approve, disapprove } = classBits
        const bounded: CageTerms = {
          ...cageTerms(drawn[0]),
          golem: golems[one.golem],
          calls: 0,
          cadenceSeconds: 0,
          totals: undefined,
          gas: undefined,
          classes: from | (one.deposits ? into | approve | disapprove : 0),
          methods: methodBits.redeem | (one.deposits ? methodBits.deposit | methodBits.approve : 0),
          dayCents: BigInt(one.dollars) * 100n,
          dollarsByPhase: [one.dollars, one.dollars, one.dollars, one.dollars, one.dollars],
          mandate: {
            ...terms.mandate,
            targets: [{ kind: targetKinds.vault, address: vault, selector: '0x00000000' }],
          },
          floors: [{ vault, floor: BigInt(one.floorBps) * 10n ** 14n }],
        }
        const link = await root(place, caveat(addresses.cageEnforcer, cage.encode(bounded)))
        const leave = (cents: bigint) => [
          vaultCall('redeem', usdcOf(cents), account.address, account.address),
        ]
        const enter = (cents: bigint) => [
          { to: addresses.usdc, data: approveCall(vault, usdcOf(cents)) },
          vaultCall('deposit', usdcOf(cents), account.address),
        ]
        const cents = BigInt(shares) * 100n
        const actions: readonly Action[] = [
          { cents, calls: leave, moves: { type: 'rate', bps: 50 } },
          ...(one.deposits
            ? [
                {
                  cents: BigInt(one.dollars) * 100n,
                  calls: enter,
                  moves: { type: 'rate', bps: 400_000 },
                } as const,
              ]
            : []),
          { cents, calls: leave, moves: { type: 'rate', bps: one.floorBps }, isLast: true },
        ]
        return [{ links: [link], by: 'golem', actions, bps: 0 }]
      }
      case 'liquidity': {
        const bounded = { ...liquidityTerms(terms, one.dollars, one.spread), golem: golems[one.golem] }
        const link = await root(place, caveat(addresses.cageEnforcer, cage.encode(bounded)))
        const mint = (cents: bigint) => mintCalls(account.address, usdcOf(cents))
        const moves = { type: 'pool', bps: one.spread } as const
        return [
          {
            links: [link],
            by: 'golem',
            actions: [{ cents: BigInt(one.dollars) * 100n, calls: mint, moves }],
            bps: 0,
          },
        ]
      }
      case 'key': {
        const [parent] = held
        const above = parent?.links[0]
        if (!parent || !above) return []
        const link = await caged.signAsGolem({
          delegate: accounts.replicant,
          delegator: accounts.golem,
          authority: hashDelegation(above),
          caveats: [],
          salt: BigInt(place),
          signature: '0x',
        })
        const actions = parent.actions.slice(-1)
        return [{ links: [link, above], by: 'replicant', actions, bps: parent.bps }]
      }
      case 'single': {
        const { mandate } = terms
        const limit = dailySpendLimit.encode({
          lineage: golems[2],
          limitCents: BigInt(one.dollars) * 100n,
          mandate,
        })
        const link = await root(
          place,
          caveat(addresses.dailySpendLimitEnforcer, limit),
          caveat(
            addresses.mortalityTimeWindowEnforcer,
            mortalityTimeWindow.encode({ start: terms.start, end: terms.end }),
          ),
          ...(one.hasSlippage
            ? [
                caveat(
                  addresses.maxSlippageEnforcer,
                  maxSlippage.encode({ slippageBps: 100, spreadBps: 100, mandate }),
                ),
              ]
            : []),
        )
        const bps = one.hasSlippage ? 100 : undefined
        return [
          { links: [link], by: 'golem', actions: [{ cents: BigInt(one.dollars) * 100n, calls: swap }], bps },
        ]
      }
      case 'runway': {
        const start = now - BigInt(one.hoursAgo * 3_600)
        const link = await root(
          place,
          metamask(metamaskKinds.ERC20PeriodTransfer, {
            token: addresses.usdc,
            amount: usdcOf(BigInt(one.dollars) * 100n),
            duration: BigInt(day),
            start,
          }),
          metamask(metamaskKinds.Timestamp, { afterThreshold: 0, beforeThreshold: terms.end }),
        )
        return [
          {
            links: [link],
            by: 'golem',
            actions: [{ cents: BigInt(one.dollars) * 100n, calls: pay }],
            bps: 0,
          },
        ]
      }
      case 'gasDraw': {
        const amount = BigInt(one.microEther) * 10n ** 12n
        const link = await root(
          place,
          metamask(metamaskKinds.NativeTokenPeriodTransfer, {
            amount,
            duration: BigInt(day),
            start: now - BigInt(one.hoursAgo * 3_600),
          }),
          metamask(metamaskKinds.ExactCalldata, { calldata: '0x' }),
          metamask(metamaskKinds.AllowedTargets, { targets: [accounts.golem] }),
          metamask(metamaskKinds.Timestamp, { afterThreshold: 0, beforeThreshold: terms.end }),
        )
        const cents = (amount * price) / 10n ** 24n
        return [{ links: [link], by: 'golem', actions: [{ cents, calls: draw }], bps: 0 }]
      }
      case 'child': {
        const [parent] = held
        const above = parent?.links[0]
        if (!above) return []
        const { mandate } = cageTerms(drawn[0])
        const limits = { lineage: golems[2], mandate }
        const link = await caged.signAsGolem({
          delegate: accounts.replicant,
          delegator: accounts.golem,
          authority: hashDelegation(above),
          caveats: [
            caveat(
              addresses.replicantBudgetEnforcer,
              replicantBudget.encode({
                ...limits,
                allowedCents: BigInt(one.life) * 100n,
                born: terms.start,
                lifespanSeconds: 2 * day,
              }),
            ),
            caveat(
              addresses.dailySpendLimitEnforcer,
              dailySpendLimit.encode({ ...limits, limitCents: BigInt(one.dollars) * 100n }),
            ),
          ],
          salt: BigInt(place),
          signature: '0x',
        })
        const cents = BigInt(Math.min(one.life, one.dollars)) * 100n
        return [
          { links: [link, above], by: 'replicant', actions: [{ cents, calls: swap }], bps: parent?.bps },
        ]
      }
    }
  }

  function cageTerms(one: Drawn | undefined): CageTerms {
    if (one?.type !== 'cage') throw new TypeError('The parent of a child must be a Cage.')
    const native = one.gas > 0 && weth ? [{ ...weth, token: zeroAddress }] : []
    return {
      ...terms,
      golem: golems[one.golem],
      dayCents: BigInt(one.dollars) * 100n,
      dollarsByPhase: [one.size, one.size, one.size, one.size, one.size],
      slippageBps: one.bps,
      calls: one.calls,
      cadenceSeconds: (one.cadence ?? 0) * 3_600,
      classes: terms.classes | (one.gas > 0 ? classBits.gas : 0) | (one.paysKey ? classBits.payment : 0),
      methods:
        terms.methods | (one.gas > 0 ? methodBits.native : 0) | (one.paysKey ? methodBits.transfer : 0),
      ...(one.gas > 0 && { gas: { microEtherPerDay: BigInt(one.gas) } }),
      ...(one.weekly && { totals: [{ periodSeconds: 7 * day, cents: BigInt(one.weekly) * 100n }] }),
      mandate: {
        ...terms.mandate,
        assets: [...terms.mandate.assets, ...native],
        payees: one.paysKey ? [accounts.golem] : [],
      },
    }
  }
}

function caveat(enforcer: Address, terms: Hex): Caveat {
  return { enforcer, terms, args: '0x' }
}

/** Dollars for one ether by the feed, with eight decimals. */
async function wethPrice(): Promise<bigint> {
  const [, answer] = await devnet.client.readContract({
    address: devnet.addresses.wethFeed,
    abi: [
      {
        type: 'function',
        name: 'latestRoundData',
        stateMutability: 'view',
        inputs: [],
        outputs: [
          { type: 'uint80' },
          { type: 'int256' },
          { type: 'uint256' },
          { type: 'uint256' },
          { type: 'uint80' },
        ],
      },
    ],
    functionName: 'latestRoundData',
  })
  return answer
}

async function look(
  tree: DelegationTree,
  registry: ReturnType<typeof registryOfDevnet>,
): Promise<ChainState> {
  const key = ({ to, data }: Read) => `${to}${data}`.toLowerCase()
  const answers = new Map<string, Answer>()
  for (const read of treeReads(tree, registry, devnet.addresses.delegationManager)) {
    const { data = '0x' } = await devnet.client.call(read)
    answers.set(key(read), { ok: true, data })
  }
  const { timestamp, number } = await devnet.client.getBlock()
  return { timestamp, blockNumber: number, answer: (read) => answers.get(key(read)) }
}

const registryOfDevnet = () =>
  metamaskRegistry(devnet.framework.caveatEnforcers, bardoRegistry(devnet.addresses))

/** What the function shows, for the keys that the thief holds. */
async function shownFor(held: readonly Held[], keys: readonly KeyRole[]): Promise<Exposure> {
  const delegations = new Map(held.flatMap(({ links }) => links).map((link) => [hashDelegation(link), link]))
  const tree = buildTree([...delegations.values()])
  const registry = registryOfDevnet()
  const state = await look(tree, registry)
  const price = await wethPrice()
  const ether = { price, unit: 10n ** 26n }
  return exposure({
    permissions: [
      { tree, facts: { manager: devnet.addresses.delegationManager, state, disabled: new Map() } },
    ],
    registry,
    prices: new Map([
      [devnet.addresses.usdc.toLowerCase(), { price: 10n ** 8n, unit: 10n ** 14n }],
      [devnet.addresses.weth.toLowerCase(), ether],
      [zeroAddress, ether],
    ]),
    keys: keys.map((role) => devnet.accounts[role]),
  })
}

/** The account's holdings in micros of a dollar: three assets, and shares. */
async function holdings(account: Address): Promise<readonly bigint[]> {
  const { client, addresses } = devnet
  const price = await wethPrice()
  const balanceOf = (address: Address) =>
    client.readContract({ address, abi: erc20Abi, functionName: 'balanceOf', args: [account] })
  const [dollars, wrapped, ether, shares] = await Promise.all([
    balanceOf(addresses.usdc),
    balanceOf(addresses.weth),
    client.getBalance({ address: account }),
    balanceOf(addresses.usdcVault),
  ])
  // A share is worth one dollar.
  return [dollars, (wrapped * price) / 10n ** 20n, (ether * price) / 10n ** 20n, shares]
}

const sum = (amounts: readonly bigint[]) => amounts.reduce((total, one) => total + one, 0n)

async function warpTo(timestamp: bigint) {
  if (timestamp <= (await caged.now())) return
  await devnet.client.setNextBlockTimestamp({ timestamp })
  await devnet.client.mine({ blocks: 1 })
}

const vaultAbi = parseAbi([
  'function deposit(uint256 assets, address receiver) returns (uint256)',
  'function redeem(uint256 shares, address receiver, address owner) returns (uint256)',
])

function vaultCall(functionName: 'deposit' | 'redeem', amount: bigint, to: Address, from = to): Call {
  const data =
    functionName === 'deposit'
      ? encodeFunctionData({ abi: vaultAbi, functionName, args: [amount, to] })
      : encodeFunctionData({ abi: vaultAbi, functionName, args: [amount, to, from] })
  return { to: devnet.addresses.usdcVault, data }
}

/** Gives an account shares, at a rate of one dollar. */
async function deposit(account: Address, amount: bigint) {
  const { usdc, usdcVault } = devnet.addresses
  await setRate(10_000)
  await devnet.fund(devnet.accounts.operator, { USDC: amount })
  await caged.send('operator', usdc, approveCall(usdcVault, amount))
  await caged.send('operator', usdcVault, vaultCall('deposit', amount, account).data ?? '0x')
}

/** Moves the vault's rate: what it holds for its shares, of 10 000, and a little more, so that rounding does not matter. */
async function setRate(bps: number) {
  const { addresses, client, accounts } = devnet
  const { usdc, usdcVault: vault } = addresses
  const [supply, held] = await Promise.all([
    client.readContract({ address: vault, abi: erc20Abi, functionName: 'totalSupply' }),
    client.readContract({ address: usdc, abi: erc20Abi, functionName: 'balanceOf', args: [vault] }),
  ])
  const wanted = (supply * BigInt(bps)) / 10_000n + (bps === 10_000 ? 0n : supply / 1_000_000n)
  if (wanted > held) await devnet.fund(vault, { USDC: wanted - held })
  if (wanted >= held) return
  await client.impersonateAccount({ address: vault })
  await client.setBalance({ address: vault, value: 10n ** 18n })
  const { data } = payCall(usdc, accounts.operator, held - wanted)
  const wallet = createWalletClient({ account: vault, chain: devnet.chain, transport: http(devnet.url) })
  const { status } = await wallet.sendTransactionSync({ to: usdc, data, gas: 200_000n })
  expect(status).toBe('success')
}

async function passes({ links, by }: Held, calls: readonly Call[]): Promise<boolean> {
  const data = caged.redemption(links, calls)
  const account = devnetAccount(by).address
  return devnet.client.call({ account, to: devnet.addresses.delegationManager, data }).then(
    () => true,
    () => false,
  )
}

/** The largest amount that passes now, to about one percent of `most`; 0 if none does. */
async function largest(held: Held, action: Action): Promise<bigint> {
  if (await passes(held, await action.calls(action.cents))) return action.cents
  let [low, high] = [0n, action.cents]
  while (high - low > action.cents / 100n + 1n) {
    const middle = (low + high) / 2n
    if (await passes(held, await action.calls(middle))) low = middle
    else high = middle
  }
  return low
}

/**
 * A thief: tries every permission at every moment, in the given order, for as much as passes. A robber moves the pool
 * first, so that each swap returns as little as the owner signed.
 */
async function steal(
  account: Address,
  held: readonly Held[],
  { keys, hours }: Family,
  isRobber: boolean,
): Promise<{ readonly out: bigint; readonly loss: bigint }> {
  const start = await caged.now()
  const before = await holdings(account)
  const fair = (await wethPrice()) / 100n
  let out = 0n
  const last = day - 900
  const moments = [0, ...hours.toSorted((one, other) => one - other).map((hour) => hour * 3_600), last]
  for (const moment of moments) {
    await warpTo(start + BigInt(moment))
    // What is lost whole comes first; then the permissions with the widest slippage.
    const wanted = held
      .filter(({ by }) => keys.includes(by))
      .flatMap((one) =>
        one.actions
          .filter(({ isLast }) => !isLast || moment === last)
          .map((action) => ({
            one,
            action,
            isSwap: action === one.actions.at(-1) && one.bps !== 0,
          })),
      )
      .toSorted((a, b) => rank(b) - rank(a))
    for (const { one, action, isSwap } of wanted) {
      const { moves } = action
      if (isSwap) await devnet.movePrice('WETH/USDC', isRobber ? skewed(fair, one.bps) : fair)
      if (moves?.type === 'rate') await setRate(moves.bps)
      if (moves?.type === 'pool')
        await devnet.movePrice('WETH/USDC', isRobber ? spread(fair, moves.bps) : fair)
      for (let times = 0; times < 60; times += 1) {
        const cents = await largest(one, action)
        if (cents < 100n) break
        const had = await holdings(account)
        await caged.redeemAs(one.by, one.links, ...(await action.calls(cents)))
        const has = await holdings(account)
        out += leftBy(had, has)
      }
      if (moves?.type === 'rate') await setRate(10_000)
      if (moves?.type === 'pool') await devnet.movePrice('WETH/USDC', fair)
    }
  }
  await devnet.movePrice('WETH/USDC', fair)
  await closePositions(account, held)
  const { timestamp } = await devnet.client.getBlock()
  expect(timestamp).toBeLessThan(start + BigInt(day))
  return { out, loss: sum(before) - sum(await holdings(account)) }
}

/** What left, in micros of a dollar. Of shares, only what a vault pays below its floor counts: the lowest drawn floor. */
function leftBy(had: readonly bigint[], has: readonly bigint[]): bigint {
  const [came = 0n, , , shares = 0n] = has.map((amount, place) => amount - (had[place] ?? 0n))
  if (shares < 0n) return later(0n, (-shares * 9_000n) / 10_000n - came)
  return sum(had.slice(0, 3).map((amount, place) => later(0n, amount - (has[place] ?? 0n))))
}

const later = (one: bigint, other: bigint) => (one > other ? one : other)

const rank = ({ one, isSwap }: { one: Held; isSwap: boolean }) => (isSwap ? (one.bps ?? 9_999) : 10_000)

/** The price of one WETH at which a small buy loses almost the signed slippage, fee included. */
function skewed(fair: bigint, bps: number | undefined): bigint {
  if (bps === undefined) return fair * 25n
  return (fair * 9_995n) / BigInt(10_000 - bps + Math.ceil(bps / 40))
}

/** The price at which the pool is almost as far from the feed as the owner signed. */
const spread = (fair: bigint, bps: number) => (fair * 10_000n) / BigInt(10_000 - bps + 5)

const centsOf = (shown: Sum) => {
  if (shown.type === 'unbounded') throw new TypeError(`Unbounded: ${shown.because.join()}`)
  return shown.cents
}

/** How close the thieves of each family came to its figures, in percent. */
const reached: { readonly out: number; readonly loss: number }[] = []
const share = (micros: bigint, cents: bigint) =>
  cents < 1_00n ? 100 : Number((micros * 100n) / (cents * 10_000n))

it.each(families.map((one, place) => [place, one] as const))(
  'no thief takes more than the figure of family %i',
  async (_, drawn) => {
    const { account, held } = await sign(drawn)
    const start = await caged.now()
    // Earlier families have moved the pool, and their days have made the feed old.
    await devnet.postPrice('WETH', await wethPrice())
    await devnet.movePrice('WETH/USDC', (await wethPrice()) / 100n)
    // The owner's Golem spends something before the thief comes.
    const [first] = held
    const action = first?.actions.at(-1)
    if (first && action && drawn.spentBefore > 0)
      await caged.redeem(first.links, ...(await action.calls(BigInt(drawn.spentBefore) * 100n)))
    await warpTo(start + BigInt(drawn.hoursBefore * 3_600))
    const shown = await shownFor(held, drawn.keys)
    const figures = { out: centsOf(shown.day), loss: centsOf(shown.haul.loss) }
    const id = await devnet.client.snapshot()
    const spent = await steal(account, held, drawn, false)
    await devnet.client.revert({ id })
    const robbed = await steal(account, held, drawn, true)
    for (const { out, loss } of [spent, robbed]) {
      expect(out).toBeLessThanOrEqual(figures.out * 10_000n)
      expect(loss).toBeLessThanOrEqual(figures.loss * 10_000n)
    }
    reached.push({ out: share(spent.out, figures.out), loss: share(robbed.loss, figures.loss) })
  },
  isFull ? 300_000 : 120_000,
)

const poolAbi = parseAbi([
  'function slot0() view returns (uint160, int24 tick, uint16, uint16, uint16, uint8, bool)',
  'function token0() view returns (address)',
])
const positionsAbi = parseAbi([
  'struct MintParams { address token0; address token1; uint24 fee; int24 tickLower; int24 tickUpper; uint256 amount0Desired; uint256 amount1Desired; uint256 amount0Min; uint256 amount1Min; address recipient; uint256 deadline; }',
  'struct DecreaseParams { uint256 tokenId; uint128 liquidity; uint256 amount0Min; uint256 amount1Min; uint256 deadline; }',
  'struct CollectParams { uint256 tokenId; address recipient; uint128 amount0Max; uint128 amount1Max; }',
  'function mint(MintParams params) returns (uint256, uint128, uint256, uint256)',
  'function decreaseLiquidity(DecreaseParams params) returns (uint256, uint256)',
  'function collect(CollectParams params) returns (uint256, uint256)',
  'function balanceOf(address owner) view returns (uint256)',
  'function tokenOfOwnerByIndex(address owner, uint256 index) view returns (uint256)',
  'function positions(uint256) view returns (uint96, address, address, address, uint24, int24, int24, uint128 liquidity, uint256, uint256, uint128, uint128)',
])

/** Terms that allow only liquidity. */
function liquidityTerms(terms: CageTerms, dollarsPerDay: number, spreadBps: number): CageTerms {
  const { addLiquidity, removeLiquidity, approve, disapprove } = classBits
  const { nonfungiblePositionManager: manager, usdcWethPool: pool } = devnet.addresses
  return {
    ...terms,
    classes: addLiquidity | removeLiquidity | approve | disapprove,
    methods: methodBits.mintPosition | methodBits.decreaseLiquidity | methodBits.collect | methodBits.approve,
    spreadBps,
    dayCents: BigInt(dollarsPerDay) * 100n,
    dollarsByPhase: [dollarsPerDay, dollarsPerDay, dollarsPerDay, dollarsPerDay, dollarsPerDay],
    mandate: {
      ...terms.mandate,
      targets: [
        { kind: targetKinds.positionManager, address: manager, selector: '0x00000000' },
        { kind: targetKinds.pool, address: pool, selector: '0x00000000' },
      ],
    },
  }
}

/** Adds dollars to the pool, in the narrowest range on the way from a higher price of WETH back to a lower one. */
async function mintCalls(account: Address, amount: bigint): Promise<readonly Call[]> {
  const { nonfungiblePositionManager: manager, usdcWethPool: pool, usdc, weth } = devnet.addresses
  const [{ 1: tick }, token0] = await Promise.all([
    devnet.client.readContract({ address: pool, abi: poolAbi, functionName: 'slot0' }),
    devnet.client.readContract({ address: pool, abi: poolAbi, functionName: 'token0' }),
  ])
  const isUsdcFirst = isAddressEqual(token0, usdc)
  const tickLower = Math.floor(tick / 10) * 10 + (isUsdcFirst ? 10 : -10)
  const [amount0Desired, amount1Desired] = isUsdcFirst ? [amount, 0n] : [0n, amount]
  const [one, other] = isUsdcFirst ? [usdc, weth] : [weth, usdc]
  const limits = { amount0Min: 0n, amount1Min: 0n, deadline: 2n ** 64n }
  const range = { token0: one, token1: other, fee: 500, tickLower, tickUpper: tickLower + 10 }
  const position = { ...range, ...limits, amount0Desired, amount1Desired, recipient: account }
  return [
    { to: usdc, data: approveCall(manager, amount) },
    {
      to: manager,
      data: encodeFunctionData({ abi: positionsAbi, functionName: 'mint', args: [position] }),
    },
    { to: usdc, data: approveCall(manager, 0n) },
  ]
}

/** Takes all liquidity out again, with the permission that may. */
async function closePositions(account: Address, held: readonly Held[]) {
  const { nonfungiblePositionManager: manager } = devnet.addresses
  const one = held.find(({ actions }) => actions.some(({ moves }) => moves?.type === 'pool'))
  if (!one) return
  const read = { address: manager, abi: positionsAbi } as const
  const count = await devnet.client.readContract({ ...read, functionName: 'balanceOf', args: [account] })
  for (let place = 0n; place < count; place += 1n) {
    const tokenId = await devnet.client.readContract({
      ...read,
      functionName: 'tokenOfOwnerByIndex',
      args: [account, place],
    })
    const { 7: liquidity } = await devnet.client.readContract({
      ...read,
      functionName: 'positions',
      args: [tokenId],
    })
    const all = { tokenId, recipient: account, amount0Max: 2n ** 127n, amount1Max: 2n ** 127n }
    const decrease = { tokenId, liquidity, amount0Min: 0n, amount1Min: 0n, deadline: 2n ** 64n }
    const call = (data: Hex): Call => ({ to: manager, data })
    await caged.redeem(
      one.links,
      call(encodeFunctionData({ abi: positionsAbi, functionName: 'decreaseLiquidity', args: [decrease] })),
      call(encodeFunctionData({ abi: positionsAbi, functionName: 'collect', args: [all] })),
    )
  }
}

it('a thief who adds liquidity at a moved price takes almost the signed distance, and no more', async () => {
  const { addresses, accounts, chainId } = devnet
  const { address: account, sign: signFor } = await caged.openAccount()
  await devnet.fund(account, { USDC: parseUnits('20000', 6) })
  const { terms, root } = prepareSignatures(strategy, {
    chainId,
    now: await caged.now(),
    book: devnetBook(devnet),
    subject: { golem: await caged.registerGolem(), account, graceSeconds: 0 },
    cageEnforcer: addresses.cageEnforcer,
    delegate: accounts.golem,
    salt: 1n,
    runway: { to: account },
  })
  const bounded = liquidityTerms(terms, 300, 500)
  const link = await signFor({ ...root, caveats: [caveat(addresses.cageEnforcer, cage.encode(bounded))] })
  const mint = (cents: bigint) => mintCalls(account, usdcOf(cents))
  const action = { cents: 30_000n, calls: mint, moves: { type: 'pool', bps: 500 } } as const
  const held: Held = { links: [link], by: 'golem', actions: [action], bps: 0 }
  const shown = await shownFor([held], ['golem'])
  expect(shown).toMatchObject({ day: { cents: 30_000n }, haul: { loss: { cents: 1_500n } } })

  const fair = (await wethPrice()) / 100n
  await devnet.movePrice('WETH/USDC', spread(fair, 500))
  const before = sum(await holdings(account))
  await caged.redeem([link], ...(await mint(30_000n)))
  await devnet.movePrice('WETH/USDC', fair)
  await closePositions(account, [held])
  const loss = before - sum(await holdings(account))
  expect(loss).toBeLessThanOrEqual(1_500n * 10_000n)
  expect(loss).toBeGreaterThan(1_350n * 10_000n)
})

it('some thief comes within 10 % of both figures of every pinned family, and of most others', () => {
  expect(reached).toHaveLength(families.length)
  const isClose = ({ out, loss }: (typeof reached)[number]) => out >= 90 && loss >= 90
  expect(reached.slice(0, pinned.length).filter((one) => !isClose(one))).toEqual([])
  expect(reached.filter(isClose).length, JSON.stringify(reached)).toBeGreaterThan((families.length * 3) / 4)
})
