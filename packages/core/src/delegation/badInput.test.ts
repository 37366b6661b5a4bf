import { type Hex, keccak256 } from 'viem'
import { describe, expect, it } from 'vitest'
import { registryOf } from '../caveats/boundKind.ts'
import type { Answer, ChainState } from '../caveats/caveatKind.ts'
import { allowedTargets } from '../caveats/metamask/allowedTargets.ts'
import { timestamp } from '../caveats/metamask/timestamp.ts'
import { BardoError } from '../errors/BardoError.ts'
import { findWidenings } from './attenuation.ts'
import { decodeContext, encodeContext } from './context.ts'
import { contextLimits } from './contextLimits.ts'
import { type Delegation, rootAuthority } from './delegation.ts'
import { evaluateDelegations } from './evaluateDelegations.ts'
import { hashDelegation } from './hashDelegation.ts'
import { revocationState } from './revocationState.ts'
import { addressOf, delegate, signature } from './testing/delegations.ts'
import { buildTree } from './tree.ts'

const [time, targets] = [addressOf(103), addressOf(101)]
const registry = registryOf([
  [time, timestamp],
  [targets, allowedTargets],
])
const until = (second: number) =>
  [time, timestamp.encode({ afterThreshold: 0, beforeThreshold: second })] as const
const root = delegate(0, 1, [until(200)])
const leaf = delegate(1, 2, [until(100)], hashDelegation(root))
const context = encodeContext([leaf, root])
const size = (context.length - 2) / 2
const half = 0x7fffffffffffffffffffffffffffffff5d576e7357a4501ddfe92f46681b20a0n
const order = 0xfffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141n

/** The code of the error; rethrows anything else. */
function codeOf(run: () => unknown): string {
  try {
    run()
  } catch (error) {
    if (error instanceof BardoError) return error.code
    throw error
  }
  return 'nothing'
}

const word = (value: bigint | number) => value.toString(16).padStart(64, '0')

describe('a malformed permission context', () => {
  it('is refused at every length except its own', () => {
    for (let length = 0; length < size; length++) {
      expect(codeOf(() => decodeContext(context.slice(0, 2 + 2 * length) as Hex))).toBe(
        'DELEGATION_MALFORMED',
      )
    }
    for (let more = 1; more <= 96; more++) {
      expect(codeOf(() => decodeContext(`${context}${'00'.repeat(more)}`))).toBe('DELEGATION_MALFORMED')
    }
    expect(decodeContext(context)).toEqual([leaf, root])
  })

  it('is refused with half a byte, other letters, or without 0x', () => {
    for (const bytes of [`${context}0`, `${context.slice(0, -1)}g`, context.slice(2), '', '0X'])
      expect(codeOf(() => decodeContext(bytes as Hex))).toBe('DELEGATION_MALFORMED')
  })

  it('is refused at once if it has one megabyte, whatever its content', () => {
    let state: Hex = keccak256('0x1234')
    const noise = Array.from({ length: 32_768 }, () => {
      state = `0x${(BigInt(state) * 6_364_136_223_846_793_005n + 1n).toString(16).slice(-64).padStart(64, '0')}`
      return state.slice(2)
    }).join('')
    const start = process.cpuUsage()
    for (const bytes of [noise, '00'.repeat(1 << 20), `${word(32)}${word(2 ** 31)}${'ff'.repeat(1 << 20)}`])
      expect(codeOf(() => decodeContext(`0x${bytes}`))).toBe('DELEGATION_MALFORMED')
    expect(process.cpuUsage(start).user).toBeLessThan(1_000_000)
  })

  it('is read fast at the maximum size with invalid content', () => {
    const words = contextLimits.bytes / 32
    const start = process.cpuUsage()
    for (const repeated of [word(0), word(32), word(1), 'ff'.repeat(32)])
      expect(codeOf(() => decodeContext(`0x${word(32)}${word(32)}${repeated.repeat(words - 2)}`))).toBe(
        'DELEGATION_MALFORMED',
      )
    expect(process.cpuUsage(start).user).toBeLessThan(1_000_000)
  })

  it('is never encoded with too many caveats, links or bytes', () => {
    const many = delegate(
      0,
      1,
      Array.from({ length: contextLimits.caveats + 1 }, () => until(1)),
    )
    expect(codeOf(() => encodeContext([many]))).toBe('DELEGATION_MALFORMED')
    const large = {
      ...root,
      caveats: [{ enforcer: time, terms: '0x', args: `0x${'00'.repeat(contextLimits.bytes)}` }],
    } as const
    expect(codeOf(() => encodeContext([large]))).toBe('DELEGATION_MALFORMED')
  })
})

