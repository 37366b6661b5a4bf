import { hashTypedData, zeroHash } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import { describe, expect, it } from 'vitest'
import {
  type GolemAttestation,
  golemAttestationRefusal,
  golemAttestationTypedData,
  type SignedGolemAttestation,
} from './golemAttestation.ts'
import { golemIdOf } from './golemIdOf.ts'

const owner = privateKeyToAccount(`0x${'11'.repeat(32)}`)
const other = privateKeyToAccount(`0x${'22'.repeat(32)}`)
const at = (digit: string) => `0x${digit.repeat(40)}` as const
const firstKey = at('a')
const account = at('b')
const idFor = (one: typeof owner, key = firstKey) =>
  golemIdOf({ owner: one.address, firstKey: key, salt: zeroHash })
const golem = idFor(owner)
const base: GolemAttestation = {
  owner: owner.address,
  golem,
  firstKey,
  name: 'alpha',
  account,
  issuedAt: 100n,
}

async function attested(
  change: Partial<GolemAttestation> = {},
  by = owner,
  chainId = 8_453,
): Promise<SignedGolemAttestation> {
  const attestation = { ...base, ...change }
  const signature = await by.signTypedData(golemAttestationTypedData(attestation, chainId))
  return { ...attestation, chainId, signature }
}

describe('an attestation of a Golem', () => {
  it('counts for the Golem, its owner, its account and its chain, with the signature alone', async () => {
    const attestation = await attested()
    expect(await golemAttestationRefusal(attestation, { chainId: 8_453 })).toBeUndefined()
    const expected = { chainId: 8_453, golem, owner: owner.address, account }
    expect(await golemAttestationRefusal(attestation, expected)).toBeUndefined()
  })

  it('does not count for another owner’s Golem, even if that owner signs', async () => {
    const claimed = await attested({ owner: other.address }, other)
    expect(await golemAttestationRefusal(claimed, { chainId: 8_453 })).toBe('golem')
    const own = await attested({ owner: other.address, golem: idFor(other) }, other)
    expect(await golemAttestationRefusal(own, { chainId: 8_453 })).toBeUndefined()
    expect(await golemAttestationRefusal(own, { chainId: 8_453, golem })).toBe('golem')
    expect(await golemAttestationRefusal(own, { chainId: 8_453, owner: owner.address })).toBe('owner')
    expect(await golemAttestationRefusal(await attested({}, other), { chainId: 8_453 })).toBe('signature')
  })

  it('is not replayed on another chain, for another Golem, account, name or time', async () => {
    const attestation = await attested()
    expect(await golemAttestationRefusal(attestation, { chainId: 1 })).toBe('chain')
    expect(await golemAttestationRefusal({ ...attestation, chainId: 1 }, { chainId: 1 })).toBe('signature')
    const sibling = { firstKey: at('c'), golem: idFor(owner, at('c')) }
    expect(await golemAttestationRefusal({ ...attestation, ...sibling }, { chainId: 8_453 })).toBe(
      'signature',
    )
    expect(await golemAttestationRefusal(attestation, { chainId: 8_453, account: at('d') })).toBe('account')
    for (const change of [{ account: at('d') }, { name: 'beta' }, { issuedAt: 101n }])
      expect(await golemAttestationRefusal({ ...attestation, ...change }, { chainId: 8_453 })).toBe(
        'signature',
      )
    expect(await golemAttestationRefusal({ ...attestation, signature: '0x12' }, { chainId: 8_453 })).toBe(
      'signature',
    )
  })

  it('has a hash that depends on every field and on the chain', () => {
    const hashes = [
      golemAttestationTypedData(base, 1),
      golemAttestationTypedData(base, 2),
      ...(
        [
          { owner: other.address },
          { golem: zeroHash },
          { firstKey: at('d') },
          { name: 'beta' },
          { account: at('d') },
          { issuedAt: 101n },
        ] as const
      ).map((change) => golemAttestationTypedData({ ...base, ...change }, 1)),
    ].map((data) => hashTypedData(data))
    expect(new Set(hashes).size).toBe(hashes.length)
  })
})
