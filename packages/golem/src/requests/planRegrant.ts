import { type OwnerSigner, readDecimals, readFloors, vaultsIn } from '@bardo/chain'
import {
  BardoError,
  type CageTerms,
  type Constitution,
  cage,
  compileStrategy,
  constitutionIn,
  type Delegation,
  hashConstitution,
  nextCount,
  type PermissionPlan,
  readTerms,
  requireNoIdentityTarget,
  requireScales,
  requireSeparateBalances,
  rootDelegation,
  type SigningMoment,
  type SmartAccount,
  settlePlan,
  strategySalt,
  toCageTerms,
  type VaultFloor,
} from '@bardo/core'
import { activeKey } from '@bardo/wallets'
import { type Address, type Hash, isAddressEqual } from 'viem'
import { namedMembers } from '../council/memberKeys.ts'
import type { GolemParts } from '../permission/golemParts.ts'
import { requireOneConstitution } from '../permission/requireOneConstitution.ts'
import { settleForSigning } from '../permission/settleForSigning.ts'
import { loadPermission, requireSignedStrategy } from '../permission/signedPermission.ts'
import { requireNotDying } from '../state/death.ts'
import { readFamily } from '../state/storedFamily.ts'
import { readStoredDeath } from '../state/storedState.ts'
import { localKeyRoot } from './localKeyRoot.ts'
import { plannedFloors } from './plannedFloors.ts'
import { requireOwnRoot } from './requireBounded.ts'
import { exchangeOf } from './rootExchange.ts'

/** What the owner changes: nothing, so that the limits are renewed; the strategy; or the constitution. */
export type RegrantChange =
  /** Seconds: a longer or shorter window. Default: as long as the signed one. */
  | { readonly type: 'feed'; readonly lifeSeconds?: number | undefined }
  | { readonly type: 'strategy'; readonly text: string }
  /** Undefined: the Golem is signed without one. */
  | { readonly type: 'constitution'; readonly constitution: Constitution | undefined }

/** From what a new root is built: the same plan gives the same bytes. */
export type RegrantPlan = {
  readonly old: Delegation
  /** The key to sign for. */
  readonly delegate: Address
  /** Unix seconds: the start of the new window. */
  readonly now: bigint
  /** The floors of vaults that have none in the old root. */
  readonly floors: readonly VaultFloor[]
  /** What turns the shares and the default gas of a strategy into numbers. */
  readonly moment: SigningMoment
  /** The keys of the co-signers that a new strategy names. */
  readonly members: ReadonlyMap<string, Address>
  /** The text that the Golem follows under the new root. */
  readonly strategy: string
  readonly change: RegrantChange
}

type Context = Pick<GolemParts, 'id' | 'store' | 'client' | 'deployment' | 'book'>

/** The longest window that a strategy can state, too. */
const longestSeconds = 365 * 86_400

/**
 * Plans a new root for the key in use, after the root in force or the one under way. Reads the chain; signs and stores
 * nothing.
 *
 * @example
 * const plan = await planRegrant(signer, context, { type: 'feed' })
 */
export async function planRegrant(
  signer: Pick<OwnerSigner, 'client' | 'deployment'> & { readonly account: Pick<SmartAccount, 'address'> },
  golemContext: Context,
  change: RegrantChange,
): Promise<RegrantPlan> {
  const { id, store, client } = golemContext
  requireNotDying(readStoredDeath((await store.golemStates.find(id))?.death))
  const permission = await loadPermission(golemContext)
  const { golem, links } = permission
  const old = (await exchangeOf(store, id))?.next ?? links.at(-1) ?? links[0]
  const { birth } = await readFamily(store, id)
  if (birth) throw refuse('Only its parent can feed a Replicant.', [`parent: ${birth.parent}`])
  if (golem.custody === 'embedded')
    throw refuse('A Golem with an embedded wallet has no delegation to feed.', [`custody: ${golem.custody}`])
  if (golem.custody === 'localKey' && change.type === 'constitution')
    throw refuse('A constitution needs delegation custody.', [`custody: ${golem.custody}`])
  if (!isAddressEqual(signer.account.address, old.delegator))
    throw refuse('Another account signed this Golem’s delegation.', [
      `delegator: ${old.delegator}`,
      `this account: ${signer.account.address}`,
    ])
  // An attacker with database access can write everything stored, but not the owner's signature.
  await requireOwnRoot(signer, old)
  // A feed would sign for the stored text; with another text, the owner provides it.
  if (change.type !== 'strategy') requireSignedStrategy(permission)
  const delegate = (await activeKey(store, id))?.address
  if (!delegate) throw refuse('The Golem has no active key to sign for.', ['rotate the key first'])
  const strategy = change.type === 'strategy' ? change.text : (golem.strategy?.text ?? '')
  if (change.type === 'feed' && change.lifeSeconds !== undefined) requireLifespan(change.lifeSeconds)
  const { timestamp: now } = await client.getBlock()
  const first = {
    old,
    delegate,
    now,
    strategy,
    change,
    floors: [],
    moment: {},
    members: new Map<string, Address>(),
  }
  const signed = cageTermsOf(golemContext.deployment, old)
  if (!signed) return first
  const [moment, members] = await Promise.all([
    readMoment(golemContext, first, signed),
    readMembers(golemContext, first, golem.owner),
  ])
  const plan = { ...first, moment, members }
  const { terms, constitution, floorBps } = nextTerms(golemContext, plan, signed)
  if (constitution) {
    const hash = hashConstitution(constitution)
    await requireOneConstitution(golemContext, { owner: golem.owner, golem: id, constitution: hash })
  }
  return { ...plan, floors: await readFloors(client, vaultsWithoutFloor(terms), floorBps) }
}

