import { caveatRegistry, registerGolem, sessionKeyAccount } from '@bardo/chain'
import { golemVitals } from '@bardo/contracts'
import {
  BardoError,
  type Delegation,
  delegationTypedData,
  encodeContext,
  generateSessionKey,
  hashDelegation,
  openSealedKey,
  type SealingSecret,
  sealSessionKey,
} from '@bardo/core'
import { type Address, type Hash, zeroHash } from 'viem'
import { requireNotDying } from '../death/death.ts'
import { eventToJson } from '../events/eventToJson.ts'
import { newGolem } from '../heartbeat/golemState.ts'
import { addReplicant } from '../replicants/family.ts'
import { replicantDelegation } from '../replicants/replicantDelegation.ts'
import type { Charter } from './charter.ts'
import type { Desk } from './createDesk.ts'
import type { GolemParts } from './golemParts.ts'
import { familyOf, livelihood } from './livelihood.ts'
import { readRunway } from './readRunway.ts'
import { readWorld } from './readWorld.ts'
import { changeFamily, givenTo, readFamily, writeFamily } from './storedFamily.ts'
import { phaseAt, readStoredDeath } from './storedLife.ts'
import { submitOnce } from './submitOnce.ts'

/** What a parent gives to a child. */
export type ReplicantWish = {
  /** One child for each name: asking again after a crash finishes what was begun. */
  readonly name: string
  /** Its share of the parent's day, in cents. */
  readonly dailyCents: bigint
  /** What it may spend in its whole life. */
  readonly budgetCents: bigint
  /** Its share of the parent's runway. */
  readonly runwayCents: bigint
  readonly lifespanSeconds: number
  readonly calls: number
  /** Wei from the parent's key, for its own transactions. */
  readonly gas: bigint
  /** What its key is sealed under. */
  readonly secret: SealingSecret
}

/**
 * A child with a key, a row, a life and a budget of its own, below its parent's delegation and signed by its parent's key.
 * All of it is in the store before anything is sent; the owner signs nothing, since nothing gets wider.
 */
