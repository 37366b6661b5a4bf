import {
  adoptConstitution,
  deployAccount,
  enactConstitution,
  type Revoked,
  revoke,
  systemClock,
} from '@bardo/chain'
import {
  type AddressBook,
  type Delegation,
  type Deployment,
  hybridAccount,
  signDelegation,
  walletSigner,
} from '@bardo/core'
import { openStore, type StoredEvent } from '@bardo/store'
import type { Address, LocalAccount, PublicClient } from 'viem'
import { defaultSchedule } from './config/heartbeatSchedule.ts'
import { readGolemConfig } from './config/readGolemConfig.ts'
import type { GolemTick, LivingGolem } from './heartbeat/createGolem.ts'
import { openRuntime } from './openRuntime.ts'
import type { GolemSettings } from './permission/golemParts.ts'
import { dripGas } from './requests/gasForADay.ts'
import { summonGolem } from './summon/summonGolem.ts'
import { settingsFrom } from './worker/settingsFrom.ts'

/** A local chain mines a block only for a transaction: waiting for more blocks would never end. */
const onDevnet = { finality: 1, pollMs: 50 }
/** The events that one call returns at most. */
const mostEvents = 1_000

/** What a bounded agent is made from. */
export type BoundedAgentOptions = {
  /** The strategy in plain English: it becomes the least permission that it asks for, and the owner signs that. */
  readonly strategy: string
  /** Signs the permission once. Its smart account holds the money. */
  readonly owner: LocalAccount
  /** Pays for the account, the registration and the agent's first day of gas. Default: the owner. */
  readonly sponsor?: LocalAccount
  readonly client: PublicClient
  readonly deployment: Deployment
  readonly book: AddressBook
  /** The folder of its database. The same folder and name open the same agent again. */
  readonly home: string
  /** Seals the session key in that folder. */
  readonly passphrase: string
  /** Default: agent. */
  readonly name?: string
  /** The dead-man's switch, in seconds. Default: one day. */
  readonly graceSeconds?: number
  readonly settings?: Partial<GolemSettings>
}

/** An agent that can do what its owner signed, and nothing else. */
export type BoundedAgent = AsyncDisposable & {
  readonly golem: LivingGolem
  /** The owner's smart account: the agent trades what is in it. */
  readonly account: Address
  /** What the owner signed. */
  readonly permission: Delegation
  /** One heartbeat: looks, decides, acts within the bounds, and records. */
  tick(): Promise<GolemTick>
  /** What it did and why it did not act, oldest first, after an event's sequence number. */
  events(after?: number): Promise<readonly StoredEvent[]>
  /** Ends the permission on the chain, with one plain transaction of the owner. */
  revoke(): Promise<Revoked>
}

/**
 * Makes an agent that acts for an owner within bounds that contracts enforce: one strategy, one signature, one disposable key.
 *
 * @example
 * const agent = await createBoundedAgent({ strategy: 'Every day, swap $10 of USDC into WETH.', owner, client, deployment, book, home, passphrase })
 * await agent.tick()
 * await agent.revoke()
 */
export async function createBoundedAgent(options: BoundedAgentOptions): Promise<BoundedAgent> {
  const { strategy, owner, sponsor = owner, client, deployment, book, home, passphrase } = options
  const { name = 'agent', graceSeconds = 86_400 } = options
  await using opening = new AsyncDisposableStack()
  const clock = systemClock
  const store = opening.use(await openStore({ home, clock }))
  const toml = `chain = ${deployment.chainId}\n\n[custody]\nmode = "delegation"\n`
  const defaults = settingsFrom(readGolemConfig({ toml, env: {} }), { strategy, heartbeat: undefined })
  const settings: GolemSettings = {
    ...defaults,
    ...(deployment.chain === 'devnet' && { submitter: onDevnet }),
    ...options.settings,
  }
  const secret = { kind: 'passphrase', passphrase } as const
  const shared = { store, client, deployment, book, clock, secret }
  const runtime = openRuntime({ ...shared, settingsOf: () => settings })
  const submitter = runtime.submitterOf(sponsor, settings.submitter)
  const account = hybridAccount(deployment, {
    began: { owner: owner.address },
    signer: walletSigner(owner),
  })
  await deployAccount({ client, submitter }, account)
  const ownerSigner = {
    client,
    deployment,
    account,
    key: owner.address,
    submitter: runtime.submitterOf(owner, settings.submitter),
  }
  const { id, root } = await summonGolem({
    ...shared,
    name,
    strategy,
    owner: owner.address,
    account: account.address,
    graceSeconds,
    intervalSeconds: defaultSchedule.intervalSeconds,
    sponsor: submitter,
    adopt: async (constitution) =>
      adoptConstitution(ownerSigner, await enactConstitution(ownerSigner, constitution)),
    sign: (unsigned) => signDelegation(account, unsigned),
    drip: (to, intent) => dripGas({ client, journal: store.journal, submitter }, { id: intent, to }),
  })
  // A wrong passphrase is refused here: the heartbeat would only observe.
  await runtime.keysOf(id).open()
  const golem = await runtime.open(id)
  const opened = opening.move()
  return {
    golem,
    account: account.address,
    permission: root,
    tick: () => golem.tick(),
    events: (after = 0) => store.events.read({ after, golem: id, limit: mostEvents }),
    revoke: () => revoke(ownerSigner, { delegation: root, cause: 'owner' }),
    [Symbol.asyncDispose]: () => opened.disposeAsync(),
  }
}
