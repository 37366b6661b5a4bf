import { createRotationPorts, isDisabled, redelegationState } from '@bardo/chain'
import {
  BardoError,
  budgetWarningPercent,
  type Delegation,
  decodeContext,
  type KeyName,
  maxRedelegations,
  planRotation,
  type Rotation,
  type RotationReason,
  revocationOf,
  rotationReason,
  runRotation,
  supersedeRotation,
} from '@bardo/core'
import type { SessionKeyRecord } from '@bardo/store'
import { accountAt, activeKey, actsByAccount, type KeyVault, noBundler } from '@bardo/wallets'
import { isAddressEqual } from 'viem'
import { failureOf } from '../events/failureOf.ts'
import { fileRequest } from '../events/fileRequest.ts'
import type { GolemEvent } from '../events/golemEvent.ts'
import { recordEvents } from '../events/recordEvents.ts'
import { runningFeed } from '../funding/storedRunway.ts'
import { observeReasons } from '../observeOnly/observeOnly.ts'
import type { GolemParts } from '../permission/golemParts.ts'
import type { SignedPermission } from '../permission/signedPermission.ts'
import { askForGas } from '../requests/askForGas.ts'
import { fileGrantRequest, grantFor, withdrawGrantRequest } from '../requests/grantRequest.ts'
import { isRegranting, ownRoots } from '../requests/rootExchange.ts'
import type { KeySteps, Senses } from '../snapshot/tickPorts.ts'
import { lockRow } from '../state/lockRow.ts'
import { bundlerOf, paymasterOf } from '../submission/bundlerOf.ts'
import { createRotationStore } from './createRotationStore.ts'

/**
 * Maintains a Golem's session key: begins rotations, continues them, and asks the owner for a grant if a key
 * is lost.
 */
export type KeyKeeper = {
  /**
   * Continues or begins a rotation before every heartbeat. Before a death it begins nothing new.
   */
  turn(permission: SignedPermission, isDying: boolean): Promise<void>
  /**
   * Begins a rotation, unless one is under way, and runs as many of its steps as possible now. A suspected
   * rotation supersedes every other.
   */
  rotate(permission: SignedPermission, reason: RotationReason): Promise<Rotation>
  /** What a tick does with the key. */
  keySteps(permission: SignedPermission): KeySteps
}

const bps = 10_000n

/**
 * Whether the Golem is a Replicant: the owner signed only for its parent, so a new key cannot ask the owner
 * for a signature.
 */
function isChild({ own, links }: SignedPermission): boolean {
  return own.length < links.length
}

function noKeyForChild({ golem: { name } }: SignedPermission): BardoError {
  return new BardoError('A Replicant does not get a new key for a suspected one.', {
    code: 'ROTATION_REFUSED',
    details: ['the owner signed only for its parent, which can end it on the chain at once'],
    remedy: `End it: bardo revoke "${name}". Its parent can create another Replicant: bardo replicate`,
    docsPath: 'golem.md#keys',
  })
}

