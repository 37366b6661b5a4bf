import { registerGolem } from '@bardo/chain'
import { golemVitals } from '@bardo/contracts'
import {
  BardoError,
  cage,
  caveatRegistry,
  type Delegation,
  delegationTypedData,
  encodeContext,
  formatDollars,
  formatLongDuration,
  hashDelegation,
  leastOf,
  type Method,
  methodBits,
  methodsOfPart,
  narrowCage,
  type ReplicantLimits,
  readTerms,
} from '@bardo/core'
import type { Wallet } from '@bardo/wallets'
import { type Address, type Hash, zeroHash } from 'viem'
import { checkFlows } from '../action/checkConstitution.ts'
import { eventToJson } from '../events/eventToJson.ts'
import { familyOf, readFunding } from '../funding/readFunding.ts'
import { readRunway } from '../funding/readRunway.ts'
import { keepShare } from '../funding/storedRunway.ts'
import type { GolemParts } from '../permission/golemParts.ts'
import { requireLastingSignature } from '../permission/requireLastingSignature.ts'
import type { SignedPermission } from '../permission/signedPermission.ts'
import { targetNamed } from '../permission/targetNamed.ts'
import { readSnapshot } from '../snapshot/readSnapshot.ts'
import { requireNotDying } from '../state/death.ts'
import { addReplicant } from '../state/family.ts'
import { newGolem } from '../state/golemState.ts'
import { changeFamily, givenTo, readFamily, type StoredFamily, writeFamily } from '../state/storedFamily.ts'
import { phaseAt, readStoredDeath } from '../state/storedState.ts'
import type { GolemSubmitter } from '../submission/openSubmitter.ts'
import { submitOnce } from '../submission/submitOnce.ts'
import { takeName } from '../summon/summoning.ts'
import { replicantDelegation } from './replicantDelegation.ts'
import { shareRunway } from './runwayShare.ts'

/** What a parent gives to a child. */
export type ReplicantRequest = {
  /** Unique: repeating a request after a crash finishes the first one. */
  readonly name: string
  /** Its share of the parent's daily limit, in cents. */
  readonly dailyCents: bigint
  /** Its lifetime budget. */
  readonly budgetCents: bigint
  /** Its share of the parent's runway. Default: the same share as of the daily limit. */
  readonly runwayCents?: bigint | undefined
  /**
   * Base units of USDC that it may draw each day from its parent's runway. Default: the same share as of the daily
   * limit; nothing if the parent has no runway.
   */
  readonly runwayDaily?: bigint | undefined
  readonly lifespanSeconds: number
  readonly calls: number
  /** A part of the parent's methods. Default: all of them. */
  readonly methods?: readonly Method[] | undefined
  /** A part of the parent's contracts: addresses, or names such as `swapRouter02` and `vault USDC`. Default: all. */
  readonly targets?: readonly string[] | undefined
  /** Wei from the parent's key, for its own transactions. Default: 0.01 ETH, and at most a quarter of the parent's. */
  readonly gas?: bigint
}

/** Enough for several hundred transactions of a child. */
const defaultGas = 10_000_000_000_000_000n

/**
 * Creates a child with its own key, row, state and budget, below its parent's delegation and signed by its
 * parent's key.
 * Everything is stored before anything is sent; the owner signs nothing, since no limit gets wider.
 */
