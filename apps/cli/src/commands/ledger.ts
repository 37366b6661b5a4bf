import { formatDollars } from '@bardo/core'
import type { Run } from '../terminal/command.ts'
import { table } from '../terminal/table.ts'
import { UsageError } from '../terminal/UsageError.ts'
import { askOffice } from './askOffice.ts'
import { golemArgument, textOption } from './words.ts'

/** `bardo ledger`. */
export const ledger: Run = async (call) => {
  const limit = numberOption('limit', textOption(call, 'limit'))
  const before = numberOption('before', textOption(call, 'before'))
  const seen = await askOffice(call, 'ledger', {
    ...golemArgument(call),
    ...(limit !== undefined && { limit }),
    ...(before !== undefined && { before }),
  })
  const { figures, balances, transactions } = seen
  const rows = transactions.flatMap(({ number, at, kind, entries }) =>
    entries.map(({ account, amount, symbol, cents }, index) => [
      ...(index === 0 ? [`${number}`, `${at.slice(0, 16).replace('T', ' ')}`, kind] : ['', '', '']),
      account,
      `${amount} ${symbol}`,
      cents === null ? 'no price' : formatDollars(cents),
    ]),
  )
  const oldest = transactions.at(-1)?.number ?? 1
  const wide = Number.POSITIVE_INFINITY
  return {
    data: seen,
    text: [
      `${seen.name} earned ${formatDollars(figures.earnedCents)} and spent ${formatDollars(figures.spentCents)}: net ${formatDollars(figures.netCents)} since it was summoned.`,
      ...figures.owed.map(({ to, cents }) => `  owed to ${to}: ${formatDollars(cents)}, not paid`),
      ...Object.entries(figures.inferenceByTier).map(
        ([tier, cents]) => `  inference of tier ${tier}: ${formatDollars(cents)}`,
      ),
      '',
      ...(rows.length === 0
        ? ['Nothing is posted yet.']
        : [table([['NUMBER', 'TIME (UTC)', 'KIND', 'ACCOUNT', 'AMOUNT', 'DOLLARS'], ...rows], wide)]),
      ...(oldest > 1 ? [`Older ones: --before ${oldest}`] : []),
      '',
      ...(balances.length === 0
        ? []
        : [
            table(
              [
                ['BALANCE OF', 'AMOUNT'],
                ...balances.map(({ account, amount, symbol }) => [account, `${amount} ${symbol}`]),
              ],
              wide,
            ),
          ]),
    ].join('\n'),
  }
}

function numberOption(name: string, text: string | undefined): number | undefined {
  if (text === undefined) return undefined
  if (/^[1-9]\d{0,8}$/.test(text)) return Number(text)
  throw new UsageError(`--${name} takes a whole number above 0.`, `Example: --${name} 50`)
}