/** A key keeper over the store and the chain. It holds nothing in memory that another worker would need. */
export function createKeyKeeper(parts: GolemParts): KeyKeeper {
  const { id, store, client, deployment, clock, keys, settings } = parts
  const { vault } = keys

  async function turn(permission: SignedPermission, isDying: boolean): Promise<void> {
    const known = await store.rotations.underWay(id)
    const rotation = known ?? (isDying ? undefined : await beginWhereLost(permission))
    if (rotation && vault) await carryOn(rotation, permission, vault)
  }

  /** Records a failure and lets the next tick try again: the heartbeat continues without the rotation. */
  async function carryOn(rotation: Rotation, permission: SignedPermission, from: KeyVault): Promise<void> {
    try {
      if (await isFoundAgain(rotation)) await giveUp(rotation)
      else await runRotation(await portsFor(permission, from), rotation.id)
    } catch (error) {
      const failed = {
        name: 'rotation.stepFailed',
        rotation: rotation.id,
        failure: failureOf(error),
      } as const
      await store.transaction(async (transaction) => recordEvents(transaction, id, [failed]))
    }
  }

  async function rotate(permission: SignedPermission, reason: RotationReason): Promise<Rotation> {
    if (!vault)
      throw new BardoError('This process cannot create keys for the Golem.', {
        code: 'ROTATION_REFUSED',
        remedy: 'Rotate the key on the machine that holds the Golem’s keys.',
      })
    if (reason === 'suspected' && isChild(permission)) throw noKeyForChild(permission)
    const rotation =
      reason === 'suspected'
        ? await beginSuspected(permission)
        : ((await store.rotations.underWay(id)) ?? (await begin(permission, reason)))
    if (rotation) return runRotation(await portsFor(permission, vault), rotation.id)
    throw new BardoError('The owner is signing a new root for this Golem.', {
      code: 'RATE_LIMITED',
      remedy: 'Rotate the key again when the feed or the adjustment is done.',
      docsPath: 'golem.md#keys',
    })
  }

  /**
   * A suspected key does not wait: it supersedes another rotation that is under way, at whatever step. The
   * root of that rotation is disabled with all roots of this Golem, and its keys are wiped with the suspected
   * one.
   */
  async function beginSuspected(permission: SignedPermission): Promise<Rotation | undefined> {
    for (;;) {
      const known = await store.rotations.underWay(id)
      if (!known) {
        const begun = await begin(permission, 'suspected')
        if (begun?.reason === 'suspected') return begun
        // Another rotation began at this moment: it is superseded like any other.
        continue
      }
      if (known.reason === 'suspected') return known
      const oldKey = (await keyInUse(permission)).publicKey
      const next = planRotation({
        id: `${known.id}:suspected`,
        kind: 'suspected',
        reason: 'suspected',
        oldKey,
        supersedes: known.id,
      })
      const isBegun = await store.transaction(async (transaction) => {
        const { rotations } = transaction
        await lockRow(transaction, id)
        // False if another worker has advanced the rotation in the meantime: read it again.
        if (!(await rotations.save(supersedeRotation(known)))) return false
        if (await rotations.begin(id, next)) return true
        throw new BardoError('Another process is rotating this key.', { code: 'STORE_UNAVAILABLE' })
      })
      if (!isBegun) continue
      await withdrawGrantRequest(store, known.id)
      return next
    }
  }

  async function keyInUse({ links }: SignedPermission): Promise<SessionKeyRecord> {
    const known = await store.sessionKeys.list(id)
    const isOwn = ({ address }: SessionKeyRecord) => isAddressEqual(address, links[0].delegate)
    const key = known.findLast(({ status }) => status === 'active') ?? known.findLast(isOwn) ?? known.at(-1)
    if (key) return key
    throw new BardoError('The store has no key of this Golem.', { code: 'STORE_CORRUPT' })
  }

  /**
   * Undefined if the owner is signing a new root: a redelegation below the old root would end with that root.
   */
  async function begin(permission: SignedPermission, reason: RotationReason): Promise<Rotation | undefined> {
    const oldRecord = await keyInUse(permission)
    const oldKey = oldRecord.publicKey
    const ordinary = actsByAccount(oldRecord) ? 'session-account' : 'direct'
    const kind = reason === 'suspected' || reason === 'lost' ? 'suspected' : ordinary
    if (kind === 'direct' && (await isRegranting(store, id))) return undefined
    // Each rotation makes a key, so the number of earlier keys numbers the rotation. A suffix distinguishes a
    // repeated attempt after a rotation that made no key.
    const number = `${id}:rotation:${(await store.sessionKeys.list(id)).length}`
    const chain = redelegationState(permission.links, deployment)
    for (let time = 1; ; time += 1) {
      const name = time === 1 ? number : `${number}.${time}`
      const rotation = planRotation({ id: name, kind, reason, oldKey, chain })
      const isBegun = await (kind === 'suspected'
        ? beginAlone(rotation)
        : store.rotations.begin(id, rotation))
      if (isBegun) return kind === 'direct' ? unlessFed(rotation) : rotation
      const other = await store.rotations.underWay(id)
      if (other) return other
      if (!(await store.rotations.load(name)))
        throw new BardoError('Another process is rotating this key.', { code: 'STORE_UNAVAILABLE' })
    }
  }

  /**
   * Begins a rotation for a suspected or lost key under the row lock, so that no owner command stores a
   * signature for that key at the same moment.
   */
  function beginAlone(rotation: Rotation): Promise<boolean> {
    return store.transaction(async (transaction) => {
      await lockRow(transaction, id)
      return transaction.rotations.begin(id, rotation)
    })
  }

  /**
   * Gives the rotation up if the owner is signing a new root. Both sides write first and check the other
   * afterwards, so at least one of them sees the other.
   */
  async function unlessFed(rotation: Rotation): Promise<Rotation | undefined> {
    if (!(await isRegranting(store, id))) return rotation
    await store.rotations.save({ ...supersedeRotation(rotation), refusal: 'the owner is signing a new root' })
    return undefined
  }

  async function beginWhereLost(permission: SignedPermission): Promise<Rotation | undefined> {
    const isHere = !vault || (await isOpen())
    return isHere || isChild(permission) ? undefined : begin(permission, 'lost')
  }

  /**
   * A key source that does not answer has not lost the key: the heartbeat meets the same outage, and reports
   * it.
   */
  async function isOpen(): Promise<boolean> {
    try {
      return (await keys.open()) !== undefined
    } catch {
      return true
    }
  }

  /**
   * Whether the lost key can be opened again, for example with the right passphrase, before the owner
   * answered.
   */
  async function isFoundAgain({ reason, newKey, stepsDone }: Rotation): Promise<boolean> {
    const isUntouched = reason === 'lost' && stepsDone === 0 && newKey === undefined
    return isUntouched && (await keys.open()) !== undefined
  }

  async function giveUp(rotation: Rotation): Promise<void> {
    const asked = await withdrawGrantRequest(store, rotation.id)
    if (!asked) return
    // Wipe only the key that was made for this rotation: other keys wait for their own grants.
    const known = await store.sessionKeys.list(id)
    const made = known.filter(({ address }) => isAddressEqual(address, asked.root.delegate))
    const refusal = 'the key was found again'
    await store.transaction(async ({ rotations, sessionKeys }) => {
      for (const { publicKey } of made) await sessionKeys.wipe(publicKey)
      const { version } = rotation
      await rotations.save({ ...rotation, status: 'failed', refusal, version: version + 1 })
    })
  }

  async function portsFor(permission: SignedPermission, from: KeyVault) {
    const told: GolemEvent[] = []
    return createRotationPorts({
      besides: await signedForKeys(),
      client,
      deployment,
      journal: store.journal,
      clock,
      ...(settings.submitter && { settings: settings.submitter }),
      store: createRotationStore(parts, from, told),
      golem: id,
      ...(await sessionOf(permission)),
      expiresAt: BigInt(permission.terms.end),
      onEvent: (event) => told.push(event),
      // One request covers the revocation and the grant: it names the new key, which is made once for each
      // rotation.
      owner: {
        askToRevoke: async (rotation) =>
          ask(rotation, permission, await from.make(rotation.id, rotation.kind)),
        askToGrant: (rotation, newKey) => ask(rotation, permission, newKey),
      },
    })
  }

  /** The session account and its bundler; nothing if the key sends its own transactions. */
  async function sessionOf(permission: SignedPermission) {
    const record = await keyInUse(permission)
    if (!actsByAccount(record)) return {}
    const { route } = settings
    if (route?.type !== 'userOperation') throw noBundler()
    const account = accountAt(deployment.chainId, record.address, await store.sessionKeys.list(id))
    const paymaster = paymasterOf(parts, route)
    return { session: { account, bundler: bundlerOf(parts, route), ...(paymaster && { paymaster }) } }
  }

  /**
   * The delegations that end with a suspected key: its own roots, and the delegation that lets it draw the
   * runway.
   */
  async function signedForKeys(): Promise<readonly Delegation[]> {
    return [...(await ownRoots(store, id)), ...(await runningFeed(parts, id))]
  }

  /**
   * The newest root of the active key. An owner command may have stored a root after this signed permission
   * was read. Since the rotation began, no command stores another.
   */
  async function newestRoot({ links }: SignedPermission): Promise<Delegation | undefined> {
    const contexts = (await store.delegations.list(id)).map(({ context }) => decodeContext(context))
    const own = contexts.findLast(([leaf]) => leaf && isAddressEqual(leaf.delegate, links[0].delegate))
    return (own ?? links).at(-1)
  }

  async function ask(rotation: Rotation, permission: SignedPermission, newKey: KeyName): Promise<void> {
    const [[first], next] = [await store.sessionKeys.list(id), await store.sessionKeys.find(newKey)]
    const root = await newestRoot(permission)
    const known = await signedForKeys()
    const off = await Promise.all(known.map((one) => isDisabled({ client, deployment }, one)))
    if (!first || !next || !root)
      throw new BardoError('A key of the rotation is not in the store.', { code: 'STORE_CORRUPT' })
    await fileGrantRequest(store, id, {
      rotation: rotation.id,
      reason: rotation.reason,
      revoke: known.filter((_, at) => !off[at]),
      root: { ...root, delegate: next.address, signature: '0x' },
      writer: { firstKey: first.address, newWriter: next.address },
    })
  }

  function keySteps(permission: SignedPermission): KeySteps {
    return {
      async rotateIfDue(senses, state) {
        const rotation = await store.rotations.underWay(id)
        if (rotation?.kind === 'suspected') return withoutKey(senses, rotation)
        if (!rotation && !state.pending && !senses.outage) await followPolicy(senses)
        return senses
      },
      async fileRequests(tick, events) {
        await askAboutRefusal(tick, events)
        await askAboutGas(tick, events)
      },
      keyEvents,
      countUses,
    }

    /**
     * Puts the Golem in observe-only mode. A disabled root is a part of the rotation and does not mean that
     * the owner wants to end the Golem. A refused grant request does mean that.
     */
    async function withoutKey(senses: Senses, { id: rotation, reason }: Rotation): Promise<Senses> {
      const { state } = await grantFor(store, rotation)
      const { fate } = senses
      const isReplacing = fate.revocation.isReplacing || state !== 'refused'
      const revocation = { ...fate.revocation, isReplacing }
      const revoked = revocationOf(revocation) === 'revoked' || fate.isOrphan
      return {
        ...senses,
        outage: reason === 'lost' ? 'keyLost' : 'keyRefused',
        permission: { ...senses.permission, revoked },
        fate: { ...fate, revocation },
      }
    }

    /**
     * Asks the owner about a key that the chain no longer accepts, once each time: only the owner can name it
     * again.
     */
    async function askAboutRefusal(tick: number, events: readonly GolemEvent[]): Promise<void> {
      const isRefused = events.some((e) => e.name === 'recovery.observing' && e.reason === 'keyRefused')
      if (!isRefused || (await store.rotations.underWay(id))) return
      const request = {
        id: `${id}:tick:${tick}:redelegate`,
        golem: id,
        kind: 'redelegate',
        body: { because: observeReasons.keyRefused },
      } as const
      await store.transaction((transaction) => fileRequest(transaction, request))
    }

    /** Asks the owner for gas if the key cannot pay, once each time. */
    async function askAboutGas(tick: number, events: readonly GolemEvent[]): Promise<void> {
      if (!events.some((e) => e.name === 'recovery.observing' && e.reason === 'gasGone')) return
      const key = permission.links[0].delegate
      await askForGas(parts, { request: `${id}:tick:${tick}:gas`, owner: permission.golem.owner, key })
    }

    async function followPolicy({ permission: permissionState }: Senses): Promise<void> {
      const key = vault && (await activeKey(store, id))
      if (!key) return
      const reason = rotationReason(
        useOf(key, permissionState),
        BigInt(clock.now()) / 1_000n,
        settings.rotation,
      )
      if (reason && actsByAccount(key)) return void (await begin(permission, reason))
      const { mayRedelegate, redelegations } = redelegationState(permission.links, deployment)
      // A key whose delegation cannot be redelegated stays until the owner signs again.
      if (reason && mayRedelegate && redelegations < maxRedelegations) await begin(permission, reason)
    }

    function keyEvents(
      { permission: permissionState }: Senses,
      events: readonly GolemEvent[],
    ): readonly GolemEvent[] {
      const told: GolemEvent[] = []
      for (const event of events) {
        if (event.name !== 'action.landed') continue
        const { transaction: operationHash, spentCents: valueCents } = event
        const { dailyCap, remainingToday } = permissionState
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

  return { turn, rotate, keySteps }
}

/**
 * The inputs of the rotation policy. The budget at the time of the grant is the remaining budget plus what
 * the key itself has spent.
 */
function useOf(
  { createdAt, operations, valueCents }: SessionKeyRecord,
  { dailyCap: budget, remainingToday: remaining }: Senses['permission'],
) {
  const before = remaining + valueCents
  const remainingAtGrant = before < budget ? before : budget
  return { grantedAt: BigInt(createdAt) / 1_000n, operations, budget, remaining, remainingAtGrant }
}
