import { createRotationPorts, redelegationState, warnOfExpiry } from '@bardo/chain'
import {
  BardoError,
  budgetWarningPercent,
  type KeyName,
  maxRedelegations,
  planRotation,
  type Rotation,
  type RotationReason,
  rotationReason,
  runRotation,
} from '@bardo/core'
import type { SessionKeyRecord } from '@bardo/store'
import { type Address, isAddressEqual } from 'viem'
import { failureOf } from '../events/failureOf.ts'
import type { GolemEvent } from '../events/golemEvent.ts'
import type { Senses, TickPorts } from '../heartbeat/tickPorts.ts'
import { observeReasons } from '../recovery/recovery.ts'
import { activeKey } from './activeKey.ts'
import { askForGas } from './askForGas.ts'
import type { Charter } from './charter.ts'
import { createRotationStore } from './createRotationStore.ts'
import { finishOldIntent } from './finishOldIntent.ts'
import type { GolemParts, KeyVault } from './golemParts.ts'
import { fileGrantRequest, grantFor, withdrawGrantRequest } from './grantRequest.ts'
import { tell } from './summoning.ts'

/** Sees to it that a Golem has a key: carries rotations on, begins them, and asks the owner where a key is gone. */
export type KeyKeeper = {
  /**
   * Before every heartbeat, and before a death: then nothing new is begun. Returns the address of the key in use, if
   * there is one.
   */
  turn(charter: Charter, isDying: boolean): Promise<Address | undefined>
  /** Begins a rotation, unless one is under way, and goes as far with it as can be gone now. */
  rotate(charter: Charter, reason: RotationReason): Promise<Rotation>
  /** The heartbeat's ports, with an eye on the key. */
  watch(ports: TickPorts, charter: Charter): TickPorts
}

const bps = 10_000n

