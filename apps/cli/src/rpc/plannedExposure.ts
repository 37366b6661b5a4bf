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
  exposure,
  formatDollars,
  maxSlippage,
  metamaskKinds,
  mortalityTimeWindow,
  type PermissionPlan,
  registryOf,
  rootAuthority,
  settlePlan,
  toCageTerms,
} from '@bardo/core'
import type { DelegationBounds } from '@bardo/wallets'
import { type Address, type Hex, numberToHex, zeroAddress, zeroHash } from 'viem'
import { type ExposureJson, exposureJson } from '../text/exposureJson.ts'

/** The Golem whose plan is replaced: what it has spent counts. */
export type PlannedFor = {
  readonly golem: Hex
  readonly account: Address
  readonly cageEnforcer: Address
  readonly manager: Address
  readonly state: ChainState
}

/** An address that stands for one that the sums do not depend on. */
const stand = (index: number): Address => numberToHex(0xe0_00_00 + index, { size: 20 })

/**
 * What a plan would expose if it were signed now. The sums depend on numbers and kinds of contracts, not on addresses, so
 * that no address book is needed.
 *
 * @param bounds - the limits of a local key, whose root has single caveats instead of a Cage
 */
export function plannedExposure(
  { plan: compiled, runway }: Pick<CompiledStrategy, 'plan' | 'runway'>,
  now: bigint,
  {
    bounds,
    of,
    nativeCents,
  }: {
    readonly bounds?: DelegationBounds
    readonly of?: PlannedFor
    /** The price of one whole unit of the native currency. */
    readonly nativeCents?: bigint | undefined
  } = {},
): ExposureJson {
  const { golem, account, cageEnforcer, manager } = of ?? {
    golem: zeroHash,
    account: stand(1),
    cageEnforcer: stand(2),
    manager: stand(3),
  }
  // A share of an unknown portfolio limits nothing here, and gas without a price is limited by the day.
  const plan = settlePlan(compiled, {
    portfolioCents: compiled.sections.sizeShares?.portfolioCents ?? 1n << 64n,
  })
  const book = bookOf(plan)
  const floors = [...book.vaults.values()].map((vault) => defaultFloor(vault, 10n ** 18n))
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
  const facts = { manager, state: unusedAt(now, of?.state), disabled: new Map() }
  const prices = new Map(
    nativeCents === undefined ? [] : [[zeroAddress, { price: nativeCents, unit: 10n ** 20n }] as const],
  )
  const shown = exposureJson(exposure({ permissions: [{ tree, facts }], registry, prices }))
  return {
    ...shown,
    notIncluded: [
      ...shown.notIncluded,
      ...(compiled.sections.gas?.isDefault ? [gasText] : []),
      ...(runway ? [runwayText(runway)] : []),
    ],
  }
}

/** Its amount depends on the price when the owner signs. */
const gasText = 'gas that its key draws: at most a tenth of the daily limit, and it counts towards that limit'

/** A runway is a separate grant. At the edge of two days its cap can be drawn twice. */
function runwayText({ usdcCentsPerDay }: NonNullable<CompiledStrategy['runway']>): string {
  return `a runway of ${formatDollars(usdcCentsPerDay)} a day, if you grant one: up to ${formatDollars(2n * usdcCentsPerDay)} in 24 hours, into your account only`
}

/** A new lineage has used nothing; another keeps what it has used. */
function unusedAt(timestamp: bigint, state: ChainState | undefined): ChainState {
  const unused = { ok: true, data: `0x${'0'.repeat(512)}` } as const
  return { timestamp, blockNumber: 0n, answer: (read) => state?.answer(read) ?? unused }
}

function bookOf({ assets, targets, sections }: PermissionPlan): AddressBook {
  const vaults = targets.flatMap((target) => (target.role === 'vault' ? [target.asset] : []))
  const pools = targets.flatMap((target) => (target.role === 'pool' ? [target.assets.join('/')] : []))
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
    vaults: numbered(named, 200),
    pools: numbered(pools, 300),
    contracts: {
      swapRouter02: stand(400),
      universalRouter: stand(401),
      permit2: stand(402),
      positionManager: stand(403),
    },
    sale: { address: stand(405), selector: '0x00000001' },
    native: { token: zeroAddress, feed: zeroAddress, maxAgeSeconds: 0, scale: 26 },
    members: numbered(
      (sections.coSigners?.members ?? []).map((member) => member.toLowerCase()),
      500,
    ),
  }
}
