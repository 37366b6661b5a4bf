import { formatDollars, type PermissionHealth } from '@bardo/core'
import { deathWords } from '@bardo/golem/deathWords'
import { formatEther } from 'viem'
import { observeWords, revokedWords, wordsFor } from './reasonWords.ts'
import { phaseWords } from './stateWords.ts'

/** An event, from the store or over the socket. */
export type EventRecord = { readonly name: string; readonly body: unknown }

type Fields = Readonly<Record<string, unknown>>

const sentences: Readonly<Record<string, (body: Fields) => string | undefined>> = {
  'golem.summoned': () => 'was summoned.',
  'identity.registered': ({ agentId }) => `is agent ${agentId} in the identity registry.`,
  'action.intended': ({ summary }) => `plans to ${summary}.`,
  'action.landed': ({ spentCents, transaction }) =>
    `completed an action (${money(spentCents)} spent): ${transaction}`,
  'action.refused': ({ where, failure }) =>
    `was refused by ${where === 'chain' ? 'the chain' : 'its own checks'}: ${messageOf(failure)}`,
  'action.postponed': ({ failure }) => `postponed an action: ${messageOf(failure)}`,
  'vitals.phaseChanged': ({ from, to }) =>
    `is now ${wordsFor(phaseWords, to)}; it was ${wordsFor(phaseWords, from)}.`,
  'permission.health': ({ health }) => wordsFor(healthSentences, health),
  'heartbeat.stepFailed': ({ failure }) => `failed in a tick step: ${messageOf(failure)}`,
  'heartbeat.anomaly': ({ missed }) => `missed ${many(missed, 'tick')}: no worker claimed it.`,
  'dream.began': () => 'started dreaming.',
  'dream.ended': () => 'stopped dreaming.',
  'rotation.stepFailed': ({ failure }) => `could not rotate its key yet: ${messageOf(failure)}`,
  'gas.swept': ({ amountWei, leftWei }) =>
    `returned ${ether(amountWei)} ETH of gas from a key; ${ether(leftWei)} ETH remain in it.`,
  'golem.registeredAgain': () => 'was registered again: a chain reorganisation had removed its registration.',
  'submission.landingUndone': ({ transaction }) =>
    `lost a landed transaction to a chain reorganisation: ${transaction}`,
  'submission.landedAgain': ({ transaction, status }) =>
    `landed the transaction again${status === 'reverted' ? ', and it reverted' : ''}: ${transaction}`,
  'submission.gapClosed': ({ nonce, from }) => `closed a nonce gap: nonce ${nonce} of ${from}.`,
  'submission.nonceDoubted': ({ answered, expected }) =>
    `waits: the node reports nonce ${answered} instead of ${expected}, but no transaction that used it.`,
  'sessionKey.wiped': () => 'wiped a session key.',
  'owner.requestFiled': ({ kind, request }) => `asks its owner (${kind}): bardo requests ${request} yes`,
  'action.refusalsCounted': ({ count }) =>
    `was refused ${count} more previews; they are counted, not listed.`,
  'owner.requestWithdrawn': ({ kind }) => `withdrew its request to its owner (${kind}): it is dying.`,
  'owner.requestAnswered': ({ granted }) =>
    `received its owner’s answer: ${granted === true ? 'yes' : 'no'}.`,
  'recovery.observing': ({ reason }) => `is in observe-only mode: ${wordsFor(observeWords, reason)}.`,
  'recovery.acting': () => 'acts again.',
  'custody.delegationGranted': () => 'received a new delegation.',
  'custody.delegationRevoked': ({ cause }) => `had a delegation revoked: ${wordsFor(revokedWords, cause)}.`,
  'sessionKey.rotated': () => 'has a new session key.',
  'replicant.spawned': ({ replicant }) => `has a child: ${replicant}`,
  'replicant.ended': ({ replicant }) => `lost a child: ${replicant}`,
  'delegation.given': ({ to }) => `delegated a part of its permission to ${to}.`,
  'delegation.givenEnded': ({ delegation }) => `ended a delegation that it gave: ${delegation}`,
  'delegation.received': ({ from }) => `received a delegation from ${from}.`,
  DeathProtocolStarted: ({ trigger }) => `is dying: ${wordsFor(deathWords, trigger)}.`,
  PositionsUnwound: ({ positionsExited, positionsLeft }) =>
    positionsExited === 0 && positionsLeft === 0
      ? undefined
      : `closed ${many(positionsExited, 'position')}${positionsLeft === 0 ? '' : `, and could not close ${positionsLeft}`}.`,
  'death.stepImpossible': ({ step, because }) => `could not complete a shutdown step (${step}): ${because}`,
  DeathCompleted: ({ lifetimeTicks }) => `is dead after ${many(lifetimeTicks, 'tick')}.`,
  PERMISSION_REVOKED: () => 'gave up its authority.',
}

const healthSentences = {
  healthy: 'has a healthy permission.',
  low: 'has a permission that is running low.',
  critical: 'has a permission that is almost used up.',
  revoked: 'has no permission: it was revoked.',
} satisfies Readonly<Record<PermissionHealth, string>>

/** An event as a sentence that follows the Golem's name; undefined for an event that is not shown. */
export function eventText({ name, body }: EventRecord): string | undefined {
  const sentence = Object.hasOwn(sentences, name) ? sentences[name] : undefined
  return sentence?.(isFields(body) ? body : {})
}

function many(number: unknown, what: string): string {
  return `${number} ${what}${number === 1 ? '' : 's'}`
}

function money(cents: unknown): string {
  return /^-?\d+$/.test(String(cents)) ? formatDollars(String(cents)) : '$?'
}

function ether(wei: unknown): string {
  return typeof wei === 'string' || typeof wei === 'bigint' ? formatEther(BigInt(wei)) : '?'
}

function messageOf(failure: unknown): string {
  return isFields(failure) && typeof failure['message'] === 'string' ? failure['message'] : 'unknown reason'
}

function isFields(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null
}
