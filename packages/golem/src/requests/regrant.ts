import {
  announceGrant,
  isDisabled,
  type OwnerSigner,
  readDecimals,
  readFloors,
  replaceRoot,
  vaultsIn,
} from '@bardo/chain'
import {
  BardoError,
  type CageTerms,
  compileStrategy,
  type Delegation,
  decodeContext,
  delegationEnd,
  encodeContext,
  hashDelegation,
  isSwitched,
  nextCount,
  type ReplacementOrder,
  type Rotation,
  requireScales,
  requireSeparateBalances,
  rootDelegation,
  signDelegation,
  strategySalt,
  toCageTerms,
  type VaultFloor,
} from '@bardo/core'
import type { Store } from '@bardo/store'
import { activeKey } from '@bardo/wallets'
import { type Address, type Hash, isAddressEqual, keccak256, stringToHex } from 'viem'
import { z } from 'zod'
import type { GolemEvent } from '../events/golemEvent.ts'
import { overtaken, recordEvents } from '../events/recordEvents.ts'
import { delegationSchema } from '../permission/delegationSchema.ts'
import type { GolemParts } from '../permission/golemParts.ts'
import { loadPermission, requireSignedStrategy } from '../permission/signedPermission.ts'
import { requireNotDying } from '../state/death.ts'
import { readFamily } from '../state/storedFamily.ts'
import { readStoredDeath } from '../state/storedState.ts'
import { requireOwnRoot } from './requireBounded.ts'

/** The result: the root in force, and the order in which the two roots were replaced. */
export type Regranted = { readonly root: Delegation; readonly order: ReplacementOrder['type'] }

/** A replacement of a root, stored before anything is sent. */
type Exchange = { readonly old: Delegation; readonly next: Delegation; readonly strategy: string }

type Context = Pick<GolemParts, 'id' | 'store' | 'client' | 'deployment' | 'book'>

/** The grimoire key of a replacement in progress. */
export const exchangeKey = 'regrant'
/** The number of attempts if another process changes the Golem at the same time. */
const mostAttempts = 5
const exchangeSchema: z.ZodType<Exchange> = z.strictObject({
  old: delegationSchema,
  next: delegationSchema,
  strategy: z.string(),
})

/**
 * Feeds a Golem, or gives it another strategy: the owner signs a new root for the same lineage and the active
 * key, and the
 * old root is disabled. A feed renews the signed limits unchanged. No money moves, and the day's spending
 * stays counted. A
 * repeated call after a crash first completes what was signed then.
 *
 * @param strategy - the new strategy; if left out, the Golem is fed
 *
 * @example
 * const { root } = await regrant(signer, { id, store, client, deployment, book })
 */
export async function regrant(
  signer: OwnerSigner,
  golemContext: Context,
  strategy?: string,
): Promise<Regranted> {
  const { id, store } = golemContext
  await requireLiving(store, id)
  const rotation = await store.rotations.underWay(id)
  if (rotation?.kind === 'suspected') throw rotating(rotation)
  for (let turn = 1; ; turn += 1) {
    const done = await attempt(signer, golemContext, strategy).catch((error: unknown) => {
      const isRace = error instanceof BardoError && error.code === 'STORE_UNAVAILABLE'
      if (!isRace || turn >= mostAttempts) throw error
    })
    if (done) return done
  }
}

/**
 * Completes the stored replacement, or stores a new signature and completes it. Undefined if it came from
 * another command
 * or is for a key that was rotated since: the caller then repeats it.
 */
async function attempt(
  signer: OwnerSigner,
  golemContext: Context,
  strategy: string | undefined,
): Promise<Regranted | undefined> {
  const { id, store } = golemContext
  const exchange = (await exchangeOf(store, id)) ?? (await begin(signer, golemContext, strategy))
  const done = await carryOut(signer, golemContext, exchange)
  const current = await activeKey(store, id)
  const isForKey = current !== undefined && isAddressEqual(done.root.delegate, current.address)
  return isForKey && (strategy === undefined || strategy === exchange.strategy) ? done : undefined
}

/** Whether the owner is replacing a root of this Golem: a disabled old root does not end the Golem then. */
export async function isRegranting({ grimoire }: Pick<Store, 'grimoire'>, golem: Hash): Promise<boolean> {
  return (await grimoire.get(golem, exchangeKey)) !== undefined
}

/**
 * Every root that was signed for a Golem's own keys, in force or not, including a replacement in progress.
 */
