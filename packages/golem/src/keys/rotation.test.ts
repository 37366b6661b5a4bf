import { createVitalsClient, isDisabled, redeem, revoke, swapCalls } from '@bardo/chain'
import { defaultRotationPolicy, type SealingSecret } from '@bardo/core'
import type { Devnet } from '@bardo/devnet'
import type { Store } from '@bardo/store'
import { sealedKeySource, type Wallet } from '@bardo/wallets'
import { type Hash, parseEther, parseUnits } from 'viem'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createGolem, type LivingGolem } from '../heartbeat/createGolem.ts'
import type { GolemParts, GolemSettings } from '../permission/golemParts.ts'
import { grantAsOwner } from '../requests/grantAsOwner.ts'
import { answerGrant, readGrantRequest } from '../requests/grantRequest.ts'
import { readSnapshot } from '../snapshot/readSnapshot.ts'
import { createSubmitterOpener } from '../submission/openSubmitter.ts'
import { balanceOf, partsOf, summonIn, testSecret } from '../testing/golemWorld.ts'
import { openTestWorld, type TestWorld } from '../testing/openStoreLocation.ts'

const dca = 'Every day, swap $50 of USDC into WETH.\n\nlifespan: 30 days'
const day = 86_400
const wrongSecret = { kind: 'operator', secret: new Uint8Array(32).fill(9) } as const

let world: Devnet
let context: TestWorld
let store: Store
beforeAll(async () => {
  context = await openTestWorld()
  ;({ world, store } = context)
})
afterAll(() => context?.stop())

const sourceOf = (from: Store, golem: Hash, secret: SealingSecret) =>
  sealedKeySource({ store: from, golem, secret, chainId: world.chainId })

async function summon(changes: Partial<GolemSettings> = {}) {
  const summoned = await summonIn(world, store, dca)
  const parts = partsOf(world, store, summoned.id, changes)
  const { id, signer, account, root } = summoned
  const drip = (key: `0x${string}`) => world.fund(key, { ETH: parseEther('1') })
  return {
    ...summoned,
    parts,
    golem: await createGolem(parts),
    spent: async () => parseUnits('10000', 6) - (await balanceOf(world, world.addresses.usdc, account)),
    keys: () => store.sessionKeys.list(id),
    pending: () => store.ownerRequests.pending(id),
    names: async () =>
      (await store.events.read({ after: 0, golem: id, limit: 1_000 })).map(({ name }) => name),
    async grant() {
      for (const request of await store.ownerRequests.pending(id))
        await grantAsOwner(signer, store, request, drip)
    },
    /** Redeems directly, as a thief with a key and the root would. */
    async rob(wallet: Wallet) {
      const { address } = wallet
      const thief = await createSubmitterOpener({
        ...parts,
        keys: { open: async () => wallet, wipe: async () => {} },
      })()
      const { usdc: from, weth: to, swapRouter02: router } = world.addresses
      const calls = swapCalls({ router, account, from, to, amountIn: 1_000_000n, minimumOut: 1n, fee: 500 })
      return redeem({ ...thief, address }, { id: `rob-${address}`, steps: [{ links: [root], calls }] })
    },
  }
}

async function ticked(golem: LivingGolem) {
  const result = await golem.tick()
  if (result.type !== 'ticked') throw new Error(result.type)
  return result.state
}

const usdc = (dollars: string) => parseUnits(dollars, 6)

/**
 * Expects one active key, which writes the row and has the only active delegation. All other keys are wiped.
 */
async function expectOneKey({ parts, golem, keys }: Awaited<ReturnType<typeof summon>>) {
  const known = await keys()
  const active = known.filter(({ status }) => status === 'active')
  expect(active).toHaveLength(1)
  for (const { status, sealed } of known)
    if (status !== 'active') expect([status, sealed]).toEqual(['wiped', undefined])
  const { permission } = await golem.status()
  const key = active[0]?.address
  expect(permission.links[0].delegate.toLowerCase()).toBe(key?.toLowerCase())
  expect((await readSnapshot(parts, permission)).vitals.writer).toBe(key)
  const standing = (await store.delegations.list(parts.id)).filter(({ state }) => state === 'active')
  expect(standing).toHaveLength(1)
  return permission
}

