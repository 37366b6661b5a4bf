import { createSubmitter, redeem, revoke, sessionKeyAccount, stockCaveat, systemClock } from '@bardo/chain'
import { type Clock, createMemoryJournal, type Delegation, stockKinds } from '@bardo/core'
import type { Devnet } from '@bardo/devnet'
import type { Store } from '@bardo/store'
import { type Address, encodeFunctionData, erc4626Abi, parseUnits } from 'viem'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { requireNotDying } from '../death/death.ts'
import { type DeathTrigger, deathTriggers } from '../death/deathTrigger.ts'
import { vaultStrategy } from '../strategies/vaultStrategy.ts'
import { createGolem } from './createGolem.ts'
import { readWorld } from './readWorld.ts'
import { watchHeartbeats } from './runWorker.ts'
import { balanceOf, partsOf, summonIn } from './testing/golemWorld.ts'
import { openPlace, type Place } from './testing/openPlace.ts'

const vaults =
  '- Deposit USDC into the vault when the balance is above $200.\n- Withdraw USDC from the vault when funds are needed.\n\nbudget: $1,000/day\nlifespan: 30 days'
const day = 86_400
const closed = { settled: [{ id: 'vault-USDC' }], deferred: [] }
const left = (reason: string) => ({
  settled: [],
  deferred: [{ id: 'vault-USDC', reason: expect.stringContaining(reason) }],
})

let world: Devnet
let place: Place
let store: Store
beforeAll(async () => {
  place = await openPlace()
  ;({ world, store } = place)
})
afterAll(() => place?.stop())

/** A Golem with money in the vault. */
async function invested(change?: (root: Delegation) => Delegation) {
  const summoned = await summonIn(world, store, vaults, change)
  const parts = partsOf(world, store, summoned.id, { strategy: vaultStrategy })
  const golem = await createGolem(parts)
  await golem.tick()
  expect(await sharesOf(summoned.account)).toBeGreaterThan(0n)
  return { ...summoned, parts, golem }
}
type Life = Awaited<ReturnType<typeof invested>>

const sharesOf = (account: Address) => balanceOf(world, world.addresses.usdcVault, account)

/** How each of the seven comes about, and what can still be closed then. */
const endings: Readonly<
  Record<
    DeathTrigger,
    { change?: (root: Delegation) => Delegation; bring: (life: Life) => Promise<unknown>; unwound: object }
  >
> = {
  killSwitch: { bring: ({ golem }) => golem.kill(), unwound: closed },
  ownerRevocation: {
    async bring({ golem, root, desk }) {
      await revoke(desk, { delegation: root, cause: 'owner' })
      return golem.tick()
    },
    unwound: left('CannotUseADisabledDelegation'),
  },
  policyViolation: {
    async bring({ golem, id }) {
      const { state } = await golem.status()
      const { timestamp } = await world.client.getBlock()
      const version = state.version + 1
      const chainRefusals = [0, 1, 2].map((ago) => Number(timestamp) - ago)
      expect(await store.lives.saveState(id, version, { ...state, chainRefusals, version })).toBe(true)
      return golem.tick()
    },
    unwound: closed,
  },
  // Nobody was there in its last hour: after the window nothing passes.
  naturalExpiry: {
    async bring({ golem }) {
      await world.warp(31 * day)
      return golem.tick()
    },
    unwound: left('OutsideWindow'),
  },
  callLimitReached: {
    change: (root) => {
      const caveat = stockCaveat(world.framework, stockKinds.LimitedCalls, { limit: 1 })
      return { ...root, caveats: [...root.caveats, caveat] }
    },
    bring: ({ golem }) => golem.tick(),
    unwound: left('LimitedCalls'),
  },
  economicExhaustion: {
    async bring({ id }) {
      const dailyCosts = { inference: 1n, gas: 0n, compute: 0n, data: 0n }
      const poor = partsOf(world, store, id, { economy: { runwayCents: 0n, dailyCosts } })
      return (await createGolem(poor)).tick()
    },
    unwound: closed,
  },
  heartbeatAnomaly: {
    async bring({ golem, id, parts }) {
      const { state } = await golem.status()
      const dueAt = state.nextTickAt * 1_000
      const clock: Clock = { ...systemClock, now: () => dueAt + 3_100 * state.intervalSeconds }
      const onError = (error: unknown) => {
        throw error
      }
      const gone = await watchHeartbeats({ store, clock, summon: () => createGolem(parts), onError }, dueAt)
      expect(gone).toEqual([id])
      // The watcher begins the death; whoever has the job carries it on.
      expect(await golem.tick()).toMatchObject({ is: 'dying', phase: 'over' })
    },
    unwound: closed,
  },
}

