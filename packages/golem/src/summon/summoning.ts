import { golemVitals } from '@bardo/contracts'
import { advanceOnboarding, BardoError, type Onboarding } from '@bardo/core'
import type { Golem, Transaction } from '@bardo/store'
import {
  createSealedKey,
  firstAccountOf,
  type ImportedKey,
  requireSecretKey,
  sealedKeySource,
  type Wallet,
} from '@bardo/wallets'
import { type Hash, keccak256, stringToHex, zeroHash } from 'viem'
import { z } from 'zod'
import type { GolemEvent } from '../events/golemEvent.ts'
import { overtaken, recordEvents } from '../events/recordEvents.ts'
import { warningOf } from '../permission/warningOf.ts'
import { readFamily } from '../state/storedFamily.ts'
import type { Manifest } from './summons.ts'

/** A stored summoning: the Golem's row, and the durations of the completed steps. */
export type Summoning = {
  readonly golem: Golem
  /** By the number of the step, from 1. */
  readonly milliseconds: ReadonlyMap<number, number>
}

// The steps of a summoning are the first events of a Golem.
const firstEvents = 100
const provisioned = z.object({ step: z.int(), milliseconds: z.number() })

/** Finds an earlier summoning of the same owner and name. Throws if it differs from this one. */
export async function findSummoning(summons: Manifest): Promise<Summoning | undefined> {
  const { store, owner, name } = summons
  const golem = (await store.golems.list({ owner, name })).find(({ status }) => status !== 'dead')
  if (!golem) return undefined
  if ((await readFamily(store, golem.id)).birth) throw different('the Golem is a Replicant of another')
  requireSame(golem, summons)
  const events = await store.events.read({ after: 0, golem: golem.id, limit: firstEvents })
  const times = events
    .filter((event) => event.name === 'golem.provisioned')
    .map(({ body }) => provisioned.parse(body))
  return { golem, milliseconds: new Map(times.map(({ step, milliseconds }) => [step, milliseconds])) }
}

/**
 * Stores the Golem's row and its sealed key in one transaction, before anything depends on them. Of two
 * concurrent calls
 * one fails, and finds the result of the other.
 */
export async function beginSummoning(summons: Manifest, tookManifest: number): Promise<Summoning> {
  const { store, clock, owner, name, strategy: text, secret, client, deployment } = summons
  const begun = clock.now()
  const custody = custodyOf(summons)
  const imported = importedKey(summons)
  if (imported) requireSecretKey(imported.address, [deployment.chainId])
  const { route, curve: wantedCurve } = summons
  const isAccount = route?.type === 'userOperation'
  const key = await createSealedKey({
    secret,
    imported,
    curve: wantedCurve,
    ...(isAccount && { actsBy: (first) => firstAccountOf(deployment.chainId, first).address }),
    contextOf: (address) =>
      client.readContract({
        address: deployment.contracts.golemVitals,
        abi: golemVitals.abi,
        functionName: 'golemId',
        args: [owner, address, zeroHash],
      }),
  })
  const { publicKey, curve, address, sealed, context: id } = key
  const strategy = { text, hash: keccak256(stringToHex(text)) }
  const onboarding = (
    [
      { event: 'custodySelected', custody },
      { event: 'walletReady' },
      { event: 'strategyAuthored', strategyHash: strategy.hash },
    ] as const
  ).reduce<Onboarding>(advanceOnboarding, { step: 'selectingCustody', owner })
  const milliseconds = new Map([
    [1, tookManifest],
    [2, clock.now() - begun],
  ])
  const isCreated = await store.transaction(async (transaction) => {
    const { golems, sessionKeys } = transaction
    if (!(await takeName(transaction, { id, owner, name, strategy }))) return false
    const life = { status: 'onboarding', phase: 'thriving', nextTick: undefined } as const
    if (!(await golems.create({ id, owner, name, custody, strategy, onboarding, ...life }))) return false
    await sessionKeys.add({ publicKey, golem: id, curve, address, sealed })
    await sessionKeys.advance(publicKey, 'active')
    recordEvents(transaction, id, [{ name: 'custody.modeSelected', mode: custody, owner }])
    recordEvents(transaction, id, [...milliseconds].map(provisionedIn))
    return true
  })
  if (!isCreated) throw overtaken()
  const golem = await store.golems.find(id)
  if (!golem)
    throw new BardoError('A Golem that was just created is not in the store.', { code: 'STORE_CORRUPT' })
  return { golem, milliseconds }
}

/** The wallet of an earlier summoning. Prints the wallet's warning, if it has one. */
export async function walletOfSummoning(summons: Manifest, golem: Hash): Promise<Wallet> {
  const { store, secret, deployment, route } = summons
  const { chainId } = deployment
  const source = { store, golem, secret, chainId, ...(route && { route: () => route }) }
  const wallet = await sealedKeySource(source).open()
  if (!wallet)
    throw new BardoError('The session key of this summoning is wiped.', {
      code: 'SESSION_KEY_ZEROED',
      remedy: 'Summon a Golem with another name.',
    })
  const { warning } = wallet.capabilities
  if (warning) warningOf(summons)(warning)
  return wallet
}

/** The event of a completed step and its duration. */
export function provisionedIn([step, milliseconds]: readonly [number, number]): GolemEvent {
  return { name: 'golem.provisioned', step, milliseconds }
}

/**
 * Claims a name for a new Golem or Replicant; false if a living Golem of the same owner has it. A name is
 * free again after
 * a death. The claim decides between two concurrent calls.
 */
export async function takeName(
  { golems, idempotencyKeys }: Pick<Transaction, 'golems' | 'idempotencyKeys'>,
  { id, owner, name, strategy }: Pick<Golem, 'id' | 'owner' | 'name' | 'strategy'>,
): Promise<boolean> {
  const namesakes = await golems.list({ owner, name })
  if (namesakes.some(({ status }) => status !== 'dead')) return false
  const claim = `summon:${owner.toLowerCase()}:${namesakes.length}:${name}`
  const { type } = await idempotencyKeys.claim(claim, strategy?.hash ?? zeroHash, Number.MAX_SAFE_INTEGER)
  if (type !== 'new') return false
  await idempotencyKeys.finish(claim, { golem: id })
  return true
}

function custodyOf({ custody }: Manifest) {
  return custody?.type ?? 'delegation'
}

function importedKey({ custody }: Manifest): ImportedKey | undefined {
  return custody?.type === 'localKey' ? custody.key : undefined
}

/** Custody and strategy of an earlier summoning cannot be changed. */
function requireSame({ custody, strategy }: Golem, summons: Manifest): void {
  const requested = custodyOf(summons)
  if (custody !== requested) throw different(`custody: ${custody}, requested: ${requested}`)
  if (strategy?.text !== summons.strategy) throw different('the strategy differs')
}

function different(detail: string): BardoError {
  return new BardoError('Another Golem already has this name.', {
    code: 'STEP_OUT_OF_ORDER',
    details: [detail],
    remedy:
      'Give the new Golem another name. Custody and strategy of a Golem cannot be changed by summoning it again.',
    docsPath: 'golem.md#the-runtime',
  })
}
