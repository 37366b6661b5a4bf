import type { BardoError } from '@bardo/core'
import { asRefusal } from '../action/performAction.ts'
import type { GolemParts } from '../permission/golemParts.ts'
import type { SignedPermission } from '../permission/signedPermission.ts'
import { readFamily } from '../state/storedFamily.ts'
import type { ReplicantRoom, Spawn } from '../strategy/strategy.ts'
import type { GolemSubmitter } from '../submission/openSubmitter.ts'
import { livingIn, replicate } from './replicate.ts'

/** The life of a Replicant that a Golem creates by itself, if the signed strategy names none: a day. */
const defaultLifespan = 86_400
/** Its number of calls, as with `bardo replicate`. */
const defaultCalls = 50

/** What a Golem may still give to Replicants; undefined if the owner signed none, for a Replicant, and for a session account. */
export async function replicantRoom(
  { id, store }: Pick<GolemParts, 'id' | 'store'>,
  { replicants: limits, actsBy }: SignedPermission,
  now: bigint,
): Promise<ReplicantRoom | undefined> {
  if (!limits || actsBy === 'account') return undefined
  const family = await readFamily(store, id)
  if (family.birth) return undefined
  const rows = await Promise.all(family.replicants.map((one) => store.golems.find(one.id)))
  const births = await Promise.all(family.replicants.map(async (one) => readFamily(store, one.id)))
  return {
    left: Math.max(0, limits.most - livingIn(family, now)),
    dayCents: limits.dayCents,
    everySeconds: limits.everySeconds,
    lastBornAt: births.at(-1)?.birth?.start,
    isUnfinished: rows.some((row) => row?.status === 'onboarding'),
  }
}

/**
 * Creates a Replicant as a Golem's own decision, within the signed limits, or finishes an interrupted one. Its name
 * is the Golem's with the next number. Returns why it is refused.
 */
export async function spawnReplicant(
  parts: GolemParts,
  permission: SignedPermission,
  openSubmitter: () => Promise<GolemSubmitter>,
  { cents }: Spawn,
): Promise<BardoError | undefined> {
  const { id, store } = parts
  const { golem, terms, replicants } = permission
  const family = await readFamily(store, id)
  const rows = await Promise.all(family.replicants.map((one) => store.golems.find(one.id)))
  const unfinished = rows.find((row) => row?.status === 'onboarding')?.name
  const { timestamp } = await parts.client.getBlock()
  const lifespanSeconds = Math.min(
    replicants?.lifespanSeconds ?? defaultLifespan,
    terms.end - Number(timestamp) - 1,
  )
  const days = BigInt(Math.max(1, Math.ceil(lifespanSeconds / 86_400)))
  try {
    await replicate(parts, permission, openSubmitter, {
      name: unfinished ?? (await freeName()),
      dailyCents: cents,
      budgetCents: cents * days,
      lifespanSeconds,
      calls: defaultCalls,
    })
    return undefined
  } catch (error) {
    const refused = asRefusal(error)
    return refused.type === 'refused' ? refused.error : undefined
  }

  async function freeName(): Promise<string> {
    for (let number = family.replicants.length + 1; ; number += 1) {
      const name = `${golem.name}-${number}`
      if ((await store.golems.list({ owner: golem.owner, name })).length === 0) return name
    }
  }
}