it.each(deathTriggers)('%s ends a life, and leaves nothing behind', async (trigger) => {
  const { change, bring, unwound } = endings[trigger]
  const life = await invested(change)
  const { golem, id, parts, root, account } = life
  const thief = await stolenDesk(id)

  await bring(life)
  const { death } = await golem.status()
  expect(death).toMatchObject({ trigger, impossible: [], unwound })

  await expectNothingLeft(life)
  const { vitals } = await readWorld(parts, (await golem.status()).charter)
  expect(vitals.state).toBe('dead')
  expect(await store.golems.find(id)).toMatchObject({ status: 'dead', nextTick: undefined })
  expect(await store.ownerRequests.pending(id)).toMatchObject([{ kind: 'revoke' }])
  expect(await store.grimoire.get(id, 'testament')).toMatchObject({ body: { cause: trigger } })
  const exhausted = { is: 'economicExhaustion', inner: { is: 'delegationExpiry' } }
  const settlement = trigger === 'economicExhaustion' ? exhausted : { is: 'delegationExpiry' }
  expect(await store.grimoire.get(id, 'settlement')).toMatchObject({ body: settlement })

  // Whoever comes now changes nothing: the owner, a second worker, a thief with a copy of the key.
  const sent = await world.client.getTransactionCount({ address: root.delegate })
  const second = await createGolem(partsOf(world, store, id, { strategy: vaultStrategy }))
  for (const again of [golem.tick, golem.kill, second.tick, second.kill])
    expect(await again()).toEqual({ is: 'dying', phase: 'over', death })
  expect(await world.client.getTransactionCount({ address: root.delegate })).toBe(sent)
  // Every worker that had the key open has forgotten it by now.
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

it('ends once, though two workers carry it on at the same time', async () => {
  const { golem, id, root, account } = await invested()
  const before = await world.client.getTransactionCount({ address: root.delegate })
  const second = await createGolem(partsOf(world, store, id, { strategy: vaultStrategy }))
  await Promise.allSettled([golem.kill(), second.kill()])
  expect(await golem.tick()).toMatchObject({ phase: 'over', death: { impossible: [], unwound: closed } })
  expect(await sharesOf(account)).toBe(0n)
  // Declining, the withdrawal, Terminal, the surrender and the gas.
  expect((await world.client.getTransactionCount({ address: root.delegate })) - before).toBe(5)
  const names = (await store.events.read({ after: 0, golem: id, limit: 1_000 })).map(({ name }) => name)
  for (const once of ['DeathProtocolStarted', 'GOLEM_TERMINAL', 'PERMISSION_REVOKED', 'DeathCompleted'])
    expect(names.filter((name) => name === once)).toHaveLength(1)
})

/** The session key as somebody copied it while the Golem lived. */
async function stolenDesk(id: Life['id']) {
  const { client, deployment, keys } = partsOf(world, store, id)
  const key = await keys.open()
  if (!key) throw new Error('it has one')
  const signer = sessionKeyAccount(key)
  const settings = { finality: 1, pollMs: 20 }
  const journal = createMemoryJournal()
  const submitter = createSubmitter({
    client,
    chainId: world.chainId,
    journal,
    clock: systemClock,
    signer,
    settings,
  })
  return { client, deployment, address: signer.address, submitter }
}

/** The balance sheet: all money is the owner's, the key is wiped and empty, and no contract of ours holds anything. */
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
