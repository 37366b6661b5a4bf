import { redeem, revoke, systemClock } from '@bardo/chain'
import {
  type Clock,
  createMemoryJournal,
  type DeathTrigger,
  type Delegation,
  deathTriggers,
  metamaskCaveat,
  metamaskKinds,
} from '@bardo/core'
import type { Devnet } from '@bardo/devnet'
import type { Store } from '@bardo/store'
import { createWalletSubmitter } from '@bardo/wallets'
import { type Address, encodeFunctionData, erc4626Abi, isAddressEqual, parseUnits } from 'viem'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { z } from 'zod'
import { createGolem } from '../heartbeat/createGolem.ts'
import { readSnapshot } from '../snapshot/readSnapshot.ts'
import { requireNotDying } from '../state/death.ts'
import { vaultStrategy } from '../strategy/vaultStrategy.ts'
import { balanceOf, partsOf, summonIn } from '../testing/golemWorld.ts'
import { openTestWorld, type TestWorld } from '../testing/openStoreLocation.ts'
import { watchHeartbeats } from '../worker/watchHeartbeats.ts'

const vaults =
  '- Deposit USDC into the vault when the balance is above $200.\n- Withdraw USDC from the vault when funds are needed.\n\nbudget: $1,000/day\nlifespan: 30 days'
const day = 86_400
const closed = { settled: [{ id: 'vault-USDC' }], deferred: [] }
const left = (reason: string) => ({
  settled: [],
  deferred: [{ id: 'vault-USDC', reason: expect.stringContaining(reason) }],
})

let world: Devnet
let context: TestWorld
let store: Store
beforeAll(async () => {
  context = await openTestWorld()
  ;({ world, store } = context)
})
afterAll(() => context?.stop())

/** A Golem with a deposit in the vault. */
async function summonInvested(change?: (root: Delegation) => Delegation) {
  const summoned = await summonIn(world, store, vaults, change)
  const parts = partsOf(world, store, summoned.id, { strategy: vaultStrategy })
  const golem = await createGolem(parts)
  await golem.tick()
  expect(await sharesOf(summoned.account)).toBeGreaterThan(0n)
  return { ...summoned, parts, golem }
}
type Life = Awaited<ReturnType<typeof summonInvested>>

const sharesOf = (account: Address) => balanceOf(world, world.addresses.usdcVault, account)

/** How to cause each of the seven triggers, and what can still be closed then. */
const endings: Readonly<
  Record<
    DeathTrigger,
    {
      change?: (root: Delegation) => Delegation
      bring: (life: Life) => Promise<unknown>
      unwound: object
      keyEnd: string
    }
  >
