import {
  adoptConstitution,
  announceGrant,
  enactConstitution,
  isDisabled,
  type OwnerSigner,
  readAdopted,
  replaceRoot,
} from '@bardo/chain'
import {
  BardoError,
  type Delegation,
  decodeContext,
  delegationEnd,
  encodeContext,
  hashConstitution,
  hashDelegation,
  isSwitched,
  type ReplacementOrder,
  type Rotation,
  replacementOrder,
  signDelegation,
} from '@bardo/core'
import type { Store } from '@bardo/store'
import { activeKey } from '@bardo/wallets'
import { type Hash, isAddressEqual, keccak256, stringToHex } from 'viem'
import type { GolemEvent } from '../events/golemEvent.ts'
import { overtaken, recordEvents } from '../events/recordEvents.ts'
import type { GolemParts } from '../permission/golemParts.ts'
import { requireNotDying } from '../state/death.ts'
import { readStoredDeath } from '../state/storedState.ts'
import {
  constitutionOf,
  lifeOf,
  nextConstitution,
  nextRoot,
  planRegrant,
  type RegrantChange,
  type RegrantPlan,
} from './planRegrant.ts'
import { requireOwnRoot } from './requireBounded.ts'
import { exchangeKey, exchangeOf, exchangeToJson, type RootExchange } from './rootExchange.ts'

/** The result: the root in force, and the order in which the two roots were replaced. */
export type Regranted = { readonly root: Delegation; readonly order: ReplacementOrder['type'] }

type Context = Pick<GolemParts, 'id' | 'store' | 'client' | 'deployment' | 'book'>

/** The number of attempts if another process changes the Golem at the same time. */
const mostAttempts = 5

/**
 * Feeds a Golem, or gives it another strategy or constitution: the owner signs a new root for the same lineage and the
 * active key, and the old root is disabled. A feed renews the signed limits unchanged. No money moves, and the day's
 * spending stays counted. A repeated call after a crash first completes what was signed then.
 *
 * @param change - the text of a new strategy, or another change; if left out, the Golem is fed
 *
 * @example
 * const { root } = await regrant(signer, { id, store, client, deployment, book })
 */
export async function regrant(
  signer: OwnerSigner,
  golemContext: Context,
  change: string | RegrantChange = { type: 'feed' },
): Promise<Regranted> {
  const { id, store } = golemContext
  await requireLiving(store, id)
  const rotation = await store.rotations.underWay(id)
  if (rotation?.kind === 'suspected') throw rotating(rotation)
  const wanted = typeof change === 'string' ? ({ type: 'strategy', text: change } as const) : change
  for (let turn = 1; ; turn += 1) {
    const done = await attempt(signer, golemContext, wanted).catch((error: unknown) => {
      const isRace = error instanceof BardoError && error.code === 'STORE_UNAVAILABLE'
      if (!isRace || turn >= mostAttempts) throw error
    })
    if (done) return done
  }
}

/**
 * Completes the stored replacement, or stores a new signature and completes it. Undefined if it came from another command
 * or is for a key that was rotated since: the caller then repeats it.
 */
async function attempt(
  signer: OwnerSigner,
  golemContext: Context,
  change: RegrantChange,
): Promise<Regranted | undefined> {
  const { id, store } = golemContext
  const exchange =
    (await exchangeOf(store, id)) ??
    (await begin(signer, golemContext, await planRegrant(signer, golemContext, change)))
  const done = await carryOut(signer, golemContext, exchange)
  const current = await activeKey(store, id)
  const isForKey = current !== undefined && isAddressEqual(done.root.delegate, current.address)
  return isForKey && isWanted(golemContext, change, exchange) ? done : undefined
}

/** Whether a replacement does what is asked for: an earlier command may have begun another one. */
function isWanted(golemContext: Context, change: RegrantChange, { next, strategy }: RootExchange): boolean {
  switch (change.type) {
    case 'feed':
      return change.lifeSeconds === undefined || change.lifeSeconds === lifeOf(golemContext, next)
    case 'strategy':
      return change.text === strategy
    case 'constitution': {
      const { constitution } = change
      return constitutionOf(golemContext, next) === (constitution && hashConstitution(constitution))
    }
  }
}

/**
 * Carries out a plan. A repeated call continues: an owner who signs elsewhere does it step by step. Until the chain shows
 * the old root as disabled, the Golem acts under it, or under the new one if that is not narrower.
 *
 * @example
 * const plan = await planRegrant(signer, context)
 * const { root } = await carryOutPlan(signer, context, plan)
 */
