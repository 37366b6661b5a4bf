import { createSubmitter, redeem, swapCalls, systemClock } from '@bardo/chain'
import { aggregatorProxy } from '@bardo/contracts'
import { createMemoryJournal, type Delegation, delegationTypedData, hashDelegation } from '@bardo/core'
import type { Devnet } from '@bardo/devnet'
import type { Store } from '@bardo/store'
import { createWalletSubmitter } from '@bardo/wallets'
import { type Address, createPublicClient, custom, type Hash, parseEther, parseUnits } from 'viem'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { readFunding } from '../funding/readFunding.ts'
import { createGolem } from '../heartbeat/createGolem.ts'
import { readSnapshot } from '../snapshot/readSnapshot.ts'
import { livingChildren, readFamily } from '../state/storedFamily.ts'
import { ruleStrategy } from '../strategy/ruleStrategy.ts'
import type { Strategy } from '../strategy/strategy.ts'
import { summonGolem } from '../summon/summonGolem.ts'
import { balanceOf, ownerIn, partsOf, summonIn } from '../testing/golemWorld.ts'
import { openTestWorld, type TestWorld } from '../testing/openStoreLocation.ts'
import type { ReplicantRequest } from './replicate.ts'

const trader =
  'Swap USDC into WETH. Spawn replicants.\n\nbudget: $10/day\nlifespan: 30 days\nreplicant budget: $9.99/day'
const hour = 3_600
const day = 24 * hour
/** After this time a day's spending no longer counts. */
const spendingWindow = 29 * hour
const eager: Strategy = async () => ({
  type: 'swap',
  from: 'USDC',
  to: 'WETH',
  cents: 9_999n,
  because: 'always',
})
const request: ReplicantRequest = {
  name: 'alpha-1',
  dailyCents: 200n,
  budgetCents: 300n,
  runwayCents: 4_000n,
  lifespanSeconds: 2 * day,
  calls: 10,
  gas: parseEther('0.1'),
}

let world: Devnet
let context: TestWorld
let store: Store
beforeAll(async () => {
  context = await openTestWorld()
  ;({ world, store } = context)
})
afterAll(() => context?.stop())

const partsFor = (id: Hash) => partsOf(world, store, id, { strategy: eager })
const golemOf = (id: Hash) => createGolem(partsFor(id))
const usdc = (account: Address) => balanceOf(world, world.addresses.usdc, account)
const namesOf = async (golem: Hash) =>
  (await store.events.read({ after: 0, golem, limit: 1_000 })).map(({ name }) => name)
const refusedBy = (name: string) => ({ message: expect.stringContaining(name) })

async function family(requests: readonly Partial<ReplicantRequest>[] = [{}]) {
  const { summons, ...owner } = await ownerIn(world, store, trader)
  const summoned = { ...(await summonGolem(summons)), ...owner, summons }
  const parent = await golemOf(summoned.id)
  const ids: Hash[] = []
  for (const [index, one] of requests.entries())
    ids.push(await parent.replicate({ ...request, name: `alpha-${index}`, ...one }))
  const children = await Promise.all(ids.map(golemOf))
  return { ...summoned, parent, children, ids }
}

async function fundingOf(id: Hash) {
  const { permission } = await (await golemOf(id)).status()
  return readFunding(partsFor(id), permission, await readSnapshot(partsFor(id), permission))
}

/** Warps the chain, and posts the same feed price again. */
async function warp(seconds: number) {
  const address = world.addresses.wethFeed
  const { abi } = aggregatorProxy
  const [, answer] = await world.client.readContract({ address, abi, functionName: 'latestRoundData' })
  await world.warp(seconds)
  await world.postPrice('WETH', answer)
}

