import {
  type AddressBook,
  type BoundKind,
  buildTree,
  type Caveat,
  type ChainState,
  type CompiledStrategy,
  cage,
  dailySpendLimit,
  defaultFloor,
  type ExposureInput,
  exposure,
  formatDollars,
  type Mandate,
  maxSlippage,
  metamaskKinds,
  mortalityTimeWindow,
  type PermissionPlan,
  type Price,
  type Registry,
  registryOf,
  rootAuthority,
  settlePlan,
  toCageTerms,
  vaultShares,
} from '@bardo/core'
import type { DelegationBounds } from '@bardo/wallets'
import { type Address, type Hex, numberToHex, zeroAddress, zeroHash } from 'viem'
import { type ExposureJson, exposureJson } from '../text/exposureJson.ts'

/** The Golem whose plan is replaced: what it has spent counts. */
type PlannedFor = {
  readonly golem: Hex
  readonly account: Address
  readonly cageEnforcer: Address
  readonly manager: Address
  readonly state: ChainState
}

/** The account's shares in the vaults of a plan, and the prices of their assets. */
export type PlannedShares = {
  readonly account: Address
  /** By the symbol of the asset. */
  readonly vaults: ReadonlyMap<string, Address>
  readonly state: ChainState
  readonly prices: ReadonlyMap<string, Price>
}

/** A plan as the permission that it would be, for {@link exposure}. */
export type PlannedPermission = {
  readonly permission: ExposureInput['permissions'][number]
  readonly registry: Registry
  readonly prices: ReadonlyMap<string, Price>
}

/** An address that stands for one that the sums do not depend on. */
const stand = (index: number): Address => numberToHex(0xe0_00_00 + index, { size: 20 })

type PlannedOptions = {
  readonly bounds?: DelegationBounds
  readonly of?: PlannedFor
  /** The price of one whole unit of the native currency. */
  readonly nativeCents?: bigint | undefined
  readonly shares?: PlannedShares | undefined
}

/**
 * What a plan would expose if it were signed now. The sums depend on numbers and kinds of contracts, not on addresses, so
 * that no address book is needed.
 *
 * @param bounds - the limits of a local key, whose root has single caveats instead of a Cage
 */
export function plannedExposure(
  compiled: Pick<CompiledStrategy, 'plan' | 'runway'>,
  now: bigint,
  options: PlannedOptions = {},
): ExposureJson {
  const { permission, registry, prices } = plannedPermission(compiled, now, options)
  const shown = exposureJson(exposure({ permissions: [permission], registry, prices }))
  return { ...shown, notIncluded: [...shown.notIncluded, ...besides(compiled)] }
}

/** What a plan leaves to the moment of signing, as sentences. */
export function besides({ plan, runway }: Pick<CompiledStrategy, 'plan' | 'runway'>): readonly string[] {
  return [...(plan.sections.gas?.isDefault ? [gasText] : []), ...(runway ? [runwayText(runway)] : [])]
}

/** The mandate of a plan with the account and the vaults that are known. */
export function plannedMandate(
  plan: PermissionPlan,
  shares: Pick<PlannedShares, 'account' | 'vaults'>,
): Mandate {
  const subject = { golem: zeroHash, account: shares.account, graceSeconds: 0 }
  const settled = settlePlan(plan, { portfolioCents: plan.sections.sizeShares?.portfolioCents ?? 1n << 64n })
  return toCageTerms(settled, bookOf(plan, shares.vaults), subject).mandate
}

