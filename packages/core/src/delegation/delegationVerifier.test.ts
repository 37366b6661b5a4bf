import { getAddress, type Hex, recoverTypedDataAddress } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import { expect, it } from 'vitest'
import { type Delegation, rootAuthority } from './delegation.ts'
import { createDelegationVerifier } from './delegationVerifier.ts'
import { delegationTypedData } from './signing/delegationTypedData.ts'

const owner = privateKeyToAccount(`0x${'11'.repeat(32)}`)
const manager = getAddress(`0x${'d1'.repeat(20)}`)
const verifier = createDelegationVerifier({ chainId: 8453, manager })
const unsigned: Delegation = {
  delegate: getAddress(`0x${'22'.repeat(20)}`),
  delegator: owner.address,
  authority: rootAuthority,
  caveats: [{ enforcer: getAddress(`0x${'33'.repeat(20)}`), terms: '0x1234', args: '0x' }],
  salt: 7n,
  signature: '0x',
}
const typedData = (delegation: Delegation) => delegationTypedData(8453, manager, delegation)
const signed = async (delegation: Delegation): Promise<Delegation> => ({
  ...delegation,
  signature: await owner.signTypedData(typedData(delegation)),
})

it('recovers the signing key as viem does', async () => {
  const delegation = await signed(unsigned)
  const { signature } = delegation
  expect(verifier.signerOf(delegation)).toBe(
    await recoverTypedDataAddress({ ...typedData(delegation), signature }),
  )
  expect(verifier.signerOf(delegation)).toBe(owner.address)
})

it('recovers another key if anything signed changes', async () => {
  const delegation = await signed(unsigned)
  const changed = { ...delegation, salt: 8n }
  expect(verifier.findForged([delegation, changed, unsigned], ({ delegator }) => delegator)).toEqual([1, 2])
  const elsewhere = createDelegationVerifier({ chainId: 1, manager })
  expect(elsewhere.findForged([delegation], ({ delegator }) => delegator)).toEqual([0])
  const other = createDelegationVerifier({ chainId: 8453, manager: owner.address })
  expect(other.findForged([delegation], ({ delegator }) => delegator)).toEqual([0])
})

it.each<[string, Hex]>([
  ['none', '0x'],
  ['a contract account’s format', `0x${'ab'.repeat(96)}`],
  ['a point that is not on the curve', `0x${'00'.repeat(31)}05${'11'.repeat(32)}1b`],
])('refuses a signature with %s', (_, signature) => {
  expect(() => verifier.signerOf({ ...unsigned, signature })).toThrow(
    expect.objectContaining({ code: 'SIGNATURE_MALFORMED' }),
  )
})
