import { golemVitals } from '@bardo/contracts'
import { BardoError } from '@bardo/core'
import { type Address, encodeFunctionData, type Hex, isAddressEqual, zeroHash } from 'viem'
import type { OwnerSigner } from '../ownerActions/revoke.ts'
import { decodeVitals } from './decodeVitals.ts'

const { abi } = golemVitals
/** How long the owner's signature is valid, in seconds. */
const validitySeconds = 3_600n

/**
 * The owner makes another key the writer of a Golem's vitals, without the previous key's consent: for a
 * stolen or lost key. Idempotent.
 *
 * @param request.firstKey - the key that the Golem was registered with; its id is derived from it
 */
export async function resetWriter(
  { client, deployment, account, key: owner, submitter }: OwnerSigner,
  request: {
    readonly firstKey: Address
    readonly newWriter: Address
    readonly salt?: Hex
    /** Unix seconds. Default: one hour from now. */
    readonly deadline?: bigint
  },
): Promise<void> {
  const { firstKey, newWriter, salt = zeroHash } = request
  const address = deployment.contracts.golemVitals
  const identity = [owner, firstKey, salt] as const
  const golem = await client.readContract({ address, abi, functionName: 'golemId', args: identity })
  const [word, nonce, { timestamp }] = await Promise.all([
    client.readContract({ address, abi, functionName: 'vitalsOf', args: [golem] }),
    client.readContract({ address, abi, functionName: 'nonces', args: [golem] }),
    client.getBlock(),
  ])
  if (isAddressEqual(decodeVitals(word).writer, newWriter)) return
  const { deadline = timestamp + validitySeconds } = request
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
  throw new BardoError('GolemVitals refused the new writer.', {
    code: 'TRANSACTION_REVERTED',
    outcome: 'landed',
    details: [`golem ${golem}`, `transaction ${hash}`],
  })
}
