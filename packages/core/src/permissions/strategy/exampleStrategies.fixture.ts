const week = 604_800

/** Strategies as owners write them, with the expected result. */
export const strategies = [
  {
    name: 'a weekly DCA',
    text: '# Strategy: patient DCA\n\nEvery week, swap $50 of USDC into WETH.\nNever bridge and never provide liquidity.\n\nlifespan: 30 days',
    expected: {
      classes: ['swap'],
      pairs: ['USDC>WETH'],
      dayCents: 5_000n,
      cadence: week,
      notGranted: ['ProvideLiquidity forbidden', 'Bridge forbidden'],
      unclear: false,
    },
  },
  {
    name: 'a vault manager',
    text: '## Goal\n\nKeep idle stablecoins working.\n\n## Actions\n\n- Deposit USDC into the vault when the balance is above $200.\n- Withdraw USDC from the vault when funds are needed.\n\n## Forbidden\n\n- swapping\n- bridging',
    expected: {
      classes: ['deposit', 'withdraw'],
      pairs: [],
      dayCents: 100_000n,
      cadence: 0,
      notGranted: ['Swap forbidden', 'Bridge forbidden'],
      unclear: false,
    },
  },
  {
    name: 'a liquidity provider with a budget',
    text: 'budget: $300/day\n\nProvide liquidity to the USDC/WETH pool. Collect fees and close the position in USDC/WETH when out of range.',
    expected: {
      classes: ['addLiquidity', 'removeLiquidity'],
      pairs: [],
      dayCents: 30_000n,
      cadence: 0,
      notGranted: [],
      unclear: false,
    },
  },
  {
    name: 'a mean-reversion trader',
    text: '# Mean reversion\n\nassets: USDC, WETH\nbudget: $400/day\nslippage: 1%\n\nTrade between WETH and USDC when the price is two deviations away from its mean.\nDo not trade when volatility is above 8%.',
    expected: {
      classes: ['swap', 'unwind'],
      pairs: ['USDC>WETH', 'WETH>USDC'],
      dayCents: 40_000n,
      cadence: 0,
      notGranted: [],
      unclear: false,
    },
  },
  {
    name: 'a take-profit seller',
    text: 'Sell WETH for USDC whenever WETH is above $5,000. Never buy WETH back.',
    expected: {
      classes: ['unwind'],
      pairs: ['WETH>USDC'],
      dayCents: 10_000n,
      cadence: 0,
      notGranted: [],
      unclear: false,
    },
  },
  {
    name: 'one that wants to bridge',
    text: 'Swap USDC to WETH daily. Bridge USDC to Arbitrum when yields are better there.',
    expected: {
      classes: ['swap'],
      pairs: ['USDC>WETH'],
      dayCents: 10_000n,
      cadence: 86_400,
      notGranted: ['Bridge notSupported'],
      unclear: true,
    },
  },
  {
    name: 'one that wants limit orders',
    text: 'Place limit orders on UniswapX to buy WETH with USDC.',
    expected: {
      classes: ['swap'],
      pairs: ['USDC>WETH'],
      dayCents: 10_000n,
      cadence: 0,
      notGranted: ['LimitOrders notSupported'],
      unclear: true,
    },
  },
  {
    name: 'a researcher with Replicants',
    text: 'Spawn replicants to test hypotheses. The replicants do not trade.',
    expected: {
      classes: ['spawn'],
      pairs: [],
      dayCents: 10_000n,
      cadence: 0,
      notGranted: ['Swap forbidden'],
      unclear: false,
    },
  },
  {
    name: 'an observer',
    text: '# Watcher\n\nWatch the market and write a daily report. Never trade. Never deposit anything anywhere.',
    expected: {
      classes: [],
      pairs: [],
      dayCents: 0n,
      cadence: 0,
      notGranted: ['Swap forbidden', 'VaultManagement forbidden'],
      unclear: true,
    },
  },
  {
    name: 'a two-token basket',
    text: 'DCA $10 of USDC into WETH every week. DCA $10 of USDC into WBTC every week.',
    expected: {
      classes: ['swap'],
      pairs: ['USDC>WBTC', 'USDC>WETH'],
      // One interval applies to both: the sum of two weekly purchases looks the same as one purchase made
      // twice.
      dayCents: 1_000n,
      cadence: week,
      notGranted: [],
      unclear: true,
    },
  },
  {
    name: 'a text with an example in code',
    text: 'The Golem swaps USDC into WETH every Monday.\n\n```toml\nbridge = true\nbudget = "$9000/day"\n```\n\n> My friend says: provide liquidity!\n',
    expected: {
      classes: ['swap'],
      pairs: ['USDC>WETH'],
      dayCents: 10_000n,
      cadence: week,
      notGranted: [],
      unclear: false,
    },
  },
  {
    name: 'an undecided owner',
    text: 'Maybe provide liquidity to USDC/WETH. Should the Golem use a vault? Buy WETH with USDC, at most $40 per day.',
    expected: {
      classes: ['swap'],
      pairs: ['USDC>WETH'],
      dayCents: 4_000n,
      cadence: 86_400,
      notGranted: [],
      unclear: true,
    },
  },
  {
    name: 'a list of rules',
    text: 'The Golem may:\n\n- swap USDC to WETH\n- swap WETH to USDC\n\nThe Golem must not:\n\n- bridge\n- spawn replicants\n- touch WBTC',
    expected: {
      classes: ['swap', 'unwind'],
      pairs: ['USDC>WETH', 'WETH>USDC'],
      dayCents: 10_000n,
      cadence: 0,
      notGranted: ['Bridge forbidden', 'SpawnReplicants forbidden'],
      unclear: false,
    },
  },
  {
    name: 'a table',
    text: '| what | allowed |\n| --- | --- |\n| swap USDC to WETH | yes |\n| bridge | no |\n| provide liquidity to USDC/WETH | never |',
    expected: {
      classes: ['swap'],
      pairs: ['USDC>WETH'],
      dayCents: 10_000n,
      cadence: 0,
      notGranted: ['ProvideLiquidity forbidden', 'Bridge forbidden'],
      unclear: false,
    },
  },
] as const
