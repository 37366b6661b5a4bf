import { encodeDelegations } from '@metamask/smart-accounts-kit/utils'
import fc from 'fast-check'
import { type Hex, toHex } from 'viem'
import { describe, expect, it } from 'vitest'
import { BardoError } from '../errors/BardoError.ts'
import { decodeContext, encodeContext } from './context.ts'
import type { Delegation } from './delegation.ts'
import { hashDelegation } from './hashDelegation.ts'
import { addressOf, delegate, signature } from './testing/delegations.ts'

/** A chain with this many links, leaf first. */
function chain(length: number, caveats: readonly (readonly [Hex, Hex])[] = [[addressOf(9), '0x1234']]) {
  const links: Delegation[] = [delegate(0, 1, caveats)]
  for (let i = 1; i < length; i++) {
    const [above] = links
    if (above) links.unshift(delegate(i, i + 1, caveats, hashDelegation(above)))
  }
  return links
}

function codeOf(run: () => unknown): string {
  try {
    run()
  } catch (error) {
    if (error instanceof BardoError) return error.code
    throw error
  }
  return 'nothing'
}

describe('a permission context', () => {
  it('is encoded as by MetaMask’s kit, and decoded again', () => {
    for (const length of [1, 2, 5, 32]) {
      const links = chain(length)
      const context = encodeContext(links)
      expect(context).toBe(
        encodeDelegations(
          links.map((link) => ({ ...link, caveats: [...link.caveats], salt: toHex(link.salt) })),
        ),
      )
      expect(decodeContext(context)).toEqual(links)
    }
  })

  it('is refused with more than 32 links, with none, or with too many bytes', () => {
    expect(codeOf(() => encodeContext(chain(33)))).toBe('DELEGATION_MALFORMED')
    expect(codeOf(() => encodeContext([]))).toBe('DELEGATION_MALFORMED')
    expect(codeOf(() => decodeContext(encodeDelegations([])))).toBe('DELEGATION_MALFORMED')
    expect(codeOf(() => decodeContext(`0x${'00'.repeat(200_000)}`))).toBe('DELEGATION_MALFORMED')
    expect(codeOf(() => decodeContext('0xzz'))).toBe('DELEGATION_MALFORMED')
  })

  it('is refused with a duplicate link, a wrong authority, or the wrong signer', () => {
    const [leaf, root] = chain(2) as [Delegation, Delegation]
    expect(codeOf(() => encodeContext([leaf, leaf]))).toBe('DELEGATION_MALFORMED')
    expect(codeOf(() => encodeContext([root, leaf]))).toBe('DELEGATION_MALFORMED')
    expect(codeOf(() => encodeContext([leaf]))).toBe('DELEGATION_MALFORMED')
    const stranger = { ...leaf, delegator: addressOf(77) }
    expect(codeOf(() => encodeContext([stranger, root]))).toBe('DELEGATION_MALFORMED')
  })

  it('is refused with a short, malleable or missing signature', () => {
    const [root] = chain(1) as [Delegation]
    const signed = (by: Hex) => codeOf(() => encodeContext([{ ...root, signature: by }]))
    expect(signed('0x')).toBe('SIGNATURE_MALFORMED')
    expect(signed(signature.slice(0, -2) as Hex)).toBe('SIGNATURE_MALFORMED')
    expect(signed(`0x${'11'.repeat(32)}${'ff'.repeat(32)}1b`)).toBe('SIGNATURE_MALFORMED')
    expect(signed(`${signature.slice(0, -2)}00` as Hex)).toBe('SIGNATURE_MALFORMED')
    expect(signed(`${signature}00`)).toBe('nothing')
  })

  it('gives an error with a code or another context if it is cut or any byte changes', () => {
    const context = encodeContext(chain(3))
    const size = (context.length - 2) / 2
    fc.assert(
      fc.property(fc.nat(size - 1), fc.nat(255), (at, byte) => {
        expect(codeOf(() => decodeContext(context.slice(0, 2 + at * 2) as Hex))).toBe('DELEGATION_MALFORMED')
        const changed = `${context.slice(0, 2 + at * 2)}${byte.toString(16).padStart(2, '0')}${context.slice(4 + at * 2)}`
        let links: readonly Delegation[]
        try {
          links = decodeContext(changed as Hex)
        } catch (error) {
          expect(error).toBeInstanceOf(BardoError)
          return
        }
        expect(encodeContext(links)).toBe(changed)
      }),
    )
  })

  it('does not expand if all offsets point to one place', () => {
    // 2,000 links with the same bytes: refused by their number before anything is read.
    const word = (value: number) => value.toString(16).padStart(64, '0')
    const bomb: Hex = `0x${word(32)}${word(2000)}${word(64_000).repeat(2000)}${word(0).repeat(40)}`
    expect(codeOf(() => decodeContext(bomb))).toBe('DELEGATION_MALFORMED')
    const small: Hex = `0x${word(32)}${word(3)}${word(96).repeat(3)}${word(0).repeat(40)}`
    expect(codeOf(() => decodeContext(small))).toBe('DELEGATION_MALFORMED')
  })
})