export async function ownRoots(
  store: Pick<Store, 'grimoire' | 'delegations'>,
  golem: Hash,
): Promise<readonly Delegation[]> {
  const records = await store.delegations.list(golem)
  const roots = records.flatMap(({ context }) => decodeContext(context).slice(-1))
  return [...roots, ...(await rootsUnderWay(store, golem))]
}

/** The Golem's own roots that the chain still accepts, except those of one key. */
export async function standingRoots(
  { store, client, deployment }: Pick<Context, 'store' | 'client' | 'deployment'>,
  golem: Hash,
  exceptFor: Address,
): Promise<readonly Delegation[]> {
  const others = (await ownRoots(store, golem)).filter(({ delegate }) => !isAddressEqual(delegate, exceptFor))
  const off = await Promise.all(others.map((root) => isDisabled({ client, deployment }, root)))
  return others.filter((_, at) => !off[at])
}

/** The two roots of a replacement in progress. */
export async function rootsUnderWay(
  store: Pick<Store, 'grimoire'>,
  golem: Hash,
): Promise<readonly Delegation[]> {
  const exchange = await exchangeOf(store, golem)
  return exchange ? [exchange.old, exchange.next] : []
}

async function begin(
  signer: OwnerSigner,
  golemContext: Context,
  changed: string | undefined,
): Promise<Exchange> {
  const { id, store, client } = golemContext
  const permission = await loadPermission(golemContext)
  const { golem, links, terms } = permission
  const old = links.at(-1) ?? links[0]
  const { birth } = await readFamily(store, id)
  if (birth) throw refuse('Only its parent can feed a Replicant.', [`parent: ${birth.parent}`])
  if (golem.custody !== 'delegation')
    throw refuse('Only a Golem with delegation custody can be fed.', [`custody: ${golem.custody}`])
  if (!isAddressEqual(signer.account.address, old.delegator))
    throw refuse('Another account signed this Golem’s delegation.', [
      `delegator: ${old.delegator}`,
      `this account: ${signer.account.address}`,
    ])
  // An attacker with database access can write everything stored, but not the owner's signature.
  await requireOwnRoot(signer, old)
  // A feed would sign for the stored text; with another text, the owner provides it.
  if (changed === undefined) requireSignedStrategy(permission)
  const delegate = (await activeKey(store, id))?.address
  if (!delegate) throw refuse('The Golem has no active key to sign for.', ['rotate the key first'])
  const strategy = changed ?? golem.strategy?.text ?? ''
  const { timestamp: now } = await client.getBlock()
  const next = await signDelegation(
    signer.account,
    rootDelegation({
      terms: await signable(
        golemContext,
        changed === undefined ? renewed(terms, now) : compiled(golemContext, changed, terms, now),
      ),
      cageEnforcer: golemContext.deployment.contracts.cageEnforcer,
      delegate,
      // The salt is never reused, however fast one replacement follows another.
      salt: strategySalt(strategy, nextCount(old.salt, now)),
    }),
  )
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
    const body = toJson(signed)
    await transaction.grimoire.put({ golem: id, key: exchangeKey, kind: 'exchange', body })
    return signed
  })
  // Write first, then read: a rotation that begins at the same moment sees this entry, or is seen here.
  const rotation = await store.rotations.underWay(id)
  if (!rotation || (rotation.kind === 'direct' && isSwitched(rotation))) return exchange
  // A suspected rotation needs the stored entry: it disables both roots, and removes the entry.
  if (rotation.kind !== 'suspected') await store.grimoire.remove(id, exchangeKey)
  throw rotating(rotation)
}

/**
 * The terms to sign: with the default floor for each vault that has none yet (version 1, or a new strategy).
 * Throws if the
 * chain shows that a price scale or an asset is wrong.
 */
async function signable({ client, deployment }: Context, terms: CageTerms): Promise<CageTerms> {
  const { mandate, floors = [] } = terms
  requireSeparateBalances(mandate, deployment.chainId)
  requireScales(mandate, await readDecimals(client, mandate.assets))
  const open = vaultsIn(terms).filter((vault) => !floors.some((one) => isAddressEqual(one.vault, vault)))
  const all = [...floors, ...(await readFloors(client, open))]
  return all.length === 0 ? terms : { ...terms, floors: inOrder(all) }
}

