import { isDisabled, spendableGas } from '@bardo/chain'
import { type Curve, hashDelegation, nativeAsset } from '@bardo/core'
import type { Devnet } from '@bardo/devnet'
import type { Store } from '@bardo/store'
import { firstAccountOf, type Route } from '@bardo/wallets'
import { getAbiItem, parseAbi, parseEther, parseUnits } from 'viem'
import { entryPoint07Abi } from 'viem/account-abstraction'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { z } from 'zod'
import { createGolem } from '../heartbeat/createGolem.ts'
import { readIdentity } from '../identity/readIdentity.ts'
import type { GolemSettings } from '../permission/golemParts.ts'
import { grantAsOwner } from '../requests/grantAsOwner.ts'
import { regrant } from '../requests/regrant.ts'
import { createSubmitterOpener } from '../submission/openSubmitter.ts'
import { summonGolem } from '../summon/summonGolem.ts'
import { balanceOf, ownerIn, partsOf, summonIn } from '../testing/golemWorld.ts'
import { openTestWorld, type TestWorld } from '../testing/openStoreLocation.ts'
import { operationRoute } from '../testing/operationRoute.ts'

const dca = 'Every day, swap $50 of USDC into WETH.\n\nlifespan: 30 days'
const day = 86_400
const quick = { finality: 1, pollMs: 20 } as const
const ownerAbi = parseAbi([
  'function owner() view returns (address)',
  'function getKeyIdHashes() view returns (bytes32[])',
])

let world: Devnet
let context: TestWorld
let store: Store
beforeAll(async () => {
  context = await openTestWorld()
  ;({ world, store } = context)
})
afterAll(() => context?.stop())

async function summon({
  curve = 'secp256k1',
  route = operationRoute(world),
  changes = {},
}: {
  readonly curve?: Curve
  readonly route?: Route
  readonly changes?: Partial<GolemSettings>
} = {}) {
  const summoned = await summonIn(world, store, dca, undefined, { route, curve })
  const parts = partsOf(world, store, summoned.id, { ...changes, route })
  const [first] = await store.sessionKeys.list(summoned.id)
  if (!first) throw new Error('no key')
  return {
    ...summoned,
    parts,
    first,
    session: first.address,
    golem: await createGolem(parts),
    spent: async () =>
      parseUnits('10000', 6) - (await balanceOf(world, world.addresses.usdc, summoned.account)),
    keys: () => store.sessionKeys.list(summoned.id),
    async names() {
      const events = await store.events.read({ after: 0, golem: summoned.id, limit: 1_000 })
      return events.map(({ name }) => name)
    },
  }
}

