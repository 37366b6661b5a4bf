import { sendAllGas, sweepAccount } from '@bardo/chain'
import { golemVitals } from '@bardo/contracts'
import {
  BardoError,
  centsUp,
  figuresOf,
  hashDelegation,
  metabolicState,
  microsPerCent,
  minedTransaction,
  type Phase,
  phaseNumber,
  type RevocationCause,
} from '@bardo/core'
import type { Store } from '@bardo/store'
import { activeKey } from '@bardo/wallets'
import { encodeFunctionData, type Hash, type Hex, isAddressEqual, zeroHash } from 'viem'
import { z } from 'zod'
import { fileRequest } from '../events/fileRequest.ts'
import type { GolemEvent } from '../events/golemEvent.ts'
import { recordEvents } from '../events/recordEvents.ts'
import { readFunding } from '../funding/readFunding.ts'
import { readRunway } from '../funding/readRunway.ts'
import { returnShare } from '../funding/returnShare.ts'
import { withEntries } from '../ledger/dueEntries.ts'
import { tryPostEntries } from '../ledger/postEntries.ts'
import { storeManifest } from '../manifest/bardoManifest.ts'
import { readManifest } from '../manifest/readManifest.ts'
import type { GolemParts } from '../permission/golemParts.ts'
import type { SignedPermission } from '../permission/signedPermission.ts'
import { settlePositions } from '../positions/settlePositions.ts'
import { findRevocation, isEndedByChain } from '../requests/keyEnd.ts'
import { knownGrants } from '../requests/knownGrants.ts'
import { readSnapshot } from '../snapshot/readSnapshot.ts'
import { type Death, type DeathStepResult, deathIntentId, deathSteps } from '../state/death.ts'
import { readFamily } from '../state/storedFamily.ts'
import { readStoredDeath, readStoredState } from '../state/storedState.ts'
import { bundlerOf, isPaidFor } from '../submission/bundlerOf.ts'
import { canPayLater, findObstacle } from '../submission/findObstacle.ts'
import type { GolemSubmitter } from '../submission/openSubmitter.ts'
import { submitOnce } from '../submission/submitOnce.ts'
import { testamentKey } from './inheritTestament.ts'
import type { DeathPorts } from './runDeath.ts'
import { type Remains, settlementKey, settlementOf } from './settlementOf.ts'
import { type GrimoireEntry, writeTestament } from './testament.ts'
import { writeDeath } from './writeState.ts'

const page = 100
const knowledge = z.object({
  text: z.string(),
  confidence: z.number(),
  /** For inherited knowledge: the Golems that it came through. */
  authors: z.array(z.string()).exactOptional(),
})

const { abi } = golemVitals
/** The score that a dying Golem publishes. */
const lastScore = 0
/** How often a write to a parent's row is tried at once, before the next tick. */
const mostAttempts = 5

