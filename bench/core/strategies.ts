import { compileStrategy } from '@bardo/core'
import { type Comparison, compare } from './compare.ts'

const strategy = `# Patient accumulation

assets: USDC, WETH
budget: $250/day
lifespan: 60 days

## What it does

Every day, swap $50 of USDC into WETH while the price stays below its monthly mean.
Sell WETH for USDC whenever it is 30 % above its mean.
Deposit idle USDC into the vault, and withdraw it when a purchase is due.

## What it never does

- bridging
- limit orders
- anything with leverage
`
const many = 10

/** Compiling a strategy of one page, and one of ten pages: linear means a tenth as many per second. */
export async function compareStrategies(): Promise<readonly Comparison[]> {
  const now = 1_800_000_000n
  const run = (text: string) => {
    if (compileStrategy(text, { now }).plan.classes.length === 0)
      throw new Error('the strategy requests no actions')
  }
  const long = Array.from({ length: many }, () => strategy).join('\n')
  return [
    await compare(
      'strategy compile, one page',
      { name: 'one page', run: () => run(strategy) },
      { name: `${many} pages, counted by page`, operations: many, run: () => run(long) },
    ),
  ]
}
