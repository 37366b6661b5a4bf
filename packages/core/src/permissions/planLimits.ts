/** Seconds of a day. */
export const daySeconds = 86_400

/** What a strategy gets a day without a word about money: $100. Origin: spec 001 S9, DESIGN §5a "caps that differ". */
export const baseDayCents = 10_000n
/** The same where it deposits into vaults: $1,000. Origin: as above. */
export const vaultDayCents = 100_000n
/** The same where it provides liquidity: $500. Origin: as above. */
export const liquidityDayCents = 50_000n
/** What bridging would add: $200. Named in reports, never granted. Origin: as above. */
export const bridgeDayCents = 20_000n

/** A window where the strategy names none: 7 days. Origin: spec 003, "default to 7-day windows". */
export const defaultLifespanSeconds = 7 * daySeconds
/** The longest window that a text alone can ask for: a year. Origin: ours; longer ones are signed again. */
export const longestLifespanSeconds = 365 * daySeconds

/** Feed deviation 50 + pool fee 30 + impact 20. Origin: DESIGN §5a "MaxSlippage"; Chainlink's usual 0.5 %, Uniswap's 0.3 % tier. */
export const defaultSlippageBps = 100
/** Above this a text is asked again. Origin: ours; nobody trades majors at 10 %. */
export const mostSlippageBps = 1_000
/** How far a pool may be off when liquidity is added. Origin: feed deviation 50 + pool fee 30, as above. */
export const defaultSpreadBps = 80

/** One execution may take this share of a vault. Origin: ours, a tenth; spec 000 leaves the number open. */
export const defaultVaultNavBps = 1_000
/** Stable trades two thirds as big as Thriving. Origin: the spec's tree, maxPosition 30 % and 20 %. */
export const stableSizeShare = { numerator: 2n, denominator: 3n } as const

/** What a Golem lives on, where the strategy does not say: 10 USDC a day. Origin: spec 003's example subscription. */
export const defaultRunwayCents = 1_000n
/** The runway guard: 100 USDC a day. Origin: spec 003 security model, DESIGN §5a. */
export const mostRunwayCents = 10_000n
/** The runway guard: 90 days. Origin: as above. */
export const longestRunwaySeconds = 90 * daySeconds
/** Gas draw: 0.05 ETH a day. Origin: spec 001 S9, DESIGN §5a. */
export const gasDayWei = 50_000_000_000_000_000n

/** A strategy longer than this is not read. Origin: ours; four times the 1 MB that the issue names. */
export const longestStrategyChars = 4 * 1_048_576
/** Sentences that are kept as evidence for one permission. Origin: ours; a screen shows a few. */
export const mostEvidence = 16