export async function carryOutPlan(
  signer: OwnerSigner,
  golemContext: Context,
  plan: RegrantPlan,
): Promise<Regranted> {
  const { id, store, deployment } = golemContext
  await requireLiving(store, id)
  const next = await nextRoot(golemContext, plan)
  const stored = await exchangeOf(store, id)
  if (stored && hashDelegation(stored.next) !== hashDelegation(next)) throw overtaken()
  if (!stored && (await store.delegations.find(hashDelegation(next))))
    return { root: next, order: replacementOrder(plan.old, next, deployment).type }
  return carryOut(signer, golemContext, stored ?? (await begin(signer, golemContext, plan)))
}

/** Completes a replacement that an earlier command signed, if there is one. */
export async function continueRegrant(signer: OwnerSigner, golemContext: Context): Promise<void> {
  const stored = await exchangeOf(golemContext.store, golemContext.id)
  if (stored) await carryOut(signer, golemContext, stored)
}

/**
 * Puts a signed root into force once the chain shows the old one as disabled: the owner may send the revocation from any
 * wallet, and no command of ours needs to see it.
 */
export async function followRevocation(golemContext: Context): Promise<void> {
  const { id, store } = golemContext
  const exchange = await exchangeOf(store, id)
  if (!exchange || !(await isDisabled(golemContext, exchange.old))) return
  if (!(await isAdopted(golemContext, exchange.next))) return
  // It disables both roots, and removes the entry itself.
  if ((await store.rotations.underWay(id))?.kind === 'suspected') return
  await storeRoot(golemContext, exchange)
  await endExchange(golemContext, exchange, [])
}

async function begin(signer: OwnerSigner, golemContext: Context, plan: RegrantPlan): Promise<RootExchange> {
  const { id, store } = golemContext
  const { old, strategy, delegate } = plan
  const constitution = nextConstitution(golemContext, plan)
  // Enacted before it is signed: until then the chain would refuse everything.
  if (constitution) await enactConstitution(signer, constitution)
  const next = await signDelegation(signer.account, await nextRoot(golemContext, plan))
  const signed = { old, next, strategy }
  const exchange = await store.transaction(async (transaction) => {
    await requireLiving(transaction, id)
    // Of several concurrent signatures one is stored, and all complete that one: a second root would be valid
    // beside it.
    const stored = await exchangeOf(transaction, id)
    if (stored) return stored
    const row = await transaction.golems.find(id)
    if (!row || !(await transaction.golems.save(row))) throw overtaken()
    // A suspected rotation begins with the same row. One that began earlier is seen here, and nothing is
    // stored for its
    // key; one that begins later sees what is stored, and disables it.
    const other = await transaction.rotations.underWay(id)
    if (other?.kind === 'suspected') throw rotating(other)
    const current = await activeKey(transaction, id)
    if (!current || !isAddressEqual(current.address, delegate)) throw overtaken()
    // A replacement that was completed since the plan was made left another root, which would stay valid beside this one.
    const records = await transaction.delegations.list(id)
    const inForce = records.findLast(({ state }) => state === 'active')
    const root = inForce && decodeContext(inForce.context).at(-1)
    if (!root || hashDelegation(root) !== hashDelegation(old)) throw overtaken()
    const body = exchangeToJson(signed)
    await transaction.grimoire.put({ golem: id, key: exchangeKey, kind: 'exchange', body })
    return signed
  })
  // Write first, then read: a rotation that begins at the same moment sees this entry, or is seen here.
  const rotation = await store.rotations.underWay(id)
  // A session account keeps its address: the root is valid for the old and for the new key.
  if (!rotation || rotation.kind === 'session-account') return exchange
  if (rotation.kind === 'direct' && isSwitched(rotation)) return exchange
  // A suspected rotation needs the stored entry: it disables both roots, and removes the entry.
  if (rotation.kind !== 'suspected') await store.grimoire.remove(id, exchangeKey)
  throw rotating(rotation)
}

/** Whether the owner adopted the constitution of a root: before that, its Golem would end. */
async function isAdopted(golemContext: Context, root: Delegation): Promise<boolean> {
  const signed = constitutionOf(golemContext, root)
  if (signed === undefined) return true
  const owner = (await golemContext.store.golems.find(golemContext.id))?.owner
  return owner !== undefined && (await readAdopted(golemContext, owner)) === signed
}