describe('a rotation by policy', () => {
  it('replaces a key after its maximum of operations, on the same budget', async () => {
    const rotation = { ...defaultRotationPolicy, maxOperations: 1 }
    const all = await summon({ rotation })
    const { golem, keys, spent, names, parts, pending } = all
    await golem.tick()
    expect(await keys()).toMatchObject([{ status: 'active', operations: 1, valueCents: 5_000n }])
    // One tick finds the reason; the next one starts with the new key.
    await golem.tick()
    await golem.tick()
    const permission = await expectOneKey(all)
    expect(permission.links).toHaveLength(2)
    expect(await keys()).toHaveLength(2)
    const { day: spending } = await readSnapshot(parts, permission)
    expect(spending.spent).toBe(5_000n)
    await world.warp(day)
    await ticked(golem)
    expect(await spent()).toBe(usdc('100'))
    expect(await pending()).toEqual([])
    const told = await names()
    for (const name of [
      'sessionKey.generated',
      'sessionKey.delegationGranted',
      'sessionKey.operationSigned',
      'sessionKey.rotationTriggered',
      'sessionKey.budgetWarning',
      'custody.sessionKeyRotated',
    ])
      expect(told).toContain(name)
    expect(told.filter((name) => name === 'custody.sessionKeyRotated')).toHaveLength(1)
    expect(told).not.toContain('rotation.stepFailed')
    expect(await golem.kill()).toMatchObject({ phase: 'over', death: { impossible: [] } })
  })

  it('leaves no gas behind in four rotations and a death', async () => {
    const { golem, keys, names } = await summon()
    const suggestion = () => world.client.estimateMaxPriorityFeePerGas()
    const before = await suggestion()
    for (let turn = 0; turn < 4; turn += 1) {
      expect(await golem.rotate('age')).toMatchObject({ status: 'done' })
      expect(await suggestion()).toBe(before)
    }
    await golem.kill()
    expect(await suggestion()).toBe(before)
    for (const { address } of await keys()) expect(await world.client.getBalance({ address })).toBe(0n)
    expect((await names()).filter((name) => name === 'gas.swept')).toHaveLength(5)
  })

  it('does not happen without a reason', async () => {
    const { golem, keys } = await summon()
    for (let ticks = 0; ticks < 3; ticks += 1) await golem.tick()
    expect(await keys()).toHaveLength(1)
  })

  it('happens once for two concurrent calls', async () => {
    const all = await summon()
    const other = await createGolem(partsOf(world, store, all.id))
    await Promise.allSettled([all.golem.rotate('age'), other.rotate('age')])
    await ticked(other)
    await ticked(all.golem)
    expect(await all.keys()).toHaveLength(2)
    await expectOneKey(all)
    expect((await all.names()).filter((name) => name === 'custody.sessionKeyRotated')).toHaveLength(1)
  })
})