/** Builds the root of a plan, to be signed. Throws if the chain shows that the plan is wrong. */
export async function nextRoot(golemContext: Context, plan: RegrantPlan): Promise<Delegation> {
  const { strategy, old, delegate, now, change } = plan
  // The salt is never reused, however fast one replacement follows another.
  const salt = strategySalt(strategy, nextCount(old.salt, now))
  const signed = cageTermsOf(golemContext.deployment, old)
  // Only the root of a local key has no Cage.
  if (!signed) {
    const text = change.type === 'strategy' ? change.text : undefined
    return localKeyRoot(golemContext, old, { delegate, salt, now, strategy: text })
  }
  return rootDelegation({
    terms: await signable(golemContext, nextTerms(golemContext, plan, signed), plan.floors),
    cageEnforcer: golemContext.deployment.contracts.cageEnforcer,
    delegate,
    salt,
  })
}

/** The constitution that a plan adds or replaces: to enact before its root is signed. */
export function nextConstitution(golemContext: Context, plan: RegrantPlan): Constitution | undefined {
  const signed = cageTermsOf(golemContext.deployment, plan.old)
  return signed && nextTerms(golemContext, plan, signed).constitution
}

/** The constitution in the terms of a root; undefined for none. */
export function constitutionOf(
  { deployment }: Pick<Context, 'deployment'>,
  root: Delegation,
): Hash | undefined {
  return cageTermsOf(deployment, root)?.constitution
}

/** The signed window of a root, in seconds; undefined for the root of a local key. */
export function lifeOf({ deployment }: Pick<Context, 'deployment'>, root: Delegation): number | undefined {
  const terms = cageTermsOf(deployment, root)
  return terms && terms.end - terms.start
}

/**
 * The terms to sign: with the default floor for each vault that has none yet (version 1, or a new strategy). Throws if the
 * chain shows that a price scale or an asset is wrong.
 */
async function signable(
  { client, deployment }: Context,
  { terms, floorBps }: NextTerms,
  planned: readonly VaultFloor[],
): Promise<CageTerms> {
  const { mandate, floors = [] } = terms
  requireSeparateBalances(mandate, deployment.chainId)
  requireNoIdentityTarget(mandate, deployment.chainId)
  requireScales(mandate, await readDecimals(client, mandate.assets))
  const added = await plannedFloors(client, vaultsWithoutFloor(terms), planned, floorBps)
  const all = [...floors, ...added]
  return all.length === 0 ? terms : { ...terms, floors: inOrder(all) }
}

function vaultsWithoutFloor(terms: CageTerms): readonly Address[] {
  const { floors = [] } = terms
  return vaultsIn(terms).filter((vault) => !floors.some((one) => isAddressEqual(one.vault, vault)))
}

/** The order that the Cage requires. */
function inOrder(floors: readonly VaultFloor[]): readonly VaultFloor[] {
  return floors.toSorted((a, b) => (a.vault.toLowerCase() < b.vault.toLowerCase() ? -1 : 1))
}

/** Terms to sign. */
type NextTerms = {
  readonly terms: CageTerms
  /** If it is not the signed one. */
  readonly constitution?: Constitution | undefined
  /** The share of a vault's rate, for floors that the terms do not have yet. */
  readonly floorBps?: number | undefined
}

