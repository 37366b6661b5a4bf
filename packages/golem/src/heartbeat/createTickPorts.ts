import { spendableGas } from '@bardo/chain'
import { golemVitals } from '@bardo/contracts'
import {
  BardoError,
  hashDelegation,
  type LedgerTransaction,
  laterPhase,
  phaseNumber,
  revocationOf,
} from '@bardo/core'
import type { LedgerPosting } from '@bardo/store'
import { type Address, encodeFunctionData, isAddressEqual } from 'viem'
import { createActionPorts } from '../action/performAction.ts'
import { readConstitutionRoom } from '../action/readConstitutionRoom.ts'
import { writeState } from '../death/writeState.ts'
import { type Funding, readFunding } from '../funding/readFunding.ts'
import { readRunway } from '../funding/readRunway.ts'
import { refuel } from '../funding/refuel.ts'
import { inferenceEntries } from '../ledger/inferenceEntries.ts'
import { tryPostEntries, tryReadPosting } from '../ledger/postEntries.ts'
import { type ObserveReason, outageOf, outageOfCode } from '../observeOnly/observeOnly.ts'
import type { GolemParts } from '../permission/golemParts.ts'
import type { SignedPermission } from '../permission/signedPermission.ts'
import { createPositionReader } from '../positions/createPositionReader.ts'
import { replicantRoom, spawnReplicant } from '../replicants/spawnReplicant.ts'
import { hasSuccessor, readRevocation } from '../requests/readRevocation.ts'
import { readSnapshot, type Snapshot } from '../snapshot/readSnapshot.ts'
import type { Senses, TickPorts } from '../snapshot/tickPorts.ts'
import { settleSeconds } from '../state/death.ts'
import type { GolemState } from '../state/golemState.ts'
import { phaseAt } from '../state/storedState.ts'
import { isPaidFor } from '../submission/bundlerOf.ts'
import type { GolemSubmitter } from '../submission/openSubmitter.ts'
import { restoreRow } from '../submission/restoreRow.ts'
import { submitOnce } from '../submission/submitOnce.ts'

/** The gas that a key must be able to pay for. A write of the vitals takes about half of it. */
const leastGas = 100_000n

