import { compileStrategy } from '@bardo/core'
import { expect, it } from 'vitest'
import { keepConstitution } from './keepConstitution.ts'
import type { ConstitutionRoom, Intention, View } from './strategy.ts'

const { plan } = compileStrategy('Swap USDC into WETH and back. Deposit USDC into the vault.', { now: 0n })
const room: ConstitutionRoom = { leftCents: 3_000n, buyCents: { USDC: 0n, WETH: 2_000n }, depositCents: 500n }
const view = (constitution?: ConstitutionRoom): View => ({
  now: 1,
  phase: 'thriving',
  vitality: 1,
  sustainabilityRatio: 1,
  plan,
  holdings: [],
  reserveCents: 0n,
  leftTodayCents: 10_000n,
  lastExecutionAt: undefined,
  constitution,
})
const buy: Intention = { type: 'swap', from: 'USDC', to: 'WETH', cents: 5_000n, because: 'a test' }
const sell: Intention = { ...buy, from: 'WETH', to: 'USDC' }
const deposit: Intention = { type: 'deposit', asset: 'USDC', cents: 5_000n, because: 'a test' }

it('cuts a rule to what the constitution leaves', () => {
  expect(keepConstitution(buy, view())).toBe(buy)
  // Half a percent below the share: the price may move before the transaction is mined.
  expect(keepConstitution(buy, view(room))).toMatchObject({ cents: 1_990n })
  expect(keepConstitution(deposit, view(room))).toMatchObject({ cents: 500n })
  // Closing is limited by the amounts only.
  expect(keepConstitution(sell, view(room))).toMatchObject({ cents: 3_000n })
  expect(keepConstitution({ ...deposit, type: 'withdraw' }, view(room))).toMatchObject({ cents: 5_000n })
})

it('waits if nothing is left, or an asset is not approved', () => {
  const none = { ...room, buyCents: { USDC: 0n, WETH: 99n } }
  expect(keepConstitution(buy, view(none))).toMatchObject({
    type: 'wait',
    because: 'the constitution leaves no room to swap WETH',
  })
  expect(keepConstitution(sell, view({ ...room, buyCents: { USDC: 0n } }))).toMatchObject({
    because: 'the constitution does not approve WETH',
  })
})
