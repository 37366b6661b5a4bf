import { golemVitals } from '@bardo/contracts'
import { BardoError, type Deployment, golemRegistrationTypedData, type TypedDataWallet } from '@bardo/core'
import { type Address, encodeFunctionData, type Hex, type PublicClient, zeroHash } from 'viem'
import type { Submitter } from '../submission/createSubmitter.ts'

/** The owner and the first key of a Golem. With the salt they determine its id. */
export type GolemIdentity = {
  readonly owner: Address
  readonly key: TypedDataWallet & { readonly address: Address }
  /** Needed if an owner registers twice with the same key. */
  readonly salt?: Hex
}

const { abi } = golemVitals

/**
 * Registers a Golem in GolemVitals, alive and Thriving, with its key's consent to the owner; anyone can pay
 * for it. Returns the Golem's id. Idempotent.
 *
 * @example
 * const identity = { owner: owner.address, key: sessionKeyAccount(key) }
 * const golem = await registerGolem({ client, deployment, submitter }, identity)
 */
export async function registerGolem(
  signer: { readonly client: PublicClient; readonly deployment: Deployment; readonly submitter: Submitter },
  { owner, key, salt = zeroHash }: GolemIdentity,
): Promise<Hex> {
  const { client, deployment, submitter } = signer
  const address = deployment.contracts.golemVitals
  const identity = [owner, key.address, salt] as const
  const golem = await client.readContract({ address, abi, functionName: 'golemId', args: identity })
  const signature = await key.signTypedData(
    golemRegistrationTypedData(deployment.chainId, address, { owner, key: key.address, salt }),
  )
  const data = encodeFunctionData({ abi, functionName: 'register', args: [...identity, signature] })
  const { status, hash } = await submitter.submit({ id: `register-${golem}`, to: address, data })
  if (status === 'success') return golem
  throw new BardoError('GolemVitals refused the registration.', {
    code: 'TRANSACTION_REVERTED',
    outcome: 'landed',
    details: [`golem ${golem}`, `transaction ${hash}`],
    remedy: 'A deregistered id cannot be registered again: use another key or another salt.',
  })
}
