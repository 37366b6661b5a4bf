import { golemVitals } from '@bardo/contracts'
import { BardoError, phaseResetTypedData } from '@bardo/core'
import { type Address, encodeFunctionData, type Hash, type Hex, zeroHash } from 'viem'
import type { OwnerSigner } from '../ownerActions/revoke.ts'
import { decodeVitals } from './decodeVitals.ts'

const { abi } = golemVitals

/**
 * The owner moves a Golem back to an earlier phase, with one signature and one transaction. Only the owner can: a Golem's key
 * moves the phase forward. Returns the transaction, or undefined if the Golem is in this phase or an earlier one already.
 *
 * @param request.firstKey - the key that the Golem was registered with; its id is derived from it
 * @param request.deadline - Unix seconds, after which the signature is not accepted
 *
 * @example
 * const transaction = await resetPhase(signer, { firstKey, phase: 0, deadline: now + 3_600n })
 */
export async function resetPhase(
  { client, deployment, account, key: owner, submitter }: OwnerSigner,
  request: {
    readonly firstKey: Address
    readonly phase: number
    readonly deadline: bigint
    readonly salt?: Hex
  },
): Promise<Hash | undefined> {
  const { firstKey, phase, deadline, salt = zeroHash } = request
  const address = deployment.contracts.golemVitals
  const identity = [owner, firstKey, salt] as const
  const golem = await client.readContract({ address, abi, functionName: 'golemId', args: identity })
  const [word, nonce] = await Promise.all([
    client.readContract({ address, abi, functionName: 'vitalsOf', args: [golem] }),
    client.readContract({ address, abi, functionName: 'nonces', args: [golem] }),
  ])
  const { state, phase: current } = decodeVitals(word)
  if (state !== 'alive')
    throw new BardoError('Only a registered Golem has a phase to reset.', {
      code: 'GOLEM_DYING',
      outcome: 'not-sent',
      details: [`golem ${golem}`, `its row in GolemVitals is ${state}`],
    })
  if (current <= phase) return undefined
  const signature = await account.signer.signTypedData(
    phaseResetTypedData(deployment.chainId, address, { golem, phase, nonce, deadline }),
  )
  const args = [...identity, phase, nonce, deadline, signature] as const
  const data = encodeFunctionData({ abi, functionName: 'resetPhase', args })
  const id = `reset-phase-${golem}-${nonce}-${deadline}`
  const { status, hash } = await submitter.submit({ id, to: address, data })
  if (status === 'success') return hash
  throw new BardoError('GolemVitals refused the earlier phase.', {
    code: 'TRANSACTION_REVERTED',
    outcome: 'landed',
    details: [`golem ${golem}`, `transaction ${hash}`],
    remedy: 'Another signature of the owner came first, or the deadline passed. Run the command again.',
  })
}
