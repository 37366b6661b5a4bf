import type { Devnet } from '@bardo/devnet'
import type { BenchWorld, Context } from './benchWorld.ts'
import { type Bounds, encodeCageTerms, type Mandate, targetKinds } from './cageTerms.ts'
import { callsOf, type Scenario } from './scenarios.ts'

export const policies = ['none', 'cage', 'cage-feeds'] as const
export type Policy = (typeof policies)[number]

/** The delegations that a policy needs for some work. */
export function contextsOf(
  policy: Policy,
  scenario: Scenario,
  world: Devnet,
  bench: BenchWorld,
  now: number,
): Context[] {
  const calls = callsOf(scenario, world, bench.account)
  if (policy === 'none') return [{ caveats: [], calls }]
  const mandate = mandateOf(scenario, world, bench, policy === 'cage-feeds')
  const terms = encodeCageTerms(boundsOf(bench, now), mandate)
  return [{ caveats: [{ enforcer: world.addresses.cageEnforcer, terms }], calls }]
}

function boundsOf({ golem }: BenchWorld, now: number): Bounds {
  return {
    golem,
    start: now - 60,
    end: now + 30 * 86_400,
    graceSeconds: 86_400,
    mood: { minPleasure: -50, maxArousal: 80, minDominance: -50 },
    // Swaps and new liquidity need a calm Golem.
    restrictedClasses: 0b101,
    dayCents: 100_000_00,
    slippageBps: 100,
    cadenceSeconds: 1,
    dollarsAtOnce: 1_000,
  }
}

/** USDC at par or by feed, WETH by feed; and exactly the contract or the payee that the work needs. */
function mandateOf(
  scenario: Scenario,
  { addresses, accounts }: Devnet,
  { account }: BenchWorld,
  usdcByFeed: boolean,
): Mandate {
  const targets = {
    transfer: [],
    swap: [{ kind: targetKinds.swapRouter02, address: addresses.swapRouter02 }],
    deposit: [{ kind: targetKinds.vault, address: addresses.usdcVault }],
  }
  return {
    account,
    assets: [
      { token: addresses.usdc, decimals: 6, ...(usdcByFeed && { feed: addresses.usdcFeed }) },
      { token: addresses.weth, decimals: 18, feed: addresses.wethFeed },
    ],
    targets: targets[scenario],
    payees: scenario === 'transfer' ? [accounts.payee] : [],
  }
}
