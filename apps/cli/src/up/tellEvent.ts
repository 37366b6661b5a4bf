import type { PermissionHealth } from '@bardo/core'
import { dollars } from '../office/compiledJson.ts'
import { phaseWords } from '../watch/stateWords.ts'
import { deathWords, observeWords, revokedWords, wordsFor } from './reasonWords.ts'

/** An event as it is told: what the store has, or what came over the socket. */
export type ToldEvent = { readonly name: string; readonly body: unknown }

type Fields = Readonly<Record<string, unknown>>

const tell: Readonly<Record<string, (body: Fields) => string | undefined>> = {
  'golem.summoned': () => 'is summoned.',
  'identity.registered': ({ agentId }) => `is agent ${agentId} in the identity registry.`,
  'action.intended': ({ summary }) => `means to ${summary}.`,
  'action.landed': ({ spentCents, transaction }) => `traded ${money(spentCents)}: ${transaction}`,
  'action.refused': ({ where, failure }) =>
    `was refused by ${where === 'chain' ? 'the chain' : 'its own guard'}: ${messageOf(failure)}`,
  'vitals.phaseChanged': ({ from, to }) =>
    `is ${wordsFor(phaseWords, to)} now; it was ${wordsFor(phaseWords, from)}.`,
  'permission.health': ({ health }) => wordsFor(healthSentences, health),
  'heartbeat.stepFailed': ({ failure }) => `stumbled: ${messageOf(failure)}`,
  'heartbeat.anomaly': ({ missed }) => `missed ${many(missed, 'tick')}.`,
  'dream.began': () => 'dreams.',
  'dream.ended': () => 'is awake again.',
  'rotation.stepFailed': ({ failure }) => `could not change its key yet: ${messageOf(failure)}`,
  'sessionKey.wiped': () => 'had its session key wiped.',
  'owner.requestFiled': ({ kind, request }) => `asks its owner (${kind}): bardo requests ${request} yes`,
  'owner.requestAnswered': ({ granted }) => `got its owner’s answer: ${granted === true ? 'yes' : 'no'}.`,
  'recovery.observing': ({ reason }) => `only looks on: ${wordsFor(observeWords, reason)}.`,
  'recovery.acting': () => 'acts again.',
  'custody.delegationGranted': () => 'has a delegation that its owner signed.',
  'custody.delegationRevoked': ({ cause }) => `lost a delegation: ${wordsFor(revokedWords, cause)}.`,
  'sessionKey.rotated': () => 'has a new session key.',
  'replicant.spawned': ({ replicant }) => `has a child: ${replicant}`,
  'replicant.ended': ({ replicant }) => `lost a child: ${replicant}`,
  DeathProtocolStarted: ({ trigger }) => `is dying: ${wordsFor(deathWords, trigger)}.`,
  PositionsUnwound: ({ positionsExited, positionsLeft }) =>
    positionsExited === 0 && positionsLeft === 0
      ? undefined
      : `closed ${many(positionsExited, 'position')}${positionsLeft === 0 ? '' : `, and could not close ${positionsLeft}`}.`,
  'death.stepImpossible': ({ step, because }) => `could not take a step of its end (${step}): ${because}`,
  DeathCompleted: ({ lifetimeTicks }) => `is dead after ${many(lifetimeTicks, 'tick')}.`,
  PERMISSION_REVOKED: () => 'gave its authority up.',
}

const healthSentences = {
  healthy: 'has a healthy permission.',
  low: 'has a permission that runs low.',
  critical: 'has a permission that is almost used up.',
  revoked: 'has no permission any more.',
} satisfies Readonly<Record<PermissionHealth, string>>

/** An event in a sentence about its Golem; undefined for what is no news. */
export function tellEvent({ name, body }: ToldEvent): string | undefined {
  const say = Object.hasOwn(tell, name) ? tell[name] : undefined
  return say?.(isFields(body) ? body : {})
}

function many(number: unknown, what: string): string {
  return `${number} ${what}${number === 1 ? '' : 's'}`
}

function money(cents: unknown): string {
  return typeof cents === 'string' || typeof cents === 'bigint' ? dollars(cents) : '$?'
}

function messageOf(failure: unknown): string {
  return isFields(failure) && typeof failure['message'] === 'string' ? failure['message'] : 'nobody knows why'
}

function isFields(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null
}
