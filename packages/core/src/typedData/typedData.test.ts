import { hashTypedData } from 'viem'
import { describe, expect, test } from 'vitest'
import { type ActionPermit, actionPermitRefusal, actionPermitTypedData } from './actionPermit.ts'
import { type CladeChallenge, cladeChallengeRefusal, cladeChallengeTypedData } from './cladeChallenge.ts'

const hash = (digit: string) => `0x${digit.repeat(64)}` as const
const at = (digit: string) => `0x${digit.repeat(40)}` as const
const permit: ActionPermit = {
  golem: hash('1'),
  action: hash('2'),
  riskTier: 3,
  policyHash: hash('3'),
  simulationHash: hash('0'),
  nonce: 1n,
  deadline: 100n,
}
const challenge: CladeChallenge = { nonce: hash('4'), issuedAt: 100n, expiresAt: 400n, target: at('a') }

describe('an ActionPermit', () => {
  test('has a hash that depends on every field, the chain and the account', () => {
    const hashes = [
      actionPermitTypedData(permit, 1, at('b')),
      actionPermitTypedData(permit, 2, at('b')),
      actionPermitTypedData(permit, 1, at('c')),
      ...(['golem', 'action', 'policyHash', 'simulationHash'] as const).map((name) =>
        actionPermitTypedData({ ...permit, [name]: hash('9') }, 1, at('b')),
      ),
      ...(['nonce', 'deadline'] as const).map((name) =>
        actionPermitTypedData({ ...permit, [name]: 9n }, 1, at('b')),
      ),
      actionPermitTypedData({ ...permit, riskTier: 2 }, 1, at('b')),
    ].map((data) => hashTypedData(data))
    expect(new Set(hashes).size).toBe(hashes.length)
  })

  const asked = { action: hash('2'), riskTier: 3, policyHash: hash('3'), now: 100n }
  test.for([
    [undefined, {}],
    ['action', { action: hash('8') }],
    ['riskTier', { riskTier: 4 }],
    ['policy', { policyHash: hash('8') }],
    ['deadline', { now: 101n }],
  ] as const)('is refused for %s', ([refusal, change]) => {
    expect(actionPermitRefusal(permit, { ...asked, ...change })).toBe(refusal)
  })
})

describe('a CladeChallenge', () => {
  test('is for one Golem on one chain', () => {
    const hashes = [
      cladeChallengeTypedData(challenge, 1),
      cladeChallengeTypedData(challenge, 2),
      cladeChallengeTypedData({ ...challenge, target: at('b') }, 1),
      cladeChallengeTypedData({ ...challenge, nonce: hash('5') }, 1),
    ].map((data) => hashTypedData(data))
    expect(new Set(hashes).size).toBe(4)
  })

  test.for([
    [undefined, challenge, 400n],
    ['expired', challenge, 401n],
    ['notYet', challenge, 99n],
    ['tooLong', { ...challenge, expiresAt: 401n }, 200n],
    ['target', { ...challenge, target: at('b') }, 200n],
  ] as const)('is refused as %s', ([refusal, given, now]) => {
    expect(cladeChallengeRefusal(given, { me: at('A'), now })).toBe(refusal)
  })
})
