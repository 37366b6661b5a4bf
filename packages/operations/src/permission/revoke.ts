import { isDisabled, type OwnerSigner, revoke as revokeDelegation } from '@bardo/chain'
import {
  BardoError,
  type Delegation,
  hashDelegation,
  isRoot,
  type OwnerCall,
  revocationCall,
  upgradedAccount,
} from '@bardo/core'
import { eventToJson, type GolemEvent, readFamily, runwayGrants } from '@bardo/golem'
import { knownGrants } from '@bardo/golem/requests'
import { type Hash, isAddressEqual } from 'viem'
import { z } from 'zod'
import { lineageFields, requireSameRoots, resolveLineage } from '../lineage/lineageFields.ts'
import { scheduleTickNow } from '../lineage/scheduleTickNow.ts'
import { accountOf } from '../owner/accountOf.ts'
import { askInOrder } from '../owner/askInOrder.ts'
import { defineOperation, type OperationContext } from '../owner/ownerOperation.ts'
import { hashSchema } from '../owner/schemas.ts'

/** Input of a revocation. */
const revokeInput = z.strictObject({
  golem: hashSchema,
  /** Only the runway that the owner's wallet granted. */
  isRunway: z.boolean().default(false),
})

const revokeFields = lineageFields.extend({
  isRunway: z.boolean(),
  /** What is enabled on the chain, and what was disabled before. */
  active: z.array(hashSchema),
  ended: z.array(hashSchema),
})

/** The result of a revocation. */
export const revokedResult = z.strictObject({
  golem: hashSchema,
  name: z.string(),
  revoked: z.array(
    z.strictObject({
      delegation: hashSchema,
      type: z.enum(['revoked', 'already']),
      transaction: hashSchema.nullable(),
    }),
  ),
})

/** The result of a revocation. */
export type RevokedResult = z.output<typeof revokedResult>

/**
 * Revokes everything that the owner's account signed for a Golem, or only its runway, with one transaction for each
 * delegation. It needs no running Golem, and no delegate can undo it.
 */
export const revoke = defineOperation({
  input: revokeInput,
  fields: revokeFields,
  result: revokedResult,
  async resolve(context, { golem, isRunway }) {
    const lineage = await resolveLineage(context, golem)
    const { birth } = await readFamily(context.store, golem)
    if (birth && !isRunway)
      throw new BardoError('The key of a Replicant’s parent revokes it, not the owner’s key.', {
        code: 'ACTION_NOT_ALLOWED',
        details: [`parent: ${birth.parent}`],
        remedy: `Run it without --print: bardo revoke ${golem}. Or revoke the parent.`,
      })
    const grants = isRunway
      ? await runwayGrants(context.store, golem, context.owner)
      : await signedFor(context, golem)
    const isOver = await Promise.all(grants.map((grant) => isDisabled(context, grant)))
    const hashes = grants.map((grant) => hashDelegation(grant))
    return {
      ...lineage,
      isRunway,
      active: hashes.filter((_, at) => !isOver[at]),
      ended: hashes.filter((_, at) => isOver[at]),
    }
  },
  describe: (_, { name, isRunway, active }) =>
    isRunway
      ? [`Revoke the runway of ${name}. It continues with its other funding.`]
      : [
          `Revoke what you signed for ${name}: ${active.length} active ${active.length === 1 ? 'delegation' : 'delegations'}.`,
          'This stops it permanently. Its open positions stay in your account.',
        ],
  async run(context, signer, fields) {
    const { golem, name, isRunway, active, ended } = fields
    const { store, note } = context
    await requireSameRoots(context, fields)
    const grants = await findGrants(context, golem, active)
    const granter = isRunway ? walletOf(signer) : signer
    const isOver = await Promise.all(grants.map((grant) => isDisabled(signer, grant)))
    const standing = grants.filter((_, at) => !isOver[at])
    await askInOrder(standing.map((grant) => () => revocationCall(granter, grant)))
    const events: GolemEvent[] = []
    const recording = { ...granter, onEvent: (event: GolemEvent) => events.push(event) }
    const cause = isRunway ? 'runway' : 'owner'
    note?.(`Revoking ${standing.length} of ${grants.length}`)
    const revoking = standing.map((delegation) => revokeDelegation(recording, { delegation, cause }))
    // Each is sent, also if another fails.
    await Promise.allSettled(revoking)
    const done = await Promise.all(revoking)
    const transactions = new Map(
      done.flatMap((one, at) => {
        const grant = standing[at]
        return grant && one.type === 'revoked' ? [[hashDelegation(grant), one.landed.hash] as const] : []
      }),
    )
    // What the owner's wallet sent before this run has no event yet.
    const unseen = active.filter((hash) => !transactions.has(hash))
    const all: GolemEvent[] = [
      // The Golem's next tick sees the revocation, dies of it and records the end of its key, once.
      ...events.filter(({ name: event }) => event === 'custody.delegationRevoked'),
      ...unseen.map(
        (delegationHash) => ({ name: 'custody.delegationRevoked', delegationHash, cause }) as const,
      ),
    ]
    if (all.length > 0)
      await store.events.append(all.map((event) => ({ golem, name: event.name, body: eventToJson(event) })))
    await scheduleTickNow(store, golem)
    return {
      golem,
      name,
      revoked: [
        ...active.map((delegation) => ({
          delegation,
          type: 'revoked' as const,
          transaction: transactions.get(delegation) ?? null,
        })),
        ...ended.map((delegation) => ({ delegation, type: 'already' as const, transaction: null })),
      ],
    }
  },
})

