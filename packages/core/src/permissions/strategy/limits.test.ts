import { describe, expect, test } from 'vitest'
import { compileStrategy } from './compileStrategy.ts'

const supported = new Set(['Swap', 'VaultManagement', 'ProvideLiquidity'] as const)
const compile = (text: string) => compileStrategy(text, { now: 1_800_000_000n, supported })
const swap = 'Swap USDC to WETH'

describe('$5 a day, in any wording', () => {
  test.for([
    'Swap up to $5 a day of USDC to WETH.',
    `${swap}, up to $5 a day.`,
    `${swap} with a daily limit of $5.`,
    `${swap}, at most $5 within 24h.`,
    `${swap}, at most $5 every 24 hours.`,
    `${swap}, at most $5 per 24 hours.`,
    `${swap}, at most $5 in any 24 hours.`,
    `${swap}, at most $5 each day.`,
    `${swap} within $5 in 24 hours.`,
    `${swap}, max $5/d.`,
    `${swap}, $5 daily max.`,
    `${swap}. Daily limit $5.`,
    `${swap}. The daily limit is $5.`,
    `${swap}. Spend five dollars a day at most.`,
    `${swap}. Never spend over $5 a day.`,
    `${swap}. Stay under $5 a day.`,
    `${swap}. Keep daily spend under $5.`,
    `${swap}. Keep it to $5 a day.`,
    `${swap}. Cap spending at $5 a day.`,
    `${swap}. Spending is capped at $5 per day.`,
    `${swap}. Not above $5 a day.`,
    `${swap}. Only $5 a day.`,
    `${swap}. $5 a day, not more.`,
    `${swap}. $5 a day tops.`,
    `${swap}. A ceiling of $5 per day.`,
    `${swap}. The maximum is $5 a day.`,
    `${swap}. It may spend $5 a day.`,
    `${swap}. Allowance: $5/day`,
    `${swap}.\n\ndaily limit: $5`,
    `${swap}.\n\nmax per day: $5`,
    `${swap}.\n\ndaily cap: $5`,
    `${swap}.\n\n| limit | value |\n| --- | --- |\n| daily limit | $5 |`,
    `${swap}.\n\n| max per day | 5 USDC |`,
    `${swap}.\n\n## Limits\n\n- $5 a day`,
    `${swap}.\n\n## Limits\n\n- Daily: $5`,
    `${swap}.\n\nLimits: $5/day, $5/trade.`,
    `${swap}.\n\nBudget: five dollars a day`,
    `${swap}.\n\nBudget: half of $10 a day`,
    `${swap}.\n\nbudget: up to $5000/day but start with $5/day`,
  ])('%j', (text) => {
    expect(compile(text).plan.dayCents).toBe(500n)
  })
})

test.for<[string, number, bigint]>([
  [`${swap}.\n\nBudget: $35 a week, $40 a day`, 7, 3_500n],
  [`${swap}.\n\nWeekly budget: $35`, 7, 3_500n],
  [`${swap}.\n\nMonthly budget: $155`, 31, 15_500n],
  [`${swap}.\n\nBudget: $1,830 a year`, 366, 183_000n],
  [`${swap}.\n\nBudget: $460/quarter`, 92, 46_000n],
  [`${swap}.\n\nBudget: $70 every two weeks`, 14, 7_000n],
  [`${swap}.\n\nBudget: $10 every other day`, 2, 1_000n],
  [`${swap}.\n\nBudget: $35 in any 7 days`, 7, 3_500n],
  [`${swap}.\n\nBudget: $150 over 30 days`, 30, 15_000n],
  [`${swap}. At most $80 in total.`, 0, 8_000n],
])('%j is signed as a total of its own period', ([text, days, cents]) => {
  expect(compile(text).plan.sections.totals).toContainEqual({ periodSeconds: days * 86_400, cents })
})

test('a fifth longer period is signed by the day, and said so', () => {
  const periods = ['$70 a week', '$100 every two weeks', '$150 a month', '$300 a quarter', '$366 a year']
  const { plan, ambiguities } = compile(`${swap}.\n\n${periods.map((one) => `Budget: ${one}`).join('\n\n')}`)
  expect(plan.sections.totals).toHaveLength(4)
  expect(plan.dayCents).toBe(100n)
  expect(ambiguities).toContainEqual(
    expect.objectContaining({ question: expect.stringContaining('Only 4 limits') }),
  )
})