export async function replicate(
  parts: GolemParts,
  permission: SignedPermission,
  openSubmitter: () => Promise<GolemSubmitter>,
  request: ReplicantRequest,
): Promise<Hash> {
  const { id, store, client, deployment, clock, keys, settings } = parts
  const { golem: parent, links, terms } = permission
  requireLastingSignature(permission)
  await checkFlows(parts, permission, { isClosing: false })
  const limits = requireReplicants(permission, request)
  requireNotDying(readStoredDeath((await store.golemStates.find(id))?.death))
  const vault = keys.vault ?? noVault()
  const family = await readFamily(store, id)
  if (family.birth) throw refuse('A Replicant cannot have Replicants.', [`parent: ${family.birth.parent}`])
  const existing = await childNamed(request.name)
  if (existing ? existing.status !== 'onboarding' : await isTaken(request.name)) throw nameTaken(request.name)
  const redeemer = await openSubmitter()
  const child = existing?.id ?? (await storeChild())
  await give(child)
  await start(child)
  return child

  async function childNamed(name: string) {
    const children = await Promise.all(family.replicants.map((one) => store.golems.find(one.id)))
    return children.find((one) => one?.name === name && one.status !== 'dead')
  }

  async function isTaken(name: string): Promise<boolean> {
    const namesakes = await store.golems.list({ owner: parent.owner, name })
    return namesakes.some(({ status }) => status !== 'dead')
  }

  /** Stores everything: key, delegation, state, and both sides of the family. */
  async function storeChild(): Promise<Hash> {
    const key = await vault.makeFor((childKey) =>
      client.readContract({
        address: deployment.contracts.golemVitals,
        abi: golemVitals.abi,
        functionName: 'golemId',
        args: [parent.owner, childKey, zeroHash],
      }),
    )
    const { publicKey, curve, address, sealed, context: golem } = key
    const snapshot = await readSnapshot(parts, permission)
    const { economy } = await readFunding(parts, permission, snapshot, await readRunway(parts, permission))
    const born = Number(snapshot.at)
    const delegation = await signedBelow(address, golem, born)
    const delegationHash = hashDelegation(delegation)
    const end = born + request.lifespanSeconds
    const { name, dailyCents } = request
    const runwayCents =
      request.runwayCents ??
      (terms.dayCents > 0n ? (economy.remainingCents * dailyCents) / terms.dayCents : 0n)
    const share = await runwayShareOf(address, end, born)
    const newReplicant = { id: golem, delegationHash, dailyCents, expiresAt: BigInt(end) }

    await changeFamily(store, id, async (before, transaction) => {
      const { golems, sessionKeys, delegations, golemStates } = transaction
      // Its death may have begun since the request.
      requireNotDying(readStoredDeath((await golemStates.find(id))?.death))
      requireRunway(runwayCents, economy.remainingCents - (givenTo(before) - givenTo(family)))
      requireRoom(limits, livingIn(before, snapshot.at))
      addReplicant(familyOf(permission, before), newReplicant, phaseAt(snapshot.vitals.phase), snapshot.at)
      const { owner, custody, strategy, onboarding } = parent
      if (!(await takeName(transaction, { id: golem, owner, name, strategy }))) throw nameTaken(name)
      const unborn = { status: 'onboarding', phase: 'thriving', nextTick: undefined } as const
      await golems.create({ id: golem, owner, name, custody, strategy, onboarding, ...unborn })
      await sessionKeys.add({ publicKey, golem, curve, address, sealed })
      await sessionKeys.advance(publicKey, 'active')
      await delegations.add({ golem, delegation, context: encodeContext([delegation, ...links]) })
      const seconds = Math.floor(clock.now() / 1_000)
      await golemStates.begin(golem, newGolem(golem, seconds, settings.schedule.intervalSeconds))
      if (share) await keepShare(transaction, golem, share.runway, share.links)
      const birth = { parent: id, runwayCents, start: born, end }
      await writeFamily(transaction, golem, { generation: before.generation, birth, replicants: [] })
      return {
        ...before,
        replicants: [...before.replicants, { ...newReplicant, runwayCents, status: 'living' }],
      }
    })
    return golem
  }

  /** The part of the parent's runway that the child may draw on; undefined if there is none. */
  async function runwayShareOf(delegate: Address, end: number, born: number) {
    const part = { of: terms.dayCents, cents: request.dailyCents }
    const wanted = { delegate, daily: request.runwayDaily, part, end, salt: BigInt(born) }
    const share = await shareRunway(parts, await ownWallet(), wanted)
    if (share && 'tooMuch' in share)
      throw refuse('A Replicant’s daily runway must be a part of its parent’s.', [
        `requested: ${share.tooMuch} a day`,
        `left: ${share.left} a day`,
      ])
    if (!share && request.runwayDaily !== undefined && request.runwayDaily > 0n)
      throw refuse('The parent has no runway that its key can draw on.', [`Golem ${parent.name}`])
    return share
  }

  async function ownWallet(): Promise<Wallet> {
    const wallet = await keys.open()
    if (wallet) return wallet
    throw new BardoError('The session key is wiped.', { code: 'SESSION_KEY_ZEROED' })
  }

  function requireRunway(requested: bigint, left: bigint): void {
    if (requested > 0n && requested < left) return
    throw refuse('A Replicant’s runway must be a part of its parent’s.', [
      `requested: ${requested} cents`,
      `left: ${left} cents`,
    ])
  }

  async function signedBelow(delegate: Address, lineage: Hash, born: number): Promise<Delegation> {
    const { contracts, framework } = deployment
    const narrower = narrowedCage(born + request.lifespanSeconds)
    const unsigned = replicantDelegation(
      links[0],
      links,
      {
        delegate,
        lineage,
        allowedCents: request.budgetCents,
        dailyCents: request.dailyCents,
        born,
        lifespanSeconds: request.lifespanSeconds,
        calls: request.calls,
        graceSeconds: terms.graceSeconds,
        settlement: terms.settlement,
        mandate: narrower?.terms.mandate ?? terms.mandate,
        cage: narrower,
        salt: BigInt(born),
      },
      {
        replicantBudget: contracts.replicantBudgetEnforcer,
        dailySpendLimit: contracts.dailySpendLimitEnforcer,
        golemPhase: contracts.golemPhaseEnforcer,
        limitedCalls: metamaskEnforcer('LimitedCallsEnforcer'),
        redeemer: metamaskEnforcer('RedeemerEnforcer'),
      },
      caveatRegistry(deployment),
    )
    const wallet = await ownWallet()
    const typed = delegationTypedData(deployment.chainId, framework.DelegationManager, unsigned)
    return { ...unsigned, signature: await wallet.signTypedData(typed) }
  }

  /** The parent's Cage with the requested part of its methods and contracts; undefined if the child gets all. */
  function narrowedCage(end: number) {
    if (!request.methods && !request.targets) return undefined
    const [own] = links.flatMap(({ caveats }) =>
      caveats.flatMap((caveat) => {
        const found = readTerms(deployment, cage, caveat)
        return found ? [{ enforcer: caveat.enforcer, terms: found }] : []
      }),
    )
    if (!own) throw refuse('Only a parent with a Cage can give a part of its methods or contracts.', [])
    const targets = request.targets?.map((name) => targetNamed(permission, name))
    const methods = methodsOfPart(own.terms, { methods: request.methods, targets })
    const unknown = methods.filter((name) => (own.terms.methods & methodBits[name]) === 0)
    if (methods.length === 0 || unknown.length > 0)
      throw refuse('A Replicant needs at least one method, and only methods of its parent.', [
        `not allowed by the parent: ${unknown.join(', ') || 'none'}`,
      ])
    return {
      ...own,
      terms: { ...narrowCage(own.terms, { methods, targets }), end: Math.min(end, own.terms.end) },
    }
  }

  function metamaskEnforcer(name: 'LimitedCallsEnforcer' | 'RedeemerEnforcer'): Address {
    const enforcer = deployment.framework.caveatEnforcers[name]
    if (enforcer) return enforcer
    throw new BardoError(`The delegation framework has no ${name} on this chain.`, {
      code: 'UNSUPPORTED_CHAIN',
    })
  }

  /** Sends gas and registers the row, each once. */
  async function give(golem: Hash): Promise<void> {
    const [record] = await store.sessionKeys.list(golem)
    if (!record?.sealed) throw refuse('The Replicant’s key is wiped.', [golem])
    const { submitter } = redeemer
    const value = request.gas ?? (await affordableGas())
    const gift = { id: `${id}:replicant:${golem}:gas`, to: record.address, value }
    await submitOnce(store.journal, redeemer, gift)
    await vault.useFor(record.sealed, golem, (key) =>
      registerGolem({ client, deployment, submitter }, { owner: parent.owner, key }),
    )
  }

  async function affordableGas(): Promise<bigint> {
    return leastOf(defaultGas, (await client.getBalance({ address: redeemer.address })) / 4n)
  }

  async function start(golem: Hash): Promise<void> {
    await store.transaction(async ({ golems, grimoire, record }) => {
      const row = await golems.find(golem)
      if (row?.status !== 'onboarding') return
      await golems.save({ ...row, status: 'alive', nextTick: clock.now() })
      const { replicants } = await readFamily({ grimoire }, id)
      const one = replicants.find((replicant) => replicant.id === golem)
      if (!one) return
      const { delegationHash, dailyCents, expiresAt } = one
      const spawned = {
        name: 'replicant.spawned',
        replicant: golem,
        delegationHash,
        dailyCents,
        expiresAt,
      } as const
      record([{ golem: id, name: spawned.name, body: eventToJson(spawned) }])
    })
  }
}