> = {
  killSwitch: { bring: ({ golem }) => golem.kill(), unwound: closed, keyEnd: 'revoked by the surrender' },
  ownerRevocation: {
    async bring({ golem, root, signer }) {
      await revoke(signer, { delegation: root, cause: 'owner' })
      return golem.tick()
    },
    unwound: left('CannotUseADisabledDelegation'),
    keyEnd: 'revoked by the owner',
  },
  policyViolation: {
    async bring({ golem, id }) {
      const { state } = await golem.status()
      const { timestamp } = await world.client.getBlock()
      const version = state.version + 1
      const chainRefusals = [0, 1, 2].map((ago) => Number(timestamp) - ago)
      expect(await store.golemStates.saveState(id, version, { ...state, chainRefusals, version })).toBe(true)
      return golem.tick()
    },
    unwound: closed,
    keyEnd: 'revoked by the surrender',
  },
  // No worker ran in its last hour: after the window the chain refuses everything.
  naturalExpiry: {
    async bring({ golem }) {
      await world.warp(31 * day)
      return golem.tick()
    },
    unwound: left('OutsideWindow'),
    keyEnd: 'expired',
  },
  callLimitReached: {
    change: (root) => {
      const caveat = metamaskCaveat(world.framework, metamaskKinds.LimitedCalls, { limit: 1 })
      return { ...root, caveats: [...root.caveats, caveat] }
    },
    bring: ({ golem }) => golem.tick(),
    unwound: left('LimitedCalls'),
    keyEnd: 'exhausted',
  },
  economicExhaustion: {
    async bring({ id }) {
      // The allotment is granted: only what life costs can use it up.
      const dayPrices = { compute: 100_000_000_000n, data: 0n }
      const poor = partsOf(world, store, id, { economy: { runwayCents: 0n, dayPrices } })
      return (await createGolem(poor)).tick()
    },
    unwound: closed,
    keyEnd: 'revoked by the surrender',
  },
  heartbeatAnomaly: {
    async bring({ golem, id, parts }) {
      const { state, permission } = await golem.status()
      const dueAt = state.nextTickAt * 1_000
      const graceMs = permission.terms.graceSeconds * 1_000
      const onError = (error: unknown) => {
        throw error
      }
      await store.jobs.schedule({ golem: id, at: dueAt })
      /**
       * The check of a process that has been running since the tick was due, with a tick that no worker
       * claimed.
       */
      const watch = (lateMs: number) => {
        const clock: Clock = { ...systemClock, now: () => dueAt + lateMs }
        const jobs = { ...store.jobs, idle: async () => new Map([[id, lateMs]]) }
        const summon = () => createGolem(parts)
        return watchHeartbeats({ store: { ...store, jobs }, clock, summon, onError }, dueAt)
      }
      expect(await watch(graceMs - 1)).toMatchObject({ reported: [id], abandoned: [] })
      // The row on the chain still counts as fresh.
      expect(await watch(graceMs)).toMatchObject({ reported: [], abandoned: [] })
      await world.warp(permission.terms.graceSeconds + 1)
      expect(await watch(graceMs - 1)).toMatchObject({ reported: [], abandoned: [] })
      expect(await watch(graceMs)).toMatchObject({ reported: [], abandoned: [id] })
      // The watcher begins the death; the worker with the job continues it.
      expect(await golem.tick()).toMatchObject({ type: 'dying', phase: 'over' })
    },
    unwound: closed,
    keyEnd: 'revoked by the surrender',
  },
}

it.each(deathTriggers)('%s ends a Golem, and nothing is left behind', async (trigger) => {
  const { change, bring, unwound, keyEnd } = endings[trigger]
  const life = await summonInvested(change)
  const { golem, id, parts, root, account } = life
  const thief = await stolenSubmitter(id)

  await bring(life)
  const { death } = await golem.status()
  expect(death).toMatchObject({ trigger, impossible: [], unwound })

  await expectNothingLeft(life)
  const { vitals } = await readSnapshot(parts, (await golem.status()).permission)
  expect(vitals.state).toBe('dead')
  expect(await store.golems.find(id)).toMatchObject({ status: 'dead', nextTick: undefined })
  expect(await store.ownerRequests.pending(id)).toMatchObject([{ kind: 'revoke' }])
  expect(await store.grimoire.get(id, 'testament')).toMatchObject({ body: { cause: trigger } })
  const exhausted = { type: 'economicExhaustion', inner: { type: 'delegationExpiry' } }
  const settlement = trigger === 'economicExhaustion' ? exhausted : { type: 'delegationExpiry' }
  expect(await store.grimoire.get(id, 'settlement')).toMatchObject({ body: settlement })

  expect(await keyEndsOf(life)).toEqual([keyEnd])

  // Later calls change nothing: by the owner, a second worker, a thief with a copy of the key.
  const sent = await world.client.getTransactionCount({ address: root.delegate })
  const second = await createGolem(partsOf(world, store, id, { strategy: vaultStrategy }))
  for (const again of [golem.tick, golem.kill, second.tick, second.kill])
    expect(await again()).toEqual({ type: 'dying', phase: 'over', death })
  expect(await world.client.getTransactionCount({ address: root.delegate })).toBe(sent)
  expect(await keyEndsOf(life)).toEqual([keyEnd])
  // The key is wiped in every process.
  expect(await parts.keys.open()).toBeUndefined()
  expect(() => requireNotDying(death)).toThrow(expect.objectContaining({ code: 'GOLEM_DYING' }))
  await world.fund(root.delegate, { ETH: parseUnits('1', 18) })
  const data = encodeFunctionData({
    abi: erc4626Abi,
    functionName: 'redeem',
    args: [1n, account, account],
  })
  const calls = [{ to: world.addresses.usdcVault, data }]
  await expect(redeem(thief, { id: 'theft', steps: [{ links: [root], calls }] })).rejects.toMatchObject({
    outcome: 'not-sent',
  })
})

