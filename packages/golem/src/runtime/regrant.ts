import {
  announceGrant,
  delegationEnd,
  type OwnerDesk,
  type ReplacementOrder,
  replaceRoot,
  signDelegation,
} from '@bardo/chain'
import {
  BardoError,
  type CageTerms,
  compileStrategy,
  type Delegation,
  encodeContext,
  hashDelegation,
  rootDelegation,
  toCageTerms,
} from '@bardo/core'
import type { Store } from '@bardo/store'
import { type Hash, isAddressEqual, keccak256, stringToHex } from 'viem'
import { z } from 'zod'
import { requireNotDying } from '../death/death.ts'
import type { GolemEvent } from '../events/golemEvent.ts'
import { delegationSchema } from '../owner/ownerRequest.ts'
import { requireOwnRoot } from '../owner/requireBounded.ts'
import { activeKey } from './activeKey.ts'
import { loadCharter } from './charter.ts'
import type { GolemParts } from './golemParts.ts'
import { readFamily } from './storedFamily.ts'
import { readStoredDeath } from './storedLife.ts'
import { overtaken, tell } from './summoning.ts'

/** What came of it: the root that counts now, and in which order the two were exchanged. */
export type Regranted = { readonly root: Delegation; readonly order: ReplacementOrder['is'] }

/** A root on its way into the place of another: written down before anything is sent. */
type Exchange = { readonly old: Delegation; readonly next: Delegation; readonly strategy: string }

type Place = Pick<GolemParts, 'id' | 'store' | 'client' | 'deployment' | 'book'>

const key = 'regrant'
const exchangeSchema: z.ZodType<Exchange> = z.strictObject({
  old: delegationSchema,
  next: delegationSchema,
  strategy: z.string(),
})

/**
 * Feeds a Golem, or gives it another strategy: the owner signs anew, from now on, for the same lineage and the key that is
 * in use, and the old root ends. No money moves, and what was spent of the day stays spent. Calling it again after a crash
 * first carries on with what was signed then.
 *
 * @param strategy - another one than the Golem has; left out, it is fed
 *
 * @example
 * const { root } = await regrant(desk, { id, store, client, deployment, book })
 */
export async function regrant(desk: OwnerDesk, place: Place, strategy?: string): Promise<Regranted> {
  const { id, store } = place
  await requireLiving(store, id)
  const begun = await exchangeOf(store, id)
  if (begun) {
    const done = await carryOut(desk, place, begun)
    const current = await activeKey(store, id)
    const isForKey = current !== undefined && isAddressEqual(done.root.delegate, current.address)
    // A key that was rotated since has to be signed for again.
    if (isForKey && (strategy === undefined || strategy === begun.strategy)) return done
  }
  return carryOut(desk, place, await begin(desk, place, strategy))
}

/** Whether a root of this Golem is being replaced: that the old one is off is then no wish to end it. */
export async function isRegranting({ grimoire }: Pick<Store, 'grimoire'>, golem: Hash): Promise<boolean> {
  return (await grimoire.get(golem, key)) !== undefined
}

async function begin(desk: OwnerDesk, place: Place, changed: string | undefined): Promise<Exchange> {
  const { id, store, client } = place
  const charter = await loadCharter(place)
  const { golem, links, terms } = charter
  const old = links.at(-1) ?? links[0]
  const { birth } = await readFamily(store, id)
  if (birth) throw refuse('A child is fed by its parent alone.', [`it is a child of ${birth.parent}`])
  if (golem.custody !== 'delegation')
    throw refuse('Only a delegation can be signed anew.', [`${golem.custody}`])
  if (!isAddressEqual(desk.account.address, old.delegator))
    throw refuse('Another account signed for this Golem.', [
      `signed for: ${old.delegator}`,
      `this is: ${desk.account.address}`,
    ])
  // All that is kept can be written by whoever has the database; the owner's signature cannot.
  await requireOwnRoot(desk, old)
  const delegate = (await activeKey(store, id))?.address
  if (!delegate) throw refuse('There is no key to sign for.', ['rotate it first'])
  const strategy = changed ?? golem.strategy?.text ?? ''
  const { timestamp: now } = await client.getBlock()
  const next = await signDelegation(desk.account, {
    ...unsigned(place, strategy, terms, now),
    delegate,
    // Never the same twice, however fast one follows the other.
    salt: now > old.salt ? now : old.salt + 1n,
  })
  const exchange = { old, next, strategy }
  await store.transaction(async (transaction) => {
    await requireLiving(transaction, id)
    await transaction.grimoire.put({ golem: id, key, kind: 'exchange', body: toJson(exchange) })
  })
  return exchange
}