/** A thief with a copy of a Golem's key. */
async function thiefOf(id: Hash) {
  const { client, deployment, keys } = partsFor(id)
  const wallet = await keys.open()
  if (!wallet) throw new Error('there is no key')
  const settings = { finality: 1, pollMs: 20 }
  const submitter = createWalletSubmitter(wallet, {
    client,
    chainId: world.chainId,
    journal: createMemoryJournal(),
    clock: systemClock,
    settings,
  })
  const { permission } = await (await golemOf(id)).status()
  let thefts = 0
  return {
    wallet,
    links: permission.links,
    take: (dollars: string, links: readonly Delegation[] = permission.links) => {
      thefts += 1
      const { usdc: from, weth: to, swapRouter02: router } = world.addresses
      const { account } = permission.terms.mandate
      const amountIn = parseUnits(dollars, 6)
      const calls = swapCalls({ router, account, from, to, amountIn, minimumOut: 1n, fee: 500 })
      const redeemer = { client, deployment, address: wallet.address, submitter }
      return redeem(redeemer, { id: `theft-${thefts}`, steps: [{ links: [...links], calls }] })
    },
  }
}

/**
 * The parts of a Golem in a process during which something else happens, just before a request to the node.
 */
function partsWhile(id: Hash, method: string, happens: () => Promise<unknown>) {
  const parts = partsFor(id)
  let isOver = false
  const client = createPublicClient({
    chain: world.chain,
    cacheTime: 0,
    pollingInterval: 20,
    transport: custom({
      async request(question) {
        if (question.method === method && !isOver) {
          isOver = true
          await happens()
        }
        return parts.client.request(question)
      },
    }),
  })
  return { ...parts, client }
}

describe('a Replicant requested while its parent’s key is rotated', () => {
  it('uses nothing of the old key, and is created by a repeated request', async () => {
    const { id, parent } = await family([])
    const [old] = await store.sessionKeys.list(id)
    if (!old) throw new Error('there is no key')
    const racing = await createGolem(partsWhile(id, 'eth_estimateGas', () => parent.rotate('age')))
    await expect(racing.replicate(request)).rejects.toMatchObject({
      code: 'INTENT_CLOSED',
      outcome: 'not-sent',
    })
    expect(await store.journal.open({ chainId: world.chainId, from: old.address })).toEqual([])
    expect(await world.client.getBalance({ address: old.address })).toBe(0n)
    const child = await parent.replicate(request)
    expect(await (await golemOf(child)).tick()).toMatchObject({ type: 'ticked' })
  })
})

