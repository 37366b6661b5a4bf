import { sendAllGas } from '@bardo/chain'
import { golemVitals } from '@bardo/contracts'
import { BardoError, hashDelegation, metabolicState, type Phase, phaseNumber } from '@bardo/core'
import { encodeFunctionData, type Hex } from 'viem'
import { type Death, type DeathStepResult, deathSteps } from '../death/death.ts'
import type { DeathPorts } from '../death/runDeath.ts'
import { type Remains, settlementOf } from '../death/settlementOf.ts'
import { writeTestament } from '../death/testament.ts'
import type { GolemEvent } from '../events/golemEvent.ts'
import { knownGrants } from '../owner/knownGrants.ts'
import type { Charter } from './charter.ts'
import type { Desk } from './createDesk.ts'
import { costOf } from './economyAt.ts'
import { fileRequest } from './fileRequest.ts'
import type { GolemParts } from './golemParts.ts'
import { grimoireOf } from './grimoireOf.ts'
import { hindranceOf } from './hindranceOf.ts'
import { testamentKey } from './inheritTestament.ts'
import { livelihood } from './livelihood.ts'
import { readRunway } from './readRunway.ts'
import { readWorld } from './readWorld.ts'
import { settlePositions } from './settlePositions.ts'
import { readFamily } from './storedFamily.ts'
import { readStoredDeath, readStoredState } from './storedLife.ts'
import { submitOnce } from './submitOnce.ts'
import { writeDeath } from './writeLife.ts'

const { abi } = golemVitals
/** What a dying Golem shows of its score. */
const lastScore = 0
/** Where the owner reads how the money stood. */
const settlementKey = 'settlement'

/** A death's ports over the store and the chain. */
export function createDeathPorts(
  parts: GolemParts,
  charter: Charter,
  openDesk: () => Promise<Desk>,
): DeathPorts {
  const { id, store, deployment, keys } = parts
  const hashes = charter.own.map((link) => hashDelegation(link))

  return {
    load: async (golem) => readStoredDeath((await store.lives.find(toHash(golem)))?.death),
    save: async (death, events) => writeDeath(store, id, death, [...(await lastAction(death)), ...events]),
    perform: {
      postDeclining: (_, intentId) => post('declining', intentId),
      clearDreaming: (_, intentId) =>
        write(intentId, ({ dreaming }) =>
          dreaming ? encodeFunctionData({ abi, functionName: 'setDreaming', args: [id, false] }) : undefined,
        ),
      settle,
      postTerminal: (_, intentId) => post('terminal', intentId),
      settleLate: settle,
      async writeTestament(death) {
        const life = await store.lives.find(id)
        const ticks = life ? readStoredState(life.state).tick : 0
        const { generation } = await readFamily(store, id)
        const heading = { golem: id, generation, cause: death.trigger, ticks }
        const body = writeTestament(heading, await grimoireOf(store, id))
        await store.grimoire.put({ golem: id, key: testamentKey, kind: 'testament', body })
        const settlement = settlementOf(death, await remains())
        await store.grimoire.put({ golem: id, key: settlementKey, kind: 'settlement', body: settlement })
        return { kind: 'done' }
      },
      surrender: (_, intentId) =>
        write(intentId, () => encodeFunctionData({ abi, functionName: 'deregister', args: [id] })),
      async fileRevocation(death, intentId) {
        // Further keys and the runway end with it: the owner is asked once, for all of them.
        const further = (await knownGrants(store, id)).filter(
          ({ of }) => of === 'sessionKey' || of === 'runway',
        )
        const others = further.map(({ delegation }) => hashDelegation(delegation))
        const body = { because: death.trigger, delegations: [...new Set([...hashes, ...others])] }
        await fileRequest(store, { id: intentId, golem: id, kind: 'revoke', body })
        return { kind: 'done' }
      },
      async wipe(_, intentId) {
        const returned = await certain(async () => {
          const desk = await openDesk()
          await sendAllGas({ ...desk, journal: store.journal }, { id: intentId, to: charter.golem.owner })
          return { kind: 'done' }
        })
        if (returned.kind === 'waiting') return returned
        await keys.wipe()
        return { kind: 'done' }
      },
      // Its row says so with the last write of the death, and no worker takes it up again.
      deregister: async () => ({ kind: 'done' }),
    },
  }

  /** An action that landed while nobody ticked any more: told with the end of settling, so that the books agree. */
  async function lastAction(death: Death): Promise<readonly GolemEvent[]> {
    if (deathSteps[death.stepsDone - 1]?.[1] !== 'settle') return []
    const life = await store.lives.find(id)
    const pending = life && readStoredState(life.state).pending
    if (!pending) return []
    const settlement = (await store.journal.find(pending.intentId))?.settlement
    if (settlement?.kind !== 'landed' || settlement.mined.status !== 'success') return []
    const { intentId: intent, valueCents: spentCents } = pending
    return [{ name: 'action.landed', intent, transaction: settlement.mined.hash, spentCents }]
  }

  function settle(death: Death, intentId: string): Promise<DeathStepResult> {
    return certain(() => settlePositions(parts, charter, openDesk, death, intentId))
  }

  async function remains(): Promise<Remains> {
    const seen = await readWorld(parts, charter)
    const granted = await readRunway(parts, charter)
    const { economy, window } = await livelihood(parts, charter, seen, granted)
    const { revenueCents, costs, remainingCents } = economy
    return {
      custody: charter.golem.custody ?? 'delegation',
      delegationHash: hashDelegation(charter.links[0]),
      metabolism: metabolicState(revenueCents, costs, remainingCents),
      lifetimeRevenueCents: revenueCents,
      lifetimeInferenceCents: costOf(
        { ...costs, gas: 0n, compute: 0n, data: 0n },
        seen.at - BigInt(window.start),
      ),
    }
  }

  function toHash(golem: string): Hex {
    return golem === id ? id : `0x${golem.slice(2)}`
  }

  function post(phase: Phase, intentId: string): Promise<DeathStepResult> {
    const number = phaseNumber(phase)
    return write(intentId, (vitals) =>
      vitals.phase < number
        ? encodeFunctionData({ abi, functionName: 'post', args: [id, number, lastScore] })
        : undefined,
    )
  }

  /** Writes the Golem's row, where it does not say so already. */
  async function write(
    intentId: string,
    dataFor: (vitals: { readonly phase: number; readonly dreaming: boolean }) => Hex | undefined,
  ): Promise<DeathStepResult> {
    return certain(async () => {
      const known = await store.journal.find(intentId)
      const { vitals } = await readWorld(parts, charter)
      const data = known ? known.intent.data : vitals.state === 'alive' ? dataFor(vitals) : undefined
      if (data === undefined) return { kind: 'done' }
      const { submitter } = await openDesk()
      const wish = { id: intentId, to: deployment.contracts.golemVitals, data }
      const { status } = await submitOnce(store.journal, submitter, wish)
      return status === 'success'
        ? { kind: 'done' }
        : { kind: 'impossible', because: 'the vitals refused it' }
    })
  }
}

/** What cannot be done without a key, or without gas, is passed over; what is uncertain waits; the rest is thrown. */
async function certain(work: () => Promise<DeathStepResult>): Promise<DeathStepResult> {
  try {
    return await work()
  } catch (error) {
    if (!(error instanceof BardoError)) throw error
    if (error.code === 'OUTCOME_UNKNOWN') return { kind: 'waiting' }
    const because = hindranceOf(error)
    if (because === undefined) throw error
    return { kind: 'impossible', because }
  }
}