/** The ports of a death, over the store and the chain. */
export function createDeathPorts(
  parts: GolemParts,
  permission: SignedPermission,
  openSubmitter: () => Promise<GolemSubmitter>,
): DeathPorts {
  const { id, store, client, deployment, keys, settings } = parts
  const hashes = permission.own.map((link) => hashDelegation(link))

  return {
    load: async (golem) => readStoredDeath((await store.golemStates.find(toHash(golem)))?.death),
    save: async (death, events, bonds) => {
      const own = [...(await lastAction(death)), ...events, ...(await keyEvents(death))]
      return writeDeath(store, id, death, own, bonds)
    },
    perform: {
      postDeclining: (death, intentId) => post(death, 'declining', intentId),
      clearDreaming: (death, intentId) =>
        write(death, intentId, ({ dreaming }) =>
          dreaming ? encodeFunctionData({ abi, functionName: 'setDreaming', args: [id, false] }) : undefined,
        ),
      settle,
      postTerminal: (death, intentId) => post(death, 'terminal', intentId),
      settleLate: settle,
      async writeTestament(death) {
        const life = await store.golemStates.find(id)
        const ticks = life ? readStoredState(life.state).tick : 0
        const { generation } = await readFamily(store, id)
        const heading = { golem: id, generation, cause: death.trigger, ticks }
        const body = writeTestament(heading, await grimoireOf(store, id))
        await store.grimoire.put({ golem: id, key: testamentKey, kind: 'testament', body })
        const settlement = settlementOf(death, await remains())
        await store.grimoire.put({ golem: id, key: settlementKey, kind: 'settlement', body: settlement })
        await storeManifest(store, id, await readManifest(parts, permission))
        return { kind: 'done' }
      },
      surrender: (death, intentId) =>
        write(death, intentId, () => encodeFunctionData({ abi, functionName: 'deregister', args: [id] })),
      async fileRevocation(death, intentId) {
        // Additional keys and the runway end with it: the owner gets one request for all of them.
        const additional = (await knownGrants(store, id)).filter(
          ({ of }) => of === 'sessionKey' || of === 'runway',
        )
        const others = additional.map(({ delegation }) => hashDelegation(delegation))
        const body = { because: death.trigger, delegations: [...new Set([...hashes, ...others])] }
        const request = { id: intentId, golem: id, kind: 'revoke', body } as const
        await store.transaction((transaction) => fileRequest(transaction, request))
        return { kind: 'done' }
      },
      async wipe(death, intentId) {
        const returned = await attempt(death, async () => {
          const redeemer = await openSubmitter()
          const events: GolemEvent[] = []
          const holder = {
            ...redeemer,
            journal: store.journal,
            onEvent: (event: GolemEvent) => events.push(event),
          }
          // Each key is emptied by its own intent. An earlier version did not name the key in it.
          const begun = await store.journal.find(intentId)
          const isBegun = begun && isAddressEqual(begun.intent.from, redeemer.address)
          const sweepId = isBegun ? intentId : deathIntentId(death, 'wipe', redeemer.address)
          const last = { id: sweepId, to: permission.golem.owner }
          const { route } = settings
          const account = (await keys.open())?.account
          if (account && route?.type === 'userOperation') {
            const bundler = bundlerOf(parts, route)
            await sweepAccount({ ...holder, account, bundler, isPaidFor: isPaidFor(route) }, last)
          } else await sendAllGas(holder, last)
          await store.transaction(async (transaction) => recordEvents(transaction, id, events))
          return { kind: 'done' }
        })
        if (returned.kind === 'waiting') return returned
        await keys.wipe()
        return { kind: 'done' }
      },
      // The last write of the death marks its row, and no worker claims it again.
      async deregister() {
        const { birth } = await readFamily(store, id)
        if (!birth) return { kind: 'done' }
        const { vitals, at } = await readSnapshot(parts, permission)
        // While its row is alive, a copy of its key could still use the share.
        if (vitals.state === 'alive') return { kind: 'done' }
        for (let attempt = 0; attempt < mostAttempts; attempt += 1)
          if (await isReturned(birth.parent, at)) return { kind: 'done' }
        return { kind: 'waiting' }
      },
    },
  }

  /**
   * The end of the key's authority, once: with the beginning of the death if the chain had ended it before,
   * otherwise with the surrender. Without a surrender the authority ends when the owner disables the
   * delegations; `acceptRevocation` records that.
   */
  async function keyEvents(death: Death): Promise<readonly GolemEvent[]> {
    const cause = await (death.version === 0 ? causeAtStart(death) : causeAtSurrender(death))
    return cause ? [{ name: 'sessionKey.revoked', cause }] : []
  }

  async function causeAtStart({ trigger, begunAt }: Death): Promise<RevocationCause | undefined> {
    if (!isEndedByChain(trigger)) return undefined
    if (trigger === 'callLimitReached') return { kind: 'exhausted' }
    if (trigger === 'naturalExpiry') {
      const { birth } = await readFamily(store, id)
      return { kind: 'expired', at: BigInt((birth ?? permission.terms).end) }
    }
    const now = BigInt(begunAt)
    const found = await findRevocation(parts, permission.links, now)
    // A child whose parent died has no disabled link: its own authority ended with its parent's row.
    return found ?? { kind: 'revoked', transaction: zeroHash, at: now }
  }

  async function causeAtSurrender(death: Death): Promise<RevocationCause | undefined> {
    const { trigger, impossible, begunAt, stepsDone } = death
    const isSurrendered =
      deathSteps[stepsDone - 1]?.[1] === 'surrender' && !impossible.some(({ step }) => step === 'surrender')
    if (!isSurrendered || isEndedByChain(trigger)) return undefined
    const intentId = deathIntentId(death, 'surrender')
    const records = await Promise.all([intentId, `${intentId}:again`].map((one) => store.journal.find(one)))
    const mined = records.findLast((record) => record?.mined)?.mined
    const block = mined && (await client.getBlock({ blockNumber: mined.blockNumber }).catch(() => undefined))
    const at = block?.timestamp ?? BigInt(begunAt)
    return { kind: 'revoked', transaction: mined ? minedTransaction(mined) : zeroHash, at }
  }

  /**
   * An action that landed after the last tick: recorded with the end of the settlement, so that the accounts
   * agree.
   */
  async function lastAction(death: Death): Promise<readonly GolemEvent[]> {
    if (deathSteps[death.stepsDone - 1]?.[1] !== 'settle') return []
    const life = await store.golemStates.find(id)
    const pending = life && readStoredState(life.state).pending
    if (!pending) return []
    const settlement = (await store.journal.find(pending.intentId))?.settlement
    if (settlement?.kind !== 'landed' || settlement.mined.status !== 'success') return []
    const { intentId: intent, valueCents: spentCents } = pending
    return [{ name: 'action.landed', intent, transaction: minedTransaction(settlement.mined), spentCents }]
  }

  /** False if its parent's row changed at the same moment: then it is read again. */
  async function isReturned(parent: Hash, at: bigint): Promise<boolean> {
    try {
      await returnShare(store, { parent, child: id, permission }, at)
      return true
    } catch (error) {
      if (error instanceof BardoError && error.code === 'STORE_UNAVAILABLE') return false
      throw error
    }
  }

  function settle(death: Death, intentId: string): Promise<DeathStepResult> {
    return attempt(death, () => settlePositions(parts, permission, openSubmitter, death, intentId))
  }

  async function remains(): Promise<Remains> {
    const snapshot = await readSnapshot(parts, permission)
    const granted = await readRunway(parts, permission)
    await tryPostEntries(parts, permission)
    const { economy, ledger } = await readFunding(parts, permission, snapshot, granted)
    const { revenueCents, costs, remainingCents } = economy
    const life = figuresOf(withEntries(ledger.state, ledger.due).lifetime)
    return {
      custody: permission.golem.custody ?? 'delegation',
      delegationHash: hashDelegation(permission.links[0]),
      metabolism: metabolicState(revenueCents, costs, remainingCents),
      lifetimeRevenueCents: life.earnedMicros / microsPerCent,
      lifetimeInferenceCents: centsUp(life.costs.inference),
    }
  }

  function toHash(golem: string): Hex {
    return golem === id ? id : `0x${golem.slice(2)}`
  }

  function post(death: Death, phase: Phase, intentId: string): Promise<DeathStepResult> {
    const number = phaseNumber(phase)
    return write(death, intentId, (vitals) =>
      vitals.phase < number
        ? encodeFunctionData({ abi, functionName: 'post', args: [id, number, lastScore] })
        : undefined,
    )
  }

  /** Writes the Golem's row, unless it already has the value. */
  async function write(
    death: Death,
    intentId: string,
    dataFor: (vitals: { readonly phase: number; readonly dreaming: boolean }) => Hex | undefined,
  ): Promise<DeathStepResult> {
    return attempt(death, async () => {
      const recorded = await store.journal.find(intentId)
      const { vitals } = await readSnapshot(parts, permission)
      const missing = vitals.state === 'alive' ? dataFor(vitals) : undefined
      if (!recorded && missing === undefined) return { kind: 'done' }
      const sender = await openSubmitter()
      const isWriter = isAddressEqual(vitals.writer, sender.address)
      // The owner names the new key before signing for it. A Golem that dies in between gets no signature any
      // more.
      if (!recorded && !isWriter && !(await isChangingKey()))
        return { kind: 'impossible', because: 'the owner set another key as the writer of its row' }
      // The chain accepts only the writer: what another key left open has no effect any more, and the death does
      // not wait for it.
      const isOfAnother = recorded && !isAddressEqual(recorded.intent.from, sender.address)
      const isVoid = isOfAnother && !recorded.settlement && isWriter
      const data = recorded && !isVoid ? recorded.intent.data : missing
      if (data === undefined) return { kind: 'done' }
      const id = isVoid ? `${intentId}:again` : intentId
      const request = { id, to: deployment.contracts.golemVitals, data }
      const { status } = await submitOnce(store.journal, sender, request)
      return status === 'success'
        ? { kind: 'done' }
        : { kind: 'impossible', because: 'the vitals contract refused it' }
    })
  }

  /**
   * Whether a rotation is passing the row or the delegation to another key: what the old key sends is
   * refused, and the next
   * tick continues with the new key.
   */
  async function isChangingKey(): Promise<boolean> {
    // A rotation of a suspected or lost key waits for the owner; a death does not wait for that.
    const rotation = await store.rotations.underWay(id)
    if (rotation && rotation.kind !== 'suspected') return true
    const key = await activeKey(store, id)
    return key !== undefined && !isAddressEqual(key.address, permission.links[0].delegate)
  }

  /**
   * Skips what is impossible without a key or gas. Waits for what is uncertain, and for what only a high fee
   * prevents. Throws
   * everything else.
   */
  async function attempt(death: Death, work: () => Promise<DeathStepResult>): Promise<DeathStepResult> {
    try {
      return await work()
    } catch (error) {
      if (!(error instanceof BardoError)) throw error
      if (error.code === 'OUTCOME_UNKNOWN') return { kind: 'waiting' }
      if (error.outcome === 'not-sent' && (await isChangingKey())) return { kind: 'waiting' }
      const because = findObstacle(error)
      if (because === undefined) throw error
      const payment = { key: permission.links[0].delegate, until: death.settleUntil }
      return (await canPayLater(parts, payment, error))
        ? { kind: 'waiting' }
        : { kind: 'impossible', because }
    }
  }
}

/** The knowledge in a Golem's grimoire; permissions and other entries are omitted. */
async function grimoireOf(
  { grimoire }: Pick<Store, 'grimoire'>,
  golem: Hash,
): Promise<readonly GrimoireEntry[]> {
  const entries: GrimoireEntry[] = []
  for (let after = ''; ; ) {
    const entriesPage = await grimoire.list({ golem, after, limit: page })
    for (const { kind, body } of entriesPage) {
      const parsed = knowledge.safeParse(body)
      if (parsed.success) entries.push({ kind, ...parsed.data })
    }
    const last = entriesPage.at(-1)
    if (!last || entriesPage.length < page) return entries
    after = last.key
  }
}
