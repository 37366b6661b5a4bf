import { golemVitals } from '@bardo/contracts'
import { BardoError } from '@bardo/core'
import {
  type Address,
  encodeFunctionData,
  type Hex,
  type LocalAccount,
  type PublicClient,
  zeroHash,
} from 'viem'
import type { Deployment } from '../deployments/deployment.ts'
import type { Submitter } from '../submission/createSubmitter.ts'

/** Whose Golem it is, and with which key it begins. Together with the salt they make its id. */
export type GolemIdentity = {
  readonly owner: Address
  readonly key: Pick<LocalAccount, 'address' | 'signTypedData'>
  /** For an owner who begins twice with the same key. */
  readonly salt?: Hex
}

const { abi } = golemVitals

/**
 * Writes a Golem into the vitals, alive and Thriving, with its key's consent to the owner; anybody may pay for it.
 * Returns the Golem's id. Doing it again changes nothing.
 *
 * @example
 * const golem = await registerGolem({ client, deployment, submitter }, { owner: owner.address, key: sessionKeyAccount(key) })
 */
export async function registerGolem(
  desk: { readonly client: PublicClient; readonly deployment: Deployment; readonly submitter: Submitter },
  { owner, key, salt = zeroHash }: GolemIdentity,
): Promise<Hex> {
  const { client, deployment, submitter } = desk
  const address = deployment.contracts.golemVitals
  const identity = [owner, key.address, salt] as const
  const golem = await client.readContract({ address, abi, functionName: 'golemId', args: identity })
  const signature = await key.signTypedData({
    domain: {
      name: 'GolemVitals',
      version: '1',
      chainId: deployment.chainId,
      verifyingContract: address,
    },
    types: {
      RegisterGolem: [
        { name: 'owner', type: 'address' },
        { name: 'key', type: 'address' },
        { name: 'salt', type: 'bytes32' },
      ],
    },
    primaryType: 'RegisterGolem',
    message: { owner, key: key.address, salt },
  })
  const data = encodeFunctionData({ abi, functionName: 'register', args: [...identity, signature] })
  const { status, hash } = await submitter.submit({ id: `register-${golem}`, to: address, data })
  if (status === 'success') return golem
  throw new BardoError('The vitals refused the Golem.', {
    code: 'TRANSACTION_REVERTED',
    outcome: 'landed',
    details: [`golem ${golem}`, `transaction ${hash}`],
    remedy: 'An id that was deregistered never comes back: take another key or another salt.',
  })
}