async function carryOut(
  signer: OwnerSigner,
  golemContext: Context,
  exchange: RootExchange,
): Promise<Regranted> {
  const { deployment } = golemContext
  const { old, next } = exchange
  const constitution = constitutionOf(golemContext, next)
  // Before the new root is handed out: its Golem ends if the adopted constitution is not the signed one.
  if (constitution !== undefined && constitution !== constitutionOf(golemContext, old)) {
    // What is stored may be forged; the owner adopts only what they signed.
    await requireOwnRoot(signer, next)
    await adoptConstitution(signer, constitution)
  }
  const ended: GolemEvent[] = []
  const expiresAt = delegationEnd(next, deployment) ?? 0n
  const onEvent = (event: GolemEvent) => {
    // The key continues under the new root, so its authority has not ended.
    if (event.name === 'custody.delegationRevoked') ended.push(event)
  }
  const hand = () => storeRoot(golemContext, exchange)
  const order = await replaceRoot({ ...signer, onEvent }, { old, next, expiresAt, hand })
  await endExchange(golemContext, exchange, ended)
  return { root: next, order: order.type }
}

/** Removes the entry of a completed replacement, and records the end of the old root. */
async function endExchange(
  { id, store }: Pick<Context, 'id' | 'store'>,
  exchange: RootExchange,
  ended: readonly GolemEvent[],
): Promise<void> {
  await store.transaction(async (transaction) => {
    const isOwn = await isUnderWay(transaction, id, exchange)
    if (!isOwn || !(await transaction.grimoire.remove(id, exchangeKey))) return
    // A process that crashed during the revocation did not record it.
    const revoked = {
      name: 'custody.delegationRevoked',
      delegationHash: hashDelegation(exchange.old),
      cause: 'replaced',
    } as const
    recordEvents(transaction, id, ended.length > 0 ? ended : [revoked])
  })
}

/** Whether this replacement is the stored one. */
async function isUnderWay(
  transaction: Pick<Store, 'grimoire'>,
  golem: Hash,
  { next }: RootExchange,
): Promise<boolean> {
  const current = await exchangeOf(transaction, golem)
  return current !== undefined && hashDelegation(current.next) === hashDelegation(next)
}

/** Stores the new root, supersedes all earlier ones and stores the strategy, in one transaction and once. */
async function storeRoot(
  { id, store, deployment }: Pick<Context, 'id' | 'store' | 'deployment'>,
  exchange: RootExchange,
): Promise<void> {
  const { next, strategy } = exchange
  await store.transaction(async (transaction) => {
    const { golems, delegations } = transaction
    const nextHash = hashDelegation(next)
    if (await delegations.find(nextHash)) return requireLiving(transaction, id)
    // The row is written first: a suspected rotation or a death that begins meanwhile writes it too, and is
    // either seen below or waits until the new root is stored.
    const row = await golems.find(id)
    const hash = keccak256(stringToHex(strategy))
    if (!row || !(await golems.save({ ...row, strategy: { text: strategy, hash } }))) throw overtaken()
    await requireLiving(transaction, id)
    const rotation = await transaction.rotations.underWay(id)
    if (rotation?.kind === 'suspected') throw rotating(rotation)
    // A rotation that ended in the meantime removed the entry: the signature is for a key that is wiped.
    if (!(await isUnderWay(transaction, id, exchange))) throw overtaken()
    await delegations.add({ golem: id, delegation: next, context: encodeContext([next]) })
    for (const record of await delegations.list(id))
      if (record.state === 'active' && record.hash !== nextHash)
        await delegations.supersede(record.hash, nextHash)
    const granted: GolemEvent[] = []
    const expiresAt = delegationEnd(next, deployment) ?? 0n
    announceGrant({ deployment, onEvent: (event) => granted.push(event) }, next, expiresAt)
    recordEvents(transaction, id, granted)
  })
}

async function requireLiving({ golemStates }: Pick<Store, 'golemStates'>, golem: Hash): Promise<void> {
  requireNotDying(readStoredDeath((await golemStates.find(golem))?.death))
}

function rotating({ kind }: Rotation): BardoError {
  if (kind === 'suspected')
    return new BardoError(
      'The session key is suspected or lost and is being replaced: nothing is signed for it.',
      {
        code: 'ROTATION_REFUSED',
        remedy: 'Answer the request for the new key first: bardo requests',
        docsPath: 'golem.md#keys',
      },
    )
  return new BardoError('The Golem is rotating its key.', {
    code: 'RATE_LIMITED',
    remedy: 'Try again in a few seconds.',
    docsPath: 'golem.md#keys',
  })
}