describe('a Replicant', () => {
  it('uses its share below its parent, and dies alone when its window is over', async () => {
    const { id, parent, children, ids, account, owner } = await family()
    const [[child], [childId]] = [children, ids]
    if (!child || !childId) throw new Error('there is no child')
    const { permission } = await child.status()
    expect(permission.links).toHaveLength(2)
    expect(permission.links[1]).toEqual((await parent.status()).permission.links[0])
    expect(await store.golems.find(childId)).toMatchObject({ status: 'alive', owner: owner.address })
    expect((await readSnapshot(partsFor(childId), permission)).vitals.state).toBe('alive')

    // 10 a day minus 2 a day leaves 8, and the runway is split as well.
    expect((await fundingOf(id)).leftTodayCents).toBe(800n)
    const { economy } = await fundingOf(id)
    expect(economy.remainingCents).toBeLessThanOrEqual(6_000n)
    expect((await fundingOf(childId)).economy.remainingCents).toBeLessThanOrEqual(4_000n)
    const before = await usdc(account)
    expect(await child.tick()).toMatchObject({ type: 'ticked' })
    expect(before - (await usdc(account))).toBe(parseUnits('2', 6))
    expect((await fundingOf(id)).leftTodayCents).toBe(800n)
    await parent.tick()
    expect(before - (await usdc(account))).toBe(parseUnits('10', 6))

    // The next day one dollar of its lifetime budget is left, and the chain names the caveat.
    await warp(spendingWindow)
    const thief = await thiefOf(childId)
    await expect(thief.take('1.01')).rejects.toMatchObject(refusedBy('ReplicantBudget'))
    await child.tick()
    expect(before - (await usdc(account))).toBe(parseUnits('11', 6))

    await warp(day)
    expect(await child.tick()).toMatchObject({ phase: 'over', death: { trigger: 'naturalExpiry' } })
    expect(await store.ownerRequests.pending(childId)).toMatchObject([
      { body: { delegations: [hashDelegation(permission.links[0])] } },
    ])
    expect(await parent.tick()).toMatchObject({ type: 'ticked' })
    expect((await fundingOf(id)).dailyCapCents).toBe(1_000n)
    expect(await store.ownerRequests.pending(id)).toEqual([])
  })

  it('is ended by its parent’s key, without effect on parent or sibling', async () => {
    const { id, parent, children, ids, account } = await family([{}, {}])
    const [[first, second], [firstId]] = [children, ids]
    if (!first || !second || !firstId) throw new Error('two children are missing')
    const thief = await thiefOf(firstId)
    expect((await fundingOf(id)).dailyCapCents).toBe(600n)
    expect(await parent.endReplicant(firstId)).toBe('disabled')
    expect(await parent.endReplicant(firstId)).toBe('disabled')
    expect((await namesOf(id)).filter((name) => name === 'replicant.ended')).toHaveLength(1)
    expect((await fundingOf(id)).dailyCapCents).toBe(800n)
    await expect(thief.take('1')).rejects.toMatchObject({ code: 'DELEGATION_DISABLED' })
    expect(await first.tick()).toMatchObject({ phase: 'over', death: { trigger: 'ownerRevocation' } })
    const before = await usdc(account)
    await second.tick()
    expect(before - (await usdc(account))).toBe(parseUnits('2', 6))
    expect(await parent.tick()).toMatchObject({ type: 'ticked' })
  })

  it('gets no new key for a suspected one, and its parent can still end it', async () => {
    const { parent, children, ids } = await family([{}])
    const [[child], [childId]] = [children, ids]
    if (!child || !childId) throw new Error('there is no child')
    const thief = await thiefOf(childId)
    await expect(child.rotate('suspected')).rejects.toMatchObject({
      code: 'ROTATION_REFUSED',
      remedy: expect.stringContaining('bardo revoke'),
    })
    expect(await store.ownerRequests.pending(childId)).toEqual([])
    expect(await store.rotations.underWay(childId)).toBeUndefined()
    expect(await parent.endReplicant(childId)).toBe('disabled')
    await expect(thief.take('1')).rejects.toMatchObject({ code: 'DELEGATION_DISABLED' })
  })

  it('surrenders only itself, so that a copy of its key is useless', async () => {
    const { parent, children, ids, account } = await family([{}, {}])
    const [[first, second], [firstId]] = [children, ids]
    if (!first || !second || !firstId) throw new Error('two children are missing')
    const thief = await thiefOf(firstId)
    expect(await first.kill()).toMatchObject({ phase: 'over', death: { impossible: [] } })
    const { address } = thief.wallet
    expect(await world.client.getBalance({ address })).toBeLessThan(parseEther('0.001'))
    await world.fund(address, { ETH: parseEther('1') })
    await expect(thief.take('1')).rejects.toMatchObject(refusedBy('GolemPhase'))
    const before = await usdc(account)
    await second.tick()
    // Its share is its parent's again: 10 minus 2 of the sibling.
    await parent.tick()
    expect(before - (await usdc(account))).toBe(parseUnits('10', 6))
  })

  it('surrenders with its own key after a rotation wiped the key that signed its delegation', async () => {
    const { id, parent, children, ids } = await family()
    const [[child], [childId]] = [children, ids]
    if (!child || !childId) throw new Error('there is no child')
    const thief = await thiefOf(childId)
    await parent.rotate('age')
    expect(await parent.endReplicant(childId)).toBe('keyReplaced')
    // It can still act, so its share is still reserved.
    expect((await fundingOf(id)).dailyCapCents).toBe(800n)
    expect(await child.end('ownerRevocation')).toMatchObject({ phase: 'over', death: { impossible: [] } })
    await world.fund(thief.wallet.address, { ETH: parseEther('1') })
    await expect(thief.take('1')).rejects.toMatchObject(refusedBy('GolemPhase'))
    expect((await fundingOf(id)).dailyCapCents).toBe(1_000n)
    expect((await namesOf(id)).filter((name) => name === 'replicant.ended')).toHaveLength(1)
  })

  it('is ended by the owner if its parent’s key is wiped', async () => {
    const { id, ids } = await family()
    const [childId] = ids
    if (!childId) throw new Error('there is no child')
    await partsFor(id).keys.wipe()
    const orphaned = await golemOf(id)
    expect(await orphaned.endReplicant(childId)).toBe('asked')
    expect(await store.ownerRequests.pending(childId)).toMatchObject([{ kind: 'revoke' }])
    // It can still draw, so its share is still reserved.
    expect((await fundingOf(id)).dailyCapCents).toBe(800n)
  })

  it('dies with its parent, which waits for it', async () => {
    const { parent, children, ids } = await family()
    const [[child], [childId]] = [children, ids]
    if (!child || !childId) throw new Error('there is no child')
    const thief = await thiefOf(childId)
    expect(await parent.kill()).toMatchObject({ type: 'dying', phase: 'settlement' })
    await expect(thief.take('1')).rejects.toMatchObject(refusedBy('ClassNotAllowedInPhase'))
    expect(await child.tick()).toMatchObject({ phase: 'over', death: { trigger: 'ownerRevocation' } })
    expect(await parent.tick()).toMatchObject({ phase: 'over', death: { impossible: [] } })
    await expect(thief.take('1')).rejects.toMatchObject({ outcome: 'not-sent' })
    await expect(parent.replicate(request)).rejects.toMatchObject({ code: 'GOLEM_DYING' })
  })

  it('is created once, though the process crashes in between', async () => {
    const { id } = await summonIn(world, store, trader)
    const parts = partsFor(id)
    let writes = 0
    const crashing: Store = {
      ...store,
      transaction: (work) => {
        writes += 1
        if (writes > 1) throw new Error('simulated crash')
        return store.transaction(work)
      },
    }
    const crashed = await createGolem({ ...parts, store: crashing })
    await expect(crashed.replicate(request)).rejects.toThrow('simulated crash')
    const parent = await golemOf(id)
    const child = await parent.replicate(request)
    expect((await fundingOf(id)).dailyCapCents).toBe(800n)
    const [key] = await store.sessionKeys.list(child)
    if (!key) throw new Error('there is no key')
    expect(await world.client.getBalance({ address: key.address })).toBe(request.gas)
    await expect(parent.replicate(request)).rejects.toMatchObject({ code: 'ACTION_NOT_ALLOWED' })
    expect((await namesOf(id)).filter((name) => name === 'replicant.spawned')).toHaveLength(1)
  })
})

