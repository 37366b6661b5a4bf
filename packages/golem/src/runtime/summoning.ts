import { sessionKeyAccount } from '@bardo/chain'
import { golemVitals } from '@bardo/contracts'
import {
  advanceOnboarding,
  BardoError,
  generateSessionKey,
  type Onboarding,
  type SessionKey,
  sealSessionKey,
} from '@bardo/core'
import type { Golem, Transaction } from '@bardo/store'
import { createLocalKeyWallet } from '@bardo/wallets'
import { type Hash, keccak256, type LocalAccount, stringToHex, zeroHash } from 'viem'
import { z } from 'zod'
import { eventToJson } from '../events/eventToJson.ts'
import type { GolemEvent } from '../events/golemEvent.ts'
import { sealedKeySource } from './sealedKeySource.ts'
import type { Summons } from './summons.ts'
import { warningOf } from './warningOf.ts'

/** A summoning as the store has it: the Golem's row, and how long the steps took that are behind it. */
export type Summoning = {
  readonly golem: Golem
  /** By the step's number, from 1. */
  readonly milliseconds: ReadonlyMap<number, number>
}

/** Steps of a summoning come first in a Golem's record. */
const firstEvents = 100
const provisioned = z.object({ step: z.int(), milliseconds: z.number() })
const random = (length: number) => crypto.getRandomValues(new Uint8Array(length))

/** The summoning that this one goes on with: of the same owner and name. What differs from it is refused. */
export async function findSummoning(summons: Summons): Promise<Summoning | undefined> {
  const { store } = summons
  const golem = (await namesakes(summons)).find(({ status }) => status !== 'dead')
  if (!golem) return undefined
  requireSame(golem, summons)
  const events = await store.events.read({ after: 0, golem: golem.id, limit: firstEvents })
  const times = events
    .filter(({ name }) => name === 'golem.provisioned')
    .map(({ body }) => provisioned.parse(body))
  return { golem, milliseconds: new Map(times.map(({ step, milliseconds }) => [step, milliseconds])) }
}

/**
 * Makes the Golem's row and its key, sealed, before anything depends on them: both or neither. Of two that do it at once
 * one comes too late, and finds what the other made.
 */
export async function beginSummoning(summons: Summons, tookManifest: number): Promise<Summoning> {
  const { store, clock, owner, name, strategy: text, secret, client, deployment } = summons
  const begun = clock.now()
  const custody = custodyOf(summons)
  const session = givenKey(summons) ?? generateSessionKey('secp256k1', random)
  const { address } = openWallet(summons, session, () => {})
  const id = await client.readContract({
    address: deployment.contracts.golemVitals,
    abi: golemVitals.abi,
    functionName: 'golemId',
    args: [owner, address, zeroHash],
  })
  const strategy = { text, hash: keccak256(stringToHex(text)) }
  const onboarding = (
    [
      { event: 'custodySelected', custody },
      { event: 'walletReady' },
      { event: 'strategyAuthored', strategyHash: strategy.hash },
    ] as const
  ).reduce<Onboarding>(advanceOnboarding, { step: 'selectingCustody', owner })
  const sealed = await sealSessionKey(session, secret, random, { context: id })
  const { publicKey, curve } = session
  const dead = (await namesakes(summons)).filter(({ status }) => status === 'dead').length
  const milliseconds = new Map([
    [1, tookManifest],
    [2, clock.now() - begun],
  ])
  const isOurs = await store.transaction(async (transaction) => {
    const { golems, sessionKeys, idempotencyKeys } = transaction
    const claim = `summon:${owner.toLowerCase()}:${dead}:${name}`
    const { is } = await idempotencyKeys.claim(claim, strategy.hash, Number.MAX_SAFE_INTEGER)
    if (is !== 'new') return false
    const life = { status: 'onboarding', phase: 'thriving', nextTick: undefined } as const
    if (!(await golems.create({ id, owner, name, custody, strategy, onboarding, ...life }))) return false
    await sessionKeys.add({ publicKey, golem: id, curve, address, sealed })
    await sessionKeys.advance(publicKey, 'active')
    await idempotencyKeys.finish(claim, { golem: id })
    tell(transaction, id, [{ name: 'custody.modeSelected', mode: custody, owner }])
    tell(transaction, id, [...milliseconds].map(provisionedIn))
    return true
  })
  if (!isOurs) throw overtaken()
  const golem = await store.golems.find(id)
  if (!golem) throw new BardoError('The Golem was made and is not there.', { code: 'STORE_CORRUPT' })
  return { golem, milliseconds }
}

/** The key of a summoning that goes on, as an account. */
export async function keyOfSummoning(summons: Summons, golem: Hash): Promise<LocalAccount> {
  const key = await sealedKeySource(summons.store, golem, summons.secret).open()
  if (key) return openWallet(summons, key, warningOf(summons))
  throw new BardoError('The session key of this summoning is gone.', {
    code: 'SESSION_KEY_ZEROED',
    remedy: 'Summon a Golem of another name.',
  })
}

/** That a step was done, and how long it took. */
export function provisionedIn([step, milliseconds]: readonly [number, number]): GolemEvent {
  return { name: 'golem.provisioned', step, milliseconds }
}

/** Records events with a transaction. */
export function tell({ record }: Pick<Transaction, 'record'>, golem: Hash, events: readonly GolemEvent[]) {
  record(events.map((event) => ({ golem, name: event.name, body: eventToJson(event) })))
}

/** Another process goes on with the same summoning. */
export function overtaken(): BardoError {
  return new BardoError('Somebody else is summoning this Golem.', {
    code: 'STORE_UNAVAILABLE',
    remedy: 'Call it again: it goes on where the other one is.',
  })
}

function namesakes({ store, owner, name }: Summons): Promise<readonly Golem[]> {
  return store.golems.list({ owner, name })
}

function custodyOf({ custody }: Summons) {
  return custody?.is ?? 'delegation'
}

function givenKey({ custody }: Summons): SessionKey | undefined {
  return custody?.is === 'localKey' ? custody.key : undefined
}

/** A key that everybody knows is refused, where the money is real. */
function openWallet(summons: Summons, key: SessionKey, warn: (message: string) => void): LocalAccount {
  if (custodyOf(summons) !== 'localKey') return sessionKeyAccount(key)
  const chains = [summons.deployment.chainId]
  const standing = async () => ({ is: 'active' }) as const
  return createLocalKeyWallet({ key, chains, standing, warn }).account
}

/** There is no way back, and none around: what was chosen before stays chosen. */
function requireSame({ custody, strategy }: Golem, summons: Summons): void {
  const asked = custodyOf(summons)
  if (custody !== asked) throw different(`its custody is ${custody}, asked for is ${asked}`)
  if (strategy?.text !== summons.strategy) throw different('its strategy is another one')
}

function different(detail: string): BardoError {
  return new BardoError('There is a Golem of this name already, and it differs.', {
    code: 'STEP_OUT_OF_ORDER',
    details: [detail],
    remedy: 'Give the new one another name. What was chosen for a Golem stays.',
    docsPath: 'golem.md#the-runtime',
  })
}
