import { formatDollars, formatLongDuration, type PermissionHealth } from '@bardo/core'
import type { GolemEvent } from '@bardo/golem'
import { deathWords } from '@bardo/golem/deathWords'
import { formatEther } from 'viem'
import { keyEndWords, observeWords, revokedWords, rotationWords, wordsFor } from './reasonWords.ts'
import { phaseWords } from './stateWords.ts'

/** An event, from the store or over the socket. */
export type EventRecord = { readonly name: string; readonly body: unknown }

type Fields = Readonly<Record<string, unknown>>

type Sentence = (body: Fields) => string | undefined

/** By the names of events; another name does not compile. */
const knownSentences: Readonly<Partial<Record<GolemEvent['name'], Sentence>>> = {
  'golem.summoned': () => 'was summoned.',
  'golem.paused': () => 'is paused by its owner: it begins no action.',
  'golem.resumed': () => 'is resumed by its owner.',
  'identity.registered': ({ agentId }) => `is agent ${agentId} in the identity registry.`,
  'identity.walletSet': ({ agentId }) => `set its current key as the wallet of agent ${agentId}.`,
  'identity.attested': ({ owner }) => `was attested by its owner ${owner}.`,
  'identity.deposited': ({ agentId }) => `has its identity, agent ${agentId}, with the guardian contract.`,
  'identity.transferAnnounced': ({ agentId, to }) =>
    `announced a transfer of agent ${agentId} to ${to}; it can complete after the delay.`,
  'identity.transferCancelled': ({ agentId, by }) => `keeps agent ${agentId}: ${by} cancelled the transfer.`,
  'identity.transferCompleted': ({ agentId, to }) =>
    `had its identity transferred: agent ${agentId} to ${to}.`,
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
  'gas.drawn': ({ amountWei }) => `drew ${ether(amountWei)} ETH for gas from your account.`,
  'golem.registeredAgain': () => 'was registered again: a chain reorganisation had removed its registration.',
  'submission.landingUndone': ({ transaction }) =>
    `lost a landed transaction to a chain reorganisation: ${transaction}`,
  'submission.landedAgain': ({ transaction, status }) =>
    `landed the transaction again${status === 'reverted' ? ', and it reverted' : ''}: ${transaction}`,
  'submission.gapClosed': ({ nonce, from }) => `closed a nonce gap: nonce ${nonce} of ${from}.`,
  'submission.nonceDoubted': ({ answered, expected }) =>
    `waits: the node reports nonce ${answered} instead of ${expected}, but no transaction that used it.`,
  'sessionKey.wiped': () => 'wiped a session key.',
  'owner.requestFiled': ({ kind, request }) =>
    kind === 'cosign'
      ? `asks its co-signers: bardo requests ${request}`
      : `asks its owner (${kind}): bardo requests ${request} yes`,
  'action.refusalsCounted': ({ count }) =>
    `was refused ${count} more previews; they are counted, not listed.`,
  'owner.requestWithdrawn': ({ kind }) => `withdrew its request to its owner (${kind}): it is dying.`,
  'owner.requestAnswered': ({ granted, request }) =>
    `${request}`.startsWith('cosign-')
      ? `ended its proposal ${request}: ${granted === true ? 'carried out' : 'not carried out'}.`
      : `received its owner’s answer: ${granted === true ? 'yes' : 'no'}.`,
  'recovery.observing': ({ reason }) => `is in observe-only mode: ${wordsFor(observeWords, reason)}.`,
  'recovery.acting': () => 'acts again.',
  'custody.delegationGranted': () => 'received a new delegation.',
  'custody.delegationRevoked': ({ cause }) => `had a delegation revoked: ${wordsFor(revokedWords, cause)}.`,
  'custody.sessionKeyRotated': ({ newAddress, reason }) =>
    `has a new session key (${wordsFor(rotationWords, reason)}): ${newAddress}`,
  'custody.delegationExpiring': ({ secondsRemaining }) =>
    `has a permission that ends in ${length(secondsRemaining)}; renew it with bardo feed.`,
  'sessionKey.budgetWarning': ({ remainingBps, estimatedOperationsLeft }) =>
    `has ${percent(remainingBps)} of its daily limit left${/^[1-9]/.test(`${estimatedOperationsLeft}`) ? `: ${estimatedOperationsLeft} more of this size` : ''}.`,
  'sessionKey.revoked': ({ cause }) => `has a session key that lost its authority: ${keyEndOf(cause)}.`,
  'replicant.spawned': ({ replicant }) => `has a child: ${replicant}`,
  'replicant.ended': ({ replicant }) => `lost a child: ${replicant}`,
  'delegation.given': ({ to }) => `delegated a part of its permission to ${to}.`,
  'delegation.givenEnded': ({ delegation }) => `ended a delegation that it gave: ${delegation}`,
  'council.coSigned': ({ request }) => `co-signed the proposal ${request}.`,
  'council.refused': ({ request, because }) => `refused to co-sign the proposal ${request}: ${because}`,
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

const sentences: Readonly<Record<string, Sentence | undefined>> = knownSentences

const healthSentences = {
  healthy: 'has a healthy permission.',
  low: 'has a permission that is running low.',
  critical: 'has a permission that is almost used up.',
  revoked: 'has no permission: it was revoked.',
} satisfies Readonly<Record<PermissionHealth, string>>

/** The names of the events that are shown. */
export const shownEvents: readonly string[] = Object.keys(knownSentences)

/** An event as a sentence that follows the Golem's name; undefined for an event that is not shown. */
export function eventText({ name, body }: EventRecord): string | undefined {
  const sentence = Object.hasOwn(sentences, name) ? sentences[name] : undefined
  return sentence?.(isFields(body) ? body : {})
}

function many(number: unknown, what: string): string {
  return `${number} ${what}${number === 1 ? '' : 's'}`
}

function keyEndOf(cause: unknown): string {
  const kind = isFields(cause) ? cause['kind'] : undefined
  const transaction = isFields(cause) ? cause['transaction'] : undefined
  const isKnown = typeof transaction === 'string' && /[1-9a-f]/.test(transaction.slice(2))
  return `${wordsFor(keyEndWords, kind)}${isKnown ? ` (${transaction})` : ''}`
}

function length(seconds: unknown): string {
  return /^\d+$/.test(`${seconds}`) ? formatLongDuration(Number(seconds)) : 'less than a day'
}

function percent(bps: unknown): string {
  return `${Math.floor(Number(bps) / 100)} %`
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