/** The limits of a plan, without the floors that it adds. */
function nextTerms(
  golemContext: Context,
  { change, now, moment, members }: RegrantPlan,
  signed: CageTerms,
): NextTerms {
  switch (change.type) {
    case 'feed':
      return { terms: renewed(signed, now, change.lifeSeconds) }
    case 'strategy': {
      const { constitution, ...next } = compiled(golemContext, change.text, { signed, now, moment, members })
      return next.terms.constitution === signed.constitution ? next : { ...next, constitution }
    }
    case 'constitution':
      return underConstitution(change.constitution, signed)
  }
}

/**
 * The signed limits for another period of the same length, from now on. They come from the signed bytes, not from the
 * strategy: a text changed in the database, or a newer compiler, must not widen what the owner renews. Version 1 limits are
 * renewed as version 2.
 */
function renewed(terms: CageTerms, now: bigint, lifeSeconds = terms.end - terms.start): CageTerms {
  const start = Number(now)
  return { ...terms, version: 2, start, end: start + lifeSeconds }
}

function requireLifespan(seconds: number): void {
  if (Number.isInteger(seconds) && seconds > 0 && seconds <= longestSeconds) return
  throw new BardoError('The new lifespan is out of range.', {
    code: 'INVALID_INPUT',
    details: [`${seconds} seconds; at least 1 second and at most 365 days`],
    remedy: 'Choose between 1 and 365 days: bardo feed GOLEM --days 30',
    docsPath: 'golem.md#feeding-and-adjusting',
  })
}

/**
 * The limits of another strategy for the same account and grace period. A strategy without rules for a constitution keeps
 * the signed one: leaving out a sentence must not remove a limit.
 */
function compiled(
  golemContext: Context,
  strategy: string,
  {
    signed,
    now,
    moment,
    members,
  }: { readonly signed: CageTerms } & Pick<RegrantPlan, 'now' | 'moment' | 'members'>,
): NextTerms {
  const { id } = golemContext
  const book = { ...golemContext.book, members }
  const plan = settlePlan(statedPlan(golemContext, strategy, now), moment)
  const { mandate, graceSeconds, constitution } = signed
  const subject = { golem: id, account: mandate.account, graceSeconds }
  const own = plan.sections.constitution
  return {
    terms: { ...(constitution !== undefined && { constitution }), ...toCageTerms(plan, book, subject) },
    constitution: own && constitutionIn(own, book),
    floorBps: plan.sections.floorBps,
  }
}

/** The portfolio and the price of gas, for another strategy. What is renewed has its numbers already. */
async function readMoment(
  golemContext: Context,
  { change, now }: Pick<RegrantPlan, 'change' | 'now'>,
  { mandate, constitution }: CageTerms,
): Promise<SigningMoment> {
  if (change.type !== 'strategy') return {}
  const stated = statedPlan(golemContext, change.text, now)
  const drawsGas = constitution === undefined && stated.sections.constitution === undefined
  return (await settleForSigning(golemContext, stated, mandate.account, drawsGas)).moment
}

/** The keys of the co-signers that another strategy names. What is renewed has its keys already. */
async function readMembers(
  golemContext: Context,
  { change, now }: Pick<RegrantPlan, 'change' | 'now'>,
  owner: Address,
): Promise<ReadonlyMap<string, Address>> {
  if (change.type !== 'strategy') return new Map()
  const { store, book } = golemContext
  return namedMembers(store, statedPlan(golemContext, change.text, now), book, owner)
}

function statedPlan({ book }: Context, strategy: string, now: bigint): PermissionPlan {
  const { plan, ambiguities } = compileStrategy(strategy, { now, symbols: [...book.assets.keys()] })
  if (plan.classes.length === 0)
    throw new BardoError('The strategy contains nothing that can be granted.', {
      code: 'INVALID_INPUT',
      details: ambiguities.slice(0, 5).map(({ line, question }) => `line ${line}: ${question}`),
      docsPath: 'permissions.md#the-strategy',
    })
  return plan
}

/** The same limits under another constitution, or under none. The window stays: this is not a renewal. */
function underConstitution(
  constitution: Constitution | undefined,
  { constitution: _, ...terms }: CageTerms,
): NextTerms {
  const rest = { ...terms, version: 2 } as const
  if (!constitution) return { terms: rest, constitution }
  return { terms: { ...rest, constitution: hashConstitution(constitution) }, constitution }
}

function cageTermsOf(deployment: Context['deployment'], { caveats }: Delegation): CageTerms | undefined {
  return caveats.flatMap((caveat) => readTerms(deployment, cage, caveat) ?? [])[0]
}

function refuse(message: string, details: readonly string[]): BardoError {
  return new BardoError(message, {
    code: 'ACTION_NOT_ALLOWED',
    details,
    docsPath: 'golem.md#feeding-and-adjusting',
  })
}