/** A key keeper over the store and the chain. It holds nothing that another worker would need. */
export function createKeyKeeper(parts: GolemParts): KeyKeeper {
  const { id, store, client, deployment, clock, keys, settings } = parts
  const { vault } = keys

  async function turn(charter: Charter, isDying: boolean): Promise<Address | undefined> {
    const known = await store.rotations.underWay(id)
    const rotation = known ?? (isDying ? undefined : await beginWhereLost(charter))
    if (rotation && vault) await carryOn(rotation, charter, vault)
    return (await activeKey(store, id))?.address
  }

  /** A failure is told and tried again at the next tick: the heart goes on without it. */
  async function carryOn(rotation: Rotation, charter: Charter, from: KeyVault): Promise<void> {
    try {
      if (await isFoundAgain(rotation)) await giveUp(rotation)
      else await runRotation(portsFor(charter, from), rotation.id)
    } catch (error) {
      const failed = {
        name: 'rotation.stepFailed',
        rotation: rotation.id,
        failure: failureOf(error),
      } as const
      await store.transaction(async (transaction) => tell(transaction, id, [failed]))
    }
  }

  async function rotate(charter: Charter, reason: RotationReason): Promise<Rotation> {
    if (!vault)
      throw new BardoError('Keys of this Golem are not made here.', {
        code: 'ROTATION_REFUSED',
        remedy: 'Rotate it where it is kept.',
      })
    const { id: rotation } = (await store.rotations.underWay(id)) ?? (await begin(charter, reason))
    return runRotation(portsFor(charter, vault), rotation)
  }

  async function begin(charter: Charter, reason: RotationReason): Promise<Rotation> {
    const known = await store.sessionKeys.list(id)
    const isOwn = ({ address }: SessionKeyRecord) => isAddressEqual(address, charter.links[0].delegate)
    const old = known.findLast(({ status }) => status === 'active') ?? known.findLast(isOwn) ?? known.at(-1)
    if (!old) throw new BardoError('The Golem never had a key.', { code: 'STORE_CORRUPT' })
    const rotation = planRotation({
      // Each rotation makes a key: so many there were before it.
      id: `${id}:rotation:${known.length}`,
      kind: reason === 'suspected' || reason === 'lost' ? 'suspected' : 'direct',
      reason,
      oldKey: old.publicKey,
      chain: redelegationState(charter.links, deployment),
    })
    if (await store.rotations.begin(id, rotation)) return rotation
    const other = await store.rotations.underWay(id)
    if (other) return other
    throw new BardoError('Somebody else rotates this key.', { code: 'STORE_UNAVAILABLE' })
  }

  async function beginWhereLost(charter: Charter): Promise<Rotation | undefined> {
    const isHere = !vault || (await isOpen())
    return isHere ? undefined : begin(charter, 'lost')
  }

  /** A keeper that does not answer has lost nothing: the heartbeat meets the same outage, and says so. */
  async function isOpen(): Promise<boolean> {
    try {
      return (await keys.open()) !== undefined
    } catch {
      return true
    }
  }

  /** Somebody found the passphrase before the owner answered. */
  async function isFoundAgain({ reason, newKey, stepsDone }: Rotation): Promise<boolean> {
    const isUntouched = reason === 'lost' && stepsDone === 0 && newKey === undefined
    return isUntouched && (await keys.open()) !== undefined
  }

  async function giveUp(rotation: Rotation): Promise<void> {
    const asked = await withdrawGrantRequest(store, rotation.id)
    if (!asked) return
    // The one that was made for this: others wait for grants of their own.
    const known = await store.sessionKeys.list(id)
    const made = known.filter(({ address }) => isAddressEqual(address, asked.root.delegate))
    const refusal = 'the key was found again'
    await store.transaction(async ({ rotations, sessionKeys }) => {
      for (const { publicKey } of made) await sessionKeys.wipe(publicKey)
      const { version } = rotation
      await rotations.save({ ...rotation, status: 'failed', refusal, version: version + 1 })
    })
  }

  function portsFor(charter: Charter, from: KeyVault) {
    const told: GolemEvent[] = []
    return createRotationPorts({
      client,
      deployment,
      journal: store.journal,
      clock,
      ...(settings.submitter && { settings: settings.submitter }),
      store: createRotationStore(parts, from, told),
      golem: id,
      expiresAt: BigInt(charter.terms.end),
      onEvent: (event) => told.push(event),
      // Asked in one request for both: it names the new key, which is made once for each rotation.
      owner: {
        askToRevoke: async (rotation) => ask(rotation, charter, await from.make(rotation.id)),
        askToGrant: (rotation, { publicKey }) => ask(rotation, charter, publicKey),
      },
    })
  }

  async function ask(rotation: Rotation, { links }: Charter, newKey: KeyName): Promise<void> {
    const [known, next] = [await store.sessionKeys.list(id), await store.sessionKeys.find(newKey)]
    const [first] = known
    const root = links.at(-1)
    if (!first || !next || !root) throw new BardoError('There is no such key.', { code: 'STORE_CORRUPT' })
    await fileGrantRequest(store, id, {
      rotation: rotation.id,
      reason: rotation.reason,
      revoke: [root],
      root: { ...root, delegate: next.address, signature: '0x' },
      writer: { firstKey: first.address, newWriter: next.address },
    })
  }

  function watch(ports: TickPorts, charter: Charter): TickPorts {
    let seen: Senses | undefined

    return {
      ...ports,
      async sense(state) {
        const senses = await ports.sense(state)
        const rotation = await store.rotations.underWay(id)
        seen = senses
        if (rotation?.kind === 'suspected') return withoutKey(senses, rotation)
        if (!rotation && !state.pending && !senses.outage) await followPolicy(senses)
        return senses
      },
      async act(pending, tick) {
        const key = await activeKey(store, id)
        return (key && (await finishOldIntent(parts, pending, key.address))) ?? ports.act(pending, tick)
      },
      async save(state, events) {
        const asked = [
          ...(await askAboutRefusal(state.tick, events)),
          ...(await askAboutGas(state.tick, events)),
        ]
        const isSaved = await ports.save(state, [...events, ...keyEvents(events), ...asked])
        if (isSaved) await countUses(events)
        return isSaved
      },
    }

    /** It looks on. That its root is off is a part of this, and no wish of the owner's to end it; a refusal is one. */
    async function withoutKey(senses: Senses, { id: rotation, reason }: Rotation): Promise<Senses> {
      const { state } = await grantFor(store, rotation)
      const revoked = senses.fate.revoked && state === 'refused'
      return {
        ...senses,
        outage: reason === 'lost' ? 'keyLost' : 'keyRefused',
        permission: { ...senses.permission, revoked },
        fate: { ...senses.fate, revoked },
      }
    }

    /** A key that the chain does not take any more: only the owner can name it again. They are asked once each time. */
    async function askAboutRefusal(
      tick: number,
      events: readonly GolemEvent[],
    ): Promise<readonly GolemEvent[]> {
      const isRefused = events.some((e) => e.name === 'recovery.observing' && e.reason === 'keyRefused')
      if (!isRefused || (await store.rotations.underWay(id))) return []
      const request = `${id}:tick:${tick}:redelegate`
      const body = { because: observeReasons.keyRefused }
      const isNew = await store.ownerRequests.file({ id: request, golem: id, kind: 'redelegate', body })
      return isNew ? [{ name: 'owner.requestFiled', request, kind: 'redelegate' }] : []
    }

    /** A key that cannot pay: the owner is asked once each time. */
    async function askAboutGas(tick: number, events: readonly GolemEvent[]): Promise<readonly GolemEvent[]> {
      if (!events.some((e) => e.name === 'recovery.observing' && e.reason === 'gasGone')) return []
      const key = charter.links[0].delegate
      return askForGas(parts, { request: `${id}:tick:${tick}:gas`, owner: charter.golem.owner, key })
    }

    async function followPolicy({ permission }: Senses): Promise<void> {
      const key = vault && (await activeKey(store, id))
      if (!key) return
      const reason = rotationReason(useOf(key, permission), BigInt(clock.now()) / 1_000n, settings.rotation)
      const { mayRedelegate, redelegations } = redelegationState(charter.links, deployment)
      // What cannot be handed on stays until the owner next signs.
      if (reason && mayRedelegate && redelegations < maxRedelegations) await begin(charter, reason)
    }

    function keyEvents(events: readonly GolemEvent[]): readonly GolemEvent[] {
      if (!seen) return []
      const { at, permission } = seen
      const told: GolemEvent[] = []
      for (const event of events) {
        if (event.name === 'permission.health')
          warnOfExpiry(charter.links[charter.links.length - 1] ?? charter.links[0], {
            deployment,
            now: BigInt(at),
            onEvent: (warning) => told.push(warning),
          })
        if (event.name !== 'action.landed') continue
        const { transaction: operationHash, spentCents: valueCents } = event
        const { dailyCap, remainingToday } = permission
        const remainingCents = remainingToday > valueCents ? remainingToday - valueCents : 0n
        told.push({ name: 'sessionKey.operationSigned', operationHash, valueCents, remainingCents })
        if (remainingCents * 100n > dailyCap * budgetWarningPercent) continue
        told.push({
          name: 'sessionKey.budgetWarning',
          remainingBps: dailyCap > 0n ? Number((remainingCents * bps) / dailyCap) : 0,
          estimatedOperationsLeft: valueCents > 0n ? remainingCents / valueCents : 0n,
        })
      }
      return told
    }

    async function countUses(events: readonly GolemEvent[]): Promise<void> {
      const landed = events.filter((event) => event.name === 'action.landed')
      const key = landed.length > 0 ? await activeKey(store, id) : undefined
      if (!key) return
      for (const { spentCents } of landed) await store.sessionKeys.countUse(key.publicKey, spentCents)
    }
  }

  return { turn, rotate, watch }
}

/** What the policy looks at. What remained when the key took over is what remains and what it has spent itself. */
function useOf(
  { createdAt, operations, valueCents }: SessionKeyRecord,
  { dailyCap: budget, remainingToday: remaining }: Senses['permission'],
) {
  const before = remaining + valueCents
  const remainingAtGrant = before < budget ? before : budget
  return { grantedAt: BigInt(createdAt) / 1_000n, operations, budget, remaining, remainingAtGrant }
}
