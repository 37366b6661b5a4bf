import { createSubmitter, redeem, sessionKeyAccount, swapCalls, systemClock } from '@bardo/chain'
import { aggregatorProxy } from '@bardo/contracts'
import { createMemoryJournal, type Delegation, delegationTypedData, hashDelegation } from '@bardo/core'
import type { Devnet } from '@bardo/devnet'
import type { Store } from '@bardo/store'
import { type Address, type Hash, parseEther, parseUnits } from 'viem'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Strategy } from '../strategies/strategy.ts'
import { createGolem } from './createGolem.ts'
import { livelihood } from './livelihood.ts'
import { readWorld } from './readWorld.ts'
import type { ReplicantWish } from './replicate.ts'
import { balanceOf, partsOf, summonIn, testSecret } from './testing/golemWorld.ts'
import { openPlace, type Place } from './testing/openPlace.ts'

const trader = 'Swap USDC into WETH.\n\nbudget: $10/day\nlifespan: 30 days'
const hour = 3_600
const day = 24 * hour
/** After this long a day's spending is forgotten. */
const forgotten = 29 * hour
const eager: Strategy = async () => ({
  is: 'swap',
  from: 'USDC',
  to: 'WETH',
  cents: 9_999n,
  because: 'always',
})
const wish: ReplicantWish = {
  name: 'alpha-1',
  dailyCents: 200n,
  budgetCents: 300n,
  runwayCents: 4_000n,
  lifespanSeconds: 2 * day,
  calls: 10,
  gas: parseEther('0.1'),
  secret: testSecret,
}

let world: Devnet
let place: Place
let store: Store
beforeAll(async () => {
  place = await openPlace()
  ;({ world, store } = place)
})
afterAll(() => place?.stop())

const partsFor = (id: Hash) => partsOf(world, store, id, { strategy: eager })
const golemOf = (id: Hash) => createGolem(partsFor(id))
const usdc = (account: Address) => balanceOf(world, world.addresses.usdc, account)
const namesOf = async (golem: Hash) =>
  (await store.events.read({ after: 0, golem, limit: 1_000 })).map(({ name }) => name)
const refusedBy = (name: string) => ({ message: expect.stringContaining(name) })

async function family(wishes: readonly Partial<ReplicantWish>[] = [{}]) {
  const summoned = await summonIn(world, store, trader)
  const parent = await golemOf(summoned.id)
  const ids: Hash[] = []
  for (const [place, one] of wishes.entries())
    ids.push(await parent.replicate({ ...wish, name: `alpha-${place}`, ...one }))
  const children = await Promise.all(ids.map(golemOf))
  return { ...summoned, parent, children, ids }
}

async function livesOn(id: Hash) {
  const { charter } = await (await golemOf(id)).status()
  return livelihood(partsFor(id), charter, await readWorld(partsFor(id), charter))
}

/** Time passes, and the feeds go on as they were. */
async function warp(seconds: number) {
  const address = world.addresses.wethFeed
  const { abi } = aggregatorProxy
  const [, answer] = await world.client.readContract({ address, abi, functionName: 'latestRoundData' })
  await world.warp(seconds)
  await world.postPrice('WETH', answer)
}

/** Somebody with a copy of a Golem's key, who asks nobody. */
async function thiefOf(id: Hash) {
  const { client, deployment, keys } = partsFor(id)
  const key = await keys.open()
  if (!key) throw new Error('it has one')
  const signer = sessionKeyAccount(key)
  const settings = { finality: 1, pollMs: 20 }
  const submitter = createSubmitter({
    client,
    chainId: world.chainId,
    journal: createMemoryJournal(),
    clock: systemClock,
    signer,
    settings,
  })
  const { charter } = await (await golemOf(id)).status()
  let thefts = 0
  return {
    signer,
    links: charter.links,
    take: (dollars: string, links: readonly Delegation[] = charter.links) => {
      thefts += 1
      const { usdc: from, weth: to, swapRouter02: router } = world.addresses
      const { account } = charter.terms.mandate
      const amountIn = parseUnits(dollars, 6)
      const calls = swapCalls({ router, account, from, to, amountIn, minimumOut: 1n, fee: 500 })
      const redeemer = { client, deployment, address: signer.address, submitter }
      return redeem(redeemer, { id: `theft-${thefts}`, steps: [{ links: [...links], calls }] })
    },
  }
}

