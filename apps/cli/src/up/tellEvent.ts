import { dollars } from '../office/compiledJson.ts'

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
  'vitals.phaseChanged': ({ from, to }) => `went from ${from} to ${to}.`,
  'permission.health': ({ health }) => `holds a permission that is ${health}.`,
  'heartbeat.stepFailed': ({ failure }) => `stumbled: ${messageOf(failure)}`,
  'heartbeat.anomaly': ({ missed }) => `missed ${missed} ticks.`,
  'dream.began': () => 'dreams.',
  'dream.ended': () => 'is awake again.',
  'owner.requestFiled': ({ kind, request }) => `asks its owner (${kind}): bardo requests ${request} yes`,
  'owner.requestAnswered': ({ granted }) => `got its owner’s answer: ${granted === true ? 'yes' : 'no'}.`,
  'recovery.observing': ({ reason }) => `looks on: ${reason}.`,
  'recovery.acting': () => 'acts again.',
  'custody.delegationGranted': () => 'has a delegation that its owner signed.',
  'custody.delegationRevoked': ({ cause }) => `lost a delegation: ${cause}.`,
  'sessionKey.rotated': () => 'has a new session key.',
  'replicant.spawned': ({ replicant }) => `has a child: ${replicant}`,
  'replicant.ended': ({ replicant }) => `lost a child: ${replicant}`,
  DeathProtocolStarted: ({ trigger }) => `is dying: ${trigger}.`,
  PositionsUnwound: ({ positionsExited, positionsLeft }) =>
    `closed ${positionsExited} positions, and left ${positionsLeft}.`,
  DeathCompleted: ({ lifetimeTicks }) => `is dead after ${lifetimeTicks} ticks.`,
  PERMISSION_REVOKED: () => 'gave its authority up.',
}

/** An event in a sentence about its Golem; undefined for what is no news. */
export function tellEvent({ name, body }: ToldEvent): string | undefined {
  const say = Object.hasOwn(tell, name) ? tell[name] : undefined
  return say?.(isFields(body) ? body : {})
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
