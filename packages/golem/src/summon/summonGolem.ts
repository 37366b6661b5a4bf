import {
  announceGrant,
  createIdentityClient,
  createVitalsClient,
  deployAccount,
  registerGolem,
} from '@bardo/chain'
import {
  advanceOnboarding,
  BardoError,
  type Delegation,
  delegationEnd,
  encodeContext,
  hashConstitution,
  type OnboardingEvent,
  ownerCall,
  signDelegation,
  unsignedAgentWalletGrant,
} from '@bardo/core'
import type { Golem, Transaction } from '@bardo/store'
import { activeKey, createWalletSubmitter, type Wallet } from '@bardo/wallets'
import { type Hash, isAddressEqual } from 'viem'
import { inheritTestament } from '../death/inheritTestament.ts'
import type { GolemEvent } from '../events/golemEvent.ts'
import { overtaken, recordEvents } from '../events/recordEvents.ts'
import { setAgentWallet } from '../identity/setAgentWallet.ts'
import { requireOneConstitution } from '../permission/requireOneConstitution.ts'
import { newGolem } from '../state/golemState.ts'
import { plannedConstitution, prepareRoot, requireGrantable } from './prepareRoot.ts'
import { beginSummoning, findSummoning, provisionedIn, walletOfSummoning } from './summoning.ts'
import type { Summons } from './summons.ts'

/** The summoned Golem, and the duration of each of the eight steps. */
export type Summoned = {
  readonly id: Hash
  readonly root: Delegation
  readonly milliseconds: readonly number[]
}

/** What a step stores, in one transaction with its completion. */
type Outcome = {
  readonly events?: readonly GolemEvent[]
  readonly onboarding?: OnboardingEvent
  readonly row?: Partial<Golem>
  readonly write?: (transaction: Transaction) => Promise<unknown>
}

/**
 * Summons a Golem: from a strategy to a Golem that waits for its first tick, in eight steps. The key is
 * generated here and
 * only its address is published; the owner signs once; one transaction registers the Golem. A repeated call
 * with the same
 * owner and name continues: nothing is created, signed, paid or registered twice.
 *
 * @example
 * const { id } = await summonGolem({ ...parts, strategy, owner, account, sign, sponsor, drip, secret })
 */
