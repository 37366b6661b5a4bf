import { type Clock, type Delegation, type ReadGrant, rootAuthority } from '@bardo/core'
import type { Address, Hash } from 'viem'
import type { Golem } from '../repositories/golems.ts'

/** The nth bytes32. */
export const id = (n: number): Hash => `0x${n.toString(16).padStart(64, '0')}`

/** The nth account. */
export const account = (n: number): Address => `0x${n.toString(16).padStart(40, '0')}`

/** A Golem that has started. */
export function sampleGolem(
  n: number,
  changes: Partial<Omit<Golem, 'pausedAt'>> = {},
): Omit<Golem, 'version' | 'createdAt' | 'pausedAt'> {
  const owner = account(7)
  const custody = 'delegation'
  const strategy = { text: 'Buy WETH every day.', hash: id(99) }
  const live = {
    step: 'live',
    owner,
    custody,
    strategyHash: id(99),
    identity: 2n ** 200n,
    golem: id(n),
  } as const
  const life = { status: 'alive', phase: 'thriving', nextTick: undefined } as const
  return { id: id(n), owner, name: `golem ${n}`, custody, strategy, onboarding: live, ...life, ...changes }
}

/** A delegation with salt n. */
export const sampleDelegation = (n: number): Delegation => ({
  delegate: account(1),
  delegator: account(2),
  authority: rootAuthority,
  caveats: [{ enforcer: account(3), terms: '0x1234', args: '0x' }],
  salt: 2n ** 200n + BigInt(n),
  signature: '0xabcd',
})

/** A grant of a wallet. */
export const sampleGrant: ReadGrant = {
  chainId: 8453n,
  from: account(2),
  to: account(1),
  type: 'erc20-token-periodic',
  data: { tokenAddress: account(5), periodAmount: 10_000_000n, periodDuration: 86_400, startTime: 1 },
  expiry: 1_800_000_000,
  payees: undefined,
  redeemers: undefined,
  otherRules: [],
  context: '0xc0ffee',
  delegationManager: account(6),
  dependencies: [],
}

/** A clock that stands still until it is set. */
export function stillClock(start: number): Clock & { time: number } {
  const clock = { time: start, now: () => clock.time, sleep: async () => {} }
  return clock
}