/** The order that the Cage requires. */
function inOrder(floors: readonly VaultFloor[]): readonly VaultFloor[] {
  return floors.toSorted((a, b) => (a.vault.toLowerCase() < b.vault.toLowerCase() ? -1 : 1))
}

/**
 * The signed limits for another period of the same length, from now on. They come from the signed bytes, not
 * from the
 * strategy: a text changed in the database, or a newer compiler, must not widen what the owner renews.
 * Version 1 limits
 * are renewed as version 2.
 */
function renewed(terms: CageTerms, now: bigint): CageTerms {
  const start = Number(now)
  return { ...terms, version: 2, start, end: start + (terms.end - terms.start) }
}

/** The limits of another strategy for the same account, grace period and constitution. */
function compiled({ id, book }: Context, strategy: string, terms: CageTerms, now: bigint): CageTerms {
  const { plan, ambiguities } = compileStrategy(strategy, { now, symbols: [...book.assets.keys()] })
  if (plan.classes.length === 0)
    throw new BardoError('The strategy contains nothing that can be granted.', {
      code: 'INVALID_INPUT',
      details: ambiguities.slice(0, 5).map(({ line, question }) => `line ${line}: ${question}`),
      docsPath: 'permissions.md#the-strategy',
    })
  const { mandate, graceSeconds, constitution } = terms
  const subject = { golem: id, account: mandate.account, graceSeconds }
  return { ...toCageTerms(plan, book, subject), ...(constitution !== undefined && { constitution }) }
}

async function carryOut(
  signer: OwnerSigner,
  { id, store, deployment }: Context,
  exchange: Exchange,
): Promise<Regranted> {
  const { old, next, strategy } = exchange
  const ended: GolemEvent[] = []
  const expiresAt = delegationEnd(next, deployment) ?? 0n
  const onEvent = (event: GolemEvent) => {
    if (event.name === 'custody.delegationRevoked' || event.name === 'sessionKey.revoked') ended.push(event)
  }
  const order = await replaceRoot({ ...signer, onEvent }, { old, next, expiresAt, hand: storeRoot })
  await store.transaction(async (transaction) => {
    if (!(await isUnderWay(transaction)) || !(await transaction.grimoire.remove(id, exchangeKey))) return
    // A process that crashed during the revocation did not record it.
    const revoked = {
      name: 'custody.delegationRevoked',
      delegationHash: hashDelegation(old),
      cause: 'replaced',
    } as const
    recordEvents(transaction, id, ended.length > 0 ? ended : [revoked])
  })
  return { root: next, order: order.type }

  /** Whether this replacement is the stored one. */
  async function isUnderWay(transaction: Pick<Store, 'grimoire'>): Promise<boolean> {
    const current = await exchangeOf(transaction, id)
    return current !== undefined && hashDelegation(current.next) === hashDelegation(next)
  }

  /**
   * Stores the new root, supersedes all earlier ones and stores the strategy, in one transaction and once.
   */
  async function storeRoot(): Promise<void> {
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
      if (!(await isUnderWay(transaction))) throw overtaken()
      await delegations.add({ golem: id, delegation: next, context: encodeContext([next]) })
      for (const record of await delegations.list(id))
        if (record.state === 'active' && record.hash !== nextHash)
          await delegations.supersede(record.hash, nextHash)
      const granted: GolemEvent[] = []
      announceGrant({ deployment, onEvent: (event) => granted.push(event) }, next, expiresAt)
      recordEvents(transaction, id, granted)
    })
  }
}

async function exchangeOf({ grimoire }: Pick<Store, 'grimoire'>, golem: Hash): Promise<Exchange | undefined> {
  const entry = await grimoire.get(golem, exchangeKey)
  return entry && exchangeSchema.parse(entry.body)
}

async function requireLiving({ golemStates }: Pick<Store, 'golemStates'>, golem: Hash): Promise<void> {
  requireNotDying(readStoredDeath((await golemStates.find(golem))?.death))
}

function toJson({ old, next, strategy }: Exchange) {
  const plain = (delegation: Delegation) => ({
    ...delegation,
    caveats: delegation.caveats.map((one) => ({ ...one })),
  })
  return { old: plain(old), next: plain(next), strategy }
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

function refuse(message: string, details: readonly string[]): BardoError {
  return new BardoError(message, {
    code: 'ACTION_NOT_ALLOWED',
    details,
    docsPath: 'golem.md#feeding-and-adjusting',
  })
}
