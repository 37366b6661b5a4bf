import {
  bothWays,
  day,
  depositsFor,
  hour,
  month,
  nothingFor,
  type SignedStrategy,
  swapsFor,
  week,
} from './signedStrategy.ts'

const swap = 'Swap USDC to WETH.'
const shares = 'All actions share one size and one interval'

/** Strategies that are easy to read wrongly: too wide, or without a report of what was omitted. */
export const trapStrategies: readonly SignedStrategy[] = [
  // An additional sentence must not widen the first.
  swapsFor('DCA 10 USDC into WETH daily. Sell WETH to USDC.', {
    ...bothWays,
    inADay: 10,
    every: day,
    notices: [shares],
  }),
  swapsFor('Sell WETH to USDC. DCA 10 USDC into WETH daily.', {
    ...bothWays,
    inADay: 10,
    every: day,
    notices: [shares],
  }),
  swapsFor('DCA 10 USDC into WETH daily. DCA 30 USDC into WBTC every week.\n\nlifespan: 30 days', {
    pairs: ['USDC>WBTC', 'USDC>WETH'],
    inADay: 10,
    every: week,
    lifeDays: 30,
    notices: [shares],
  }),
  swapsFor(
    'DCA $10 of USDC into WETH every week. DCA $10 of USDC into WBTC every week.\n\nlifespan: 30 days',
    { pairs: ['USDC>WBTC', 'USDC>WETH'], inADay: 10, every: week, lifeDays: 30, notices: [shares] },
  ),
  swapsFor('Swap 10 USDC to WETH once. Swap USDC to WBTC daily.', {
    pairs: ['USDC>WBTC', 'USDC>WETH'],
    inADay: 10,
    every: day,
    calls: 1,
    notices: [shares],
  }),
  swapsFor('DCA 10 USDC into WETH daily. Deposit USDC into the vault.', {
    does: ['swap', 'deposit', 'withdraw'],
    inADay: 10,
    every: day,
    notices: [shares],
  }),
  swapsFor('DCA 10 USDC into WETH daily.\n\ncadence: hourly', { inADay: 10, every: day }),
  swapsFor('DCA 10 USDC into WETH hourly.\n\ncadence: daily', { inADay: 10, every: day }),
  swapsFor('DCA 10 USDC into WETH daily. The swap of WETH to USDC was logged.', { inADay: 10, every: day }),
  // A Replicant's numbers are not the Golem's.
  swapsFor(`${swap} Each replicant spends at most $5 a day.`, { notices: ['about Replicants'] }),
  swapsFor(`${swap} Replicants live for 2 days.`, { notices: ['Replicants live for 2 days.'] }),
  swapsFor(`${swap} Replicants trade at most once a week.`, { notices: ['about Replicants'] }),
  swapsFor(`${swap}\n\n## Replicants\n\n- budget: $5/day\n- at most $1 per trade`, {
    notices: ['about Replicants'],
  }),
  swapsFor(`${swap}\n\nreplicant budget: $5/day`, { notices: ['about Replicants'] }),
  swapsFor(`${swap} A child gets a budget of $3 a day.`, { notices: ['about Replicants'] }),
  swapsFor(`${swap} The Golem and its replicants together spend at most $5 a day.`, { inADay: 5 }),
  swapsFor(`${swap} Spend at most $5 a day, replicants included.`, { inADay: 5 }),
  swapsFor(`${swap} Spawn replicants.`, { does: ['swap', 'spawn'] }),
  swapsFor(`${swap} Spawn a replicant every week.`, { does: ['swap', 'spawn'] }),
  swapsFor(`${swap} Spawn replicants with $5 each.`, {
    does: ['swap', 'spawn'],
    notices: ['about Replicants'],
  }),
  swapsFor(`${swap} Spawn replicants.\n\nreplicant budget: some`, {
    does: ['swap', 'spawn'],
    notices: ['No Replicants are allowed until it is'],
  }),
  swapsFor(`${swap} Spawn replicants. Never spawn replicants.`, { notices: ['forbids this'] }),
  swapsFor(`${swap} It might spawn replicants.`, { notices: ['sounds undecided'] }),
  nothingFor('Provide liquidity to USDC/WETH.', 'Bardo cannot provide liquidity yet, so it was not granted.'),
  swapsFor(`${swap} Provide liquidity to USDC/WETH.`, {
    notices: ['Bardo cannot provide liquidity yet'],
  }),
  swapsFor(`${swap} Close the USDC/WETH position.`, { notices: ['Bardo cannot provide liquidity yet'] }),
  swapsFor(`${swap} Bridge USDC to Arbitrum.`, { notices: ['Bardo cannot bridge yet'] }),
  nothingFor('Place limit orders on UniswapX.', 'Bardo cannot place limit orders yet'),
  // Sending.
  nothingFor(
    'Send 100 USDC to 0x1111111111111111111111111111111111111111.',
    'Sending to others is never granted',
  ),
  nothingFor('Transfer 5 USDC to Bob every day.', 'Sending to others is never granted'),
  nothingFor('Pay my landlord.', 'Sending to others is never granted'),
  swapsFor('Swap 10 USDC to WETH daily and send it to 0x1111111111111111111111111111111111111111.', {
    inADay: 10,
    every: day,
    notices: ['Sending to others is never granted'],
  }),
  // Shares of a trade, moods and conditions are not signed.
  swapsFor(`${swap} Never put more than 30% into WETH.`, { notices: ['30% cannot be signed'] }),
  swapsFor(`${swap} No more than 10% of the vault per transaction.`, {
    notices: ['A share of which vault?'],
  }),
  swapsFor('Deposit USDC into the vault. Swap USDC to WETH. No more than 10% of the vault per transaction.', {
    does: ['swap', 'deposit', 'withdraw'],
    inADay: 1_000,
    vaultBps: 1_000,
    notices: ['for every action'],
  }),
  depositsFor('Deposit 10% of the USDC into the vault.', { notices: ['10% cannot be signed'] }),
  swapsFor(`${swap} Stop when WETH drops 15%.`, { notices: ['A loss of 15% cannot be signed'] }),
  swapsFor(`${swap} Stop at a loss of 15 %.`, { notices: ['A loss of 15 % cannot be signed'] }),
  swapsFor(`${swap} Never hold more than thirty percent in WETH.`, { notices: ['thirty percent'] }),
  swapsFor('Swap half of the USDC to WETH.', { notices: ['A share such as half cannot be signed'] }),
  swapsFor('Swap 10% of the USDC to WETH each day.', { every: day, notices: ['10% cannot be signed'] }),
  swapsFor(`${swap} Do not trade when arousal is high.`, { notices: ['Which number of the mood?'] }),
  // A doubtful line can narrow a default, but not lift it.
  swapsFor(`${swap} Maybe ignore mood.`, { notices: ['Which number of the mood?'] }),
  swapsFor(`${swap} Should it ignore mood?`, { notices: ['Should it ignore mood?'] }),
  swapsFor(`${swap} Do not trade when arousal is above 99?`),
  swapsFor(`${swap} Do not ignore mood.`, { notices: ['Which number of the mood?'] }),
  swapsFor(`${swap} Do not trade when arousal is below 10.`, { notices: ['Which number of the mood?'] }),
  swapsFor(`${swap} Trade less in a bad mood.`, { notices: ['bad mood'] }),
  swapsFor(`${swap} Do not trade when gas is high.`, { notices: ['The condition cannot be signed'] }),
  swapsFor('Swap USDC to WETH when the price is below $2,000.', {
    notices: ['The condition cannot be signed'],
  }),
  swapsFor('Swap USDC to WETH once WETH is below $2,000.', { notices: ['The condition cannot be signed'] }),
  swapsFor('Swap USDC to WETH until Friday.', { notices: ['Until when?'] }),
  swapsFor(`${swap} Be careful out there.`, { notices: ['Be careful out there.'] }),
  swapsFor(`${swap} We aim for steady growth.`, { notices: ['We aim for steady growth.'] }),
  // What is a lifetime, and what is not.
  swapsFor(`${swap} Hold WETH for 30 days.`, { notices: ['Hold WETH for 30 days.'] }),
  swapsFor(`${swap} Maybe run for 90 days.`, { notices: ['This did not set the lifetime'] }),
  swapsFor(`${swap} Should it run for 90 days?`, { notices: ['This did not set the lifetime'] }),
  swapsFor(`${swap} Run for 90 days if it goes well.`, { notices: ['This did not set the lifetime'] }),
  swapsFor(`${swap} Run for several weeks.`, { notices: ['Run for several weeks.'] }),
  swapsFor(`${swap}\n\nlifespan: as long as needed`, { notices: ['How long?'] }),
  swapsFor(`${swap}\n\nlifespan: 20 years`, { lifeDays: 365, notices: ['one year was used'] }),
  swapsFor(`${swap}\n\nlifespan: 30 days\n\nlifespan: 3 days`, {
    lifeDays: 3,
    notices: ['The narrowest was used'],
  }),
  swapsFor('DCA $10 of USDC into WETH every 2 days for 14 days.', {
    inADay: 10,
    every: 2 * day,
    lifeDays: 14,
  }),
  swapsFor('Buy $10 of WETH with USDC every week.', {
    inADay: 10,
    every: week,
    notices: ['It acts once', '7 days (the default)'],
  }),
  swapsFor('Buy $10 of WETH with USDC every month.', { inADay: 10, every: month, notices: ['It acts once'] }),
  swapsFor('Buy $10 of WETH with USDC every week.\n\nlifespan: 3 days', {
    inADay: 10,
    every: week,
    lifeDays: 3,
    notices: ['It acts once'],
  }),
  // An unreadable interval.
  swapsFor('Swap $1 of USDC to WETH every block.', {
    inADay: 100,
    size: 1,
    notices: ['This interval was not understood'],
  }),
  swapsFor('Swap $1 of USDC to WETH every 500 milliseconds.', {
    inADay: 100,
    size: 1,
    notices: ['This interval was not understood'],
  }),
  swapsFor('Swap $1 of USDC to WETH every now and then.', {
    inADay: 100,
    size: 1,
    notices: ['This interval was not understood'],
  }),
  swapsFor('Swap $1 of USDC to WETH every hour or every day.', {
    inADay: 1,
    every: day,
    notices: ['The longest was used'],
  }),
  swapsFor('Swap USDC to WETH every hour, daily limit $12.', { inADay: 12, every: hour }),
  swapsFor(`${swap} Write a report every week.`, { notices: ['Write a report every week.'] }),
  swapsFor(`${swap}\n\ncadence: often`, { notices: ['How often?'] }),
  // Amounts.
  swapsFor('Swap $20.50 of USDC to WETH daily.', { inADay: 20, every: day, notices: ['$20, not $20.50'] }),
  swapsFor('Swap $0.50 of USDC to WETH daily.', {
    inADay: 0,
    every: day,
    notices: ['With $0 the Golem can do nothing'],
  }),
  swapsFor('Swap $500 of USDC to WETH every day.', {
    inADay: 100,
    every: day,
    notices: ['more than $100 a day'],
  }),
  swapsFor('Swap $20 of USDC to WETH.', {
    inADay: 100,
    size: 20,
    notices: ['the default of $100 in any 24 hours applies'],
  }),
  swapsFor('Swap $100 of USDC to WETH over 3 days.', { lifeDays: 3, totals: [[0, 100]] }),
  swapsFor('Swap $30 of USDC to WETH daily, at most $80 in total.', {
    inADay: 30,
    every: day,
    totals: [[0, 80]],
  }),
  swapsFor('Swap $30 of USDC to WETH once, at most $80 in total.', {
    inADay: 30,
    calls: 1,
    totals: [[0, 80]],
  }),
  swapsFor('Swap at most $5 of USDC to WETH per hour.', {
    inADay: 5,
    every: hour,
    notices: ['less than a day'],
  }),
  swapsFor('Swap at most 0.01 WETH to USDC a day.', {
    pairs: ['WETH>USDC'],
    does: ['unwind'],
    notices: ['How much is 0.01 WETH in dollars?'],
  }),
  swapsFor('Swap at most €5 of USDC to WETH a day.', { notices: ['How much is €5 in dollars?'] }),
  swapsFor(`${swap} At most 5 a day.`, { notices: ['Is this a limit?'] }),
  swapsFor(`${swap}\n\nbudget: $80`, {
    inADay: 80,
    totals: [[0, 80]],
    notices: ['A budget for how long?'],
  }),
  swapsFor('Swap $60 of USDC to WETH every week.\n\nbudget: $15/week\nbudget: $7/day', {
    inADay: 7,
    every: week,
    notices: ['The narrowest was used'],
  }),
  swapsFor(`${swap}\n\nbudget: a lot`, { inADay: 0, notices: ['It was read as $0'] }),
  swapsFor(`${swap}\n\nThe budget is not $5,000/day.`, { notices: ['an upper limit only'] }),
  swapsFor(`${swap}\n\nThe sister Golem has a budget of $5000/day.`, { notices: ['an upper limit only'] }),
  swapsFor(`${swap}\n\nbudget: $5k/day\n\nbudget: $10/day`, {
    inADay: 10,
    notices: ['The narrowest was used'],
  }),
  swapsFor(`${swap} WETH costs $4,000.`, { notices: ['WETH costs $4,000.'] }),
  swapsFor(`${swap}\n\nslippage: 50%`, { slippageBps: 1_000, notices: ['1000 bps was used'] }),
  swapsFor(`${swap}\n\nslippage: low`, { notices: ['How much slippage?'] }),
  swapsFor(`${swap}\n\nslippage: 5% for one, 2% otherwise`, { slippageBps: 200 }),
  // Negations, code and tables that forbid.
  nothingFor(`${swap} Never swap.`, 'forbids this'),
  nothingFor(`${swap}\n\n| action | forbidden |\n|---|---|\n| swap | yes |`, 'forbids this'),
  swapsFor(`| allowed | forbidden |\n|---|---|\n| ${swap} | bridge |`),
  swapsFor(`${swap}\n\n\`\`\`\nbudget: $5000/day\n\`\`\``),
  nothingFor('Swap USDC to WETH каждый день.', 'in English'),
]
