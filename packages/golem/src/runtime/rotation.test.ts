import { createVitalsClient, isDisabled, redeem, revoke, sessionKeyAccount, swapCalls } from '@bardo/chain'
import { defaultRotationPolicy, type SessionKey } from '@bardo/core'
import type { Devnet } from '@bardo/devnet'
import type { Store } from '@bardo/store'
import { type Hash, parseEther, parseUnits } from 'viem'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createDesk } from './createDesk.ts'
import { createGolem, type LivingGolem } from './createGolem.ts'
import type { GolemParts, GolemSettings } from './golemParts.ts'
import { grantAsOwner } from './grantAsOwner.ts'
import { answerGrant, readGrantRequest } from './grantRequest.ts'
import { readWorld } from './readWorld.ts'
import { sealedKeySource } from './sealedKeySource.ts'
import { balanceOf, partsOf, summonIn, testSecret } from './testing/golemWorld.ts'
import { openPlace, type Place } from './testing/openPlace.ts'

const dca = 'Every day, swap $50 of USDC into WETH.\n\nlifespan: 30 days'
const day = 86_400
const wrongSecret = { kind: 'operator', secret: new Uint8Array(32).fill(9) } as const

let world: Devnet
let place: Place
let store: Store
beforeAll(async () => {
  place = await openPlace()
  ;({ world, store } = place)
})
afterAll(() => place?.stop())

async function summon(changes: Partial<GolemSettings> = {}) {
  const summoned = await summonIn(world, store, dca)
  const parts = partsOf(world, store, summoned.id, changes)
  const { id, desk, account, root } = summoned
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
        await grantAsOwner(desk, store, request, drip)
    },
    /** What a thief with a key and the root tries, by hand. */
    async rob(key: SessionKey) {
      const { address } = sessionKeyAccount(key)
      const thief = await createDesk({ ...parts, keys: { open: async () => key, wipe: async () => {} } })()
      const { usdc: from, weth: to, swapRouter02: router } = world.addresses
      const calls = swapCalls({ router, account, from, to, amountIn: 1_000_000n, minimumOut: 1n, fee: 500 })
      return redeem({ ...thief, address }, { id: `rob-${address}`, steps: [{ links: [root], calls }] })
    },
  }
}

async function ticked(golem: LivingGolem) {
  const result = await golem.tick()
  if (result.is !== 'ticked') throw new Error(result.is)
  return result.state
}

const usdc = (dollars: string) => parseUnits(dollars, 6)

/** One key in use, which writes the row and trades; nothing else is left of the others. */
async function expectOneKey({ parts, golem, keys }: Awaited<ReturnType<typeof summon>>) {
  const known = await keys()
  const active = known.filter(({ status }) => status === 'active')
  expect(active).toHaveLength(1)
  for (const { status, sealed } of known)
    if (status !== 'active') expect([status, sealed]).toEqual(['wiped', undefined])
  const { charter } = await golem.status()
  const key = active[0]?.address
  expect(charter.links[0].delegate.toLowerCase()).toBe(key?.toLowerCase())
  expect((await readWorld(parts, charter)).vitals.writer).toBe(key)
  const standing = (await store.delegations.list(parts.id)).filter(({ state }) => state === 'active')
  expect(standing).toHaveLength(1)
  return charter
}

