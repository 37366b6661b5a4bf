import { dcaStrategy } from '../../strategies/dcaStrategy.ts'
import type { Strategy } from '../../strategies/strategy.ts'
import { vaultStrategy } from '../../strategies/vaultStrategy.ts'

/** A life that is to be interrupted. It acts at every tick. */
export type MortalLife = {
  /** STRATEGY.md. */
  readonly text: string
  readonly strategy: Strategy
  /** What the chain's clock is moved by before each tick. */
  readonly warpSeconds: number
}

const ending = 'budget: $2000/day\nlifespan: 30 days'
/** So small that no life comes near its bounds. */
const cents = 200n

/** Who is killed. Amounts of a life are so small that nothing on the chain would keep a second landing out. */
export const mortalLives = {
  trader: {
    text: `Swap USDC into WETH.\n\n${ending}`,
    strategy: async () => ({ is: 'swap', from: 'USDC', to: 'WETH', cents, because: 'always' }),
    warpSeconds: 0,
  },
  saver: {
    text: `Every minute, swap $2 of USDC into WETH.\n\n${ending}`,
    strategy: dcaStrategy,
    warpSeconds: 60,
  },
  vault: {
    text: `- Deposit USDC into the vault when the balance is above $200.\n- Withdraw USDC from the vault when funds are needed.\n\n${ending}`,
    strategy: async (view) => {
      const decision = await vaultStrategy(view)
      return decision.is === 'wait' ? decision : { ...decision, cents }
    },
    warpSeconds: 0,
  },
} as const satisfies Readonly<Record<string, MortalLife>>

/** One of them. */
export type LifeName = keyof typeof mortalLives
