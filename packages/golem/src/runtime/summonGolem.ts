import { registerGolem, type Submitter, sessionKeyAccount } from '@bardo/chain'
import { golemVitals } from '@bardo/contracts'
import {
  advanceOnboarding,
  type Delegation,
  encodeContext,
  generateSessionKey,
  type Onboarding,
  type OnboardingEvent,
  prepareSignatures,
  type SealingSecret,
  sealSessionKey,
} from '@bardo/core'
import { type Address, type Hash, keccak256, stringToHex, zeroHash } from 'viem'
import { newGolem } from '../heartbeat/golemState.ts'
import type { GolemParts } from './golemParts.ts'
import { inheritTestament } from './inheritTestament.ts'

/** What a person brings to a summoning. */
export type Summons = Pick<GolemParts, 'store' | 'client' | 'deployment' | 'book' | 'clock'> & {
  readonly name: string
  /** STRATEGY.md. */
  readonly strategy: string
  /** The owner's key, and the account whose money it is. */
  readonly owner: Address
  readonly account: Address
  /** Dead-man's switch in seconds. */
  readonly graceSeconds: number
  readonly intervalSeconds: number
  /** A dead Golem of the same owner, whose testament this one inherits. */
  readonly ancestor?: Hash
  /** What the session key is sealed under. */
  readonly secret: SealingSecret
  /** Pays for the registration. */
  readonly sponsor: Submitter
  /** The owner's one signature. */
  sign(root: Delegation): Promise<Delegation>
  /** The first drip of gas for the session key. */
  drip(key: Address): Promise<void>
}

/** What was summoned, and how long each of the eight steps took. */
export type Summoned = {
  readonly id: Hash
  readonly root: Delegation
  readonly milliseconds: readonly number[]
}

/**
 * From a strategy to a Golem that waits for its first tick, in the eight steps of spec 001 S13. The key is made here and
 * leaves only as an address; the owner signs once; one transaction registers it.
 *
 * @example
 * const { id } = await summonGolem({ ...parts, strategy, owner, account, sign, sponsor, drip, secret })
 */
export async function summonGolem(summons: Summons): Promise<Summoned> {
  const { store, client, deployment, book, clock, owner, account, secret } = summons
  const { strategy: text, graceSeconds } = summons
  const milliseconds: number[] = []
  let onboarding: Onboarding = { step: 'selectingCustody', owner }
  const custody = 'delegation'
  const strategy = { text, hash: keccak256(stringToHex(text)) }

  async function step<Result>(work: () => Promise<Result>): Promise<Result> {
    const begun = clock.now()
    const result = await work()
    milliseconds.push(clock.now() - begun)
    return result
  }
  const advance = (...events: OnboardingEvent[]) => {
    onboarding = events.reduce(advanceOnboarding, onboarding)
  }

  const { timestamp: now } = await client.getBlock()
  const prepare = (golem: Hash, delegate: Address) =>
    prepareSignatures(text, {
      chainId: deployment.chainId,
      now,
      book,
      subject: { golem, account, graceSeconds },
      cageEnforcer: deployment.contracts.cageEnforcer,
      delegate,
      salt: now,
      runway: { to: account },
    })

  const bequeath = await inheritTestament(store, owner, summons.ancestor)
  // 1. The manifest: a strategy that cannot be granted stops here, before there is anything to clean up.
  await step(async () => prepare(zeroHash, deployment.contracts.golemVitals))
  advance({ event: 'custodySelected', custody })
  // 2. The wallet: a key of its own, sealed before anything depends on it.
  const { id, key } = await step(makeKey)
  await bequeath(id)
  advance({ event: 'walletReady' }, { event: 'strategyAuthored', strategyHash: strategy.hash })
  // 3. Permit2: nothing moves into the Golem, so that nothing has to be approved.
  await step(async () => {})
  // 4. Funding: the owner's signature, and gas.
  const root = await step(async () => {
    const signed = await summons.sign(prepare(id, key.address).root)
    await store.delegations.add({ golem: id, delegation: signed, context: encodeContext([signed]) })
    await summons.drip(key.address)
    return signed
  })
  // 5. The identity: its row in the vitals. One in ERC-8004's registry is the owner's choice, and left out here.
  await step(() => registerGolem({ client, deployment, submitter: summons.sponsor }, { owner, key }))
  advance({ event: 'identitySkipped' })
  // 6. A machine: this one.
  await step(async () => {})
  // 7. The Golem: its state.
  const seconds = Math.floor(clock.now() / 1_000)
  await step(() => store.lives.begin(id, newGolem(id, seconds, summons.intervalSeconds)))
  // 8. The heart: due at once.
  advance({ event: 'firstHeartbeat', golem: id })
  await step(start)
  await store.events.append(
    milliseconds.map((took, index) => ({
      golem: id,
      name: 'golem.provisioned',
      body: { name: 'golem.provisioned', step: index + 1, milliseconds: took },
    })),
  )
  return { id, root, milliseconds }

  async function makeKey() {
    const random = (length: number) => crypto.getRandomValues(new Uint8Array(length))
    const session = generateSessionKey('secp256k1', random)
    const account = sessionKeyAccount(session)
    const golem = await client.readContract({
      address: deployment.contracts.golemVitals,
      abi: golemVitals.abi,
      functionName: 'golemId',
      args: [owner, account.address, zeroHash],
    })
    const sealed = await sealSessionKey(session, secret, random, { context: golem })
    const { publicKey, curve } = session
    await store.transaction(async ({ golems, sessionKeys }) => {
      const life = { status: 'onboarding', phase: 'thriving', nextTick: undefined } as const
      await golems.create({ id: golem, owner, name: summons.name, custody, strategy, onboarding, ...life })
      await sessionKeys.add({ publicKey, golem, curve, address: account.address, sealed })
      await sessionKeys.advance(publicKey, 'active')
    })
    return { id: golem, key: account }
  }

  async function start() {
    await store.transaction(async ({ golems, record }) => {
      const golem = await golems.find(id)
      if (golem) await golems.save({ ...golem, status: 'alive', onboarding, nextTick: clock.now() })
      record([{ golem: id, name: 'golem.summoned', body: { name: 'golem.summoned', custody } }])
    })
  }
}
