import { createIdentityClient, type IdentityClient, type Landed, type OwnerSigner } from '@bardo/chain'
import { BardoError, signDelegation, unsignedAgentWalletGrant } from '@bardo/core'
import type { GolemEvent } from '@bardo/golem'
import { recordEvents } from '@bardo/golem/events'
import { type GolemAgent, type GolemCard, readIdentity } from '@bardo/golem/identity'
import type { Golem } from '@bardo/store'
import { type Address, getAddress, isAddress, isAddressEqual } from 'viem'
import { z } from 'zod'
import { accountOf } from '../owner/accountOf.ts'
import type { OperationContext, RunContext } from '../owner/ownerOperation.ts'

/** A grant for the key outlives the operation, which ends after a day. */
const grantSeconds = 2n * 86_400n

export const addressField = z
  .string()
  .refine((text) => isAddress(text), 'must be an address')
  .transform((text) => getAddress(text))

export const golemField = z.templateLiteral(['0x', z.string().regex(/^[0-9a-fA-F]{64}$/)])
export const agentIdField = z.string().regex(/^\d{1,78}$/)
export const hashField = z.templateLiteral(['0x', z.string()])

/** The key that becomes the agent's wallet, and until when the owner's grant for it is valid. Null without a key. */
export const walletField = z
  .strictObject({ key: addressField, end: z.string().regex(/^\d{1,12}$/) })
  .nullable()

/** A Golem with its identity, and the registry's client. */
export type FoundIdentity = GolemCard & {
  readonly golem: Golem
  /** The account of the Golem's owner. */
  readonly account: Address
  readonly identity: IdentityClient
}

/** Finds a Golem by id, of any owner. */
export async function findIdentity(context: OperationContext, id: Golem['id']): Promise<FoundIdentity> {
  const golem = await context.store.golems.find(id)
  if (!golem)
    throw new BardoError('There is no Golem with this id.', { code: 'INVALID_INPUT', details: [id] })
  const account = accountOf({ ...context, owner: golem.owner })
  const card = await readIdentity(context, golem, account)
  return { ...card, golem, account, identity: createIdentityClient(context) }
}

/** Finds a Golem of this owner. */
export async function findOwnIdentity(context: OperationContext, id: Golem['id']): Promise<FoundIdentity> {
  const found = await findIdentity(context, id)
  const { owner, onboarding, name } = found.golem
  if (!isAddressEqual(owner, context.owner))
    throw new BardoError('The key does not own this Golem.', {
      code: 'ACTION_NOT_ALLOWED',
      outcome: 'not-sent',
      details: [`the owner is ${owner}`, `the key is ${context.owner}`],
      remedy: 'Use the owner’s key.',
    })
  if (onboarding.step === 'live') return found
  throw new BardoError(`The summoning of ${name} is not finished.`, {
    code: 'STEP_OUT_OF_ORDER',
    outcome: 'not-sent',
    remedy: 'Finish it first: bardo summon with the same name.',
  })
}

/** The agent of a Golem, if it belongs to the owner's account. */
export function requireAgent({ agent, account, golem }: FoundIdentity): GolemAgent {
  if (agent?.belongs === 'account') return agent
  const details = agent
    ? [`agent ${agent.agentId}`, `its owner ${agent.owner}`, `your account ${account}`]
    : []
  throw new BardoError(
    agent ? 'The agent does not belong to your account.' : `${golem.name} is not registered.`,
    {
      code: 'STEP_OUT_OF_ORDER',
      outcome: 'not-sent',
      details,
      remedy: 'Register it: bardo identity register GOLEM',
      docsPath: 'identity.md',
    },
  )
}

/** The agent with its place at the guardian contract. */
export function requireGuarded(
  found: FoundIdentity,
): GolemAgent & { readonly guarded: NonNullable<GolemAgent['guarded']> } {
  const { agent } = found
  if (agent?.guarded) return { ...agent, guarded: agent.guarded }
  throw new BardoError('The guardian contract does not hold this identity.', {
    code: 'STEP_OUT_OF_ORDER',
    outcome: 'not-sent',
    details: agent
      ? [`agent ${agent.agentId}`, `its owner ${agent.owner}`]
      : [`${found.golem.name} has no agent`],
    remedy: 'Deposit it first: bardo identity deposit GOLEM',
    docsPath: 'identity.md#the-guardian-contract',
  })
}

/** The Golem's active key as the next wallet of its agent. Null for a dead Golem, which has none. */
export async function nextWallet(
  { client, store, runtime }: OperationContext,
  { id, status }: Golem,
): Promise<z.output<typeof walletField>> {
  const key = (await store.sessionKeys.list(id)).find((one) => one.status === 'active')
  if (!key || !runtime || status === 'dead' || status === 'dying') return null
  const { timestamp } = await client.getBlock()
  return { key: getAddress(key.address), end: `${timestamp + grantSeconds}` }
}

/** Signs the owner's grant for the key. The operation's id makes it another one each time. */
export function signWalletGrant(
  { deployment, operation }: RunContext,
  { account }: OwnerSigner,
  {
    agentId,
    isGuarded,
    wallet: { key, end },
  }: {
    readonly agentId: bigint
    readonly isGuarded: boolean
    readonly wallet: NonNullable<z.output<typeof walletField>>
  },
) {
  const { identityRegistry, identityGuardian } = deployment.contracts
  const target = isGuarded ? identityGuardian : identityRegistry
  const grant = { key, agentId, target, end: BigInt(end), salt: BigInt(operation) }
  return signDelegation(account, unsignedAgentWalletGrant(account, grant))
}

/** Throws unless a transaction succeeded. */
export function requireLanded(landed: Landed): Landed {
  if (landed.status === 'success') return landed
  throw new BardoError('The transaction landed, but it reverted.', {
    code: 'TRANSACTION_REVERTED',
    outcome: 'landed',
    details: [`transaction ${landed.hash}`],
    remedy: 'See what changed: bardo identity show GOLEM',
  })
}

/** Records an event of the Golem. */
export function recordIdentityEvent(
  { store }: OperationContext,
  golem: Golem['id'],
  event: GolemEvent,
): Promise<void> {
  return store.transaction(async (transaction) => recordEvents(transaction, golem, [event]))
}
