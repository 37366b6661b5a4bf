import { policyCage } from '@bardo/contracts'
import {
  BardoError,
  type Constitution,
  type Deployment,
  encodeAdopt,
  encodeEnact,
  hashConstitution,
} from '@bardo/core'
import {
  type Address,
  BaseError,
  ContractFunctionRevertedError,
  type Hash,
  type PublicClient,
  zeroHash,
} from 'viem'
import type { Landed, Submitter } from '../submission/createSubmitter.ts'

type Context = { readonly client: PublicClient; readonly deployment: Deployment }

/**
 * The constitution with this hash; undefined if none was enacted.
 *
 * @example
 * const constitution = await readConstitution({ client, deployment }, terms.constitution)
 */
export async function readConstitution(
  { client, deployment }: Context,
  hash: Hash,
): Promise<Constitution | undefined> {
  try {
    return await client.readContract({
      address: deployment.contracts.policyCage,
      abi: policyCage.abi,
      functionName: 'constitutionOf',
      args: [hash],
    })
  } catch (error) {
    const isMissing =
      error instanceof BaseError &&
      error.walk((cause) => cause instanceof ContractFunctionRevertedError) !== null
    if (isMissing) return undefined
    throw error
  }
}

/**
 * The hash of the constitution that an owner's key adopted last; undefined for none.
 *
 * @example
 * const adopted = await readAdopted({ client, deployment }, owner)
 */
export async function readAdopted(
  { client, deployment }: Context,
  owner: Address,
): Promise<Hash | undefined> {
  const hash = await client.readContract({
    address: deployment.contracts.policyCage,
    abi: policyCage.abi,
    functionName: 'constitutionHash',
    args: [owner],
  })
  return hash === zeroHash ? undefined : hash
}

/**
 * Stores a constitution on the chain, unless it is there. Any key may pay for it: it has no effect until an owner adopts
 * and signs it.
 *
 * @example
 * const hash = await enactConstitution({ client, deployment, submitter }, constitution)
 */
export async function enactConstitution(
  { submitter, client, deployment }: Context & { readonly submitter: Submitter },
  constitution: Constitution,
): Promise<Hash> {
  const context = { client, deployment }
  const hash = hashConstitution(constitution)
  if (await readConstitution(context, hash)) return hash
  const { chainId, contracts } = context.deployment
  const data = encodeEnact(constitution)
  const landed = await submitter.submit({ id: `enact-${chainId}-${hash}`, to: contracts.policyCage, data })
  if (!(await readConstitution(context, hash))) throw notThere('enact', hash, landed)
  return hash
}

/**
 * Points an owner's Golems to an enacted constitution, unless they are. The submitter's key must be the owner's:
 * PolicyCage knows the owner by the sender.
 *
 * @example
 * await adoptConstitution(signer, await enactConstitution(signer, constitution))
 */
export async function adoptConstitution(
  { submitter, key, client, deployment }: Context & { readonly submitter: Submitter; readonly key: Address },
  hash: Hash,
): Promise<void> {
  const context = { client, deployment }
  const isAdopted = async () => (await readAdopted(context, key)) === hash
  const { chainId, contracts } = context.deployment
  const call = { to: contracts.policyCage, data: encodeAdopt(hash) }
  // An owner may adopt a constitution again after another one: an earlier transaction counts only if it still holds.
  for (let time = 1; !(await isAdopted()); time += 1) {
    let isNew = false
    const check = async () => {
      isNew = true
    }
    const id = `adopt-${chainId}-${key.toLowerCase()}-${hash}-${time}`
    const landed = await submitter.submit({ id, ...call, check })
    if (isNew && !(await isAdopted())) throw notThere('adopt', hash, landed)
  }
}

function notThere(what: 'enact' | 'adopt', constitution: Hash, { hash }: Landed): BardoError {
  return new BardoError(`The transaction landed, but it did not ${what} the constitution.`, {
    code: 'TRANSACTION_REVERTED',
    outcome: 'landed',
    details: [`constitution ${constitution}`, `transaction ${hash}`],
    remedy: 'Check the key that sent it, and repeat the command.',
    docsPath: 'permissions.md#the-constitution',
  })
}
