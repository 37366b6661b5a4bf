import { describe, expect, test } from 'vitest'
import { cage } from '../../caveats/cage.ts'
import { readSignedPlan } from '../readSignedPlan.ts'
import { type AddressBook, missingAddresses, toCageTerms } from '../toCageTerms.ts'
import { compileStrategy } from './compileStrategy.ts'

const [one, two, three] = [
  '0x3C44CdDdB6a900fa2b585dd299e03d12FA4293BC',
  '0x70997970C51812dc3A010C7d01b50e0d17dc79C8',
  '0x90F79bf6EB2c4f870365E785982E1f101E93b906',
] as const
const compile = (line: string) =>
  compileStrategy(`Swap USDC into WETH.\n\nbudget: $100/day\n\n${line}`, { now: 100n })
const at = (digit: string) => `0x${digit.repeat(40)}` as const
const asset = (digit: string) => ({ token: at(digit), feed: at('e'), maxAgeSeconds: 3_600, scale: 26 })
const book: AddressBook = {
  assets: new Map([
    ['USDC', asset('1')],
    ['WETH', asset('2')],
  ]),
  pools: new Map(),
  vaults: new Map(),
  contracts: { swapRouter02: at('5') },
  members: new Map([
    ['scout', two],
    ['judge', one],
  ]),
}
const subject = { golem: `0x${'ab'.repeat(32)}`, account: at('9'), graceSeconds: 0 } as const

describe('co-signers in a strategy', () => {
  test.for<[string, number, readonly string[]]>([
    [`Every action needs 2 of 3 co-signatures: ${one}, ${two}, ${three}.`, 2, [one, two, three]],
    [`co-signers: 2 of scout, judge, ${three}`, 2, ['scout', 'judge', three]],
    [
      'Every trade must be co-signed by two of three: scout, judge and clerk.',
      2,
      ['scout', 'judge', 'clerk'],
    ],
    ['Never act without 1 of 1 co-signatures: scout.', 1, ['scout']],
  ])('are read from “%s”', ([line, threshold, members]) => {
    const { plan, ambiguities, setNothing } = compile(line)
    expect(plan.sections.coSigners).toEqual({ threshold, members })
    expect(plan.classes).toContain('swap')
    expect([ambiguities, setNothing]).toEqual([[], []])
    expect(plan.reasons.at(-1)).toMatchObject({ permission: 'coSigners' })
  })

  test.for([
    'Never act without co-signatures.',
    'Every action needs 2 of 3 co-signatures: scout, judge.',
    'Every action needs 2 of 3 co-signatures.',
    'Every action needs 3 of 2 co-signatures: scout, judge.',
    'Every action needs 0 of 2 co-signatures: scout, judge.',
    'co-signers: 2 of scout, Scout',
    `co-signers: 1 of ${one.slice(0, -1)}`,
    `co-signers: 1 of ${one.replace('C', 'c')}`,
    'co-signers: 1 of scout, (judge)',
    'co-signers: 1 of scout, judge\n\nco-signers: 2 of scout, judge',
  ])('grant nothing if they are unreadable: “%s”', (line) => {
    const { plan, ambiguities } = compile(line)
    expect(plan.classes).toEqual([])
    expect(plan.sections).toEqual({})
    expect(ambiguities).toContainEqual(expect.objectContaining({ outcome: 'notGranted' }))
  })

  test('that are only considered, or quoted, are not signed and said so', () => {
    expect(compile('Should 2 of 3 co-sign every action?').ambiguities).toMatchObject([
      { outcome: 'notSigned' },
    ])
    expect(compile('The sign says `co-signers: 1 of scout`.').plan.sections).toEqual({})
    expect(compile('Trade carefully.').plan.classes).toContain('swap')
  })

  test('become ascending keys of the Cage, and are read back by name', () => {
    const { plan } = compile(`co-signers: 2 of scout, judge, ${three}`)
    const terms = toCageTerms(plan, book, subject)
    expect(terms.coSigners).toEqual({ threshold: 2, keys: [one, two, three] })
    const signed = cage.decode(cage.encode(terms))
    expect(readSignedPlan(signed, book).plan.sections.coSigners).toEqual({
      threshold: 2,
      members: ['judge', 'scout', three.toLowerCase()],
    })
    expect(missingAddresses(plan, book)).toEqual([])
  })

  test('that no Golem of the owner is named after, or that are one key, cannot be signed', () => {
    const stranger = compile('co-signers: 1 of stranger').plan
    expect(missingAddresses(stranger, book)).toEqual(['a Golem stranger of this owner'])
    expect(() => toCageTerms(stranger, book, subject)).toThrow(/a Golem stranger/)
    const twice = compile(`co-signers: 2 of judge, ${one}`).plan
    expect(() => toCageTerms(twice, book, subject)).toThrow(/same key/)
  })
})
