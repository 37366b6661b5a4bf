/** Durations in seconds. */
export const minute = 60
export const hour = 3_600
export const day = 86_400
export const week = 7 * day
/** An interval or a limit of a month applies to the longest month. */
export const month = 31 * day

/**
 * What an owner states, or the default if the owner states nothing. Written by hand, never copied from the
 * compiler.
 */
export type Expected = {
  readonly pairs: readonly string[]
  /** Classes, without the approvals that they need. */
  readonly does: readonly string[]
  /** Maximum dollars that leave in any 24 hours, by all limits together. */
  readonly inADay: number
  /** Whole dollars per action while Thriving. */
  readonly size: number
  /** Seconds between two actions; 0 for no minimum. */
  readonly every: number
  /** Total number of actions; 0 for no limit. */
  readonly calls: number
  readonly lifeDays: number
  readonly slippageBps: number
  /** Limits of longer periods: seconds, or 0 for the whole life, and dollars. */
  readonly totals: readonly (readonly [seconds: number, dollars: number])[]
  /** The emotional state that opening actions need: pleasure, arousal, dominance; undefined if none. */
  readonly mood: readonly [number, number, number] | undefined
  /** Share of a vault per action. */
  readonly vaultBps: number | undefined
  /** Parts of what is reported to the owner, each in a question or in a quoted sentence without effect. */
  readonly notices: readonly string[]
}

/** A strategy and what is signed for it. `nothing`: there is nothing to sign. */
export type SignedStrategy = {
  readonly text: string
  readonly expected: Expected | 'nothing'
  readonly notices: readonly string[]
}

const swaps: Expected = {
  pairs: ['USDC>WETH'],
  does: ['swap'],
  inADay: 100,
  size: 100,
  every: 0,
  calls: 0,
  lifeDays: 7,
  slippageBps: 100,
  totals: [],
  mood: [-90, 90, -90],
  vaultBps: undefined,
  notices: [],
}

/** A strategy that swaps USDC to WETH. The size defaults to the daily limit. */
export function swapsFor(text: string, stated: Partial<Expected> = {}): SignedStrategy {
  const does = stated.does ?? swaps.does
  const isOpening = does.some((name) => name === 'swap' || name === 'deposit')
  const expected = {
    ...swaps,
    ...(!isOpening && { mood: undefined }),
    ...(stated.inADay !== undefined && { size: Math.floor(stated.inADay) }),
    ...stated,
  }
  return { text, expected, notices: expected.notices }
}

/** A strategy that deposits USDC into a vault, and nothing else. */
export function depositsFor(text: string, stated: Partial<Expected> = {}): SignedStrategy {
  return swapsFor(text, {
    pairs: [],
    does: ['deposit', 'withdraw'],
    inADay: 1_000,
    vaultBps: 1_000,
    ...(stated.inADay !== undefined && { size: Math.floor(stated.inADay) }),
    ...stated,
  })
}

/** A strategy for which nothing is signed. */
export function nothingFor(text: string, ...notices: readonly string[]): SignedStrategy {
  return { text, expected: 'nothing', notices }
}

export const bothWays = { pairs: ['USDC>WETH', 'WETH>USDC'], does: ['swap', 'unwind'] } as const
