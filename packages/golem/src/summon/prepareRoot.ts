import { readDecimals, readFloors, requireBook, vaultsIn } from '@bardo/chain'
import {
  BardoError,
  type CageTerms,
  type Constitution,
  compileStrategy,
  constitutionIn,
  type Delegation,
  type PermissionPlan,
  plannedEntries,
  prepareSignatures,
  requireNoIdentityTarget,
  rootAuthority,
  type SignatureParties,
  settlePlan,
  strategySalt,
  type Target,
  toCageTerms,
} from '@bardo/core'
import { compileBounds } from '@bardo/wallets'
import { type Address, type Hash, isAddressEqual, zeroHash } from 'viem'
import { namedMembers } from '../council/memberKeys.ts'
import { requireNoCoSigners } from '../council/requireNoCoSigners.ts'
import { settleForSigning } from '../permission/settleForSigning.ts'
import { plannedFloors } from '../requests/plannedFloors.ts'
import type { Manifest, SigningFigures } from './summons.ts'

/**
 * The delegation for the owner to sign, for a Golem's first key, from `now` on. Reads from the chain what no
 * enforcer can
 * check: the decimals of tokens and price feeds, and each vault's current rate. Throws if the plan cannot be
 * granted.
 */
export async function prepareRoot(
  given: Manifest,
  golem: Hash,
  firstKey: Address,
  now: bigint,
): Promise<Delegation> {
  const { client, owner, signing } = given
  const { moment, members } = signing ?? (await readFigures(given, golem, now))
  const summons = withMembers(given, members)
  const plan = settlePlan(compiledPlan(summons, now), moment)
  const { mandate } = termsOf(summons, golem, plan)
  const vaults = vaultsIn({ mandate })
  const { floorBps } = plan.sections
  const [decimals, floors] = await Promise.all([
    readDecimals(client, mandate.assets),
    signing ? plannedFloors(client, vaults, signing.floors, floorBps) : readFloors(client, vaults, floorBps),
  ])
  const facts = { decimals, identity: { owner, firstKey, salt: zeroHash } }
  return rootFor(summons, { golem, delegate: firstKey, now, floors, facts, moment })
}

/**
 * What a root depends on: the portfolio, the price of gas and the floors of the vaults, which the chain shows, and the keys
 * of the Golems that the strategy names.
 */
export async function readFigures(given: Manifest, golem: Hash, now: bigint): Promise<SigningFigures> {
  const stated = compiledPlan(given, now)
  await requireAddresses(given, now)
  const members = await namedMembers(given.store, stated, given.book, given.owner)
  const summons = withMembers(given, members)
  const isLocal = summons.custody?.type === 'localKey'
  const drawsGas = !isLocal && stated.sections.constitution === undefined
  const { plan, moment } = await settleForSigning(summons, stated, summons.account, drawsGas)
  const vaults = vaultsIn({ mandate: termsOf(summons, golem, plan).mandate })
  return { moment, members, floors: await readFloors(summons.client, vaults, plan.sections.floorBps) }
}

/** Throws if a strategy cannot be granted, before a key or an id exists. */
export async function requireGrantable(given: Manifest, now: bigint): Promise<void> {
  const { store, book, owner, signing } = given
  const members = signing?.members ?? (await namedMembers(store, compiledPlan(given, now), book, owner))
  const summons = withMembers(given, members)
  const delegate = summons.deployment.contracts.golemVitals
  // The portfolio is read when the owner signs: here only whether the strategy can be granted matters.
  rootFor(summons, { golem: zeroHash, delegate, now, moment: { portfolioCents: 0n } })
}

/** Throws if an address that a strategy uses is not what the address book says, before a key or an id exists. */
export async function requireAddresses(given: Manifest, now: bigint): Promise<void> {
  const { book, deployment } = given
  await requireBook(given, plannedEntries(compiledPlan(given, now), book, deployment.chainId))
}

/** The constitution that the root is signed for; undefined for none. */
export function plannedConstitution(summons: Manifest, now: bigint): Constitution | undefined {
  const { constitution } = compiledPlan(summons, now).sections
  return constitution && constitutionIn(constitution, summons.book)
}

type Signing = Pick<SignatureParties, 'delegate' | 'now' | 'facts' | 'moment'> & {
  readonly golem: Hash
  readonly floors?: CageTerms['floors']
}

function rootFor(summons: Manifest, { golem, delegate, now, floors, facts, moment }: Signing): Delegation {
  const { strategy, account, deployment, book, graceSeconds, custody, constitution } = summons
  const salt = strategySalt(strategy, now)
  if (custody?.type !== 'localKey')
    return prepareSignatures(strategy, {
      chainId: deployment.chainId,
      now,
      book,
      subject: { golem, account, graceSeconds, floors },
      cageEnforcer: deployment.contracts.cageEnforcer,
      delegate,
      salt,
      runway: { to: account },
      constitution,
      facts,
      moment,
    }).root
  const plan = settlePlan(compiledPlan(summons, now), moment ?? {})
  requireNoCoSigners(plan)
  const { mandate } = termsOf(summons, golem, plan)
  if (plan.sections.constitution) throw needsDelegation()
  requireNoIdentityTarget(mandate, deployment.chainId)
  const { slippageBps, spreadBps } = plan
  const caveats = compileBounds(
    custody.bounds,
    { golem, account, now, assets: mandate.assets, known: mandate.targets, slippageBps, spreadBps },
    deployment,
  )
  requireAllowed(mandate.targets, custody.bounds.allowedTargets)
  return { delegate, delegator: account, authority: rootAuthority, caveats, salt, signature: '0x' }
}

function withMembers(summons: Manifest, members: SigningFigures['members']): Manifest {
  return { ...summons, book: { ...summons.book, members } }
}

function compiledPlan({ strategy, book, constitution }: Manifest, now: bigint): PermissionPlan {
  return compileStrategy(strategy, { now, symbols: [...book.assets.keys()], constitution }).plan
}

function termsOf({ account, book, graceSeconds }: Manifest, golem: Hash, plan: PermissionPlan): CageTerms {
  return toCageTerms(plan, book, { golem, account, graceSeconds })
}

function needsDelegation(): BardoError {
  return new BardoError('A local key cannot be bound to a constitution.', {
    code: 'CONFIG_INVALID',
    details: ['its four limits have no place for approved assets, shares of the portfolio or a drawdown'],
    remedy: 'Use delegation custody, or remove these lines from the strategy and golem.toml.',
    docsPath: 'permissions.md#the-constitution',
  })
}

/** A strategy that needs a contract outside the owner's limits would always be refused. */
function requireAllowed(needed: readonly Target[], allowed: readonly Address[]): void {
  const missing = needed.filter(({ address }) => !allowed.some((one) => isAddressEqual(one, address)))
  if (missing.length === 0) return
  throw new BardoError('The strategy needs contracts that the local key’s limits do not allow.', {
    code: 'CONFIG_INVALID',
    details: missing.map(({ address }) => address),
    remedy: 'Add them to allowed_targets, or change the strategy.',
    docsPath: 'golem.md#wallets',
  })
}