describe('by the policy', () => {
  it('a key hands over to the next after so many operations, out of the same budget', async () => {
    const rotation = { ...defaultRotationPolicy, maxOperations: 1 }
    const all = await summon({ rotation })
    const { golem, keys, spent, names, parts, pending } = all
    await golem.tick()
    expect(await keys()).toMatchObject([{ status: 'active', operations: 1, valueCents: 5_000n }])
    // The reason is seen by one tick, and the next begins with the new key.
    await golem.tick()
    await golem.tick()
    const charter = await expectOneKey(all)
    expect(charter.links).toHaveLength(2)
    expect(await keys()).toHaveLength(2)
    const { day: spending } = await readWorld(parts, charter)
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

  it('nothing happens before there is a reason', async () => {
    const { golem, keys } = await summon()
    for (let ticks = 0; ticks < 3; ticks += 1) await golem.tick()
    expect(await keys()).toHaveLength(1)
  })

  it('is rotated once by two that do it at the same time', async () => {
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
  it('is not used any more; the owner grants anew, and whoever stole it takes nothing', async () => {
    const all = await summon()
    const { golem, parts, keys, pending, grant, rob, root, desk, spent, names, id } = all
    const stolen = await sealedKeySource(store, id, testSecret).open()
    if (!stolen) throw new Error('it has one')
    await golem.tick()
    expect(await golem.rotate('suspected')).toMatchObject({ status: 'open', stepsDone: 0 })
    await world.warp(day)
    for (let ticks = 0; ticks < 3; ticks += 1)
      expect(await ticked(golem)).toMatchObject({ recovery: { is: 'observing', reason: 'keyRefused' } })
    expect(await spent()).toBe(usdc('50'))
    expect(await pending()).toMatchObject([{ kind: 'grant' }])

    // The owner disables the root by itself first: it is no wish to end the Golem.
    await revoke(desk, { delegation: root, cause: 'suspected' })
    expect(await ticked(golem)).toMatchObject({ recovery: { is: 'observing' } })
    await grant()
    expect(await isDisabled(desk, root)).toBe(true)
    const worker = await createGolem(parts)
    expect(await ticked(worker)).toMatchObject({ recovery: { is: 'acting' } })
    expect(await spent()).toBe(usdc('100'))
    await ticked(golem)
    await expectOneKey(all)
    expect(await keys()).toHaveLength(2)
    expect(await pending()).toEqual([])
    expect(await names()).toEqual(
      expect.arrayContaining(['owner.requestFiled', 'owner.requestAnswered', 'recovery.acting']),
    )

    // The thief has the key, its gas, the root, and the row that it used to write.
    await expect(rob(stolen)).rejects.toMatchObject({ code: 'DELEGATION_DISABLED' })
    const { submitter } = await createDesk({
      ...parts,
      keys: { open: async () => stolen, wipe: async () => {} },
    })()
    const address = parts.deployment.contracts.golemVitals
    const row = createVitalsClient({ client: parts.client, address, golem: id, submitter })
    await expect(row.post('thief-post', 4, 0)).rejects.toMatchObject({ code: 'TRANSACTION_REVERTED' })
    await expect(row.deregister('thief-end')).rejects.toMatchObject({ code: 'TRANSACTION_REVERTED' })
    expect(await spent()).toBe(usdc('100'))
  })

  it('has its last trade told by its successor, once', async () => {
    const { golem, parts, grant, names, spent } = await summon()
    // The trade lands, and the worker dies before it can say so.
    let writes = 0
    const save: Store['beats']['save'] = (beat) => {
      writes += 1
      if (writes > 1) throw new Error('the power is off')
      return store.beats.save(beat)
    }
    const crashed = await createGolem({ ...parts, store: { ...store, beats: { save } } })
    await expect(crashed.tick()).rejects.toThrow('the power is off')
    await golem.rotate('suspected')
    await grant()
    expect(await ticked(golem)).toMatchObject({ pending: undefined, recovery: { is: 'acting' } })
    expect((await names()).filter((name) => name === 'action.landed')).toHaveLength(1)
    expect(await names()).not.toContain('action.refused')
    expect(await spent()).toBe(usdc('50'))
  })

  it('gets no successor by another word than the owner’s', async () => {
    const { golem, pending, desk, parts } = await summon()
    const stranger = await summon()
    await golem.rotate('suspected')
    const [request] = await pending()
    if (!request) throw new Error('there is one')
    const { root } = readGrantRequest(request)
    const answer = (grant: typeof root) => answerGrant(parts, request.id, grant)
    const { signature } = stranger.root
    const malformed = { code: 'GRANT_MALFORMED' }
    await expect(answer({ ...root, signature })).rejects.toMatchObject(malformed)
    await expect(answer(stranger.root)).rejects.toMatchObject(malformed)
    expect(await pending()).toHaveLength(1)
    // No is an answer: with its root off, it ends.
    await answerGrant(parts, request.id, undefined)
    await revoke(desk, { delegation: (await golem.status()).charter.links[0], cause: 'suspected' })
    expect(await golem.tick()).toMatchObject({ is: 'dying', death: { trigger: 'ownerRevocation' } })
  })

  it('gets nothing from an answer that somebody wrote into the database', async () => {
    const { golem, pending, spent, keys } = await summon()
    await golem.rotate('suspected')
    const [request] = await pending()
    if (!request) throw new Error('nothing is asked')
    const { root } = readGrantRequest(request)
    const forged = { ...root, signature: `0x${'11'.repeat(65)}` as const }
    await store.ownerRequests.answer(request.id, 'approved', {
      grant: { ...forged, caveats: [...forged.caveats] },
    })
    for (let ticks = 0; ticks < 3; ticks += 1)
      expect(await ticked(golem)).toMatchObject({ recovery: { is: 'observing', reason: 'keyRefused' } })
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
      async (parts) => ({ ...parts, keys: sealedKeySource(store, parts.id, wrongSecret) }),
    ],
  ]

  it.each(losses)('%s: one request, and it acts again with the new key', async (_, lose) => {
    const all = await summon()
    await all.golem.tick()
    const parts = await lose(all.parts)
    for (let ticks = 0; ticks < 3; ticks += 1) {
      const golem = await createGolem(parts)
      expect(await ticked(golem)).toMatchObject({ recovery: { is: 'observing', reason: 'keyLost' } })
    }
    expect(await all.pending()).toMatchObject([{ kind: 'grant', body: { reason: 'lost' } }])
    await all.grant()
    await world.warp(day)
    const golem = await createGolem(parts)
    expect(await ticked(golem)).toMatchObject({ recovery: { is: 'acting' } })
    expect(await all.spent()).toBe(usdc('100'))
    await expectOneKey({ ...all, golem, parts })
    expect(await all.names()).toContain('sessionKey.rotationTriggered')
    expect(await all.pending()).toEqual([])
  })

  it('that is found again is used again, and the request is taken back', async () => {
    const all = await summon()
    const stranger = await createGolem({ ...all.parts, keys: sealedKeySource(store, all.id, wrongSecret) })
    expect(await ticked(stranger)).toMatchObject({ recovery: { is: 'observing', reason: 'keyLost' } })
    expect(await all.pending()).toHaveLength(1)
    expect(await ticked(all.golem)).toMatchObject({ recovery: { is: 'acting' } })
    expect(await all.pending()).toEqual([])
    await expectOneKey(all)
    expect(await all.spent()).toBe(usdc('50'))
  })
})

describe('a rotation that was interrupted', () => {
  class Killed extends Error {}

  /** A store of a process that dies at the so-manieth moment, and does nothing any more from then on. */
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
  it.each(kinds)('by death again and again ends with one key and one budget (%s)', async (reason) => {
    const all = await summon()
    const { id, golem, names, grant, spent } = all
    await golem.tick()
    const deaths: string[] = []
    for (let life = 0; life < 60; life += 1) {
      const { store: dying, seen } = mortal((life % 6) + 1)
      const parts = { ...partsOf(world, dying, id), keys: sealedKeySource(dying, id, testSecret) }
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
    expect(await store.audit.verify()).toMatchObject({ is: 'intact' })
  })
})

describe('whoever has the database', () => {
  it('and not the secret, opens no key; nor does a row that was put under another Golem', async () => {
    const [one, two] = [await summon(), await summon()]
    const [record] = await one.keys()
    if (!record?.sealed) throw new Error('it has one')
    await expect(sealedKeySource(store, one.id, wrongSecret).open()).rejects.toMatchObject({
      code: 'SEALED_KEY_WRONG_SECRET',
    })
    const moved: Store = {
      ...store,
      sessionKeys: { ...store.sessionKeys, list: async (golem: Hash) => [{ ...record, golem }] },
    }
    await expect(sealedKeySource(moved, two.id, testSecret).open()).rejects.toMatchObject({
      code: 'SEALED_KEY_TAMPERED',
    })
    const golem = await createGolem({ ...two.parts, keys: sealedKeySource(moved, two.id, testSecret) })
    expect(await ticked(golem)).toMatchObject({ recovery: { is: 'observing', reason: 'keyLost' } })
  })
})
