import type { Exposure } from '@bardo/core'
import { expect, it } from 'vitest'
import { exposureJson } from './exposureJson.ts'
import { exposureText } from './exposureText.ts'

const bounded = (cents: bigint) => ({ type: 'bounded', cents }) as const
const shown: Exposure = {
  day: bounded(5_000n),
  end: bounded(150_000n),
  endsAt: 1_800_000_000n,
  haul: { loss: bounded(50n), worst: bounded(50n), causes: [{ type: 'slippage', bps: 100 }], assumes: [] },
  uncounted: [],
}
const textOf = (change: Partial<Exposure>) => exposureText(exposureJson({ ...shown, ...change }), 'one')

it('states the three sums, each with its time', () => {
  expect(textOf({})).toEqual([
    'At most $50.00 leaves your account in the next 24 hours.',
    'At most $1,500.00 leaves your account until 2027-01-15 08:00 UTC.',
    'If its key is stolen, you lose at most $0.50 in 24 hours (1 % slippage), until you revoke.',
  ])
  expect(exposureText(exposureJson(shown), 'all')[2]).toContain('If all keys are stolen')
})

it('states what the loss assumes, and the sum without it', () => {
  const haul = { ...shown.haul, worst: bounded(5_000n), assumes: ['payee', 'method'] } as const
  expect(textOf({ haul })[3]).toBe(
    'This assumes that no signed payee is the thief and that the signed contracts are not the thief’s. Otherwise you lose at most $50.00.',
  )
})

it('names what vaults add to the loss', () => {
  const causes = [{ type: 'vaultRate' }, { type: 'shares', cents: 201n }] as const
  expect(textOf({ haul: { ...shown.haul, loss: bounded(5_201n), causes } })[2]).toBe(
    'If its key is stolen, you lose at most $52.01 in 24 hours (vaults at a moved rate, $2.01 of shares down to their signed floor), until you revoke.',
  )
})

it('never shows a number for what has no limit', () => {
  const day = { type: 'unbounded', because: ['0x12: it has no caveats'] } as const
  expect(textOf({ day })[0]).toBe(
    'There is NO LIMIT on what leaves your account in the next 24 hours: 0x12: it has no caveats.',
  )
})

it('names what the sums leave out', () => {
  const token = `0x${'12'.repeat(20)}` as const
  const uncounted = [
    { type: 'usage', caveat: 'Cage', delegation: '0x12' },
    { type: 'price', token, amount: 5n },
    { type: 'shares', vault: token, hasFloor: false },
    { type: 'method', target: token, selector: '0x12345678' },
  ] as const
  expect(textOf({ uncounted }).slice(3)).toEqual([
    'Not included: what is already used of Cage: it counts as unused.',
    `Not included: 5 base units of ${token}, which has no price.`,
    `Not included: shares in the vault ${token} that the account holds: no floor is signed.`,
    `Not included: tokens outside the list that the signed method 0x12345678 of ${token} can move.`,
  ])
})