export async function summonGolem(summons: Summons): Promise<Summoned> {
  const { store, client, deployment, clock, owner, sponsor, identity } = summons

  const inherit = await inheritTestament(store, owner, summons.ancestor)
  // 1. The manifest: a strategy that cannot be granted stops here, before there is anything to clean up.
  const begun = clock.now()
  const now = summons.signing?.now ?? (await client.getBlock()).timestamp
  await requireGrantable(summons, now)
  const constitution = plannedConstitution(summons, now)
  if (constitution)
    await requireOneConstitution(summons, {
      owner,
      constitution: hashConstitution(constitution),
      ...(await ownId()),
    })
  const tookManifest = clock.now() - begun
  // 2. The wallet: the Golem's own key, sealed before anything depends on it.
  const summoning = (await findSummoning(summons)) ?? (await beginSummoning(summons, tookManifest))
  const milliseconds = new Map(summoning.milliseconds)
  let { golem } = summoning
  const { id } = golem
  if (golem.onboarding.step === 'live') return summoned(await storedRoot())
  await inherit(id)
  const wallet = await walletOfSummoning(summons, id)
  // 3. Permit2: no funds move to the Golem, so nothing needs an approval.
  await step(3, async () => ({}))
  // 4. Funding: the owner's signature, and gas.
  await step(4, async () => {
    if (!(await findRoot())) await storeSignature(wallet)
    const isPaidFor = summons.route?.type === 'userOperation' && summons.route.paymaster !== undefined
    if (!isPaidFor) await summons.drip(wallet.address, `drip-${id}`)
    return {}
  })
  // 5. The identity: its row in the vitals, and an entry in ERC-8004's registry if the owner wants it.
  await step(5, async () => {
    await register(wallet)
    if (identity?.type !== 'register') return { onboarding: { event: 'identitySkipped' } }
    const agentId = await registerIdentity(identity, wallet)
    return {
      onboarding: { event: 'identityRegistered', identity: agentId },
      events: [{ name: 'identity.registered', agentId, wallet: wallet.address }],
    }
  })
  // 6. The machine: this one.
  await step(6, async () => ({}))
  // 7. The Golem: its state.
  await step(7, async () => {
    const state = newGolem(id, Math.floor(clock.now() / 1_000), summons.intervalSeconds)
    return { write: ({ golemStates }) => golemStates.begin(id, state) }
  })
  // 8. The heartbeat: due at once.
  await step(8, async () => ({
    onboarding: { event: 'firstHeartbeat', golem: id },
    row: { status: 'alive', nextTick: clock.now() },
    events: [{ name: 'golem.summoned', custody: golem.custody ?? 'delegation' }],
  }))
  return summoned(await storedRoot())

  /** The id of an earlier call: its own root is not another Golem's. */
  async function ownId(): Promise<{ readonly golem?: Hash }> {
    const earlier = await findSummoning(summons)
    return earlier ? { golem: earlier.golem.id } : {}
  }

  /**
   * Runs a step that is not done yet, and stores its completion, unless another process changed the Golem.
   */
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
      recordEvents(transaction, id, [...events, provisionedIn([number, took])])
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
    throw new BardoError('The stored delegation is from another account.', {
      code: 'STEP_OUT_OF_ORDER',
      details: [`delegator: ${root.delegator}`, `requested: ${summons.account}`],
      remedy: 'Give the new Golem another name. The account of a Golem cannot be changed.',
    })
  }

  async function storedRoot(): Promise<Delegation> {
    const root = await findRoot()
    if (root) return root
    throw new BardoError('The signed delegation is not in the store.', { code: 'STORE_CORRUPT' })
  }

  async function storeSignature({ address }: Wallet): Promise<void> {
    // A Golem does not start unless the owner has adopted what they signed.
    if (constitution) await summons.adopt(constitution)
    const delegation = await summons.sign(await prepareRoot(summons, id, address, now))
    const events: GolemEvent[] = []
    const expiresAt = delegationEnd(delegation, deployment) ?? 0n
    const curve = (await activeKey(store, id))?.curve ?? 'secp256k1'
    events.push({ name: 'sessionKey.generated', address, curve, expiresAt })
    announceGrant({ deployment, onEvent: (event) => events.push(event) }, delegation, expiresAt)
    await store.transaction(async (transaction) => {
      await transaction.delegations.add({ golem: id, delegation, context: encodeContext([delegation]) })
      recordEvents(transaction, id, events)
    })
  }

  async function register(key: Wallet): Promise<void> {
    const address = deployment.contracts.golemVitals
    const vitals = createVitalsClient({ client, address, golem: id, submitter: sponsor })
    const { state } = await vitals.read()
    if (state !== 'unknown') return
    // The account's consent is checked by its own code.
    if (key.account) await deployAccount({ client, submitter: sponsor }, key.account)
    await registerGolem({ client, deployment, submitter: sponsor }, { owner, key })
  }

  async function registerIdentity(
    { signer, uri, submitter: settings }: Extract<Summons['identity'], { type: 'register' }>,
    wallet: Wallet,
  ): Promise<bigint> {
    const registry = createIdentityClient({ client, deployment })
    const { account, submitter } = signer
    await deployAccount({ client, submitter: sponsor }, account)
    const call = await ownerCall(signer, registry.registerCall({ uri, golem: id }))
    const landed = await submitter.submit({ id: `identity-account-${id}`, ...call })
    const agentId = await registry.registeredIn(landed, account.address)
    if (await registry.isWalletOf(wallet.address, agentId)) return agentId
    const grant = await signDelegation(
      account,
      unsignedAgentWalletGrant(account, {
        key: wallet.address,
        agentId,
        target: deployment.contracts.identityRegistry,
        end: delegationEnd(await storedRoot(), deployment) ?? 0n,
        salt: BigInt(id),
      }),
    )
    const { chainId } = deployment
    const options = { client, chainId, journal: store.journal, clock, ...(settings && { settings }) }
    const sender = createWalletSubmitter(wallet, options)
    // A process that crashed may have sent it: finish that first.
    await sender.recover()
    const { address } = wallet
    await setAgentWallet({ client, deployment, address, submitter: sender, wallet }, { agentId, grant })
    return agentId
  }
}
