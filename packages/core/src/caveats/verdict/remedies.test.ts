import { expect, it } from 'vitest'
import { remedyFor } from './remedies.ts'

const router = '0x2626664c2603336E57B271c5C0b26F421741e481'
const of = (name: string, ...args: unknown[]) => remedyFor({ name, args, data: '0x' })

it('says what to send instead of an unsupported router command', () => {
  expect(of('CommandNotSupported', '0x0b00')).toBe(
    'Send the universal router one command, 0x00 (V3_SWAP_EXACT_IN), that the account itself pays; 0x0b00 is not that.',
  )
})

it.each([
  ['0xf3995c67', 'selfPermit (0xf3995c67)'],
  ['0x49404b7c', 'unwrapWETH9 (0x49404b7c)'],
  ['0x472b43f3', 'swapExactTokensForTokens (0x472b43f3)'],
  ['0x12345678', '0x12345678'],
])('names the method of the selector %s if it is a common one', (selector, shown) => {
  expect(of('MethodUnknown', router, selector)).toContain(`${shown} cannot be limited.`)
})

it.each<[string, unknown[], string]>([
  [
    'TotalExceeded',
    [604_800n, 9_000n, 2_000n, 10_000n],
    'Spend at most $10 now, not $20: $90 of $100 are spent in any 7 days. Free again: within 196 hours.',
  ],
  [
    'TotalExceeded',
    [0n, 9_000n, 2_000n, 10_000n],
    'Spend at most $10 now, not $20: $90 of $100 are spent in the whole life. This budget does not renew: have the owner sign a larger total.',
  ],
  [
    'GasLimitExceeded',
    [30_000n, 25_000n, 50_000n],
    'Draw at most 0.02 of the native currency for gas now, not 0.025: 0.03 of 0.05 are drawn. Free again: within 28 hours.',
  ],
  [
    'BelowFloor',
    [router, 90n, 99n],
    `${router} returned 90 base units of its asset; the signed floor requires 99, and the day's limit does not cover the difference: withdraw fewer shares, wait until the vault returns more, or let the owner close the position.`,
  ],
  [
    'NotDelegationManager',
    [router],
    `Redeem through the DelegationManager that the enforcer was deployed for, with the caveat outside of any LogicalOrWrapper; ${router} called.`,
  ],
])('says with numbers what would pass %s', (name, args, remedy) => {
  expect(of(name, ...args)).toBe(remedy)
})
