import type { Devnet } from '@bardo/devnet'
import type { Address, Hex } from 'viem'
import type { BenchWorld, Call } from './benchWorld.ts'
import { type Bounds, boundsOf } from './bounds.ts'
import { type Mandate, targetKinds } from './mandate.ts'
import { callsOf, type Scenario } from './scenarios.ts'

/** One piece of work, and all that a policy needs to know to bound it. */
export type Work = {
  readonly scenario: Scenario
  readonly calls: readonly Call[]
  readonly addresses: Devnet['addresses']
  /** MetaMask's own enforcers by name. */
  readonly stock: Devnet['framework']['caveatEnforcers']
  readonly chainId: number
  readonly account: Address
  readonly golemKey: Address
  readonly payee: Address
  readonly constitution: Hex
  readonly bounds: Bounds
  /** USDC at par, WETH by feed; and exactly the contract or the payee that the work needs. */
  readonly mandate: Mandate
}

export function workOf(scenario: Scenario, world: Devnet, bench: BenchWorld): Work {
  const { addresses, accounts } = world
  const targets = {
    transfer: [],
    swap: [{ kind: targetKinds.swapRouter02, address: addresses.swapRouter02 }],
    deposit: [{ kind: targetKinds.vault, address: addresses.usdcVault }],
  }
  return {
    scenario,
    calls: callsOf(scenario, world, bench.account),
    addresses,
    stock: world.framework.caveatEnforcers,
    chainId: world.chainId,
    account: bench.account,
    golemKey: accounts.golem,
    payee: accounts.payee,
    constitution: bench.constitution,
    bounds: boundsOf(bench.golem, bench.openedAt),
    mandate: {
      account: bench.account,
      assets: [
        { token: addresses.usdc, decimals: 6 },
        { token: addresses.weth, decimals: 18, feed: addresses.wethFeed },
      ],
      targets: targets[scenario],
      payees: scenario === 'transfer' ? [accounts.payee] : [],
    },
  }
}
