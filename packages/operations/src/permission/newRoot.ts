import { enactConstitution, isDisabled } from '@bardo/chain'
import { type Delegation, hashDelegation, revocationCall, signDelegation } from '@bardo/core'
import {
  carryOutPlan,
  continueRegrant,
  exchangeOf,
  knownGrants,
  nextConstitution,
  nextRoot,
  planRegrant,
  type RegrantChange,
  type RegrantPlan,
} from '@bardo/golem/requests'
import { activeKey } from '@bardo/wallets'
import { type Hash, isAddressEqual } from 'viem'
import { z } from 'zod'
import { lineageFields, requireSameRoots, resolveLineage } from '../lineage/lineageFields.ts'
import { accountOf } from '../owner/accountOf.ts'
import { askInOrder } from '../owner/askInOrder.ts'
import { OutdatedOperation } from '../owner/OutdatedOperation.ts'
import type { OperationContext, OperationSigner, RunContext } from '../owner/ownerOperation.ts'
import { addressSchema, hashSchema } from '../owner/schemas.ts'
import {
  floorsSchema,
  membersFrom,
  membersSchema,
  membersToJson,
  momentFrom,
  momentSchema,
  momentToJson,
  requireSameMembers,
  requireSameMoment,
} from '../owner/signingFigures.ts'

/** The fields from which a new root of a Golem is built, the same bytes each time. */
export const newRootFields = lineageFields.extend({
  /** The root to replace. */
  root: hashSchema,
  delegate: addressSchema,
  now: z.string().regex(/^\d{1,12}$/),
  floors: floorsSchema,
  moment: momentSchema,
  members: membersSchema,
})

/** The fields of a new root. */
export type NewRootFields = z.output<typeof newRootFields>

/** Plans a new root by what the chain shows now. */
export async function resolveNewRoot(
  context: OperationContext,
  golem: Hash,
  change: RegrantChange,
): Promise<NewRootFields> {
  const lineage = await resolveLineage(context, golem)
  const account = { address: accountOf(context) }
  const plan = await planRegrant({ ...context, account }, { ...context, id: golem }, change)
  return {
    ...lineage,
    root: hashDelegation(plan.old),
    delegate: plan.delegate,
    now: `${plan.now}`,
    floors: plan.floors.map(({ vault, floor }) => ({ vault, floor: `${floor}` })),
    moment: momentToJson(plan.moment),
    members: membersToJson(plan.members),
  }
}

/**
 * Replaces a Golem's root as planned, and continues what an earlier answer began. The owner is asked for everything that
 * can be signed at once.
 *
 * @param before - runs once, when everything is signed and before anything is stored
 */
export async function replaceRoot(
  context: RunContext,
  signer: OperationSigner,
  fields: NewRootFields,
  change: RegrantChange,
  before?: () => Promise<void>,
) {
  const { store } = context
  const parts = { ...context, id: fields.golem }
  const plan = await planOf(context, fields, change)
  const next = await nextRoot(parts, plan)
  const constitution = nextConstitution(parts, plan)
  const underWay = await exchangeOf(store, fields.golem)
  const isOwn = underWay !== undefined && hashDelegation(underWay.next) === hashDelegation(next)
  const isBegun = isOwn || (await store.delegations.find(hashDelegation(next))) !== undefined
  if (!isBegun) {
    await requireUnchanged(context, fields, plan.old)
    const account = { address: accountOf(context) }
    const current = await planRegrant({ ...context, account }, parts, change)
    requireSameMoment(plan.moment, current.moment)
    requireSameMembers(plan.members, current.members)
  }
  await askInOrder([
    () => signDelegation(signer.account, next),
    () => revocationOf(signer, plan.old),
    ...(underWay && !isOwn ? [() => revocationOf(signer, underWay.old)] : []),
    ...(constitution ? [() => enactConstitution(signer, constitution)] : []),
  ])
  if (!isBegun) await before?.()
  if (underWay && !isOwn) await continueRegrant(signer, parts)
  return carryOutPlan(signer, parts, plan)
}

/** Asks for the signature that revokes a delegation, unless that is done. */
export async function revocationOf(signer: OperationSigner, delegation: Delegation): Promise<void> {
  if (!(await isDisabled(signer, delegation))) await revocationCall(signer, delegation)
}

/** A root that was signed for a Golem. */
export async function findRoot({ store }: OperationContext, golem: Hash, hash: Hash): Promise<Delegation> {
  const known = await knownGrants(store, golem)
  const found = known.find(({ delegation }) => hashDelegation(delegation) === hash)
  if (found) return found.delegation
  throw new OutdatedOperation('The root that it replaces is not stored any more.', hash)
}

async function planOf(
  context: OperationContext,
  { golem, root, delegate, now, floors, moment, members }: NewRootFields,
  change: RegrantChange,
): Promise<RegrantPlan> {
  const row = await context.store.golems.find(golem)
  return {
    old: await findRoot(context, golem, root),
    delegate,
    now: BigInt(now),
    floors: floors.map(({ vault, floor }) => ({ vault, floor: BigInt(floor) })),
    moment: momentFrom(moment),
    members: membersFrom(members),
    strategy: change.type === 'strategy' ? change.text : (row?.strategy?.text ?? ''),
    change,
  }
}

/** Before anything is stored, nothing may have changed since the operation was prepared. */
async function requireUnchanged(
  context: OperationContext,
  fields: NewRootFields,
  old: Delegation,
): Promise<void> {
  await requireSameRoots(context, fields)
  const key = await activeKey(context.store, fields.golem)
  if (!key || !isAddressEqual(key.address, fields.delegate))
    throw new OutdatedOperation('The Golem has another key since it was prepared.', `key: ${key?.address}`)
  if (await isDisabled(context, old))
    throw new OutdatedOperation('The root was revoked since it was prepared.', hashDelegation(old))
}
