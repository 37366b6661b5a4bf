import {
  announceGrant,
  createIdentityClient,
  createVitalsClient,
  delegationEnd,
  registerGolem,
} from '@bardo/chain'
import {
  advanceOnboarding,
  BardoError,
  type Delegation,
  encodeContext,
  type OnboardingEvent,
} from '@bardo/core'
import type { Golem, Transaction } from '@bardo/store'
import { type Hash, isAddressEqual, type LocalAccount, zeroHash } from 'viem'
import type { GolemEvent } from '../events/golemEvent.ts'
import { newGolem } from '../heartbeat/golemState.ts'
import { inheritTestament } from './inheritTestament.ts'
import { prepareRoot } from './prepareRoot.ts'
import { beginSummoning, findSummoning, keyOfSummoning, overtaken, provisionedIn, tell } from './summoning.ts'
import type { Summons } from './summons.ts'

/** What was summoned, and how long each of the eight steps took. */
export type Summoned = {
  readonly id: Hash
  readonly root: Delegation
  readonly milliseconds: readonly number[]
}

/** What a step leaves behind, in one transaction with the word that it is done. */
type Outcome = {
  readonly events?: readonly GolemEvent[]
  readonly onboarding?: OnboardingEvent
  readonly row?: Partial<Golem>
  readonly write?: (transaction: Transaction) => Promise<unknown>
}

/** How long a wallet's consent to act for an agent is good, in seconds. Origin: ours; the registry takes 300 at most. */
const consentSeconds = 240n

/**
 * From a strategy to a Golem that waits for its first tick, in the eight steps of spec 001 S13. The key is made here and
 * leaves only as an address; the owner signs once; one transaction registers it. Called again with the same owner and
 * name it goes on where it was: what was made, signed, paid and registered is not a second time.
 *
 * @example
 * const { id } = await summonGolem({ ...parts, strategy, owner, account, sign, sponsor, drip, secret })
 */
export async function summonGolem(summons: Summons): Promise<Summoned> {
  const { store, client, deployment, clock, owner, sponsor, identity } = summons

  const bequeath = await inheritTestament(store, owner, summons.ancestor)
  // 1. The manifest: a strategy that cannot be granted stops here, before there is anything to clean up.
  const begun = clock.now()
  const { timestamp: now } = await client.getBlock()
  prepareRoot(summons, zeroHash, deployment.contracts.golemVitals, now)
  const tookManifest = clock.now() - begun
  // 2. The wallet: a key of its own, sealed before anything depends on it.
  const known = (await findSummoning(summons)) ?? (await beginSummoning(summons, tookManifest))
  const milliseconds = new Map(known.milliseconds)
  let { golem } = known
  const { id } = golem
  if (golem.onboarding.step === 'live') return summoned(await storedRoot())
  await bequeath(id)
  const key = await keyOfSummoning(summons, id)
  // 3. Permit2: nothing moves into the Golem, so that nothing has to be approved.
  await step(3, async () => ({}))
  // 4. Funding: the owner's signature, and gas.
  await step(4, async () => {
    if (!(await findRoot())) await keepSignature(key)
    await summons.drip(key.address, `drip-${id}`)
    return {}
  })
  // 5. The identity: its row in the vitals, and one in ERC-8004's registry where the owner wants it.
  await step(5, async () => {
    await register(key)
    if (identity?.is !== 'register') return { onboarding: { event: 'identitySkipped' } }
    const agentId = await registerIdentity(identity, key)
    return {
      onboarding: { event: 'identityRegistered', identity: agentId },
      events: [{ name: 'identity.registered', agentId, wallet: key.address }],
    }
  })
  // 6. A machine: this one.
  await step(6, async () => ({}))
  // 7. The Golem: its state.
  await step(7, async () => {
    const state = newGolem(id, Math.floor(clock.now() / 1_000), summons.intervalSeconds)
    return { write: ({ lives }) => lives.begin(id, state) }
  })
  // 8. The heart: due at once.
  await step(8, async () => ({
    onboarding: { event: 'firstHeartbeat', golem: id },
    row: { status: 'alive', nextTick: clock.now() },
    events: [{ name: 'golem.summoned', custody: golem.custody ?? 'delegation' }],
  }))
  return summoned(await storedRoot())

  /** Does what is not behind it, and writes down that it is: on condition that nobody else did meanwhile. */
  async function step(number: number, work: () => Promise<Outcome>): Promise<void> {
    if (milliseconds.has(number)) return
    const begun = clock.now()
    const { events = [], onboarding, row, write } = await work()
    const took = clock.now() - begun
    const next = onboarding ? advanceOnboarding(golem.onboarding, onboarding) : golem.onboarding
    golem = await store.transaction(async (transaction) => {
      await write?.(transaction)
      const saved = await transaction.golems.save({ ...golem, ...row, onboarding: next })
      if (!saved) throw overtaken()
      tell(transaction, id, [...events, provisionedIn([number, took])])
      return saved
    })
    milliseconds.set(number, took)
  }

  function summoned(root: Delegation): Summoned {
    const times = [...milliseconds].sort(([a], [b]) => a - b).map(([, took]) => took)
    return { id, root, milliseconds: times }
  }

  async function findRoot(): Promise<Delegation | undefined> {
    const [first] = await store.delegations.list(id)
    const root = first?.delegation
    if (!root || isAddressEqual(root.delegator, summons.account)) return root
    throw new BardoError('The owner signed for another account.', {
      code: 'STEP_OUT_OF_ORDER',
      details: [`signed for ${root.delegator}`, `asked for ${summons.account}`],
      remedy: 'Give the new Golem another name. What was chosen for a Golem stays.',
    })
  }

  async function storedRoot(): Promise<Delegation> {
    const root = await findRoot()
    if (root) return root
    throw new BardoError('What the owner signed is not in the store.', { code: 'STORE_CORRUPT' })
  }

  async function keepSignature({ address }: LocalAccount): Promise<void> {
    const delegation = await summons.sign(prepareRoot(summons, id, address, now))
    const events: GolemEvent[] = []
    const expiresAt = delegationEnd(delegation, deployment) ?? 0n
    events.push({ name: 'sessionKey.generated', address, curve: 'secp256k1', expiresAt })
    announceGrant({ deployment, onEvent: (event) => events.push(event) }, delegation, expiresAt)
    await store.transaction(async (transaction) => {
      await transaction.delegations.add({ golem: id, delegation, context: encodeContext([delegation]) })
      tell(transaction, id, events)
    })
  }

  async function register(key: LocalAccount): Promise<void> {
    const address = deployment.contracts.golemVitals
    const vitals = createVitalsClient({ client, address, golem: id, submitter: sponsor })
    const { state } = await vitals.read()
    if (state === 'unknown') await registerGolem({ client, deployment, submitter: sponsor }, { owner, key })
  }

  async function registerIdentity(
    { submitter, uri }: Extract<Summons['identity'], { is: 'register' }>,
    key: LocalAccount,
  ): Promise<bigint> {
    const registry = createIdentityClient({ client, deployment })
    const agentId = await registry.register(submitter, { id: `identity-${id}`, uri })
    if (await registry.isWalletOf(key.address, agentId)) return agentId
    const { timestamp } = await client.getBlock()
    const deadline = timestamp + consentSeconds
    // A consent that came too late is signed anew: another deadline is another intent.
    const wish = { id: `identity-wallet-${id}-${deadline}`, agentId, wallet: key, deadline }
    await registry.setWallet(submitter, wish)
    return agentId
  }
}
