import { golemVitals } from '@bardo/contracts'
import { BardoError } from '@bardo/core'
import { type Address, encodeFunctionData, type Hex, isAddressEqual, zeroHash } from 'viem'
import type { OwnerDesk } from '../owner/revoke.ts'
import { decodeVitals } from './decodeVitals.ts'

const { abi } = golemVitals
/** How long the owner's word is good, in seconds. Origin: ours. */
const patience = 3_600n

/**
 * The owner names another key as the writer of a Golem's row, whatever the key before it says: for one that was stolen or
 * lost. Doing it again changes nothing.
 *
 * @param wish.firstKey - the key that the Golem was registered with: its id is made of it
 */
export async function resetWriter(
  { client, deployment, account, key: owner, submitter }: OwnerDesk,
  wish: { readonly firstKey: Address; readonly newWriter: Address; readonly salt?: Hex },
): Promise<void> {
  const { firstKey, newWriter, salt = zeroHash } = wish
  const address = deployment.contracts.golemVitals
  const identity = [owner, firstKey, salt] as const
  const golem = await client.readContract({ address, abi, functionName: 'golemId', args: identity })
  const [word, nonce, { timestamp }] = await Promise.all([
    client.readContract({ address, abi, functionName: 'vitalsOf', args: [golem] }),
    client.readContract({ address, abi, functionName: 'nonces', args: [golem] }),
    client.getBlock(),
  ])
  if (isAddressEqual(decodeVitals(word).writer, newWriter)) return
  const deadline = timestamp + patience
  const signature = await account.signer.signTypedData({
    domain: { name: 'GolemVitals', version: '1', chainId: deployment.chainId, verifyingContract: address },
    types: {
      ResetWriter: [
        { name: 'golem', type: 'bytes32' },
        { name: 'writer', type: 'address' },
        { name: 'nonce', type: 'uint256' },
        { name: 'deadline', type: 'uint256' },
      ],
    },
    primaryType: 'ResetWriter',
    message: { golem, writer: newWriter, nonce, deadline },
  })
  const args = [...identity, newWriter, nonce, deadline, signature] as const
  const data = encodeFunctionData({ abi, functionName: 'resetWriter', args })
  const id = `reset-writer-${golem}-${nonce}-${deadline}`
  const { status, hash } = await submitter.submit({ id, to: address, data })
  if (status === 'success') return
  throw new BardoError('The vitals refused another writer.', {
    code: 'TRANSACTION_REVERTED',
    outcome: 'landed',
    details: [`golem ${golem}`, `transaction ${hash}`],
  })
}