describe('links that are not connected', () => {
  it('are refused: a foreign authority, their own hash, a child’s hash, the same delegation twice', () => {
    const stranger = delegate(5, 1, [], rootAuthority, 9n)
    const lost = { ...leaf, authority: hashDelegation(stranger) }
    // A hash cannot contain itself; a link can only claim to.
    const self = { ...leaf, authority: hashDelegation(leaf) }
    const upside = { ...root, authority: hashDelegation(leaf) }
    for (const links of [
      [lost, root],
      [self],
      [self, self],
      [leaf, upside],
      [upside, leaf],
      [leaf, leaf, root],
      [root, root],
    ])
      expect(codeOf(() => encodeContext(links))).toBe('DELEGATION_MALFORMED')
    for (const nodes of [
      [lost, root],
      [self],
      [self, self],
      [leaf, upside],
      [leaf, leaf, root],
      [root, root],
    ])
      expect(codeOf(() => buildTree(nodes))).toBe('DELEGATION_MALFORMED')
  })

  it('are also refused by the verdict, and never widen it', () => {
    const calm: ChainState = {
      timestamp: 50n,
      blockNumber: 1n,
      answer: (): Answer => ({ ok: true, data: `0x${word(0)}` }),
    }
    const asked = (links: readonly Delegation[], redeemer = addressOf(2)) =>
      evaluateDelegations(links, registry, {
        chainId: 1,
        manager: addressOf(50),
        redeemer,
        execution: { mode: `0x${word(0)}`, calldata: '0x' },
        before: calm,
      })
    expect(asked([leaf, root]).type).toBe('pass')
    expect(asked([]).type).not.toBe('pass')
    expect(asked([leaf]).manager).toMatchObject({ name: 'InvalidAuthority' })
    expect(asked([leaf, leaf]).manager).toMatchObject({ name: 'InvalidAuthority' })
    expect(asked([leaf, root], addressOf(1)).manager).toMatchObject({ name: 'InvalidDelegate' })
    expect(asked([{ ...leaf, delegator: addressOf(7) }, root]).type).toBe('refuse')
  })
})

describe('a signature', () => {
  const signed = (by: Hex) => codeOf(() => encodeContext([{ ...root, signature: by }]))
  const of = (r: bigint, s: bigint, v: number): Hex =>
    `0x${word(r)}${word(s)}${v.toString(16).padStart(2, '0')}`

  it('is refused at every length below 65 bytes', () => {
    for (let length = 0; length < 65; length++)
      expect(signed(signature.slice(0, 2 + 2 * length) as Hex)).toBe('SIGNATURE_MALFORMED')
    expect(signed(signature)).toBe('nothing')
  })

  it('is refused with a high s, and with r, s and v that no key makes', () => {
    expect(signed(of(1n, half, 27))).toBe('nothing')
    expect(signed(of(1n, half + 1n, 27))).toBe('SIGNATURE_MALFORMED')
    expect(signed(of(1n, order - 1n, 28))).toBe('SIGNATURE_MALFORMED')
    for (const v of [0, 1, 26, 29, 255]) expect(signed(of(1n, 1n, v))).toBe('SIGNATURE_MALFORMED')
    expect(signed(of(0n, 1n, 27))).toBe('SIGNATURE_MALFORMED')
    expect(signed(of(1n, 0n, 27))).toBe('SIGNATURE_MALFORMED')
    expect(signed(of(order, 1n, 27))).toBe('SIGNATURE_MALFORMED')
  })
})

describe('an ended permission', () => {
  it('stays ended for everything below it', () => {
    const tree = buildTree([leaf, root])
    const facts = (now: bigint) => ({
      manager: addressOf(50),
      disabled: new Map(),
      state: { timestamp: now, blockNumber: 1n, answer: () => undefined },
    })
    const stateOf = (link: Delegation, now: bigint) =>
      revocationState(tree, hashDelegation(link), registry, facts(now))
    expect(stateOf(leaf, 99n)).toEqual({ type: 'active' })
    expect(stateOf(leaf, 100n)).toMatchObject({ type: 'expired', link: hashDelegation(leaf) })
    expect(stateOf(root, 150n)).toEqual({ type: 'active' })
    expect(stateOf(leaf, 200n).type).toBe('expired')
    expect(stateOf(root, 200n)).toMatchObject({ type: 'expired', link: hashDelegation(root) })
  })

  it('with unreadable terms is never narrower', () => {
    for (const terms of ['0x', '0x00', `0x${'ff'.repeat(33)}`, `0x${'00'.repeat(1 << 16)}`] as const) {
      const child = delegate(1, 2, [[time, terms]], hashDelegation(root))
      expect(findWidenings(buildTree([root, child]), registry).length).toBeGreaterThan(0)
    }
    expect(codeOf(() => timestamp.decode('0x'))).toBe('TERMS_MALFORMED')
    expect(codeOf(() => allowedTargets.decode(`0x${'ab'.repeat(1 << 20)}`))).toBe('TERMS_MALFORMED')
  })
})