/** The heartbeat's ports over the store and the chain. */
export function createTickPorts(
  parts: GolemParts,
  permission: SignedPermission,
  open: () => Promise<GolemSubmitter>,
): TickPorts {
  const { id, store, client, deployment, keys, settings } = parts
  const { links, terms, plan } = permission
  const delegation = hashDelegation(permission.own.at(-1) ?? links[0])
  // What the next write posts to the ledger. All of it is found again after a crash, except for the inference.
  let ledger: Funding['ledger'] | undefined
  let used: readonly LedgerTransaction[] = []
  let hasSent = false

  function openSubmitter(): Promise<GolemSubmitter> {
    hasSent = true
    return open()
  }
  const readPositions = createPositionReader(parts, permission)

  return {
    schedule: settings.schedule,
    strategy: (view) =>
      settings.strategy(view, (report) => {
        used = [...used, inferenceEntries(report, view.now)]
      }),
    random: Math.random,
    sense: (state) => sense(state),
    publish,
    refuel: async (intentId, need) =>
      isPaidFor(settings.route) ? undefined : refuel(parts, permission, openSubmitter, intentId, need),
    ...createActionPorts(parts, permission, openSubmitter),
    spawn: (wanted) => spawnReplicant(parts, permission, openSubmitter, wanted),
    save,
  }

  /** Writes the state with its events, and posts to the ledger. An idle tick posts nothing, and reads nothing for it. */
  async function save(...[state, events]: Parameters<TickPorts['save']>): Promise<boolean> {
    const posting = await readDue()
    const isSaved = await writeState(store, id, state, events, posting)
    if (isSaved && posting && used.length > 0) {
      const { number } = await store.ledger.state(id)
      // Otherwise another process posted at this moment, and the next write posts them.
      if (number >= posting.after + posting.transactions.length) used = []
    }
    return isSaved
  }

  async function readDue(): Promise<LedgerPosting | undefined> {
    const due = [...(ledger?.due ?? []), ...used]
    if (!hasSent && due.length === 0) return undefined
    const posting = await tryReadPosting(parts, permission, due)
    hasSent = false
    return posting
  }

  async function sense(state: GolemState, isRestored = false): Promise<Senses> {
    const { recovery } = state
    const wasBroke = recovery.type === 'observing' && recovery.reason === 'gasGone'
    const [seen, granted, key, isBroke] = await Promise.all([
      readSnapshot(parts, permission),
      readRunway(parts, permission),
      findKey(),
      wasBroke && isWithoutGas(),
    ])
    const { vitals, calls } = seen
    if (!isRestored && (await restoreRow(parts, permission, openSubmitter, vitals))) return sense(state, true)
    let means = await readFunding(parts, permission, seen, granted)
    if (means.ledger.state.hasUnposted) {
      // An earlier process, or another part of this one, sent a transaction.
      await tryPostEntries(parts, permission)
      means = await readFunding(parts, permission, seen, granted)
    }
    ledger = means.ledger
    const { economy, dailyCapCents, leftTodayCents, window } = means
    const revocation = await readRevocation(parts, permission, seen)
    const { isOrphan } = means
    // Read after the chain, like the evidence of a revocation.
    const isReplacing = seen.constitutionChanged && (await hasSuccessor(parts, permission))
    const constitutionChanged = seen.constitutionChanged && !isReplacing
    const meaning = revocationOf(revocation)
    const { phase, survivalScore, dreaming, mood, lastUpdate } = vitals
    const positions = await readPositions(laterPhase(state.phase, phaseAt(phase)), seen.holdings)
    const hasPositions =
      seen.holdings.some(({ vaultCents }) => vaultCents > 0n) ||
      (positions.liquidity?.positions ?? []).length > 0
    const outage =
      (permission.isStrategySigned ? undefined : 'strategyChanged') ??
      key.outage ??
      (meaning === 'replaced' || isReplacing ? 'regranting' : undefined) ??
      (meaning === 'unconfirmed' ? 'revocationSeen' : undefined) ??
      outageIn(seen, key.address) ??
      (isBroke ? 'gasGone' : undefined)
    return {
      at: Number(seen.at),
      economy,
      permission: {
        revoked: meaning === 'revoked' || isOrphan,
        dailyCap: dailyCapCents,
        remainingToday: leftTodayCents,
        secondsLeft: BigInt(window.end) - seen.at,
        windowSeconds: BigInt(window.end - window.start),
      },
      delegation,
      prices: seen.prices,
      ownerSignatures: seen.ownerSignatures,
      shown: { phase: phaseAt(phase), survivalScore, dreaming, mood, at: Number(lastUpdate) },
      graceSeconds: terms.graceSeconds,
      ...(outage && { outage }),
      fate: { revocation, isOrphan, windowEnd: lastSecond(window, hasPositions), calls, constitutionChanged },
      ...(seen.gas && { gas: seen.gas }),
      view: {
        plan,
        holdings: seen.holdings,
        leftTodayCents,
        lastExecutionAt: seen.lastExecutionAt,
        ...positions,
        constitution: await readConstitutionRoom(parts, permission),
        replicants: await replicantRoom(parts, permission, seen.at),
      },
    }
  }

  /** Returns the address of the key, or why it cannot sign. A Golem that cannot sign can still observe. */
  async function findKey(): Promise<{ readonly outage?: ObserveReason; readonly address?: Address }> {
    try {
      const wallet = await keys.open()
      if (!wallet) return { outage: 'keyLost' }
      const health = await wallet.health()
      if (health.type === 'healthy') return { address: wallet.address }
      return { outage: outageOfCode(health.code) ?? 'signerOutage' }
    } catch (error) {
      return { outage: outageOf(error) ?? 'signerOutage' }
    }
  }

  /** Whether the key still has no gas. Checked only if the Golem ran out of gas before. */
  async function isWithoutGas(): Promise<boolean> {
    if (isPaidFor(settings.route)) return false
    const place = { client, entryPoint: deployment.framework.EntryPoint }
    const [price, { balance, deposit }] = await Promise.all([
      client.getGasPrice(),
      spendableGas(place, links[0].delegate),
    ])
    return balance + deposit < price * leastGas
  }

  /**
   * Finds a key that the row or the leaf no longer names, which the chain refuses, and a paused
   * DelegationManager.
   */
  function outageIn({ vitals, managerPaused }: Snapshot, key?: Address): ObserveReason | undefined {
    const named = [vitals.writer, links[0].delegate]
    const isNamed = key !== undefined && named.every((address) => isAddressEqual(address, key))
    if (vitals.state === 'alive' && !isNamed) return 'keyRefused'
    return managerPaused ? 'managerPaused' : undefined
  }

  async function publish(...[intentId, publication]: Parameters<TickPorts['publish']>): Promise<void> {
    const { phase, survivalScore, dreaming, mood } = publication
    const { pleasure, arousal, dominance } = mood
    const data = encodeFunctionData({
      abi: golemVitals.abi,
      functionName: 'publish',
      args: [id, phaseNumber(phase), survivalScore, dreaming, pleasure, arousal, dominance],
    })
    const request = { id: intentId, to: deployment.contracts.golemVitals, data }
    const { status, hash } = await submitOnce(store.journal, await openSubmitter(), request)
    if (status === 'success') return
    throw new BardoError('The vitals contract refused the write.', {
      code: 'TRANSACTION_REVERTED',
      outcome: 'landed',
      details: [`transaction ${hash}`],
    })
  }
}

/**
 * The last second before a Golem must begin to die. After the end of its window the chain refuses everything:
 * a Golem with open positions begins earlier, by the time the settlement may take, and by at most a quarter of
 * a short life.
 */
function lastSecond(window: { readonly start: number; readonly end: number }, hasPositions: boolean): bigint {
  if (!hasPositions) return BigInt(window.end)
  const lead = Math.min(settleSeconds, Math.floor((window.end - window.start) / 4))
  return BigInt(window.end - lead)
}