describe('a suspected key', () => {
  it('is not used any more; the owner signs a new grant, and a thief with the old key gets nothing', async () => {
    const all = await summon()
    const { golem, parts, keys, pending, grant, rob, root, signer, spent, names, id } = all
    const stolen = await sourceOf(store, id, testSecret).open()
    if (!stolen) throw new Error('there is no key')
    await golem.tick()
    expect(await golem.rotate('suspected')).toMatchObject({ status: 'open', stepsDone: 0 })
    await world.warp(day)
    for (let ticks = 0; ticks < 3; ticks += 1)
      expect(await ticked(golem)).toMatchObject({ recovery: { type: 'observing', reason: 'keyRefused' } })
    expect(await spent()).toBe(usdc('50'))
    expect(await pending()).toMatchObject([{ kind: 'grant' }])

    // The owner disables the root first. During a rotation this does not mean that the owner wants to end the
    // Golem.
    await revoke(signer, { delegation: root, cause: 'suspected' })
    expect(await ticked(golem)).toMatchObject({ recovery: { type: 'observing' } })
    await grant()
    expect(await isDisabled(signer, root)).toBe(true)
    const worker = await createGolem(parts)
    expect(await ticked(worker)).toMatchObject({ recovery: { type: 'acting' } })
    expect(await spent()).toBe(usdc('100'))
    await ticked(golem)
    await expectOneKey(all)
    expect(await keys()).toHaveLength(2)
    expect(await pending()).toEqual([])
    expect(await names()).toEqual(
      expect.arrayContaining(['owner.requestFiled', 'owner.requestAnswered', 'recovery.acting']),
    )

    // The thief has the key, its gas, the root, and the row that the key used to write.
    await expect(rob(stolen)).rejects.toMatchObject({ code: 'DELEGATION_DISABLED' })
    const { submitter } = await createSubmitterOpener({
      ...parts,
      keys: { open: async () => stolen, wipe: async () => {} },
    })()
    const address = parts.deployment.contracts.golemVitals
    const row = createVitalsClient({ client: parts.client, address, golem: id, submitter })
    await expect(row.post('thief-post', 4, 0)).rejects.toMatchObject({ code: 'TRANSACTION_REVERTED' })
    await expect(row.deregister('thief-end')).rejects.toMatchObject({ code: 'TRANSACTION_REVERTED' })
    expect(await spent()).toBe(usdc('100'))
  })

  it('has its last trade recorded by its successor, once', async () => {
    const { golem, parts, grant, names, spent } = await summon()
    // The trade lands, and the worker crashes before it records the outcome.
    let writes = 0
    const save: Store['ticks']['save'] = (tickResult) => {
      writes += 1
      if (writes > 1) throw new Error('simulated crash')
      return store.ticks.save(tickResult)
    }
    const crashed = await createGolem({ ...parts, store: { ...store, ticks: { save } } })
    await expect(crashed.tick()).rejects.toThrow('simulated crash')
    await golem.rotate('suspected')
    await grant()
    expect(await ticked(golem)).toMatchObject({ pending: undefined, recovery: { type: 'acting' } })
    expect((await names()).filter((name) => name === 'action.landed')).toHaveLength(1)
    expect(await names()).not.toContain('action.refused')
    expect(await spent()).toBe(usdc('50'))
  })

  it('gets a successor only by the owner’s signature', async () => {
    const { golem, pending, signer, parts } = await summon()
    const stranger = await summon()
    await golem.rotate('suspected')
    const [request] = await pending()
    if (!request) throw new Error('no request was filed')
    const { root } = readGrantRequest(request)
    const answer = (grant: typeof root) => answerGrant(parts, request.id, grant)
    const { signature } = stranger.root
    const malformed = { code: 'GRANT_MALFORMED' }
    await expect(answer({ ...root, signature })).rejects.toMatchObject(malformed)
    await expect(answer(stranger.root)).rejects.toMatchObject(malformed)
    expect(await pending()).toHaveLength(1)
    // The owner refuses the grant: with its root disabled, the Golem ends.
    await answerGrant(parts, request.id, undefined)
    await revoke(signer, { delegation: (await golem.status()).permission.links[0], cause: 'suspected' })
    expect(await golem.tick()).toMatchObject({ type: 'dying', death: { trigger: 'ownerRevocation' } })
  })

  it('gets nothing from an answer that was forged in the database', async () => {
    const { golem, pending, spent, keys } = await summon()
    await golem.rotate('suspected')
    const [request] = await pending()
    if (!request) throw new Error('no request was filed')
    const { root } = readGrantRequest(request)
    const forged = { ...root, signature: `0x${'11'.repeat(65)}` as const }
    await store.ownerRequests.answer(request.id, 'approved', {
      grant: { ...forged, caveats: [...forged.caveats] },
    })
    for (let ticks = 0; ticks < 3; ticks += 1)
      expect(await ticked(golem)).toMatchObject({ recovery: { type: 'observing', reason: 'keyRefused' } })
    expect((await keys()).map(({ status }) => status)).toEqual(['active', 'made'])
    expect(await spent()).toBe(0n)
  })
})

describe('a lost key', () => {
  const losses: readonly (readonly [string, (parts: GolemParts) => Promise<GolemParts>])[] = [
    [
      'wiped',
      async (parts) => {
        await parts.keys.wipe()
        return parts
      },
    ],
    [
      'sealed under another secret',
      async (parts) => ({ ...parts, keys: sourceOf(store, parts.id, wrongSecret) }),
    ],
  ]

  it.each(losses)('%s: files one request, and acts again with the new key', async (_, lose) => {
    const all = await summon()
    await all.golem.tick()
    const parts = await lose(all.parts)
    for (let ticks = 0; ticks < 3; ticks += 1) {
      const golem = await createGolem(parts)
      expect(await ticked(golem)).toMatchObject({ recovery: { type: 'observing', reason: 'keyLost' } })
    }
    expect(await all.pending()).toMatchObject([{ kind: 'grant', body: { reason: 'lost' } }])
    await all.grant()
    await world.warp(day)
    const golem = await createGolem(parts)
    expect(await ticked(golem)).toMatchObject({ recovery: { type: 'acting' } })
    expect(await all.spent()).toBe(usdc('100'))
    await expectOneKey({ ...all, golem, parts })
    expect(await all.names()).toContain('sessionKey.rotationTriggered')
    expect(await all.pending()).toEqual([])
  })

  it('that is recovered is used again, and the request is withdrawn', async () => {
    const all = await summon()
    const stranger = await createGolem({ ...all.parts, keys: sourceOf(store, all.id, wrongSecret) })
    expect(await ticked(stranger)).toMatchObject({ recovery: { type: 'observing', reason: 'keyLost' } })
    expect(await all.pending()).toHaveLength(1)
    expect(await ticked(all.golem)).toMatchObject({ recovery: { type: 'acting' } })
    expect(await all.pending()).toEqual([])
    await expectOneKey(all)
    expect(await all.spent()).toBe(usdc('50'))
  })
})

