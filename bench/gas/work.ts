import { type Call, type Mandate, targetKinds } from '@bardo/core'
import type { Devnet } from '@bardo/devnet'
import { type Address, type Hex, zeroAddress } from 'viem'
import type { BenchWorld } from './benchWorld.ts'
import { type Bounds, boundsOf } from './bounds.ts'
import { callsOf, type Scenario } from './scenarios.ts'

/** The maximum age of a feed's price. */
export const feedSeconds = 86_400
/** The kind of a target determines its methods. */
const selector = '0x00000000'

/** One piece of work, with everything that a policy needs to limit it. */
export type Work = {
  readonly scenario: Scenario
  readonly calls: readonly Call[]
  readonly addresses: Devnet['addresses']
  /** MetaMask's own enforcers by name. */
  readonly metamask: Devnet['framework']['caveatEnforcers']
  readonly chainId: number
  readonly account: Address
  readonly golemKey: Address
  readonly payee: Address
  readonly constitution: Hex
  readonly bounds: Bounds
  /** USDC at par, WETH by price feed, and exactly the contract or the payee that the work needs. */
  readonly mandate: Mandate
}

/** A mandate for exactly one scenario. */
export function mandateOf(scenario: Scenario, { addresses, accounts }: Devnet, account: Address): Mandate {
  const targets: Record<Scenario, Mandate['targets']> = {
    transfer: [],
    swap: [{ kind: targetKinds.swapRouter02, address: addresses.swapRouter02, selector }],
    deposit: [{ kind: targetKinds.vault, address: addresses.usdcVault, selector }],
  }
  return {
    account,
    assets: [
      { token: addresses.usdc, feed: zeroAddress, maxAgeSeconds: 0, scale: 14 },
      { token: addresses.weth, feed: addresses.wethFeed, maxAgeSeconds: feedSeconds, scale: 26 },
    ],
    targets: targets[scenario],
    payees: scenario === 'transfer' ? [accounts.payee] : [],
  }
}

export function workOf(scenario: Scenario, world: Devnet, bench: BenchWorld): Work {
  const { addresses, accounts } = world
  return {
    scenario,
    calls: callsOf(scenario, world, bench.account),
    addresses,
    metamask: world.framework.caveatEnforcers,
    chainId: world.chainId,
    account: bench.account,
    golemKey: accounts.golem,
    payee: accounts.payee,
    constitution: bench.constitution,
    bounds: boundsOf(bench.golem, bench.openedAt),
    mandate: mandateOf(scenario, world, bench.account),
  }
}
