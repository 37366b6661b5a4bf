import { BardoError, type Explanation, readSignedPlan } from '@bardo/core'
import { isAddressEqual } from 'viem'
import { z } from 'zod'
import { buildAction } from '../action/buildAction.ts'
import type { Committed } from '../action/commitCapability.ts'
import { attemptAction } from '../action/endAction.ts'
import { explainRequest } from '../action/explainRequest.ts'
import { createActionPorts } from '../action/performAction.ts'
import type { Life, Preview } from '../action/previewIntention.ts'
import { requireAble } from '../action/requireAble.ts'
import { failureOf } from '../events/failureOf.ts'
import type { GolemEvent } from '../events/golemEvent.ts'
import { recordEvents } from '../events/recordEvents.ts'
import { requireNotPaused } from '../observeOnly/paused.ts'
import type { GolemParts } from '../permission/golemParts.ts'
import type { SignedPermission } from '../permission/signedPermission.ts'
import { readStoredPreview } from '../state/storedState.ts'
import { type Intention, summaryOf } from '../strategy/strategy.ts'
import type { GolemSubmitter } from '../submission/openSubmitter.ts'
import { cageIn } from './giveDelegation.ts'
import { findReceived } from './storedDelegations.ts'

/** A Golem that acts with a delegation which another Golem gave to it. */
export type Receiving = {
  readonly parts: GolemParts
  openSubmitter(): Promise<GolemSubmitter>
  life(): Promise<Life>
}

const previewKey = (capabilityId: string) => `receivedPreview.${capabilityId}`
const receivedField = z.looseObject({ received: z.string() })

/** Previews an action under a received delegation: built, evaluated, simulated, and given a capability. */
export async function previewReceived(
  receiving: Receiving,
  intention: Intention,
  received: string,
): Promise<Preview> {
  const { id, store } = receiving.parts
  const { state, death, pausedAt } = await receiving.life()
  requireAble(state, death, undefined)
  requireNotPaused(pausedAt)
  const authorized = await (await portsFor(receiving, received)).authorize(intention, state.tick + 1)
  if (authorized.type === 'refused') throw authorized.error
  const { capabilityId, valueCents } = authorized
  await store.grimoire.put({
    golem: id,
    key: previewKey(capabilityId),
    kind: 'preview',
    body: { intention, valueCents, received },
  })
  const entry = await store.capabilities.find(capabilityId)
  return { capabilityId, valueCents, expiresAtTick: entry?.capability.expiresAtTick ?? state.tick + 1 }
}

/** Explains how the chain would judge an action under a received delegation. */
export async function explainReceived(
  { parts }: Receiving,
  intention: Intention,
  received: string,
): Promise<Explanation> {
  const permission = await permissionFor(parts, received)
  const { action } = await buildAction(parts, permission, intention)
  return explainRequest(parts, permission, action)
}

/**
 * Commits a capability that {@link previewReceived} minted, once for each intent. Returns undefined for any
 * other capability. The Golem's own state does not change: an interrupted commit continues when it is repeated,
 * or when the Golem opens its wallet again.
 */
export async function commitReceived(
  receiving: Receiving,
  capabilityId: string,
  intentId: string,
): Promise<Committed | undefined> {
  const { id, store } = receiving.parts
  const body = (await store.grimoire.get(id, previewKey(capabilityId)))?.body
  if (body === undefined) return undefined
  const { intention, valueCents } = readStoredPreview(body)
  const { received } = receivedField.parse(body)
  const { state, death, pausedAt } = await receiving.life()
  requireAble(state, death, undefined)
  const ports = await portsFor(receiving, received)
  const pending = { intentId, intention, capabilityId, valueCents }
  const summary = `${summaryOf(intention)}, under the delegation ${received}`
  if (!(await store.journal.find(intentId))) {
    // What is journaled already is finished, also by a paused Golem.
    requireNotPaused(pausedAt)
    await record({ name: 'action.intended', intent: intentId, summary, valueCents })
  }
  const ended = await attemptAction(ports, state, pending, state.tick + 1)
  if (ended.type === 'onItsWay')
    throw new BardoError('The action was started, and its outcome is not known yet.', {
      code: 'OUTCOME_UNKNOWN',
      outcome: 'unknown',
      details: [`intent ${intentId}`, ...(ended.because ? [`it waits: ${ended.because}`] : [])],
      remedy: 'Commit the same capability again in a few seconds.',
      docsPath: 'golem.md#another-golem',
    })
  await store.grimoire.remove(id, previewKey(capabilityId))
  if (ended.type !== 'landed') {
    // Another owner's bounds refused: it is not a violation of this Golem's own permission.
    await record({ name: 'action.postponed', intent: intentId, failure: failureOf(ended.error) })
    throw ended.error
  }
  const { transaction, spentCents } = ended
  await record({ name: 'action.landed', intent: intentId, transaction, spentCents })
  return { transaction, spentCents }

  function record(event: GolemEvent): Promise<void> {
    return store.transaction(async (transaction) => recordEvents(transaction, id, [event]))
  }
}

async function portsFor({ parts, openSubmitter }: Receiving, received: string) {
  return createActionPorts(parts, await permissionFor(parts, received), openSubmitter)
}

/** The permission that a received delegation gives, read from the signed bytes. */
async function permissionFor(parts: GolemParts, received: string): Promise<SignedPermission> {
  const { id, store, deployment, book: names, keys } = parts
  const { links, delegate } = await findReceived(store, id, received)
  const [golem, wallet] = await Promise.all([store.golems.find(id), keys.open()])
  if (!golem || !wallet || !isAddressEqual(wallet.address, delegate))
    throw otherKey(delegate, wallet?.address)
  const { terms } = cageIn(links, deployment)
  const signed = { golem, links, terms, ...readSignedPlan(terms, names) }
  // A received delegation names its only redeemer, so nothing below it can be redeemed.
  const actsBy = wallet.account ? 'account' : 'key'
  return {
    ...signed,
    liquidity: undefined,
    windDown: [],
    replicants: undefined,
    own: [links[0]],
    actsBy,
    isStrategySigned: true,
    hasOtherKeys: false,
  }
}

function otherKey(delegate: string, key: string | undefined): BardoError {
  return new BardoError('The received delegation names another key of this Golem.', {
    code: 'ACTION_NOT_ALLOWED',
    details: [`delegate: ${delegate}`, `active key: ${key ?? 'none'}`],
    remedy: 'A rotation replaced the key. Ask the giver for a delegation to the active key.',
    docsPath: 'golem.md#another-golem',
  })
}
