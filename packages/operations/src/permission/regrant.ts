import {
  compileStrategy,
  type Delegation,
  formatMinute,
  hashDelegation,
  mostInADay,
  phases,
  replacementOrder,
} from '@bardo/core'
import { closePositions, droppedPositions, leftPositions, livingChildren, positionJson } from '@bardo/golem'
import { loadPermission } from '@bardo/golem/permission'
import { positionFields } from '@bardo/golem/positions'
import {
  continueRegrant,
  exchangeOf,
  phaseToRestore,
  type RegrantChange,
  restorePhase,
} from '@bardo/golem/requests'
import { activeKey } from '@bardo/wallets'
import { type Hash, isAddressEqual } from 'viem'
import { z } from 'zod'
import { requireSameRoots, resolveLineage } from '../lineage/lineageFields.ts'
import { scheduleTickNow } from '../lineage/scheduleTickNow.ts'
import {
  defineOperation,
  type OperationContext,
  type OperationSigner,
  type RunContext,
  requireRuntime,
} from '../owner/ownerOperation.ts'
import { hashSchema } from '../owner/schemas.ts'
import { findRoot, newRootFields, replaceRoot, resolveNewRoot, revocationOf } from './newRoot.ts'

const daySeconds = 86_400
/** The longest strategy that the compiler takes. */
const longestStrategy = 4_194_304
const golemInput = z.strictObject({ golem: hashSchema })
const feedInput = golemInput.extend({
  /** The length of the new window. Default: as long as the signed one. */
  days: z.int().min(1).max(365).optional(),
  /** Leaves a later phase than Thriving as it is. */
  keepPhase: z.boolean().default(false),
})
const adjustInput = golemInput.extend({
  strategy: z.string().max(longestStrategy),
  /** Before anything is signed for the Golem, closes the positions that the new strategy could no longer close. */
  closeFirst: z.boolean().default(false),
})

const regrantFields = newRootFields.extend({
  /** To continue: `root` is then the new root of a replacement that was signed before. */
  type: z.enum(['new', 'continue']),
  /** The length of the new window; null for the signed one. */
  days: z.int().nullable(),
  /** Null for a feed. */
  strategy: z.string().max(longestStrategy).nullable(),
  closeFirst: z.boolean(),
  endedChildren: z.array(z.string()),
  /** The phase that a feed moves back to Thriving, and until when that signature counts; null for none. */
  reset: z.strictObject({ from: z.enum(phases), deadline: z.int().positive() }).nullable(),
})

type RegrantFields = z.output<typeof regrantFields>

/** The result of a feed or an adjustment. */
export const regrantedResult = z.strictObject({
  golem: hashSchema,
  name: z.string(),
  order: z.enum(['disable-first', 'disable-after']),
  /** Unix seconds. */
  endsAt: z.number(),
  dayCents: z.string(),
  closed: z.array(z.strictObject({ id: z.string(), transaction: z.string(), recoveredCents: z.string() })),
  unmanaged: z.array(positionFields),
  endedChildren: z.array(z.string()),
  /** The phase that was moved back to Thriving. */
  resetFrom: z.enum(phases).nullable(),
})

/**
 * Renews a Golem's permission: the owner signs the same limits from now on, and revokes the old root. If a lack of funds
 * moved its phase forward, the owner moves it back to Thriving: a fed Golem that may not trade would be useless.
 */
export const feed = defineOperation({
  input: feedInput,
  fields: regrantFields,
  result: regrantedResult,
  async resolve(context, { golem, days = null, keepPhase }) {
    const fed = await resolveRegrant(context, golem, { strategy: null, closeFirst: false, days })
    const from = keepPhase ? undefined : await phaseToRestore(context, golem)
    const { timestamp } = await context.client.getBlock()
    return { ...fed, reset: from ? { from, deadline: Number(timestamp) + daySeconds } : null }
  },
  describe: describeRegrant,
  run: runRegrant,
})

/** Replaces a Golem's strategy: the owner signs its limits, and revokes the old root. */
export const adjust = defineOperation({
  input: adjustInput,
  fields: regrantFields,
  result: regrantedResult,
  resolve: (context, { golem, strategy, closeFirst }) =>
    resolveRegrant(context, golem, { strategy, closeFirst, days: null }),
  describe: describeRegrant,
  run: runRegrant,
})

async function resolveRegrant(
  context: OperationContext,
  golem: Hash,
  asked: Pick<RegrantFields, 'strategy' | 'closeFirst' | 'days'>,
): Promise<RegrantFields> {
  const { store } = context
  const lineage = await resolveLineage(context, golem)
  const endedChildren = (await livingChildren(store, golem)).map(({ name }) => name)
  const shared = { ...asked, endedChildren, reset: null }
  const [underWay, key] = await Promise.all([exchangeOf(store, golem), activeKey(store, golem)])
  const isSame = asked.strategy === null ? asked.days === null : asked.strategy === underWay?.strategy
  // A command that was interrupted: what was signed then is completed, and nothing is signed twice.
  if (underWay && isSame && key && isAddressEqual(underWay.next.delegate, key.address)) {
    const root = hashDelegation(underWay.next)
    const { delegate } = underWay.next
    const figures = { now: '0', floors: [], moment: {}, members: [] }
    return { ...lineage, ...shared, type: 'continue', root, delegate, ...figures }
  }
  return { ...shared, ...(await resolveNewRoot(context, golem, changeOf(shared))), type: 'new' }
}

