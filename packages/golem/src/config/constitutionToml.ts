import type { StatedRules } from '@bardo/core'
import { z } from 'zod'

const percent = z.number().min(0).max(100)
const dollars = z.number().min(0).max(1_000_000_000)
const symbol = z.string().min(1).max(80)

/** The table `[constitution]` of golem.toml. Every setting is optional; a rule that is omitted sets no limit. */
export const constitutionToml = z.strictObject({
  /** The only assets that may move. Default: those of the strategy. */
  approved_assets: z.array(symbol).min(1, 'is empty; it must approve at least one asset').max(16).optional(),
  /** The maximum share of the portfolio, by symbol. */
  max_share_percent: z.record(symbol, percent).optional(),
  max_transaction_usd: dollars.optional(),
  max_session_usd: dollars.optional(),
  /** Default: one hour. */
  session_seconds: z.int().min(1).max(4_294_967_295).optional(),
  max_day_usd: dollars.optional(),
  max_drawdown_percent: percent.optional(),
})

/** The rules of a `[constitution]` table, and the line on which it begins. Amounts are rounded down. */
export function rulesFrom(table: z.infer<typeof constitutionToml>, line = 1): StatedRules {
  const cents = (amount: number | undefined) =>
    amount === undefined ? undefined : BigInt(Math.floor(amount * 100 + 1e-6))
  const bps = (share: number) => Math.floor(share * 100 + 1e-6)
  const shares = table.max_share_percent
  const drawdown = table.max_drawdown_percent
  return {
    from: { line, sentence: '[constitution] of golem.toml' },
    rules: {
      approved: table.approved_assets,
      shareBps:
        shares && Object.fromEntries(Object.entries(shares).map(([name, share]) => [name, bps(share)])),
      perTxCents: cents(table.max_transaction_usd),
      perSessionCents: cents(table.max_session_usd),
      sessionSeconds: table.session_seconds,
      perDayCents: cents(table.max_day_usd),
      maxDrawdownBps: drawdown === undefined ? undefined : bps(drawdown),
    },
  }
}