/** The same account, grace and constitution; all else is the strategy's. */
function unsigned(
  { id, deployment, book }: Place,
  strategy: string,
  terms: CageTerms,
  now: bigint,
): Delegation {
  const { plan, ambiguities } = compileStrategy(strategy, { now, symbols: [...book.assets.keys()] })
  if (plan.classes.length === 0)
    throw new BardoError('There is nothing to sign: the strategy asks for nothing that can be granted.', {
      code: 'INVALID_INPUT',
      details: ambiguities.slice(0, 5).map(({ line, question }) => `line ${line}: ${question}`),
      docsPath: 'permissions.md#the-strategy',
    })
  const { mandate, graceSeconds, constitution } = terms
  const subject = { golem: id, account: mandate.account, graceSeconds }
  return rootDelegation({
    terms: { ...toCageTerms(plan, book, subject), ...(constitution !== undefined && { constitution }) },
    cageEnforcer: deployment.contracts.cageEnforcer,
    delegate: deployment.contracts.golemVitals,
    salt: now,
  })
}

async function carryOut(
  desk: OwnerDesk,
  { id, store, deployment }: Place,
  exchange: Exchange,
): Promise<Regranted> {
  const { old, next, strategy } = exchange
  const ended: GolemEvent[] = []
  const expiresAt = delegationEnd(next, deployment) ?? 0n
  const onEvent = (event: GolemEvent) => {
    if (event.name === 'custody.delegationRevoked' || event.name === 'sessionKey.revoked') ended.push(event)
  }
  const order = await replaceRoot({ ...desk, onEvent }, { old, next, expiresAt, hand })
  await store.transaction(async (transaction) => {
    if (!(await transaction.grimoire.remove(id, key))) return
    // Who crashed over the revocation could not tell of it.
    const revoked = {
      name: 'custody.delegationRevoked',
      delegationHash: hashDelegation(old),
      cause: 'replaced',
    } as const
    tell(transaction, id, ended.length > 0 ? ended : [revoked])
  })
  return { root: next, order: order.is }

  /** The new root, the end of all before it, and the strategy that it is for: together, and once. */
  async function hand(): Promise<void> {
    await store.transaction(async (transaction) => {
      const { golems, delegations } = transaction
      await requireLiving(transaction, id)
      const nextHash = hashDelegation(next)
      if (await delegations.find(nextHash)) return
      await delegations.add({ golem: id, delegation: next, context: encodeContext([next]) })
      for (const { hash, state } of await delegations.list(id))
        if (state === 'active' && hash !== nextHash) await delegations.supersede(hash, nextHash)
      const row = await golems.find(id)
      const hash = keccak256(stringToHex(strategy))
      if (!row || !(await golems.save({ ...row, strategy: { text: strategy, hash } }))) throw overtaken()
      const granted: GolemEvent[] = []
      announceGrant({ deployment, onEvent: (event) => granted.push(event) }, next, expiresAt)
      tell(transaction, id, granted)
    })
  }
}

async function exchangeOf({ grimoire }: Pick<Store, 'grimoire'>, golem: Hash): Promise<Exchange | undefined> {
  const entry = await grimoire.get(golem, key)
  return entry && exchangeSchema.parse(entry.body)
}

async function requireLiving({ lives }: Pick<Store, 'lives'>, golem: Hash): Promise<void> {
  requireNotDying(readStoredDeath((await lives.find(golem))?.death))
}

function toJson({ old, next, strategy }: Exchange) {
  const plain = (delegation: Delegation) => ({
    ...delegation,
    caveats: delegation.caveats.map((one) => ({ ...one })),
  })
  return { old: plain(old), next: plain(next), strategy }
}

function refuse(message: string, details: readonly string[]): BardoError {
  return new BardoError(message, {
    code: 'ACTION_NOT_ALLOWED',
    details,
    docsPath: 'golem.md#feeding-and-adjusting',
  })
}
