import { registerGolem } from '@bardo/chain'
import { golemVitals } from '@bardo/contracts'
import {
  BardoError,
  caveatRegistry,
  type Delegation,
  delegationTypedData,
  encodeContext,
  hashDelegation,
  type SealingSecret,
} from '@bardo/core'
import { createSealedKey, useSealedKey } from '@bardo/wallets'
import { type Address, type Hash, zeroHash } from 'viem'
import { eventToJson } from '../events/eventToJson.ts'
import { familyOf, readFunding } from '../funding/readFunding.ts'
import { readRunway } from '../funding/readRunway.ts'
import type { GolemParts } from '../permission/golemParts.ts'
import type { SignedPermission } from '../permission/signedPermission.ts'
import { readSnapshot } from '../snapshot/readSnapshot.ts'
import { requireNotDying } from '../state/death.ts'
import { addReplicant } from '../state/family.ts'
import { newGolem } from '../state/golemState.ts'
import { changeFamily, givenTo, readFamily, writeFamily } from '../state/storedFamily.ts'
import { phaseAt, readStoredDeath } from '../state/storedState.ts'
import type { GolemSubmitter } from '../submission/openSubmitter.ts'
import { submitOnce } from '../submission/submitOnce.ts'
import { takeName } from '../summon/summoning.ts'
import { replicantDelegation } from './replicantDelegation.ts'

/** What a parent gives to a child. */
export type ReplicantRequest = {
  /** Unique: repeating a request after a crash finishes the first one. */
  readonly name: string
  /** Its share of the parent's daily limit, in cents. */
  readonly dailyCents: bigint
  /** Its lifetime budget. */
  readonly budgetCents: bigint
  /** Its share of the parent's runway. */
  readonly runwayCents: bigint
  readonly lifespanSeconds: number
  readonly calls: number
  /** Wei from the parent's key, for its own transactions. */
  readonly gas: bigint
  /** The secret that seals its key. */
  readonly secret: SealingSecret
}

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
  requireNotDying(readStoredDeath((await store.golemStates.find(id))?.death))
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
    const key = await createSealedKey({
      secret: request.secret,
      contextOf: (childKey) =>
        client.readContract({
          address: deployment.contracts.golemVitals,
          abi: golemVitals.abi,
          functionName: 'golemId',
          args: [parent.owner, childKey, zeroHash],
        }),
    })
    const { publicKey, curve, address, sealed, context: golem } = key
    const snapshot = await readSnapshot(parts, permission)
    const { economy } = await readFunding(parts, permission, snapshot, await readRunway(parts, permission))
    const born = Number(snapshot.at)
    const delegation = await signedBelow(address, golem, born)
    const delegationHash = hashDelegation(delegation)
    const end = born + request.lifespanSeconds
    const { name, dailyCents, runwayCents } = request
    const newReplicant = { id: golem, delegationHash, dailyCents, expiresAt: BigInt(end) }

    await changeFamily(store, id, async (before, transaction) => {
      const { golems, sessionKeys, delegations, golemStates } = transaction
      // Its death may have begun since the request.
      requireNotDying(readStoredDeath((await golemStates.find(id))?.death))
      requireRunway(economy.remainingCents - (givenTo(before) - givenTo(family)))
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
      const birth = { parent: id, runwayCents, start: born, end }
      await writeFamily(transaction, golem, { generation: before.generation, birth, replicants: [] })
      return {
        ...before,
        replicants: [...before.replicants, { ...newReplicant, runwayCents, status: 'living' }],
      }
    })
    return golem
  }

  function requireRunway(left: bigint): void {
    if (request.runwayCents > 0n && request.runwayCents < left) return
    throw refuse('A Replicant’s runway must be a part of its parent’s.', [
      `requested: ${request.runwayCents} cents`,
      `left: ${left} cents`,
    ])
  }

  async function signedBelow(delegate: Address, lineage: Hash, born: number): Promise<Delegation> {
    const { contracts, framework } = deployment
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
        mandate: terms.mandate,
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
    const wallet = await keys.open()
    if (!wallet) throw new BardoError('The session key is wiped.', { code: 'SESSION_KEY_ZEROED' })
    const typed = delegationTypedData(deployment.chainId, framework.DelegationManager, unsigned)
    return { ...unsigned, signature: await wallet.signTypedData(typed) }
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
    const gift = { id: `${id}:replicant:${golem}:gas`, to: record.address, value: request.gas }
    await submitOnce(store.journal, redeemer, gift)
    await useSealedKey(record.sealed, { secret: request.secret, context: golem }, (key) =>
      registerGolem({ client, deployment, submitter }, { owner: parent.owner, key }),
    )
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

function nameTaken(name: string): BardoError {
  return new BardoError('Another Golem of this owner already has this name.', {
    code: 'ACTION_NOT_ALLOWED',
    details: [name],
    remedy: 'Choose another name. A name is free again after the death of its Golem.',
    docsPath: 'golem.md#replicants',
  })
}

function refuse(message: string, details: readonly string[]): BardoError {
  return new BardoError(message, { code: 'ACTION_NOT_ALLOWED', details, docsPath: 'golem.md#replicants' })
}