function changeOf({ strategy, days }: Pick<RegrantFields, 'strategy' | 'days'>): RegrantChange {
  if (strategy !== null) return { type: 'strategy', text: strategy }
  return { type: 'feed', lifeSeconds: days === null ? undefined : days * daySeconds }
}

function describeRegrant(
  _: OperationContext,
  { name, type, strategy, days, closeFirst, endedChildren, now, reset }: RegrantFields,
): readonly string[] {
  const what =
    type === 'continue'
      ? `Complete the replacement of the root of ${name} that you signed before.`
      : strategy === null
        ? `Renew the permission of ${name}: the same limits, from ${formatMinute(Number(now))} UTC on${days === null ? '' : `, for ${days} ${days === 1 ? 'day' : 'days'}`}. Today’s spending still counts.`
        : `Give ${name} another strategy. The limits are in the delegation that you sign.`
  return [
    what,
    'The old delegation is revoked by your transaction. Until then the Golem continues under it.',
    ...(closeFirst
      ? ['Before that, the Golem closes the positions that the new strategy does not manage.']
      : []),
    ...(endedChildren.length > 0 ? [`These children end with it: ${endedChildren.join(', ')}.`] : []),
    ...(reset
      ? [
          `A lack of funds moved it to ${reset.from}: another signature and transaction move it back to thriving.`,
        ]
      : []),
  ]
}

async function runRegrant(
  context: RunContext,
  signer: OperationSigner,
  fields: RegrantFields,
): Promise<z.output<typeof regrantedResult>> {
  const { store, deployment, note } = context
  const { golem, name, strategy, endedChildren, reset } = fields
  const parts = { ...context, id: golem }
  const closed: z.output<typeof regrantedResult>['closed'] = []
  let order: z.output<typeof regrantedResult>['order']
  if (fields.type === 'continue') {
    await requireSameRoots(context, fields)
    const [old, next] = await findPair(context, fields)
    note?.('Revoking the old delegation')
    await revocationOf(signer, old)
    await continueRegrant(signer, parts)
    order = replacementOrder(old, next, deployment).type
  } else {
    note?.('Signing the new delegation, revoking the old one')
    const closesFirst = fields.closeFirst && strategy !== null
    const close = async () => {
      if (closesFirst) closed.push(...(await closeDropped(context, signer, golem, strategy)))
    }
    ;({ order } = await replaceRoot(context, signer, fields, changeOf(fields), close))
  }
  if (reset) {
    note?.(`Moving the phase back from ${reset.from}`)
    await restorePhase(signer, store, { golem, deadline: BigInt(reset.deadline) })
  }
  const permission = await loadPermission(parts)
  const left = strategy === null ? [] : await leftPositions(parts, permission)
  await scheduleTickNow(store, golem)
  const { window, sizeCents, sections } = permission.plan
  return {
    golem,
    name,
    order,
    endsAt: Number(window.end),
    dayCents: `${mostInADay({ ...permission.plan, totals: sections.totals, sizeCents: sizeCents[0] })}`,
    closed,
    unmanaged: left.flatMap((position) => (position.managed === 'now' ? [] : [positionJson(position)])),
    endedChildren,
    resetFrom: reset?.from ?? null,
  }
}

/** The two roots of a replacement that is continued. */
async function findPair(
  context: OperationContext,
  { golem, root }: RegrantFields,
): Promise<readonly [Delegation, Delegation]> {
  const underWay = await exchangeOf(context.store, golem)
  if (underWay && hashDelegation(underWay.next) === root) return [underWay.old, underWay.next]
  const next = await findRoot(context, golem, root)
  // It is in force already: the Golem saw the revocation itself.
  return [next, next]
}

/**
 * Closes positions through the current root, or with the owner's key while that root demands a pause. If one cannot be
 * closed, nothing is stored.
 */
async function closeDropped(
  context: RunContext,
  signer: OperationSigner,
  golem: Hash,
  strategy: string,
): Promise<z.output<typeof regrantedResult>['closed']> {
  const parts = await requireRuntime(context).partsOf(golem)
  const permission = await loadPermission(parts)
  const { timestamp: now } = await context.client.getBlock()
  const { plan } = compileStrategy(strategy, { now, symbols: [...context.book.assets.keys()] })
  const vaults = (await droppedPositions(parts, permission, plan)).filter(({ type }) => type === 'vault')
  if (vaults.length > 0) context.note?.('Closing positions that the new strategy does not manage')
  const ids = vaults.map(({ id }) => id)
  // An owner without a key here would sign another amount each time.
  const closed = await closePositions(parts, permission, ids, context.hasKey ? signer : undefined)
  return closed.map(({ id, transaction, recoveredCents }) => ({
    id,
    transaction,
    recoveredCents: `${recoveredCents}`,
  }))
}