describe('an interrupted rotation', () => {
  class Killed extends Error {}

  /** The store of a process that crashes at moment number `diesAt`, and does nothing from then on. */
  function mortal(diesAt: number): {
    readonly store: Store
    readonly seen: { moments: number; died: string }
  } {
    const seen = { moments: 0, died: '' }
    const moment = (what: string) => {
      seen.moments += 1
      if (seen.moments === diesAt) seen.died = what
      if (seen.died) throw new Killed(seen.died)
    }
    function around<Args extends readonly unknown[], Result>(
      name: string,
      work: (...args: Args) => Promise<Result>,
    ): (...args: Args) => Promise<Result> {
      return async (...args) => {
        moment(`before ${name}`)
        const result = await work(...args)
        moment(`after ${name}`)
        return result
      }
    }
    const { sessionKeys, delegations, journal } = store
    return {
      seen,
      store: {
        ...store,
        transaction: (work) => around('a transaction', () => store.transaction(work))(),
        sessionKeys: { ...sessionKeys, wipe: around('a wipe', sessionKeys.wipe) },
        delegations: { ...delegations, add: around('a delegation', delegations.add) },
        journal: {
          ...journal,
          addIntent: around('an intent', journal.addIntent),
          addAttempt: around('an attempt', journal.addAttempt),
          settle: around('a settlement', journal.settle),
        },
      },
    }
  }

  const kinds = ['age', 'suspected'] as const
  it.each(kinds)('ends with one key and one budget after repeated crashes (%s)', async (reason) => {
    const all = await summon()
    const { id, golem, names, grant, spent } = all
    await golem.tick()
    const deaths: string[] = []
    for (let life = 0; life < 60; life += 1) {
      const { store: dying, seen } = mortal((life % 6) + 1)
      const parts = { ...partsOf(world, dying, id), keys: sourceOf(dying, id, testSecret) }
      try {
        await (await createGolem(parts)).rotate(reason)
      } catch (error) {
        if (!seen.died) throw error
        deaths.push(seen.died)
      }
      expect((await all.keys()).filter(({ status }) => status === 'active')).toHaveLength(1)
      if ((await store.rotations.load(`${id}:rotation:1`))?.status === 'done') break
      await grant()
    }
    expect(deaths.length).toBeGreaterThan(5)
    expect((await names()).filter((name) => name === 'custody.sessionKeyRotated')).toHaveLength(1)
    expect((await names()).filter((name) => name === 'sessionKey.rotationTriggered')).toHaveLength(1)
    expect(await all.keys()).toHaveLength(2)
    await world.warp(day)
    await ticked(golem)
    await expectOneKey(all)
    expect(await spent()).toBe(usdc('100'))
    expect(await store.audit.verify()).toMatchObject({ type: 'intact' })
  })
})

describe('a thief with the database', () => {
  it('cannot open a key without the secret, nor by moving a row to another Golem', async () => {
    const [one, two] = [await summon(), await summon()]
    const [record] = await one.keys()
    if (!record?.sealed) throw new Error('there is no sealed key')
    await expect(sourceOf(store, one.id, wrongSecret).open()).rejects.toMatchObject({
      code: 'SEALED_KEY_WRONG_SECRET',
    })
    const moved: Store = {
      ...store,
      sessionKeys: { ...store.sessionKeys, list: async (golem: Hash) => [{ ...record, golem }] },
    }
    await expect(sourceOf(moved, two.id, testSecret).open()).rejects.toMatchObject({
      code: 'SEALED_KEY_TAMPERED',
    })
    const golem = await createGolem({ ...two.parts, keys: sourceOf(moved, two.id, testSecret) })
    expect(await ticked(golem)).toMatchObject({ recovery: { type: 'observing', reason: 'keyLost' } })
  })
})