export async function replicate(
  parts: GolemParts,
  charter: Charter,
  openDesk: () => Promise<Desk>,
  wish: ReplicantWish,
): Promise<Hash> {
  const { id, store, client, deployment, clock, keys, settings } = parts
  const { golem: parent, links, terms } = charter
  requireNotDying(readStoredDeath((await store.lives.find(id))?.death))
  const family = await readFamily(store, id)
  if (family.birth) throw refuse('A child has no children.', [`it is a child of ${family.birth.parent}`])
  const desk = await openDesk()
  const known = await childNamed(wish.name)
  if (known && known.status !== 'onboarding') throw refuse('That child is there already.', [wish.name])
  const child = known?.id ?? (await conceive())
  await give(child)
  await start(child)
  return child

  async function childNamed(name: string) {
    const children = await Promise.all(family.replicants.map((one) => store.golems.find(one.id)))
    return children.find((one) => one?.name === name)
  }

  /** Everything that is only written down: key, delegation, life, and both sides of the family. */
  async function conceive(): Promise<Hash> {
    const random = (length: number) => crypto.getRandomValues(new Uint8Array(length))
    const session = generateSessionKey('secp256k1', random)
    const { address } = sessionKeyAccount(session)
    const golem = await client.readContract({
      address: deployment.contracts.golemVitals,
      abi: golemVitals.abi,
      functionName: 'golemId',
      args: [parent.owner, address, zeroHash],
    })
    const sealed = await sealSessionKey(session, wish.secret, random, { context: golem })
    const seen = await readWorld(parts, charter)
    const { economy } = await livelihood(parts, charter, seen, await readRunway(parts, charter))
    const born = Number(seen.at)
    const delegation = await signedBelow(address, golem, born)
    const delegationHash = hashDelegation(delegation)
    const end = born + wish.lifespanSeconds
    const { name, dailyCents, runwayCents } = wish
    const baby = { id: golem, delegationHash, dailyCents, expiresAt: BigInt(end) }

    await changeFamily(store, id, async (before, { golems, sessionKeys, delegations, lives, ...rest }) => {
      // Its death may have begun since it was asked.
      requireNotDying(readStoredDeath((await lives.find(id))?.death))
      requireRunway(economy.remainingCents - (givenTo(before) - givenTo(family)))
      addReplicant(familyOf(charter, before), baby, phaseAt(seen.vitals.phase), seen.at)
      const { owner, custody, strategy, onboarding } = parent
      const unborn = { status: 'onboarding', phase: 'thriving', nextTick: undefined } as const
      await golems.create({ id: golem, owner, name, custody, strategy, onboarding, ...unborn })
      const { publicKey, curve } = session
      await sessionKeys.add({ publicKey, golem, curve, address, sealed })
      await sessionKeys.advance(publicKey, 'active')
      await delegations.add({ golem, delegation, context: encodeContext([delegation, ...links]) })
      const seconds = Math.floor(clock.now() / 1_000)
      await lives.begin(golem, newGolem(golem, seconds, settings.schedule.intervalSeconds))
      const birth = { parent: id, runwayCents, start: born, end }
      await writeFamily(rest, golem, { generation: before.generation, birth, replicants: [] })
      return { ...before, replicants: [...before.replicants, { ...baby, runwayCents, status: 'living' }] }
    })
    return golem
  }

  function requireRunway(left: bigint): void {
    if (wish.runwayCents > 0n && wish.runwayCents < left) return
    throw refuse('A child lives on a part of its parent’s runway.', [
      `${wish.runwayCents} cents asked for`,
      `${left} left`,
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
        allowedCents: wish.budgetCents,
        dailyCents: wish.dailyCents,
        born,
        lifespanSeconds: wish.lifespanSeconds,
        calls: wish.calls,
        graceSeconds: terms.graceSeconds,
        settlement: terms.settlement,
        mandate: terms.mandate,
        salt: BigInt(born),
      },
      {
        replicantBudget: contracts.replicantBudgetEnforcer,
        dailySpendLimit: contracts.dailySpendLimitEnforcer,
        golemPhase: contracts.golemPhaseEnforcer,
        limitedCalls: stockEnforcer('LimitedCallsEnforcer'),
        redeemer: stockEnforcer('RedeemerEnforcer'),
      },
      caveatRegistry(deployment),
    )
    const key = await keys.open()
    if (!key) throw new BardoError('The session key is gone.', { code: 'SESSION_KEY_ZEROED' })
    const typed = delegationTypedData(deployment.chainId, framework.DelegationManager, unsigned)
    return { ...unsigned, signature: await sessionKeyAccount(key).signTypedData(typed) }
  }

  function stockEnforcer(name: 'LimitedCallsEnforcer' | 'RedeemerEnforcer'): Address {
    const enforcer = deployment.framework.caveatEnforcers[name]
    if (enforcer) return enforcer
    throw new BardoError(`The framework has no ${name} here.`, { code: 'UNSUPPORTED_CHAIN' })
  }

  /** Gas and a row, each once. */
  async function give(golem: Hash): Promise<void> {
    const [record] = await store.sessionKeys.list(golem)
    if (!record?.sealed) throw refuse('The child’s key is gone.', [golem])
    const { submitter } = desk
    const gift = { id: `${id}:replicant:${golem}:gas`, to: record.address, value: wish.gas }
    await submitOnce(store.journal, submitter, gift)
    const session = await openSealedKey(record.sealed, wish.secret, { context: golem })
    const key = sessionKeyAccount(session)
    await registerGolem({ client, deployment, submitter }, { owner: parent.owner, key })
    session.wipe()
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

function refuse(message: string, details: readonly string[]): BardoError {
  return new BardoError(message, { code: 'ACTION_NOT_ALLOWED', details, docsPath: 'golem.md#replicants' })
}
