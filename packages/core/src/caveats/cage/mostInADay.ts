import type { Total } from '../measure/totals.ts'
import { smaller } from '../measure/vaultNav.ts'

/** The signed limits on daily outflow, of a Cage or of a plan. */
export type DayBounds = {
  /** The limit of the rolling budget. */
  readonly dayCents: bigint
  /** Maximum per execution, in any phase. */
  readonly sizeCents: bigint
  /** 0 for no minimum interval. */
  readonly cadenceSeconds: number
  /** 0 for no limit. */
  readonly calls: number
  /**
   * Gas and vault shortfalls below a floor count towards the day, and neither size nor cadence limits them.
   */
  readonly gas?: object | undefined
  readonly floors?: readonly object[] | undefined
  /** No period is shorter than a day. */
  readonly totals?: readonly Pick<Total, 'cents'>[] | undefined
}

/**
 * The maximum that can leave in any 24 hours under all signed limits together. It can be lower than the
 * rolling budget's limit, which counts an amount for up to 28 hours: $10 once a day needs a limit of $20.
 *
 * @example
 * mostInADay({ dayCents: 2_000n, sizeCents: 1_000n, cadenceSeconds: 86_400, calls: 0 }) // 1_000n
 */
export function mostInADay(bounds: DayBounds): bigint {
  const { dayCents, sizeCents, cadenceSeconds, calls, gas, floors = [], totals = [] } = bounds
  const byRhythm = cadenceSeconds > 0 ? Math.ceil(86_400 / cadenceSeconds) : Number.POSITIVE_INFINITY
  const times = Math.min(byRhythm, calls > 0 ? calls : Number.POSITIVE_INFINITY)
  const isCounted = Number.isFinite(times) && !gas && floors.length === 0
  const all = [
    dayCents,
    ...totals.map(({ cents }) => cents),
    ...(isCounted ? [sizeCents * BigInt(times)] : []),
  ]
  return all.reduce((least, each) => smaller(least, each))
}