describe('a name', () => {
  it('belongs to one living Golem of an owner: a second Replicant, the parent’s name and a summoning are refused', async () => {
    const { parent, ids, children, summons } = await family([{ name: 'gamma' }])
    await expect(parent.replicate({ ...request, name: 'gamma' })).rejects.toMatchObject({
      code: 'ACTION_NOT_ALLOWED',
      message: expect.stringContaining('Another Golem of this owner already has this name.'),
    })
    const { name } = (await parent.status()).permission.golem
    await expect(parent.replicate({ ...request, name })).rejects.toMatchObject({ code: 'ACTION_NOT_ALLOWED' })
    await expect(summonGolem({ ...summons, name: 'gamma' })).rejects.toMatchObject({
      code: 'STEP_OUT_OF_ORDER',
      details: ['the Golem is a Replicant of another'],
    })
    // The name is free again after a death.
    await children[0]?.kill()
    const [first] = ids
    if (!first) throw new Error('there is no child')
    expect(await store.golems.find(first)).toMatchObject({ status: 'dead' })
    await expect(parent.replicate({ ...request, name: 'gamma' })).resolves.not.toBe(first)
  })

  it('is taken by one of two parents at the same moment', async () => {
    const { parent, id, summons } = await family([])
    const other = await summonGolem({ ...summons, name: 'other' })
    const overtaken: Store = {
      ...store,
      transaction: async (work) => {
        await parent.replicate({ ...request, name: 'gamma' }).catch(() => undefined)
        return store.transaction(work)
      },
    }
    const slow = await createGolem({ ...partsFor(other.id), store: overtaken })
    await expect(slow.replicate({ ...request, name: 'gamma' })).rejects.toMatchObject({
      code: 'ACTION_NOT_ALLOWED',
    })
    const { owner } = (await store.golems.find(id)) ?? {}
    if (!owner) throw new Error('there is no Golem')
    expect(await store.golems.list({ owner, name: 'gamma' })).toHaveLength(1)
  })
})