/**
 * The transactions that revoke, signed now and sent later, from any wallet, also when Bardo is not running.
 *
 * @example
 * const [brake] = await revocationCalls(context, signer, { golem, isRunway: false })
 */
export async function revocationCalls(
  context: OperationContext,
  signer: OwnerSigner,
  input: z.input<typeof revokeInput>,
): Promise<readonly OwnerCall[]> {
  const { golem, isRunway, active } = revokeFields.parse(await revoke.resolve(context, input))
  const grants = await findGrants(context, golem, active)
  return Promise.all(grants.map((grant) => revocationCall(isRunway ? walletOf(signer) : signer, grant)))
}

/** A runway is granted by the owner's wallet, not by the account that the Golem acts for. */
function walletOf<Signer extends OwnerSigner>(signer: Signer): Signer {
  const { deployment, key, account } = signer
  return { ...signer, account: upgradedAccount(deployment, { address: key, signer: account.signer }) }
}

async function findGrants(
  { store }: Pick<OperationContext, 'store'>,
  golem: Hash,
  hashes: readonly Hash[],
): Promise<readonly Delegation[]> {
  const known = new Map(
    (await knownGrants(store, golem)).map(({ delegation }) => [hashDelegation(delegation), delegation]),
  )
  return hashes.map((hash) => {
    const found = known.get(hash)
    if (found) return found
    throw new BardoError('A delegation of the operation is not in the store.', {
      code: 'STORE_CORRUPT',
      details: [hash],
    })
  })
}

/** The roots that the owner's account signed for a Golem. */
async function signedFor(context: OperationContext, golem: Hash): Promise<readonly Delegation[]> {
  const account = accountOf(context)
  const roots = (await knownGrants(context.store, golem)).flatMap(({ delegation }) =>
    isRoot(delegation) && isAddressEqual(delegation.delegator, account) ? [delegation] : [],
  )
  // A rotated key may hold the same root as the key before it.
  const signed = [...new Map(roots.map((root) => [hashDelegation(root), root])).values()]
  if (signed.length > 0) return signed
  throw new BardoError('This account has signed no delegation for the Golem.', {
    code: 'STEP_OUT_OF_ORDER',
    details: [account],
  })
}
