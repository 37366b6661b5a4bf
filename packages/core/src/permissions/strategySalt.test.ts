import { hexToBigInt, keccak256, stringToHex } from 'viem'
import { describe, expect, it } from 'vitest'
import { isSaltOf, nextCount, strategySalt } from './strategySalt.ts'

const text = 'DCA $20 of USDC into WETH every week.'

describe('the salt of a root delegation', () => {
  it('identifies one strategy and no other', () => {
    const salt = strategySalt(text, 1_800_000_000n)
    expect(isSaltOf(salt, text)).toBe(true)
    expect(isSaltOf(salt, `${text} `)).toBe(false)
    expect(isSaltOf(salt ^ (1n << 64n), text)).toBe(false)
  })

  it('differs for each signature of the same strategy', () => {
    const first = strategySalt(text, 5n)
    const second = strategySalt(text, nextCount(first, 5n))
    expect(second).not.toBe(first)
    expect(isSaltOf(second, text)).toBe(true)
    expect(nextCount(first, 9n)).toBe(9n)
  })

  it('of version 0.1 is still accepted: the time for a Cage, the whole hash for a local key', () => {
    expect(isSaltOf(1_794_841_859n, 'any text')).toBe(true)
    expect(isSaltOf(hexToBigInt(keccak256(stringToHex(text))), text)).toBe(true)
    expect(isSaltOf(hexToBigInt(keccak256(stringToHex(text))), 'another text')).toBe(false)
  })
})