describe('a child', () => {
  it('lives on its share below its parent, and dies alone when its time is over', async () => {
    const { id, parent, children, ids, account, owner } = await family()
    const [[child], [childId]] = [children, ids]
    if (!child || !childId) throw new Error('there is one')
    const { charter } = await child.status()
    expect(charter.links).toHaveLength(2)
    expect(charter.links[1]).toEqual((await parent.status()).charter.links[0])
    expect(await store.golems.find(childId)).toMatchObject({ status: 'alive', owner: owner.address })
    expect((await readWorld(partsFor(childId), charter)).vitals.state).toBe('alive')

    // 10 a day less 2 a day are 8, and the runway is split as well.
    expect((await livesOn(id)).leftTodayCents).toBe(800n)
    const { economy } = await livesOn(id)
    expect(economy.remainingCents).toBeLessThanOrEqual(6_000n)
    expect((await livesOn(childId)).economy.remainingCents).toBeLessThanOrEqual(4_000n)
    const before = await usdc(account)
    expect(await child.tick()).toMatchObject({ is: 'ticked' })
    expect(before - (await usdc(account))).toBe(parseUnits('2', 6))
    expect((await livesOn(id)).leftTodayCents).toBe(800n)
    await parent.tick()
    expect(before - (await usdc(account))).toBe(parseUnits('10', 6))

    // The next day it has a dollar left of its life, and the chain says so by name.
    await warp(forgotten)
    const thief = await thiefOf(childId)
    await expect(thief.take('1.01')).rejects.toMatchObject(refusedBy('ReplicantBudget'))
    await child.tick()
    expect(before - (await usdc(account))).toBe(parseUnits('11', 6))

    await warp(day)
    expect(await child.tick()).toMatchObject({ phase: 'over', death: { trigger: 'naturalExpiry' } })
    expect(await store.ownerRequests.pending(childId)).toMatchObject([
      { body: { delegations: [hashDelegation(charter.links[0])] } },
    ])
    expect(await parent.tick()).toMatchObject({ is: 'ticked' })
    expect((await livesOn(id)).dailyCapCents).toBe(1_000n)
    expect(await store.ownerRequests.pending(id)).toEqual([])
  })

  it('is ended by its parent’s key, and neither parent nor sibling notices', async () => {
    const { id, parent, children, ids, account } = await family([{}, {}])
    const [[first, second], [firstId]] = [children, ids]
    if (!first || !second || !firstId) throw new Error('there are two')
    const thief = await thiefOf(firstId)
    expect((await livesOn(id)).dailyCapCents).toBe(600n)
    expect(await parent.endReplicant(firstId)).toBe('disabled')
    expect(await parent.endReplicant(firstId)).toBe('disabled')
    expect((await namesOf(id)).filter((name) => name === 'replicant.ended')).toHaveLength(1)
    expect((await livesOn(id)).dailyCapCents).toBe(800n)
    await expect(thief.take('1')).rejects.toMatchObject({ code: 'DELEGATION_DISABLED' })
    expect(await first.tick()).toMatchObject({ phase: 'over', death: { trigger: 'ownerRevocation' } })
    const before = await usdc(account)
    await second.tick()
    expect(before - (await usdc(account))).toBe(parseUnits('2', 6))
    expect(await parent.tick()).toMatchObject({ is: 'ticked' })
  })

  it('surrenders for itself alone, so that a copy of its key is worth nothing', async () => {
    const { parent, children, ids, account } = await family([{}, {}])
    const [[first, second], [firstId]] = [children, ids]
    if (!first || !second || !firstId) throw new Error('there are two')
    const thief = await thiefOf(firstId)
    expect(await first.kill()).toMatchObject({ phase: 'over', death: { impossible: [] } })
    const { address } = thief.signer
    expect(await world.client.getBalance({ address })).toBeLessThan(parseEther('0.001'))
    await world.fund(address, { ETH: parseEther('1') })
    await expect(thief.take('1')).rejects.toMatchObject(refusedBy('GolemPhase'))
    const before = await usdc(account)
    await second.tick()
    await parent.tick()
    expect(before - (await usdc(account))).toBe(parseUnits('8', 6))
  })

  it('is ended by the owner where its parent has no key any more', async () => {
    const { id, ids } = await family()
    const [childId] = ids
    if (!childId) throw new Error('there is one')
    await partsFor(id).keys.wipe()
    const orphaned = await golemOf(id)
    expect(await orphaned.endReplicant(childId)).toBe('asked')
    expect(await store.ownerRequests.pending(childId)).toMatchObject([{ kind: 'revoke' }])
    // It may still draw, and so its share stays its own.
    expect((await livesOn(id)).dailyCapCents).toBe(800n)
  })

  it('dies with its parent, which waits for it', async () => {
    const { parent, children, ids } = await family()
    const [[child], [childId]] = [children, ids]
    if (!child || !childId) throw new Error('there is one')
    const thief = await thiefOf(childId)
    expect(await parent.kill()).toMatchObject({ is: 'dying', phase: 'settlement' })
    await expect(thief.take('1')).rejects.toMatchObject(refusedBy('ClassNotAllowedInPhase'))
    expect(await child.tick()).toMatchObject({ phase: 'over', death: { trigger: 'ownerRevocation' } })
    expect(await parent.tick()).toMatchObject({ phase: 'over', death: { impossible: [] } })
    await expect(thief.take('1')).rejects.toMatchObject({ outcome: 'not-sent' })
    await expect(parent.replicate(wish)).rejects.toMatchObject({ code: 'GOLEM_DYING' })
  })

  it('is born once, though the power goes off in the middle', async () => {
    const { id } = await summonIn(world, store, trader)
    const parts = partsFor(id)
    let writes = 0
    const crashing: Store = {
      ...store,
      transaction: (work) => {
        writes += 1
        if (writes > 1) throw new Error('the power is off')
        return store.transaction(work)
      },
    }
    const crashed = await createGolem({ ...parts, store: crashing })
    await expect(crashed.replicate(wish)).rejects.toThrow('the power is off')
    const parent = await golemOf(id)
    const child = await parent.replicate(wish)
    expect((await livesOn(id)).dailyCapCents).toBe(800n)
    const [key] = await store.sessionKeys.list(child)
    if (!key) throw new Error('it has one')
    expect(await world.client.getBalance({ address: key.address })).toBe(wish.gas)
    await expect(parent.replicate(wish)).rejects.toMatchObject({ code: 'ACTION_NOT_ALLOWED' })
    expect((await namesOf(id)).filter((name) => name === 'replicant.spawned')).toHaveLength(1)
  })
})

