import { expect, it } from 'vitest'
import { mandate, names, people } from './testing/sample.ts'
import { vaultNAV } from './vaultNAV.ts'

const terms = { vault: people.vault, bps: 1_000, capCents: 5_000n, mandate }

it('encodes its terms and decodes them again', () => {
  expect(vaultNAV.decode(vaultNAV.encode(terms))).toEqual(terms)
})

it('refuses terms that are cut off or too long', () => {
  const encoded = vaultNAV.encode(terms)
  expect(() => vaultNAV.decode(`0x${encoded.slice(4)}`)).toThrow(
    expect.objectContaining({ code: 'TERMS_MALFORMED' }),
  )
  expect(() => vaultNAV.decode(`${encoded}00`)).toThrow(expect.objectContaining({ code: 'TERMS_MALFORMED' }))
})

it('describes its terms in a sentence', () => {
  expect(vaultNAV.describe(terms, names)).toBe(
    'one execution takes at most $50, and at most 10 % of the assets in the USDC vault',
  )
})

it('covers itself', () => {
  expect(vaultNAV.covers(terms, terms)).toEqual({ type: 'covered' })
})

it.each([['a lower cap', { ...terms, ...{ capCents: 4_999n } }]] as const)(
  'covers a child with %s',
  (_, child) => {
    expect(vaultNAV.covers(terms, child).type).toBe('covered')
  },
)

it.each([
  ['a higher cap', { ...terms, ...{ capCents: 5_001n } }],
  ['another vault', { ...terms, ...{ vault: people.router } }],
] as const)('does not cover a child with %s', (_, child) => {
  expect(vaultNAV.covers(terms, child).type).toBe('wider')
})