describe('$5 per action, in any wording', () => {
  test.for([
    `${swap}, $5 per trade.`,
    `${swap}. $5 per trade.`,
    `${swap}. Each trade at most $5.`,
    `${swap}. Trades of at most $5.`,
    `${swap}.\n\nper trade: $5`,
    `${swap}.\n\ntrade size: $5`,
    `${swap}.\n\n| per trade | $5 |`,
    `${swap}.\n\nLimits: $50/day, $5/trade.`,
    `${swap}. Never swap more than $5 at a time.`,
    `${swap}. Keep trades under $5.`,
    `${swap}. Every order is $5.`,
    `${swap}. Cap each trade at $5.`,
  ])('%j', (text) => {
    expect(compile(text).plan.sizeCents[0]).toBe(500n)
  })
})

test.for<[string, bigint]>([
  // A total can leave in one day.
  [`${swap}, no more than 80 dollars in total.`, 8_000n],
  [`${swap}, total $80.`, 8_000n],
  [`${swap}.\n\nTotal budget: $80`, 8_000n],
  [`${swap}.\n\nLifetime budget: $80`, 8_000n],
  // For one action or for all? Unclear, so it limits both.
  ['Provide at most $50 of liquidity to USDC/WETH.', 5_000n],
  ['Provide at most $50 of liquidity to USDC/WETH.\n\nbudget: $200/day', 20_000n],
  // A week's amount at once, and a week until the next.
  ['Deposit up to 50 USDC into the vault each week.', 5_000n],
  // Not this Golem's, or not now: neither raises a limit.
  [`${swap}.\n\nThe sister Golem has a budget of $5000/day.`, 10_000n],
  [`${swap}.\n\nThe budget is $5,000 a day if the price is above $2000.`, 10_000n],
  [`${swap}.\n\nA budget of $5,000/day was proposed.`, 10_000n],
  [`${swap}.\n\nThe budget of the fund is $5,000/day.`, 10_000n],
  [`${swap}.\n\nMy budget is $5,000/day for all my bots.`, 10_000n],
  [`${swap}.\n\nbudget: TBD ($5,000/day)`, 10_000n],
  [`${swap}.\n\nbudget: $5,000/day later`, 10_000n],
  [`${swap}.\n\nbudget: "$5,000/day"`, 10_000n],
  [`${swap}.\n\nThe Golem has a daily budget of $5,000.`, 500_000n],
  [`${swap}.\n\nThe budget is $5,000 a day.`, 500_000n],
  ['Deposit USDC into the vault when the balance is above $200.', 100_000n],
  [`${swap}, three times a day, $5 each.`, 2_000n],
])('%j comes to %s cents a day', ([text, cents]) => {
  expect(compile(text).plan.dayCents).toBe(cents)
})

test.for<[string, number]>([
  [`${swap} every two weeks.`, 14],
  [`${swap} biweekly.`, 14],
  [`${swap} on Mondays.`, 7],
  [`${swap} every quarter.`, 92],
  [`${swap} yearly.`, 366],
  [`${swap}.\n\ncadence: daily or weekly`, 7],
])('%j leaves %s days between actions', ([text, days]) => {
  expect(compile(text).plan.cadenceSeconds).toBe(days * 86_400)
})

test.for<[string, number]>([
  [`${swap} for 3 days.`, 3],
  [`${swap}. Stop after 3 days.`, 3],
  [`${swap} if it was cheap for 300 days.`, 7],
])('%j lives for %s days', ([text, days]) => {
  const { start, end } = compile(text).plan.window
  expect(end - start).toBe(BigInt(days * 86_400))
})

describe('a limit that no Cage can express is reported as a question', () => {
  test.for([
    `${swap} until Friday.`,
    'Swap at most 0.01 WETH to USDC a day.',
    'Swap half of the USDC to WETH.',
    'Swap 10% of USDC to WETH each day.',
    'Swap at most €5 of USDC to WETH a day.',
    'Trade only USDC and WETH, and only buy.',
    `${swap}. USD 5 per day max.`,
    `${swap}. Max 5$ per day.`,
    `${swap}. At most 5 a day.`,
    `${swap}. Daily limit: 5.`,
  ])('%j', (text) => {
    expect(compile(text).ambiguities).not.toEqual([])
  })
})

test('the smallest of two slippages counts', () => {
  expect(compile(`${swap}.\n\nslippage: 5% for one, 2% otherwise`).plan.slippageBps).toBe(200)
})

test.for(['5 usdc ', '$5 ', 'max $5 ', 'five dollars '])(
  'a sentence full of %j requests nothing, and is read fast',
  (amount) => {
    const start = process.cpuUsage()
    expect(compile(`At most ${swap} ${amount.repeat(50_000)}`).plan.dayCents).toBe(0n)
    expect(process.cpuUsage(start).user).toBeLessThan(5_000_000)
  },
)
