import * as kit from '@metamask/delegation-core'
import fc from 'fast-check'
import type { Hex } from 'viem'
import { describe, expect, it } from 'vitest'
import { hashDelegation } from '../../delegation/hashDelegation.ts'
import { encodePicked } from '../metamask/logicalOrWrapper.ts'
import {
  decodeCaveatGroups,
  decodeDelegations,
  decodeExecutions,
  decodeGroupChoice,
  encodeDelegations,
  encodeExecutions,
} from './abi.ts'

const bytes = (least: number, most: number): fc.Arbitrary<Hex> =>
  fc
    .uint8Array({ minLength: least, maxLength: most })
    .map((array): Hex => `0x${Buffer.from(array).toString('hex')}`)
const delegation = fc.record({
  delegate: bytes(20, 20),
  delegator: bytes(20, 20),
  authority: bytes(32, 32),
  caveats: fc.array(fc.record({ enforcer: bytes(20, 20), terms: bytes(0, 70), args: bytes(0, 40) }), {
    maxLength: 4,
  }),
  salt: fc.bigInt(0n, (1n << 256n) - 1n),
  signature: bytes(0, 97),
})
const lower = <Value>(value: Value): Value =>
  JSON.parse(
    JSON.stringify(value, (_, each) => (typeof each === 'bigint' ? `${each}` : each)).toLowerCase(),
  ) as Value

describe('delegations', () => {
  it('are encoded, decoded and hashed as by MetaMask’s kit', () => {
    fc.assert(
      fc.property(fc.array(delegation, { maxLength: 4 }), (delegations) => {
        const encoded = encodeDelegations(delegations)
        expect(encoded).toBe(kit.encodeDelegations(delegations))
        expect(lower(decodeDelegations(encoded))).toEqual(lower(delegations))
        expect(lower(kit.decodeDelegations(encoded))).toEqual(lower(delegations))
        for (const each of delegations) expect(hashDelegation(each)).toBe(kit.hashDelegation(each))
      }),
      { numRuns: 300 },
    )
  })

  it('with a changed byte are read as the kit reads them, or refused', () => {
    let read = 0
    fc.assert(
      fc.property(
        fc.array(delegation, { minLength: 1, maxLength: 2 }),
        fc.nat(),
        bytes(1, 1),
        (delegations, at, byte) => {
          const encoded = encodeDelegations(delegations)
          const place = 2 + 2 * (at % ((encoded.length - 2) / 2))
          const changed = `${encoded.slice(0, place)}${byte.slice(2)}${encoded.slice(place + 2)}` as Hex
          let mine: ReturnType<typeof decodeDelegations>
          try {
            mine = decodeDelegations(changed)
          } catch {
            return
          }
          read += 1
          expect(lower(kit.decodeDelegations(changed))).toEqual(lower(mine))
        },
      ),
    )
    expect(read).toBeGreaterThan(100)
  })

  it('are refused with half a byte, a wrong size or a number that does not fit', () => {
    fc.assert(
      fc.property(delegation, (each) => {
        for (const broken of [
          { ...each, delegate: '0x1234' as Hex },
          { ...each, delegator: `${each.delegator}00` as Hex },
          { ...each, authority: '0x' as Hex },
          { ...each, salt: 1n << 256n },
          { ...each, salt: -1n },
          { ...each, signature: '0x123' as Hex },
          { ...each, caveats: [{ enforcer: each.delegate, terms: '0xzz' as Hex, args: '0x' as Hex }] },
        ]) {
          expect(() => encodeDelegations([broken])).toThrow()
        }
      }),
      { numRuns: 50 },
    )
  })
})

describe('the groups of LogicalOrWrapper', () => {
  const groups = fc.array(
    fc.array(fc.record({ enforcer: bytes(20, 20), terms: bytes(1, 70), args: bytes(1, 40) }), {
      minLength: 1,
      maxLength: 3,
    }),
    { minLength: 1, maxLength: 3 },
  )

  it('and the choice among them are read as the kit writes them, and refused if cut', () => {
    fc.assert(
      fc.property(
        groups,
        fc.bigInt(0n, 9n),
        fc.array(bytes(1, 40)),
        fc.nat(),
        (caveatGroups, groupIndex, caveatArgs, at) => {
          const terms = kit.createLogicalOrWrapperTerms({ caveatGroups })
          expect(decodeCaveatGroups(terms)).toEqual(caveatGroups)
          const args = kit.createLogicalOrWrapperArgs({ groupIndex, caveatArgs })
          expect(args).toBe(encodePicked(groupIndex, caveatArgs))
          expect(decodeGroupChoice(args)).toEqual({ groupIndex, caveatArgs })
          const cut = <Bytes extends string>(whole: Bytes) =>
            whole.slice(0, 2 * (1 + (at % (whole.length / 2 - 1)))) as Hex
          expect(() => decodeCaveatGroups(cut(terms))).toThrow()
          expect(() => decodeGroupChoice(cut(args))).toThrow()
        },
      ),
      { numRuns: 300 },
    )
  })
})

describe('executions', () => {
  const word = (value: bigint | number) => value.toString(16).padStart(64, '0')

  it('are refused in every layout except the canonical one', () => {
    const one = encodeExecutions([{ target: `0x${'11'.repeat(20)}`, value: 1n, callData: '0x1234' }])
    expect(decodeExecutions(one)).toHaveLength(1)
    expect(() => decodeExecutions(`${one}00`)).toThrow()
    // Two entries whose offsets point to the same bytes.
    const shared: Hex = `0x${word(32)}${word(2)}${word(64)}${word(64)}${one.slice(2 + 3 * 64)}`
    expect(() => decodeExecutions(shared)).toThrow()
  })

  it.each([2n ** 20n, 2n ** 32n, 2n ** 52n, 2n ** 255n])(
    'that claim a length of %d are refused at once',
    (length) => {
      const started = performance.now()
      expect(() => decodeExecutions(`0x${word(32)}${word(length)}`)).toThrow()
      expect(() => decodeExecutions(`0x${word(32)}${word(1)}${word(length)}`)).toThrow()
      expect(performance.now() - started).toBeLessThan(1_000)
    },
  )

  it('with many offsets to one long call are refused at once', () => {
    const many = 2_000
    const long = '11'.repeat(64_000)
    const bomb: Hex = `0x${word(32)}${word(many)}${word(32 * many).repeat(many)}${word(1)}${word(0)}${word(96)}${word(64_000)}${long}`
    const started = performance.now()
    expect(() => decodeExecutions(bomb)).toThrow()
    expect(performance.now() - started).toBeLessThan(1_000)
  })
})