describe('a Golem with a session account', () => {
  it.each(['secp256k1', 'p256'] as const)(
    'trades, rotates, is fed and dies as one account (%s)',
    async (curve) => {
      const { parts, golem, session, first, signer, owner, root, id, spent, keys, names } = await summon({
        curve,
      })
      expect(first.curve).toBe(curve)
      expect(session).toBe(firstAccountOf(world.chainId, first).address)
      expect(root.delegate).toBe(session)
      expect((await golem.look()).vitals).toMatchObject({ state: 'alive', writer: session })

      await golem.tick()
      expect(await spent()).toBe(parseUnits('50', 6))
      const landed = (await store.events.read({ after: 0, golem: id, limit: 100 })).find(
        ({ name }) => name === 'action.landed',
      )
      const { transaction } = z
        .object({ transaction: z.templateLiteral(['0x', z.string()]) })
        .parse(landed?.body)
      expect((await world.client.getTransactionReceipt({ hash: transaction })).status).toBe('success')

      expect(await golem.rotate('age')).toMatchObject({ kind: 'session-account', status: 'done' })
      const [old, next] = await keys()
      expect(old).toMatchObject({ status: 'wiped', sealed: undefined, address: session })
      expect(next).toMatchObject({ status: 'active', curve, address: session })
      expect((await golem.status()).permission.links.map((link) => hashDelegation(link))).toEqual([
        hashDelegation(root),
      ])
      await world.warp(day)
      await golem.tick()
      expect(await spent()).toBe(parseUnits('100', 6))
      expect((await golem.look()).vitals.writer).toBe(session)

      const fed = await regrant(signer, parts)
      expect(fed.root.delegate).toBe(session)
      expect(await isDisabled(signer, root)).toBe(true)
      await world.warp(day)
      const again = await createGolem(parts)
      await again.tick()
      expect(await spent()).toBe(parseUnits('150', 6))

      const before = await world.client.getBalance({ address: owner.address })
      expect(await again.kill()).toMatchObject({ type: 'dying', phase: 'over' })
      expect((await again.look()).vitals.state).toBe('dead')
      const after = await world.client.getBalance({ address: owner.address })
      expect(after - before).toBeGreaterThan(parseEther('0.9'))
      // Less than one more operation costs.
      const place = { client: world.client, entryPoint: world.framework.EntryPoint }
      const { balance, deposit } = await spendableGas(place, session)
      expect(balance + deposit).toBeLessThan(parseEther('0.0015'))
      const contract = { address: session, abi: ownerAbi } as const
      expect(await world.client.readContract({ ...contract, functionName: 'owner' })).toBe(owner.address)
      expect(await world.client.readContract({ ...contract, functionName: 'getKeyIdHashes' })).toEqual([])
      for (const key of await keys()) expect(key).toMatchObject({ status: 'wiped', sealed: undefined })
      expect(await names()).toEqual(expect.arrayContaining(['gas.swept', 'custody.sessionKeyRotated']))
    },
  )

  it('has the cost and the moves of its operations in its ledger', async () => {
    const { golem, id, session, account } = await summon()
    await golem.tick()
    await golem.rotate('age')
    await world.warp(day)
    await golem.tick()
    await golem.tick()
    const events = await world.client.getLogs({
      address: world.framework.EntryPoint,
      event: getAbiItem({ abi: entryPoint07Abi, name: 'UserOperationEvent' }),
      args: { sender: session },
      fromBlock: 0n,
      strict: true,
    })
    expect(events.length).toBeGreaterThan(3)
    const cost = events.reduce((sum, { args }) => sum + args.actualGasCost, 0n)
    const balances = await store.ledger.balances(id)
    const booked = (name: string, asset: string) =>
      balances.find((one) => one.account === name && one.asset === asset)?.amount ?? 0n
    expect(booked('gas', nativeAsset)).toBe(cost)
    const token = world.addresses.weth
    expect(booked('account', token.toLowerCase())).toBe(await balanceOf(world, token, account))
    expect((await store.ledger.state(id)).hasUnposted).toBe(false)
  })

  it('lands an action once when a bundler loses it and another process continues', async () => {
    let isLosing = false
    let lost = 0
    const route = operationRoute(world, async (send) => {
      if (!isLosing) return send()
      lost += 1
    })
    const { parts, golem, spent } = await summon({
      route,
      changes: { submitter: { finality: 1, pollMs: 20, patienceMs: 0 } },
    })
    isLosing = true
    await golem.tick().catch(() => {})
    expect(lost).toBeGreaterThan(0)
    expect(await spent()).toBe(0n)
    isLosing = false
    const settings = { ...parts.settings, submitter: { finality: 1, pollMs: 20 } }
    const fresh = partsOf(world, store, parts.id, settings)
    const other = await createGolem(fresh)
    await other.tick()
    await other.tick()
    expect(await spent()).toBe(parseUnits('50', 6))
  })

  it('cannot be used by a key that was rotated out', async () => {
    const { parts, golem, session } = await summon()
    await golem.tick()
    const stolen = await parts.keys.open()
    const thiefParts = { ...parts, keys: { open: async () => stolen, wipe: async () => {} } }
    // The thief has a copy of the key, which a rotation in another process does not wipe.
    const owner = partsOf(world, store, parts.id, parts.settings)
    await (await createGolem(owner)).rotate('age')
    const settings = { ...parts.settings, submitter: { finality: 1, pollMs: 20, patienceMs: 500 } }
    const thief = await createSubmitterOpener({ ...thiefParts, settings })()
    await expect(
      thief.submitter.submit({ id: `rob-${session}`, to: session, value: 1n }),
    ).rejects.toBeDefined()
    await (await createGolem(owner)).tick()
  })

  it('gets another account for a suspected key', async () => {
    const { parts, golem, session, signer, id, root, keys } = await summon()
    await golem.tick()
    await golem.rotate('suspected')
    for (const request of await store.ownerRequests.pending(id))
      await grantAsOwner(signer, store, request, (key) => world.fund(key, { ETH: parseEther('1') }))
    const opened = await createGolem(parts)
    await opened.tick()
    const [old, next] = await keys()
    expect(await isDisabled(signer, root)).toBe(true)
    expect(old).toMatchObject({ status: 'wiped', address: session })
    if (!next) throw new Error('no second key')
    expect(next.address).toBe(firstAccountOf(world.chainId, next).address)
    expect(next.address).not.toBe(session)
    expect((await opened.look()).vitals.writer).toBe(next.address)
    await world.warp(day)
    expect(await opened.tick()).toMatchObject({ type: 'ticked', state: { recovery: { type: 'acting' } } })
  })

  it('keeps a feed that the owner signs while the signer is swapped', async () => {
    const { parts, golem, signer, session } = await summon()
    await golem.tick()
    const [fed] = await Promise.all([regrant(signer, parts), golem.rotate('age')])
    expect(fed.root.delegate).toBe(session)
    const opened = await createGolem(parts)
    await world.warp(day)
    expect(await opened.tick()).toMatchObject({ type: 'ticked', state: { recovery: { type: 'acting' } } })
    const { links } = (await opened.status()).permission
    expect(links.map((link) => hashDelegation(link))).toEqual([hashDelegation(fed.root)])
  })

  it('stays the wallet of its agent in the registry when its key rotates', async () => {
    const route = operationRoute(world)
    const { summons, signer, account } = await ownerIn(world, store, dca, { route })
    const identity = {
      type: 'register',
      signer,
      uri: 'https://example.com/a.json',
      submitter: quick,
    } as const
    const { id, root } = await summonGolem({ ...summons, identity })
    const parts = partsOf(world, store, id, { route })
    const agent = async () => {
      const row = await store.golems.find(id)
      return row && (await readIdentity(parts, row, account)).agent
    }
    expect(await agent()).toMatchObject({ wallet: root.delegate, walletIs: 'current', belongs: 'account' })
    const golem = await createGolem(parts)
    await golem.rotate('age')
    expect((await store.sessionKeys.list(id)).map(({ status }) => status)).toEqual(['wiped', 'active'])
    expect(await agent()).toMatchObject({ wallet: root.delegate, walletIs: 'current' })
  })

  it('delegates nothing, because a rotation would end it', async () => {
    const { golem } = await summon()
    const child = { name: 'child', dailyCents: 100n, budgetCents: 100n, lifespanSeconds: day, calls: 1 }
    await expect(golem.replicate(child)).rejects.toMatchObject({ code: 'ACTION_NOT_ALLOWED' })
  })

  it('observes while this process knows no bundler', async () => {
    const { parts } = await summon()
    const without = partsOf(world, store, parts.id, {
      ...parts.settings,
      route: { type: 'userOperation', bundler: undefined },
    })
    const golem = await createGolem(without)
    expect(await golem.tick()).toMatchObject({
      state: { recovery: { type: 'observing', reason: 'signerOutage' } },
    })
  })
})
