import {
  type Address,
  encodeAbiParameters,
  encodeFunctionData,
  type Hash,
  type Hex,
  keccak256,
  maxUint64,
  parseAbi,
  zeroHash,
} from 'viem'
import { listed, percentOf } from '../caveats/terms/words.ts'
import { BardoError } from '../errors/BardoError.ts'
import { formatDuration } from '../format/duration.ts'
import { formatShortDollars } from '../format/money.ts'
import type { PlanChange } from './comparePlans.ts'
import { leastOf } from './leastOf.ts'

/** What an owner states for a constitution, in symbols. What is left out is not limited. */
export type ConstitutionRules = {
  /** The only assets that may move. Default: every asset of the plan. */
  readonly approved?: readonly string[] | undefined
  /** The maximum share of the portfolio in basis points, by symbol. */
  readonly shareBps?: Readonly<Record<string, number>> | undefined
  /** The maximum share of every asset. */
  readonly eachShareBps?: number | undefined
  readonly perTxCents?: bigint | undefined
  readonly perSessionCents?: bigint | undefined
  readonly perDayCents?: bigint | undefined
  /** Default: one hour. */
  readonly sessionSeconds?: number | undefined
  /** How far the portfolio may be below its highest value. */
  readonly maxDrawdownBps?: number | undefined
}

/** A complete constitution in symbols. An amount of {@link noLimitCents} is not a limit. */
export type ConstitutionPlan = {
  /** The approved assets with their maximum share of the portfolio. */
  readonly shares: readonly { readonly asset: string; readonly bps: number }[]
  readonly perTxCents: bigint
  readonly perSessionCents: bigint
  readonly perDayCents: bigint
  readonly sessionSeconds: number
  readonly maxDrawdownBps: number
}

/** A constitution as PolicyCage stores it. */
export type Constitution = {
  /** In ascending order, each once. */
  readonly assets: readonly { readonly asset: Address; readonly maxShareBps: number }[]
  readonly limits: {
    readonly perTxCents: bigint
    readonly perSessionCents: bigint
    readonly perDayCents: bigint
    readonly sessionSeconds: number
    readonly maxDrawdownBps: number
  }
  readonly document: Hash
}

/** The largest amount of PolicyCage. It limits nothing. */
export const noLimitCents = maxUint64

const whole = 10_000
const defaultSessionSeconds = 3_600
/** PolicyCage stores at most so many assets. */
const mostAssets = 16

const policyCageAbi = parseAbi([
  'struct AssetLimit { address asset; uint16 maxShareBps; }',
  'struct Limits { uint64 perTxCents; uint64 perSessionCents; uint64 perDayCents; uint32 sessionSeconds; uint16 maxDrawdownBps; }',
  'struct Constitution { AssetLimit[] assets; Limits limits; bytes32 document; }',
  'function enact(Constitution constitution) returns (bytes32 hash)',
  'function adopt(bytes32 hash)',
])

/**
 * The narrower of two sets of rules in every point.
 *
 * @example
 * narrowRules({ maxDrawdownBps: 1_500 }, { maxDrawdownBps: 2_000 }) // { maxDrawdownBps: 1500 }
 */
export function narrowRules(one: ConstitutionRules, other: ConstitutionRules): ConstitutionRules {
  const approved =
    one.approved && other.approved
      ? one.approved.filter((asset) => other.approved?.includes(asset))
      : (one.approved ?? other.approved)
  const shares = { ...one.shareBps }
  for (const [asset, bps] of Object.entries(other.shareBps ?? {}))
    shares[asset] = Math.min(bps, shares[asset] ?? whole)
  // The same amount for a longer session is less.
  const sessions = [one.sessionSeconds, other.sessionSeconds].filter((seconds) => seconds !== undefined)
  return stated({
    approved,
    shareBps: Object.keys(shares).length > 0 ? shares : undefined,
    eachShareBps: leastNumber(one.eachShareBps, other.eachShareBps),
    perTxCents: leastCents(one.perTxCents, other.perTxCents),
    perSessionCents: leastCents(one.perSessionCents, other.perSessionCents),
    perDayCents: leastCents(one.perDayCents, other.perDayCents),
    sessionSeconds: sessions.length > 0 ? Math.max(...sessions) : undefined,
    maxDrawdownBps: leastNumber(one.maxDrawdownBps, other.maxDrawdownBps),
  })
}