describe('the signed strategy', () => {
  const swaps = 'Swap USDC into WETH.'
  const tail = '\n\nbudget: $10/day\nlifespan: 30 days\n'

  it.each([
    ['does not name them', '', {}],
    ['forbids them', 'Never spawn replicants.', {}],
    ['allows none', 'Spawn replicants.\nreplicants: 0', {}],
    ['allows less a day', 'Spawn replicants.\nreplicant budget: $1/day', {}],
    ['allows a shorter life', 'Spawn replicants.\nreplicant lifespan: 1 day', {}],
    ['names a share for three, and none is stated', 'Spawn replicants.', { dailyCents: 251n }],
  ])('refuses Replicants if it %s', async (_, line, change) => {
    const { id } = await summonIn(world, store, `${swaps} ${line}${tail}`)
    const parent = await golemOf(id)
    await expect(parent.replicate({ ...request, ...change })).rejects.toMatchObject({
      code: 'ACTION_NOT_ALLOWED',
      message: expect.stringMatching(/signed strategy/),
    })
    expect((await fundingOf(id)).dailyCapCents).toBe(1_000n)
  })

  it('limits how many live at the same time; an ended one makes room', async () => {
    const { id } = await summonIn(world, store, `${swaps} Spawn one replicant.${tail}`)
    const parent = await golemOf(id)
    const first = await parent.replicate(request)
    const second = { ...request, name: 'beta-1', runwayCents: 100n }
    await expect(parent.replicate(second)).rejects.toThrow(/as many Replicants as/)
    await parent.endReplicant(first)
    expect(await parent.replicate(second)).not.toBe(first)
  })

  it('lets a Golem create them by itself: by rule at its interval, and once after a crash', async () => {
    const text = `${swaps} Spawn replicants every day.${tail}replicants: 2\n`
    const { id } = await summonIn(world, store, text)
    const parts = partsOf(world, store, id, { strategy: ruleStrategy })
    const familyNames = async () =>
      (await livingChildren(store, id)).map(({ name, status }) => [name, status])
    const crashing: Store = {
      ...store,
      transaction: async (work) => {
        // The process ends after the child is stored.
        if ((await familyNames()).length > 0) throw new Error('simulated crash')
        return store.transaction(work)
      },
    }
    await (await createGolem({ ...parts, store: crashing })).tick()
    expect(await familyNames()).toEqual([['alpha-1', 'onboarding']])
    const parent = await createGolem(parts)
    await parent.tick()
    expect(await familyNames()).toEqual([['alpha-1', 'alive']])
    await parent.tick()
    expect(await familyNames()).toHaveLength(1)
    await warp(day + 60)
    await parent.tick()
    await parent.tick()
    const names = (await familyNames()).map(([name]) => name)
    expect(names).toEqual(['alpha-1', 'alpha-2'])
    expect((await namesOf(id)).filter((name) => name === 'replicant.spawned')).toHaveLength(2)
  })

  it('keeps a model that wants Replicants within its limits', async () => {
    const greedy: Strategy = async () => ({ type: 'replicate', cents: 99_999n, because: 'more' })
    const spawnedBy = async (line: string) => {
      const { id } = await summonIn(world, store, `${swaps} ${line}${tail}`)
      const golem = await createGolem(partsOf(world, store, id, { strategy: greedy }))
      for (let ticks = 0; ticks < 3; ticks += 1) await golem.tick()
      return readFamily(store, id)
    }
    expect((await spawnedBy('Never spawn replicants.')).replicants).toEqual([])
    const { replicants } = await spawnedBy('Spawn two replicants.')
    expect(replicants.map(({ dailyCents }) => dailyCents)).toEqual([333n, 333n])
  })
})