describe('nobody gets more', () => {
  it.each<[string, Partial<ReplicantWish>]>([
    ['than its parent has a day', { dailyCents: 1_000n }],
    ['runway than there is', { runwayCents: 10_000n }],
    ['time than its parent', { lifespanSeconds: 31 * day }],
  ])('%s', async (_, change) => {
    const { id } = await summonIn(world, store, trader)
    const parent = await golemOf(id)
    await expect(parent.replicate({ ...wish, ...change })).rejects.toMatchObject({
      code: 'ACTION_NOT_ALLOWED',
    })
    expect((await livesOn(id)).dailyCapCents).toBe(1_000n)
  })

  it('from a Golem whose death began while it was asked', async () => {
    const { id } = await summonIn(world, store, trader)
    const overtaken: Store = {
      ...store,
      transaction: async (work) => {
        await (await golemOf(id)).kill()
        return store.transaction(work)
      },
    }
    const parent = await createGolem({ ...partsFor(id), store: overtaken })
    await expect(parent.replicate(wish)).rejects.toMatchObject({ code: 'GOLEM_DYING' })
    expect((await livesOn(id)).dailyCapCents).toBe(1_000n)
  })

  it('of two who ask for the same share at once', async () => {
    const { id } = await summonIn(world, store, trader)
    const half = { dailyCents: 600n, runwayCents: 100n }
    const born = await Promise.allSettled(
      ['a', 'b'].map(async (name) => (await golemOf(id)).replicate({ ...wish, ...half, name })),
    )
    expect(born.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
    expect((await livesOn(id)).dailyCapCents).toBe(400n)

    // The other one comes between the look at the runway and the write.
    const { id: other } = await summonIn(world, store, trader)
    const most = { ...wish, dailyCents: 100n, runwayCents: 6_000n }
    const overtaken: Store = {
      ...store,
      transaction: async (work) => {
        await (await golemOf(other)).replicate({ ...most, name: 'a' })
        return store.transaction(work)
      },
    }
    const slow = await createGolem({ ...partsFor(other), store: overtaken })
    await expect(slow.replicate({ ...most, name: 'b' })).rejects.toMatchObject({ code: 'ACTION_NOT_ALLOWED' })
    expect((await livesOn(other)).economy.remainingCents).toBeGreaterThan(3_900n)
  })

  it('by stealing a child’s key: not more than its budget, no child of its own, no longer life', async () => {
    const { ids, account, children } = await family([{ dailyCents: 500n }])
    const [[child], [childId]] = [children, ids]
    if (!child || !childId) throw new Error('there is one')
    await expect(child.replicate(wish)).rejects.toMatchObject({ code: 'ACTION_NOT_ALLOWED' })
    const before = await usdc(account)
    const thief = await thiefOf(childId)
    for (const dollars of ['2', '2', '1', '1', '0.5']) await thief.take(dollars).catch(() => undefined)
    expect(before - (await usdc(account))).toBe(parseUnits('3', 6))
    await expect(thief.take('0.01')).rejects.toMatchObject(refusedBy('ReplicantBudget'))

    // A grandchild that promises itself everything.
    const { signer, links } = thief
    const accomplice = privateKeyToAccount(generatePrivateKey())
    const unsigned: Delegation = {
      delegate: accomplice.address,
      delegator: signer.address,
      authority: hashDelegation(links[0]),
      caveats: [],
      salt: 1n,
      signature: '0x',
    }
    const typed = delegationTypedData(world.chainId, world.framework.DelegationManager, unsigned)
    const grandchild = { ...unsigned, signature: await signer.signTypedData(typed) }
    await world.fund(accomplice.address, { ETH: parseEther('1') })
    const { client, deployment } = partsFor(childId)
    const submitter = createSubmitter({
      client,
      chainId: world.chainId,
      journal: createMemoryJournal(),
      clock: systemClock,
      signer: accomplice,
      settings: { finality: 1, pollMs: 20 },
    })
    const redeemer = { client, deployment, address: accomplice.address, submitter }
    const { usdc: from, weth: to, swapRouter02: router } = world.addresses
    const swap = { router, account, from, to, amountIn: 10_000n, minimumOut: 1n, fee: 500 }
    const steps = [{ links: [grandchild, ...links], calls: swapCalls(swap) }]
    await expect(redeem(redeemer, { id: 'grandchild', steps })).rejects.toMatchObject(refusedBy('Redeemer'))

    await warp(2 * day + 1)
    await expect(thief.take('0.01')).rejects.toMatchObject({ code: 'DELEGATION_EXPIRED' })
  })

  it('than the owner signed, though a parent’s thief and two siblings race for the day', async () => {
    const { id, ids, account } = await family([
      { dailyCents: 400n, budgetCents: 900n },
      { dailyCents: 400n, budgetCents: 900n },
    ])
    const before = await usdc(account)
    await (await thiefOf(id)).take('5')
    const thieves = await Promise.all(ids.map(thiefOf))
    const race = await Promise.allSettled(thieves.map((thief) => thief.take('4')))
    expect(race.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
    expect(before - (await usdc(account))).toBe(parseUnits('9', 6))
  })
})