/**
 * Completes rules for the assets of a plan. Undefined if they limit nothing.
 *
 * @example
 * completeRules({ shareBps: { WETH: 3_000 } }, ['USDC', 'WETH'])
 */
export function completeRules(
  rules: ConstitutionRules,
  assets: readonly string[],
): ConstitutionPlan | undefined {
  const { approved = assets, shareBps = {}, eachShareBps = whole } = rules
  const { sessionSeconds: _, ...limits } = rules
  if (Object.values(limits).every((value) => value === undefined)) return undefined
  const { perSessionCents = noLimitCents, perDayCents = noLimitCents } = rules
  const perTxCents = leastOf(rules.perTxCents ?? noLimitCents, perSessionCents, perDayCents)
  return {
    shares: [...new Set(approved)]
      .sort()
      .map((asset) => ({ asset, bps: Math.min(shareBps[asset] ?? whole, eachShareBps) })),
    perTxCents,
    perSessionCents,
    perDayCents,
    sessionSeconds: rules.sessionSeconds ?? defaultSessionSeconds,
    maxDrawdownBps: rules.maxDrawdownBps ?? whole,
  }
}

/**
 * A constitution with addresses, as PolicyCage takes it. Native currency has no address to approve, and is left out.
 *
 * @param addressOf - throws for a symbol without an address
 */
export function toConstitution(
  { shares, perTxCents, perSessionCents, perDayCents, sessionSeconds, maxDrawdownBps }: ConstitutionPlan,
  addressOf: (symbol: string) => Address,
): Constitution {
  const assets = shares
    .map(({ asset, bps }) => ({ asset: addressOf(asset), maxShareBps: within('share', bps, whole) }))
    .filter(({ asset }) => BigInt(asset) !== 0n)
    .toSorted((one, other) => (BigInt(one.asset) < BigInt(other.asset) ? -1 : 1))
  within('number of approved assets', assets.length, mostAssets)
  const limits = {
    perTxCents: cents('amount of a transaction', perTxCents),
    perSessionCents: cents('amount of a session', perSessionCents),
    perDayCents: cents('amount of a day', perDayCents),
    sessionSeconds: within('length of a session', sessionSeconds, 2 ** 32 - 1, 1),
    maxDrawdownBps: within('drawdown', maxDrawdownBps, whole),
  }
  return { assets, limits, document: zeroHash }
}

/**
 * A constitution in names: the inverse of {@link toConstitution}.
 *
 * @example
 * const plan = namedConstitution(constitution, (asset) => symbolOf(asset))
 */
export function namedConstitution(
  { assets, limits }: Constitution,
  nameOf: (asset: Address) => string,
): ConstitutionPlan {
  return { shares: assets.map(({ asset, maxShareBps: bps }) => ({ asset: nameOf(asset), bps })), ...limits }
}

/**
 * The hash under which PolicyCage stores a constitution.
 *
 * @example
 * const terms = { ...others, constitution: hashConstitution(constitution) }
 */
export function hashConstitution(constitution: Constitution): Hash {
  const [{ inputs }] = policyCageAbi
  return keccak256(encodeAbiParameters(inputs, [constitution]))
}

/**
 * The calldata that stores a constitution. Anyone may send it.
 *
 * @example
 * const data = encodeEnact(constitution)
 */
export function encodeEnact(constitution: Constitution): Hex {
  return encodeFunctionData({ abi: policyCageAbi, functionName: 'enact', args: [constitution] })
}

/**
 * The calldata with which an owner points their Golems to a constitution.
 *
 * @example
 * const data = encodeAdopt(hashConstitution(constitution))
 */
export function encodeAdopt(hash: Hash): Hex {
  return encodeFunctionData({ abi: policyCageAbi, functionName: 'adopt', args: [hash] })
}

/** A rule of a constitution as a sentence. `part` names the rule. */
export type ConstitutionSentence = { readonly part: string; readonly sentence: string }

/**
 * The rules of a constitution as sentences.
 *
 * @example
 * constitutionSentences(plan).map(({ sentence }) => sentence) // ['Only USDC and WETH may move.', …]
 */