it('ends once, though two workers continue it at the same time', async () => {
  const { golem, id, root, account } = await summonInvested()
  const before = await world.client.getTransactionCount({ address: root.delegate })
  const second = await createGolem(partsOf(world, store, id, { strategy: vaultStrategy }))
  await Promise.allSettled([golem.kill(), second.kill()])
  expect(await golem.tick()).toMatchObject({ phase: 'over', death: { impossible: [], unwound: closed } })
  expect(await sharesOf(account)).toBe(0n)
  // Declining, the withdrawal, Terminal, the surrender and the gas.
  expect((await world.client.getTransactionCount({ address: root.delegate })) - before).toBe(5)
  const names = (await store.events.read({ after: 0, golem: id, limit: 1_000 })).map(({ name }) => name)
  for (const once of [
    'DeathProtocolStarted',
    'GOLEM_TERMINAL',
    'PERMISSION_REVOKED',
    'DeathCompleted',
    'sessionKey.revoked',
  ])
    expect(names.filter((name) => name === once)).toHaveLength(1)
})

const keyEnded = z.object({
  cause: z.discriminatedUnion('kind', [
    z.object({ kind: z.literal('revoked'), transaction: z.templateLiteral(['0x', z.string()]) }),
    z.object({ kind: z.literal('expired'), at: z.coerce.bigint() }),
    z.object({ kind: z.literal('exhausted') }),
  ]),
})

/** How the log says that the key's authority ended, checked on the chain: one entry for each record. */
async function keyEndsOf({ golem, id, root }: Life): Promise<readonly string[]> {
  const events = await store.events.read({ after: 0, golem: id, limit: 1_000 })
  const ends = events.filter(({ name }) => name === 'sessionKey.revoked')
  return Promise.all(
    ends.map(async ({ body }) => {
      const { cause } = keyEnded.parse(body)
      if (cause.kind === 'expired') expect(cause.at).toBe(BigInt((await golem.status()).permission.terms.end))
      if (cause.kind !== 'revoked') return cause.kind
      const { from, to } = await world.client.getTransaction({ hash: cause.transaction })
      const isOfKey = isAddressEqual(from, root.delegate)
      const vitals = partsOf(world, store, id).deployment.contracts.golemVitals
      expect(to && isAddressEqual(to, vitals)).toBe(isOfKey)
      return isOfKey ? 'revoked by the surrender' : 'revoked by the owner'
    }),
  )
}

/** A copy of the session key, stolen while the Golem lived. */
async function stolenSubmitter(id: Life['id']) {
  const { client, deployment, keys } = partsOf(world, store, id)
  const wallet = await keys.open()
  if (!wallet) throw new Error('there is no key')
  const settings = { finality: 1, pollMs: 20 }
  const journal = createMemoryJournal()
  const submitter = createWalletSubmitter(wallet, {
    client,
    chainId: world.chainId,
    journal,
    clock: systemClock,
    settings,
  })
  return { client, deployment, address: wallet.address, submitter }
}

/**
 * The final balance: all money is the owner's, the key is wiped and empty, and no contract of Bardo holds
 * anything.
 */
async function expectNothingLeft({ parts, root, account }: Life) {
  const { usdc, weth, usdcVault } = world.addresses
  expect(await world.client.getBalance({ address: root.delegate })).toBe(0n)
  expect(await partsOf(world, store, parts.id).keys.open()).toBeUndefined()
  const holders = [root.delegate, ...Object.values(parts.deployment.contracts)]
  for (const holder of holders)
    for (const token of [usdc, weth, usdcVault]) expect(await balanceOf(world, token, holder)).toBe(0n)
  for (const holder of Object.values(parts.deployment.contracts))
    expect(await world.client.getBalance({ address: holder })).toBe(0n)
  const worth = await world.client.readContract({
    address: usdcVault,
    abi: erc4626Abi,
    functionName: 'convertToAssets',
    args: [await sharesOf(account)],
  })
  expect(parseUnits('10000', 6) - (await balanceOf(world, usdc, account)) - worth).toBeLessThanOrEqual(1n)
}
