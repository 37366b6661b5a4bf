import { hashDelegation as hashByKit } from '@metamask/smart-accounts-kit/utils'
import fc from 'fast-check'
import { type Hex, toHex } from 'viem'
import { expect, it } from 'vitest'
import { hashDelegation } from './hashDelegation.ts'

const bytes = (minLength: number, maxLength: number) =>
  fc.uint8Array({ minLength, maxLength }).map((value): Hex => toHex(value))
const caveat = fc.record({ enforcer: bytes(20, 20), terms: bytes(0, 200), args: bytes(0, 40) })
const delegation = fc.record({
  delegate: bytes(20, 20),
  delegator: bytes(20, 20),
  authority: bytes(32, 32),
  caveats: fc.array(caveat, { maxLength: 5 }),
  salt: fc.bigInt({ min: 0n, max: (1n << 256n) - 1n }),
  signature: bytes(0, 80),
})

it('hashes every delegation as MetaMask’s kit does', () => {
  fc.assert(
    fc.property(delegation, (random) => {
      const salt = toHex(random.salt)
      expect(hashDelegation(random)).toBe(hashByKit({ ...random, salt }))
    }),
    { numRuns: process.env['BARDO_TEST'] === 'full' ? 10_000 : 200 },
  )
})

it('ignores what is not signed', () => {
  fc.assert(
    fc.property(delegation, bytes(0, 80), (random, other) => {
      const caveats = random.caveats.map((each) => ({ ...each, args: other }))
      expect(hashDelegation({ ...random, caveats, signature: other })).toBe(hashDelegation(random))
    }),
    { numRuns: 50 },
  )
})