export function constitutionSentences(plan: ConstitutionPlan): readonly ConstitutionSentence[] {
  const { shares, perTxCents, perSessionCents, perDayCents, sessionSeconds, maxDrawdownBps } = plan
  const amount = (part: string, cents: bigint, when: string) =>
    cents === noLimitCents
      ? []
      : [{ part, sentence: `At most ${formatShortDollars(cents)} leaves your account in ${when}.` }]
  // A limit that follows from another one is not said twice.
  const isOwnTx = perTxCents < perSessionCents && perTxCents < perDayCents
  return [
    {
      part: 'approved',
      sentence:
        shares.length === 0
          ? 'No asset may move.'
          : `Only ${listed(shares.map(({ asset }) => asset))} may move.`,
    },
    ...shares
      .filter(({ bps }) => bps < whole)
      .map(({ asset, bps }) => ({
        part: `share ${asset}`,
        sentence: `It buys ${asset} only up to ${percentOf(bps)} of the portfolio.`,
      })),
    ...(isOwnTx ? amount('perTxCents', perTxCents, 'one transaction') : []),
    ...amount('perSessionCents', perSessionCents, `one session of ${formatDuration(sessionSeconds)}`),
    ...amount('perDayCents', perDayCents, 'any 24 hours'),
    ...(maxDrawdownBps < whole
      ? [
          {
            part: 'maxDrawdownBps',
            sentence: `It only closes positions while the portfolio is more than ${percentOf(maxDrawdownBps)} below its highest value.`,
          },
        ]
      : []),
  ]
}

/**
 * The changes between two constitutions; undefined for none. Without one, everything is wider.
 *
 * @example
 * compareConstitutions(undefined, plan) // [{ field: 'constitution', before: 'none', … }]
 */
export function compareConstitutions(
  before: ConstitutionPlan | undefined,
  after: ConstitutionPlan | undefined,
): readonly PlanChange[] {
  if (!before && !after) return []
  if (!before || !after) {
    const [old, young] = before ? ['in force', 'none'] : ['none', 'in force']
    return [{ field: 'constitution', before: old, after: young, direction: before ? 'wider' : 'narrower' }]
  }
  const change = (field: string, old: bigint, young: bigint, shown: (value: bigint) => string) =>
    old === young
      ? []
      : [
          {
            field: `constitution ${field}`,
            before: shown(old),
            after: shown(young),
            direction: young < old ? ('narrower' as const) : ('wider' as const),
          },
        ]
  const dollars = (value: bigint) => (value === noLimitCents ? 'no limit' : formatShortDollars(value))
  const percent = (value: bigint) => (value < 0n ? 'not approved' : percentOf(Number(value)))
  // A share of zero may still be sold, so an asset that is not approved is below it.
  const shareOf = ({ shares }: ConstitutionPlan, asset: string) =>
    BigInt(shares.find((share) => share.asset === asset)?.bps ?? -1)
  const assets = [...new Set([...before.shares, ...after.shares].map(({ asset }) => asset))].sort()
  return [
    ...assets.flatMap((asset) => change(asset, shareOf(before, asset), shareOf(after, asset), percent)),
    ...change('per transaction', before.perTxCents, after.perTxCents, dollars),
    ...change('per session', before.perSessionCents, after.perSessionCents, dollars),
    ...change('per day', before.perDayCents, after.perDayCents, dollars),
    // A longer session allows less.
    ...change('session', -BigInt(before.sessionSeconds), -BigInt(after.sessionSeconds), (value) =>
      formatDuration(Number(-value)),
    ),
    ...change('drawdown', BigInt(before.maxDrawdownBps), BigInt(after.maxDrawdownBps), percent),
  ]
}

function leastNumber(one: number | undefined, other: number | undefined): number | undefined {
  return one === undefined || other === undefined ? (one ?? other) : Math.min(one, other)
}

function leastCents(one: bigint | undefined, other: bigint | undefined): bigint | undefined {
  return one === undefined || other === undefined ? (one ?? other) : leastOf(one, other)
}

function stated(rules: ConstitutionRules): ConstitutionRules {
  return Object.fromEntries(Object.entries(rules).filter(([, value]) => value !== undefined))
}

function within(what: string, value: number, most: number, least = 0): number {
  if (Number.isSafeInteger(value) && value >= least && value <= most) return value
  throw outOfRange(what, value, `${least}`, `${most}`)
}

function cents(what: string, value: bigint): bigint {
  if (value >= 0n && value <= noLimitCents) return value
  throw outOfRange(what, value, '0', `${noLimitCents}`)
}

function outOfRange(what: string, value: bigint | number, least: string, most: string): BardoError {
  return new BardoError('A number of the constitution is out of range.', {
    code: 'INVALID_INPUT',
    details: [`${what}: ${value}`, `allowed: from ${least} to ${most}`],
    docsPath: 'permissions.md#the-constitution',
  })
}
