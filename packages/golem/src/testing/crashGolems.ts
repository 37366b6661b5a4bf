import { dcaStrategy } from '../strategy/dcaStrategy.ts'
import type { Strategy } from '../strategy/strategy.ts'
import { vaultStrategy } from '../strategy/vaultStrategy.ts'

/** A Golem that is killed. It acts at every tick. */
export type MortalLife = {
  /** STRATEGY.md. */
  readonly text: string
  readonly strategy: Strategy
  /** The time to warp the chain before each tick. */
  readonly warpSeconds: number
}

const ending = 'budget: $2000/day\nlifespan: 30 days'
/** So small that no life comes near its limits. */
const cents = 200n

/**
 * The Golems that are killed. Their amounts are so small that no on-chain limit would block a second landing.
 */
export const crashGolems = {
  trader: {
    text: `Swap USDC into WETH.\n\n${ending}`,
    strategy: async () => ({ type: 'swap', from: 'USDC', to: 'WETH', cents, because: 'always' }),
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
      return decision.type === 'wait' ? decision : { ...decision, cents }
    },
    warpSeconds: 0,
  },
} as const satisfies Readonly<Record<string, MortalLife>>

/** The name of such a Golem. */
export type LifeName = keyof typeof crashGolems