/** The signed limits of Replicants. Refuses a request that exceeds them, and every request without the class. */
function requireReplicants(
  { golem, replicants }: SignedPermission,
  { dailyCents, lifespanSeconds }: ReplicantRequest,
): ReplicantLimits {
  if (!replicants)
    throw refuse('The signed strategy does not allow Replicants.', [`Golem ${golem.name}`], {
      remedy: `Add the sentence “Spawn replicants.” to the strategy, and sign it: bardo adjust ${golem.id} STRATEGY.md`,
    })
  if (dailyCents > replicants.dayCents)
    throw refuse('The daily budget exceeds what the signed strategy allows a Replicant.', [
      `requested: ${formatDollars(dailyCents)} a day`,
      `signed: ${formatDollars(replicants.dayCents)} a day`,
    ])
  const most = replicants.lifespanSeconds
  if (most !== undefined && lifespanSeconds > most)
    throw refuse('The lifespan exceeds what the signed strategy allows a Replicant.', [
      `requested: ${formatLongDuration(lifespanSeconds)}`,
      `signed: ${formatLongDuration(most)}`,
    ])
  return replicants
}

function requireRoom({ most }: ReplicantLimits, living: number): void {
  if (living < most) return
  throw refuse('The Golem has as many Replicants as the signed strategy allows.', [
    `living: ${living}`,
    `signed: ${most} at the same time`,
  ])
}

/** The number of children that can still spend. */
export function livingIn({ replicants }: StoredFamily, now: bigint): number {
  return replicants.filter(({ status, expiresAt }) => status !== 'ended' && now <= expiresAt).length
}

function noVault(): never {
  throw refuse('This process cannot create keys for a Replicant.', [], {
    remedy: 'Create it on the machine that holds the Golem’s keys.',
  })
}

function nameTaken(name: string): BardoError {
  return new BardoError('Another Golem of this owner already has this name.', {
    code: 'ACTION_NOT_ALLOWED',
    details: [name],
    remedy: 'Choose another name. A name is free again after the death of its Golem.',
    docsPath: 'golem.md#replicants',
  })
}

function refuse(
  message: string,
  details: readonly string[],
  more: { readonly remedy?: string } = {},
): BardoError {
  return new BardoError(message, {
    code: 'ACTION_NOT_ALLOWED',
    details,
    ...more,
    docsPath: 'golem.md#replicants',
  })
}
