import { hashStruct, hashTypedData } from 'viem'
import { expect, it } from 'vitest'
import { hashDelegation } from '../hashDelegation.ts'
import { addressOf, delegate } from '../testing/delegations.ts'
import { delegationTypedData } from './delegationTypedData.ts'

const manager = addressOf(99)
const delegation = delegate(1, 2, [
  [addressOf(3), '0x'],
  [addressOf(4), '0x1234'],
])

it('signs the hash that identifies the delegation in the manager', () => {
  const { types, primaryType, message } = delegationTypedData(1, manager, delegation)
  expect(hashStruct({ types, primaryType, data: message })).toBe(hashDelegation(delegation))
})

it('differs by chain and manager, and does not depend on args', () => {
  const digest = (...[chainId, to, signed]: Parameters<typeof delegationTypedData>) =>
    hashTypedData(delegationTypedData(chainId, to, signed))
  const here = digest(1, manager, delegation)
  expect(digest(2, manager, delegation)).not.toBe(here)
  expect(digest(1, addressOf(98), delegation)).not.toBe(here)
  const caveats = delegation.caveats.map((caveat) => ({ ...caveat, args: '0xabcd' as const }))
  expect(digest(1, manager, { ...delegation, caveats })).toBe(here)
})
