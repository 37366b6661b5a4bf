import { weiPerMicroEther } from '../caveats/cage/cageTerms.ts'
import type { ActionClass } from '../caveats/execution/actionClass.ts'
import type { Mood } from '../caveats/measure/vitalSigns.ts'
import type { Capability } from './permissionPlan.ts'

/**
 * What the runtime can use. Nothing else is signed: authority without a use only helps a thief. Bridging and limit orders
 * have no action class.
 */
export const supportedCapabilities: ReadonlySet<Capability> = new Set<Capability>([
  'Swap',
  'VaultManagement',
  'SpawnReplicants',
  'ProvideLiquidity',
])

/** Seconds per day. */
export const daySeconds = 86_400

/** The daily limit of a strategy that does not state a budget: $100. */
export const baseDayCents = 10_000n
/** The same for a strategy that deposits into vaults: $1,000. */
export const vaultDayCents = 100_000n
/** The same for a strategy that provides liquidity: $500. */
export const liquidityDayCents = 50_000n
/** What bridging would add: $200. Named in reports, never granted. */
export const bridgeDayCents = 20_000n

/** The default time window: 7 days. */
export const defaultLifespanSeconds = 7 * daySeconds
/** The longest window that a text alone can request: a year. Longer ones need a new signature. */
export const longestLifespanSeconds = 365 * daySeconds

/** Feed deviation 50 + pool fee 30 + price impact 20: Chainlink's usual 0.5 %, Uniswap's 0.3 % tier. */
export const defaultSlippageBps = 100
/** Above this the owner is asked, because major tokens never trade at 10 % slippage. */
export const mostSlippageBps = 1_000
/** Maximum pool deviation when liquidity is added: feed deviation 50 + pool fee 30. */
export const defaultSpreadBps = 80

/** The default range of liquidity: 10 % below and above the price. */
export const defaultRangeBps = 1_000

/** The default share of a vault per execution: a tenth. */
export const defaultVaultNavBps = 1_000
/** A vault's signed floor: the rate at signing less 1 %. A rate that falls further is a loss, not a fee. */
export const floorShareBps = 9_900n
/** Stable positions are two thirds of Thriving ones: 20 % and 30 % of the portfolio. */
export const stableSizeShare = { numerator: 2n, denominator: 3n } as const

/** The default number of Replicants at the same time. */
export const defaultReplicants = 3

/** The default runway: 10 USDC a day. */
export const defaultRunwayCents = 1_000n
/** The runway guard: more than 100 USDC a day needs the owner's explicit confirmation. */
export const mostRunwayCents = 10_000n
/** The runway guard: 90 days. */
export const longestRunwaySeconds = 90 * daySeconds
/** The gas draw: 0.05 ETH a day. */
export const gasDayWei = 50_000_000_000_000_000n
/** The same in the unit of the terms. */
export const gasDayMicroEther = gasDayWei / weiPerMicroEther
/** The most gas that a text can ask for: 1 ETH a day. */
export const mostGasMicroEther = 1_000_000n
/**
 * The default gas is at most this share of the daily limit: a thief keeps all the gas that the key draws, and
 * loses almost all of a trade.
 */
export const defaultGasShareBps = 1_000n

/**
 * The default emotional state for opening actions. The terms refuse outside of any one bound, so each bound is
 * near its end: only panic (arousal) or despair (pleasure, dominance) reaches it, not a few bad trades.
 */
export const defaultMood: Mood = { minPleasure: -90, maxArousal: 90, minDominance: -90 }
/** The classes that open positions. Selling into the settlement asset and closing never depend on a mood. */
export const openingClasses = ['swap', 'addLiquidity', 'deposit'] as const satisfies readonly ActionClass[]

/** A longer strategy is not read: 4 MB is far above any text that a person writes. */
export const longestStrategyChars = 4 * 1_048_576
/** The maximum number of evidence sentences per permission: a screen shows a few. */
export const mostEvidence = 16