/** The permission that a plan would be if it were signed now. */
export function plannedPermission(
  { plan: compiled }: Pick<CompiledStrategy, 'plan'>,
  now: bigint,
  { bounds, of, nativeCents, shares }: PlannedOptions = {},
): PlannedPermission {
  const { golem, account, cageEnforcer, manager } = of ?? {
    golem: zeroHash,
    account: shares?.account ?? stand(1),
    cageEnforcer: stand(2),
    manager: stand(3),
  }
  // A share of an unknown portfolio limits nothing here, and gas without a price is limited by the day.
  const plan = settlePlan(compiled, {
    portfolioCents: compiled.sections.sizeShares?.portfolioCents ?? 1n << 64n,
  })
  const book = bookOf(plan, shares?.vaults)
  const held = shares && vaultShares(plannedMandate(compiled, shares), shares.state)
  const floors = [...book.vaults.values()].map((vault) => {
    const rate = held?.get(vault.toLowerCase())?.rate ?? 0n
    const share = compiled.sections.floorBps
    return defaultFloor(vault, rate > 0n ? rate : 10n ** 18n, share === undefined ? undefined : BigInt(share))
  })
  const terms = toCageTerms(plan, book, { golem, account, graceSeconds: 0, floors })
  const { mandate, slippageBps, spreadBps } = terms
  const kinds: readonly (readonly [Address, BoundKind<unknown>, Hex])[] = bounds
    ? [
        [
          stand(4),
          dailySpendLimit,
          dailySpendLimit.encode({ lineage: golem, limitCents: bounds.maxDailySpendCents, mandate }),
        ],
        [
          stand(5),
          mortalityTimeWindow,
          mortalityTimeWindow.encode({ start: Number(now), end: Number(bounds.expiresAt) }),
        ],
        [stand(6), maxSlippage, maxSlippage.encode({ slippageBps, spreadBps, mandate })],
        [
          stand(7),
          metamaskKinds.LimitedCalls,
          metamaskKinds.LimitedCalls.encode({ limit: bounds.maxTotalCalls }),
        ],
      ]
    : [[cageEnforcer, cage, cage.encode(terms)]]
  const caveats = kinds.map(([enforcer, , encoded]): Caveat => ({ enforcer, terms: encoded, args: '0x' }))
  const tree = buildTree([
    { delegate: stand(8), delegator: account, authority: rootAuthority, caveats, salt: 0n, signature: '0x' },
  ])
  const registry = registryOf(kinds.map(([enforcer, kind]) => [enforcer, kind]))
  const vaults = new Set([...book.vaults.values()].map((vault) => vault.toLowerCase()))
  const state = unusedAt(now, vaults, of?.state, shares?.state)
  const prices = new Map([
    ...(shares?.prices ?? []),
    ...(nativeCents === undefined ? [] : [[zeroAddress, { price: nativeCents, unit: 10n ** 20n }] as const]),
  ])
  return { permission: { tree, facts: { manager, state, disabled: new Map() } }, registry, prices }
}

/** Its amount depends on the price when the owner signs. */
const gasText = 'gas that its key draws: at most a tenth of the daily limit, and it counts towards that limit'

/** A runway is a separate grant. At the edge of two days its cap can be drawn twice. */
function runwayText({ usdcCentsPerDay }: NonNullable<CompiledStrategy['runway']>): string {
  return `a runway of ${formatDollars(usdcCentsPerDay)} a day, if you grant one: up to ${formatDollars(2n * usdcCentsPerDay)} in 24 hours, into your account only`
}

/** A new lineage has used nothing; another keeps what it has used. What a vault holds is not known before it is read. */
function unusedAt(
  timestamp: bigint,
  vaults: ReadonlySet<string>,
  ...states: readonly (ChainState | undefined)[]
): ChainState {
  const unused = { ok: true, data: `0x${'0'.repeat(512)}` } as const
  return {
    timestamp,
    blockNumber: 0n,
    answer(read) {
      const [known] = states.flatMap((state) => state?.answer(read) ?? [])
      return known ?? (vaults.has(read.to.toLowerCase()) ? undefined : unused)
    },
  }
}

function bookOf(
  { assets, targets, sections }: PermissionPlan,
  known: ReadonlyMap<string, Address> = new Map(),
): AddressBook {
  const vaults = targets.flatMap((target) => (target.role === 'vault' ? [target.asset] : []))
  const pools = targets.flatMap((target) => (target.role === 'pool' ? [target.assets.join('/')] : []))
  const publishing = targets.flatMap((target) => (target.role === 'publish' ? [target.name] : []))
  const named = [...new Set([...vaults, ...(sections.vaultNav ? [sections.vaultNav.asset] : [])])]
  const numbered = (names: readonly string[], from: number) =>
    new Map(names.map((name, index) => [name, stand(from + index)]))
  return {
    assets: new Map(
      assets.map((symbol, index) => [
        symbol,
        { token: stand(100 + index), feed: zeroAddress, maxAgeSeconds: 0, scale: 14 },
      ]),
    ),
    vaults: new Map([...numbered(named, 200)].map(([name, vault]) => [name, known.get(name) ?? vault])),
    pools: numbered(pools, 300),
    contracts: {
      swapRouter02: stand(400),
      universalRouter: stand(401),
      permit2: stand(402),
      positionManager: stand(403),
    },
    sale: { address: stand(405), selector: '0x00000001' },
    publishers: new Map(
      publishing.map((name, index) => [name, { address: stand(600 + index), selector: '0x00000001' }]),
    ),
    native: { token: zeroAddress, feed: zeroAddress, maxAgeSeconds: 0, scale: 26 },
    members: numbered(
      (sections.coSigners?.members ?? []).map((member) => member.toLowerCase()),
      500,
    ),
  }
}