describe('a Replicant with a part of its parent’s contracts', () => {
  it('acts through those alone, also if its key is stolen', async () => {
    const text =
      'Swap USDC into WETH. Deposit USDC into the vault. Withdraw USDC from the vault. Spawn replicants.\n\nbudget: $10/day\n'
    const { id, account } = await summonIn(world, store, text)
    const parent = await golemOf(id)
    const small = { ...request, runwayCents: 3_000n }
    const saver = await parent.replicate({ ...small, name: 'saver', targets: ['vault USDC'] })
    const trader = await parent.replicate({ ...small, name: 'trader', methods: ['exactInputSingle'] })
    const planOf = async (golem: Hash) => (await (await golemOf(golem)).status()).permission.plan
    expect((await planOf(saver)).classes).not.toContain('swap')
    expect((await planOf(trader)).classes).not.toContain('deposit')
    await expect((await thiefOf(saver)).take('1')).rejects.toMatchObject({ outcome: 'not-sent' })
    const before = await usdc(account)
    await (await thiefOf(trader)).take('1')
    expect(before - (await usdc(account))).toBe(parseUnits('1', 6))
    await (await golemOf(trader)).tick()
    expect(before - (await usdc(account))).toBe(parseUnits('2', 6))
    await expect(parent.replicate({ ...small, name: 'x', targets: ['vault WETH'] })).rejects.toThrow(
      /does not include this contract/,
    )
    await expect(parent.replicate({ ...small, name: 'x', methods: ['transfer'] })).rejects.toThrow(
      /only methods of its parent/,
    )
  })
})

describe('a Replicant cannot get more', () => {
  it.each<[string, Partial<ReplicantRequest>]>([
    ['than its parent’s daily amount', { dailyCents: 1_000n }],
    ['runway than its parent has', { runwayCents: 10_000n }],
    ['time than its parent', { lifespanSeconds: 31 * day }],
  ])('%s', async (_, change) => {
    const { id } = await summonIn(world, store, trader)
    const parent = await golemOf(id)
    await expect(parent.replicate({ ...request, ...change })).rejects.toMatchObject({
      code: 'ACTION_NOT_ALLOWED',
    })
    expect((await fundingOf(id)).dailyCapCents).toBe(1_000n)
  })

  it('from a Golem whose death began in the meantime', async () => {
    const { id } = await summonIn(world, store, trader)
    const overtaken: Store = {
      ...store,
      transaction: async (work) => {
        await (await golemOf(id)).kill()
        return store.transaction(work)
      },
    }
    const parent = await createGolem({ ...partsFor(id), store: overtaken })
    await expect(parent.replicate(request)).rejects.toMatchObject({ code: 'GOLEM_DYING' })
    expect((await fundingOf(id)).dailyCapCents).toBe(1_000n)
  })

  it('of the same share for two concurrent requests', async () => {
    const { id } = await summonIn(world, store, trader)
    const half = { dailyCents: 600n, runwayCents: 100n }
    const born = await Promise.allSettled(
      ['a', 'b'].map(async (name) => (await golemOf(id)).replicate({ ...request, ...half, name })),
    )
    expect(born.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
    expect((await fundingOf(id)).dailyCapCents).toBe(400n)

    // The other request comes between reading the runway and writing.
    const { id: other } = await summonIn(world, store, trader)
    const most = { ...request, dailyCents: 100n, runwayCents: 6_000n }
    const overtaken: Store = {
      ...store,
      transaction: async (work) => {
        await (await golemOf(other)).replicate({ ...most, name: 'a' })
        return store.transaction(work)
      },
    }
    const slow = await createGolem({ ...partsFor(other), store: overtaken })
    await expect(slow.replicate({ ...most, name: 'b' })).rejects.toMatchObject({ code: 'ACTION_NOT_ALLOWED' })
    expect((await fundingOf(other)).economy.remainingCents).toBeGreaterThan(3_900n)
  })

  it('by a stolen Replicant’s key: not more budget, no child, no longer life', async () => {
    const { ids, account, children } = await family([{ dailyCents: 500n }])
    const [[child], [childId]] = [children, ids]
    if (!child || !childId) throw new Error('there is no child')
    await expect(child.replicate(request)).rejects.toMatchObject({ code: 'ACTION_NOT_ALLOWED' })
    const before = await usdc(account)
    const thief = await thiefOf(childId)
    for (const dollars of ['2', '2', '1', '1', '0.5']) await thief.take(dollars).catch(() => undefined)
    expect(before - (await usdc(account))).toBe(parseUnits('3', 6))
    await expect(thief.take('0.01')).rejects.toMatchObject(refusedBy('ReplicantBudget'))

    // A grandchild without any caveats.
    const { wallet: signer, links } = thief
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

  it('than the owner signed, though a thief with the parent’s key and two siblings race', async () => {
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
