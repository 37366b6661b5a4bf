import {
  generateSessionKey,
  openBudget,
  openSealedKey,
  planRotation,
  reserve,
  runRotation,
  sealSessionKey,
} from '@bardo/core'
import type { Hash, Hex } from 'viem'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Store } from '../openStore.ts'
import { eachDatabase } from '../testing/eachDatabase.ts'
import { account, id, sampleDelegation, sampleGolem, sampleGrant, stillClock } from '../testing/samples.ts'
import { permissionKey } from './grimoire.ts'

const many = Array.from({ length: 20 }, (_, index) => index)
const count = (answers: readonly boolean[]) => answers.filter((answer) => answer).length
const random = (length: number) => crypto.getRandomValues(new Uint8Array(length))

eachDatabase('repositories', (newDatabase) => {
  const clock = stillClock(1_000)
  let store: Store
  beforeAll(async () => {
    store = await (await newDatabase()).open({ clock })
    await store.golems.create(sampleGolem(1))
  })
  afterAll(() => store.close())

  describe('golems', () => {
    it('stores a Golem unchanged under its id', async () => {
      const golem = sampleGolem(20, {
        strategy: undefined,
        custody: undefined,
        nextTick: 5,
        phase: 'declining',
      })
      expect(await store.golems.create(golem)).toBe(true)
      expect(await store.golems.create({ ...golem, name: 'another' })).toBe(false)
      expect(await store.golems.find(golem.id)).toEqual({ ...golem, createdAt: 1_000, version: 0 })
      expect(await store.golems.find(id(999))).toBeUndefined()
    })

    it('lets one of many concurrent writers succeed', async () => {
      const read = await store.golems.find(id(20))
      if (!read) throw new Error('the Golem is missing')
      const saved = await Promise.all(many.map((n) => store.golems.save({ ...read, name: `writer ${n}` })))
      const [winner, ...others] = saved.filter((golem) => golem !== undefined)
      expect(others).toEqual([])
      expect(winner).toEqual({ ...read, name: winner?.name, version: 1 })
      expect(await store.golems.find(id(20))).toEqual(winner)
    })

    it('lists by owner, page by page, and finds overdue Golems', async () => {
      const owner = account(0xabc)
      for (const n of [31, 32, 33]) await store.golems.create(sampleGolem(n, { owner, nextTick: 100 - n }))
      const first = await store.golems.list({ owner, limit: 2 })
      const rest = await store.golems.list({ owner, after: id(32) })
      expect([...first, ...rest].map((golem) => golem.id)).toEqual([id(31), id(32), id(33)])
      expect((await store.golems.overdue(69)).map((golem) => golem.id)).toEqual([id(20), id(33), id(32)])
    })
  })

  it.each([
    ['stands still', 0],
    ['goes back', 1_000],
  ])('lists rows in the order in which they were stored, although the clock %s', async (_, lost) => {
    const golem = id(400 + Math.sign(lost))
    await store.golems.create(sampleGolem(400 + Math.sign(lost)))
    const hashes: Hash[] = []
    const keys: Hex[] = []
    const grants: Hash[] = []
    const { time } = clock
    for (const n of many) {
      clock.time -= lost
      const delegation = { ...sampleDelegation(100 + n), delegator: account(400 + Math.sign(lost)) }
      const hash = await store.delegations.add({ golem, delegation, context: '0xc0de' })
      hashes.push(hash)
      const { publicKey, curve } = generateSessionKey('secp256k1', random)
      await store.sessionKeys.add({ publicKey, golem, curve, address: account(n) })
      keys.push(publicKey)
      grants.push(await store.permissions.add(golem, { ...sampleGrant, context: hash }))
    }
    clock.time = time
    expect((await store.delegations.list(golem)).map(({ hash }) => hash)).toEqual(hashes)
    expect((await store.sessionKeys.list(golem)).map(({ publicKey }) => publicKey)).toEqual(keys)
    expect((await store.permissions.list(golem)).map((one) => one.id)).toEqual(grants)
  })

  it('delegations: stored under their own hash, and ended once', async () => {
    const entry = { golem: id(1), delegation: sampleDelegation(1), context: '0xc0de' } as const
    const hash = await store.delegations.add(entry)
    expect(await store.delegations.add(entry)).toBe(hash)
    const next = await store.delegations.add({ ...entry, delegation: sampleDelegation(2) })
    expect(await store.delegations.supersede(hash, next)).toBe(true)
    expect(await store.delegations.end(hash, 'revoked')).toBe(false)
    expect(await store.delegations.end(next, 'revoked')).toBe(true)
    expect(await store.delegations.find(hash)).toEqual({
      ...entry,
      hash,
      state: 'superseded',
      supersededBy: next,
      storedAt: 1_000,
    })
    expect(await store.delegations.list(id(1))).toHaveLength(2)
  })

  it('permissions: the grant is read back as the wallet returned it', async () => {
    const permission = await store.permissions.add(id(1), sampleGrant)
    const record = { id: permission, golem: id(1), grant: sampleGrant, state: 'active', storedAt: 1_000 }
    expect(await store.permissions.list(id(1))).toEqual([record])
    expect(await store.permissions.end(permission, 'revoked')).toBe(true)
    expect(await store.permissions.end(permission, 'superseded')).toBe(false)
    expect(await store.permissions.find(permission)).toEqual({ ...record, state: 'revoked' })
  })

  describe('session keys', () => {
    const secret = { kind: 'operator', secret: random(32) } as const
    const context = { context: id(1) }

    it('stores a sealed key that can be opened, and counts its use', async () => {
      const key = generateSessionKey('secp256k1', random)
      const { publicKey, curve } = key
      const named = { publicKey, curve, golem: id(1), address: key.address ?? account(0) }
      const sealed = await sealSessionKey(key, secret, random, context)
      expect(await store.sessionKeys.add({ ...named, sealed })).toBe(true)
      expect(await store.sessionKeys.add(named)).toBe(false)
      await Promise.all(many.map(() => store.sessionKeys.countUse(publicKey, 2n ** 70n)))
      const stored = await store.sessionKeys.find(publicKey)
      expect(stored).toMatchObject({ operations: 20, valueCents: 20n * 2n ** 70n, lastUsedAt: 1_000 })
      if (!stored?.sealed) throw new Error('the key is not sealed')
      expect((await openSealedKey(stored.sealed, secret, context)).publicKey).toBe(publicKey)
    })

    it('moves a key’s status forward only, and deletes a wiped key’s bytes', async () => {
      const key = generateSessionKey('p256', random)
      const sealed = await sealSessionKey(key, secret, random, context)
      await store.sessionKeys.add({ ...key, golem: id(1), address: account(4), sealed })
      expect(await store.sessionKeys.advance(key.publicKey, 'retired')).toBe(true)
      expect(await store.sessionKeys.advance(key.publicKey, 'active')).toBe(false)
      await store.sessionKeys.wipe(key.publicKey)
      expect(await store.sessionKeys.advance(key.publicKey, 'retired')).toBe(false)
      expect(await store.sessionKeys.find(key.publicKey)).toMatchObject({
        status: 'wiped',
        sealed: undefined,
      })
    })

    it('refuses a key that is not sealed, without showing it', async () => {
      const key = generateSessionKey('secp256k1', random)
      const sealed = await sealSessionKey(key, secret, random, context)
      const named = { publicKey: key.publicKey, curve: key.curve, golem: id(1), address: account(4) } as const
      const open = { ...sealed, privateKey: '0x5ec2e7' }
      await expect(store.sessionKeys.add({ ...named, sealed: open })).rejects.toThrow(
        /^This is not the sealed form/,
      )
      const other = await sealSessionKey(generateSessionKey('secp256k1', random), secret, random, context)
      await expect(store.sessionKeys.add({ ...named, sealed: other })).rejects.toThrow(/not the sealed form/)
      // @ts-expect-error an open key is not a sealed one
      await expect(store.sessionKeys.add({ ...named, sealed: key })).rejects.toThrow(/not the sealed form/)
      expect(await store.sessionKeys.find(key.publicKey)).toBeUndefined()
    })
  })

  it('rotations: any number of workers continue one, and each step is written once', async () => {
    const plan = planRotation({ id: 'r', kind: 'session-account', reason: 'age', oldKey: '0x01' })
    expect(await store.rotations.begin(id(1), plan)).toBe(true)
    expect(await store.rotations.begin(id(1), { ...plan, id: 'r2' })).toBe(false)
    expect(await store.rotations.underWay(id(1))).toEqual(plan)
    const saved: number[] = []
    const done = async () => ({ kind: 'done', newKey: '0x02' }) as const
    const perform = {
      'disable-root': done,
      'make-key': done,
      drain: done,
      'swap-signer': done,
      redelegate: done,
      'hand-over': done,
      'request-grant': done,
      switch: done,
      'move-gas': done,
      'wipe-old': done,
      'wipe-new': done,
    }
    const ports = {
      load: store.rotations.load,
      save: async (rotation: typeof plan) => {
        const won = await store.rotations.save(rotation)
        if (won) saved.push(rotation.version)
        return won
      },
      perform,
    }
    const ends = await Promise.all([1, 2, 3].map(() => runRotation(ports, 'r')))
    expect(ends.map(({ status, newKey }) => [status, newKey])).toEqual(ends.map(() => ['done', '0x02']))
    expect(saved).toEqual([1, 2, 3, 4, 5])
    expect(await store.rotations.underWay(id(1))).toBeUndefined()
  })

  describe('session budgets', () => {
    it('never lets concurrent reservations exceed the budget', async () => {
      expect(await store.sessionBudgets.open('lineage', openBudget(100n, { left: 100n, block: 1n }))).toBe(
        true,
      )
      expect(await store.sessionBudgets.open('lineage', openBudget(900n, { left: 900n, block: 1n }))).toBe(
        false,
      )
      const reserved = await Promise.allSettled(
        many.map((n) => store.sessionBudgets.update('lineage', (budget) => reserve(budget, `op ${n}`, 30n))),
      )
      const refused = reserved.filter((result) => result.status === 'rejected')
      expect(refused.map(({ reason }) => reason.code)).toEqual(Array(17).fill('SPEND_LIMIT_EXCEEDED'))
      const stored = await store.sessionBudgets.load('lineage')
      expect(Object.values(stored?.budget.reservations ?? {})).toHaveLength(3)
      expect(stored?.version).toBe(3)
    })

    it('stores a reservation under any name', async () => {
      await store.sessionBudgets.open('odd', openBudget(100n, { left: 100n, block: 1n }))
      await store.sessionBudgets.update('odd', (budget) => reserve(budget, '__proto__', 60n))
      const again = store.sessionBudgets.update('odd', (budget) => reserve(budget, 'next', 60n))
      await expect(again).rejects.toMatchObject({ code: 'SPEND_LIMIT_EXCEEDED' })
    })
  })

  it('capabilities: one of many intents consumes it, and can repeat that', async () => {
    const capability = {
      capabilityId: 'permit',
      golem: id(1),
      actionHash: id(2),
      policyHash: id(3),
      valueLimitCents: 2n ** 250n,
      mintedAtTick: 9,
      expiresAtTick: 12,
      mintedAt: 5_000,
    }
    const rate = { most: 2, since: 4_000 }
    const mint = (capabilityId: string, since = rate.since) =>
      store.capabilities.mint({ ...capability, capabilityId }, { ...rate, since })
    expect(await mint('permit')).toBe(true)
    expect(await mint('permit')).toBe(false)
    expect([await mint('second'), await mint('third')]).toEqual([true, false])
    expect(await mint('third', 5_000)).toBe(true)
    expect(await store.capabilities.find('none')).toBeUndefined()
    expect(await store.capabilities.find('permit')).toEqual({ capability, consumedBy: undefined })

    const intents = many.map((n) => `intent ${n}`)
    const answers = await Promise.all(intents.map((intent) => store.capabilities.consume('permit', intent)))
    expect(count(answers)).toBe(1)
    const winner = intents[answers.indexOf(true)] ?? ''
    expect(await store.capabilities.consume('permit', winner)).toBe(true)
    expect(await store.capabilities.consume('none', winner)).toBe(false)
    expect((await store.capabilities.find('permit'))?.consumedBy).toBe(winner)
  })

  it('capabilities: never exceed the rate under concurrent requests', async () => {
    // A race does not occur every time: each round has its own second.
    for (let round = 1; round <= 20; round += 1) {
      const permits = many.map((n) => `permit ${n} of round ${round}`)
      const rest = { golem: id(1), actionHash: id(2), policyHash: id(3), valueLimitCents: 1n }
      const ticks = { mintedAtTick: 9, expiresAtTick: 12, mintedAt: 1_000 * round }
      const rate = { most: 3, since: 1_000 * round - 1 }
      const minted = await Promise.all(
        permits.map((capabilityId) => store.capabilities.mint({ capabilityId, ...rest, ...ticks }, rate)),
      )
      const stored = await Promise.all(permits.map((capabilityId) => store.capabilities.find(capabilityId)))
      expect(count(minted)).toBeLessThanOrEqual(3)
      expect(stored.map((capability) => capability !== undefined)).toEqual(minted)
    }
  })

  it('Golem states: each write follows the previous version, and a death ends state writes', async () => {
    const { golemStates } = store
    expect([await golemStates.begin(id(1), { tick: 0 }), await golemStates.begin(id(1), {})]).toEqual([
      true,
      false,
    ])
    const writes = await Promise.all(many.map((n) => golemStates.saveState(id(1), 1, { tick: 1, by: n })))
    expect(count(writes)).toBe(1)
    expect(await golemStates.saveState(id(1), 3, {})).toBe(false)
    const deaths = await Promise.all(many.map((n) => golemStates.saveDeath(id(1), 0, { cents: BigInt(n) })))
    expect(count(deaths)).toBe(1)
    expect(await golemStates.saveState(id(1), 2, {})).toBe(false)
    expect(await golemStates.saveDeath(id(1), 2, {})).toBe(false)
    expect(await golemStates.saveDeath(id(1), 1, { over: true })).toBe(true)
    expect(await golemStates.find(id(1))).toMatchObject({
      state: { tick: 1 },
      version: 1,
      death: { over: true },
    })
    expect(await golemStates.find(id(20))).toBeUndefined()
  })

  it('owner requests: filed once, answered once, before they expire', async () => {
    const request = { id: 'ask', golem: id(1), kind: 'grant', body: { cap: 10n }, expiresAt: 2_000 }
    expect(await store.ownerRequests.file(request)).toBe(true)
    expect(await store.ownerRequests.file({ ...request, body: {} })).toBe(false)
    await store.ownerRequests.file({ ...request, id: 'late' })
    // Filing again uses up no number, and no other request ever gets one.
    const first = (await store.ownerRequests.find('ask'))?.number ?? 0
    expect(await store.ownerRequests.find('late')).toMatchObject({ number: first + 1 })
    expect(await store.ownerRequests.findNumber(first)).toMatchObject({ id: 'ask' })
    expect(await store.ownerRequests.findNumber(first + 99)).toBeUndefined()
    const { owner } = sampleGolem(1)
    const stranger: typeof owner = `0x${'ab'.repeat(20)}`
    await store.golems.create(sampleGolem(40))
    await store.golems.create(sampleGolem(41, { owner: stranger }))
    await store.ownerRequests.file({ ...request, id: 'of another Golem', golem: id(40) })
    await store.ownerRequests.file({ ...request, id: 'of a stranger', golem: id(41) })
    const waiting = await store.ownerRequests.pendingOf(owner)
    expect(waiting.map((one) => one.id)).toEqual(['ask', 'late', 'of another Golem'])
    const all = (await store.ownerRequests.allPending(4)).map((one) => one.id)
    expect(all).toEqual(['ask', 'late', 'of a stranger', 'of another Golem'])
    expect(await store.ownerRequests.allPending(1)).toMatchObject([{ id: 'ask' }])
    for (const asked of ['of another Golem', 'of a stranger'])
      await store.ownerRequests.answer(asked, 'refused', null)
    expect(await store.ownerRequests.pendingOf(stranger)).toEqual([])
    const answers = await Promise.all(
      many.map((n) => store.ownerRequests.answer('ask', 'adjusted', { cap: BigInt(n) })),
    )
    expect(count(answers)).toBe(1)
    clock.time = 2_000
    expect(await store.ownerRequests.pending(id(1))).toEqual([])
    expect(await store.ownerRequests.answer('late', 'approved', null)).toBe(false)
    expect((await store.ownerRequests.expire()).map((expired) => expired.id)).toEqual(['late'])
    expect(await store.ownerRequests.expire()).toEqual([])
    expect(await store.ownerRequests.find('late')).toMatchObject({ state: 'expired', endedAt: 2_000 })
    expect(await store.ownerRequests.find('ask')).toMatchObject({ state: 'adjusted', body: { cap: 10n } })
  })

  it('idempotency keys: one caller runs the request, the others get its result', async () => {
    const claims = await Promise.all(many.map(() => store.idempotencyKeys.claim('key', id(5), 1_000)))
    expect(claims.filter(({ type }) => type === 'new')).toHaveLength(1)
    expect(claims.filter(({ type }) => type === 'running')).toHaveLength(19)
    expect(await store.idempotencyKeys.claim('key', id(6), 0)).toEqual({ type: 'mismatch' })
    clock.time += 1_000
    expect(await store.idempotencyKeys.claim('key', id(5), 1_000)).toEqual({ type: 'new' })
    expect(await store.idempotencyKeys.finish('key', { paid: 5n })).toBe(true)
    expect(await store.idempotencyKeys.finish('key', { paid: 6n })).toBe(false)
    expect(await store.idempotencyKeys.claim('key', id(5), 0)).toEqual({ type: 'done', result: { paid: 5n } })
    await store.idempotencyKeys.claim('other', id(5), 0)
    await store.idempotencyKeys.abandon('other')
    expect(await store.idempotencyKeys.claim('other', id(6), 1_000)).toEqual({ type: 'new' })
    expect(await store.idempotencyKeys.claim('other', id(6), 1_000)).toMatchObject({ type: 'running' })
    await store.idempotencyKeys.release('other')
    expect(await store.idempotencyKeys.claim('other', id(7), 1_000)).toEqual({ type: 'mismatch' })
    expect(await store.idempotencyKeys.claim('other', id(6), 1_000)).toEqual({ type: 'new' })
    expect(await store.idempotencyKeys.forget(clock.time + 1)).toBe(2)
  })

  it('grimoire: reads by key, and lists by prefix and kind, page by page', async () => {
    const golem = id(1)
    await store.grimoire.put({ golem, key: permissionKey(golem), kind: 'permission', body: { cap: 10n } })
    for (const n of many) {
      const key = `warning.${String(n).padStart(3, '0')}`
      await store.grimoire.put({ golem, key, kind: 'warning', source: 'policy_violation', body: { n } })
    }
    await store.grimoire.put({ golem, key: 'warning_', kind: 'other', body: null })
    await store.grimoire.put({ golem: id(20), key: 'warning.000', kind: 'warning', body: null })
    await store.grimoire.put({ golem, key: permissionKey(golem), kind: 'permission', body: { cap: 8n } })
    expect(await store.grimoire.get(golem, permissionKey(golem))).toMatchObject({ body: { cap: 8n } })
    const pages: number[] = []
    for (let after: string | undefined; ; ) {
      const page = await store.grimoire.list({
        golem,
        prefix: 'warning.',
        kind: 'warning',
        limit: 7,
        ...(after && { after }),
      })
      pages.push(page.length)
      after = page.at(-1)?.key
      if (page.length < 7) break
    }
    expect(pages).toEqual([7, 7, 6])
    expect((await store.grimoire.list({ golem })).map(({ key }) => key).at(-1)).toBe('warning_')
    expect(await store.grimoire.remove(golem, 'warning.000')).toBe(true)
    expect(await store.grimoire.remove(golem, 'warning.000')).toBe(false)
    expect(await store.grimoire.get(golem, 'warning.000')).toBeUndefined()
    expect(await store.grimoire.get(id(20), 'warning.000')).toBeDefined()
  })

  it('transactions: commit all or nothing, including events', async () => {
    const before = await store.events.read({ after: 0 })
    const failing = store.transaction(async ({ golems, grimoire, record }) => {
      await golems.create(sampleGolem(50))
      record([{ golem: id(50), name: 'born', body: null }])
      await grimoire.put({ golem: id(51), key: 'x', kind: 'x', body: null })
    })
    await expect(failing).rejects.toThrow(/foreign key/)
    expect(await store.golems.find(id(50))).toBeUndefined()
    expect(await store.events.read({ after: 0 })).toEqual(before)
    await store.transaction(async ({ golems, record }) => {
      record([{ golem: id(50), name: 'born', body: { at: 1n } }])
      await golems.create(sampleGolem(50))
    })
    expect((await store.events.read({ after: 0 })).slice(before.length)).toMatchObject([
      { name: 'born', body: { at: 1n } },
    ])
  })

  describe('operations', () => {
    const prepared = {
      id: 'one',
      user: 'ada',
      chainId: 8453,
      owner: account(0xada),
      kind: 'withdraw',
      input: { amount: '5' },
      digests: [id(1)],
      preparedAt: 1_000,
      expiresAt: 2_000,
    }

    it('stores an operation for its user only', async () => {
      await store.operations.add(prepared)
      const found = { ...prepared, answers: {}, result: undefined, version: 1 }
      expect(await store.operations.find('ada', 'one')).toEqual(found)
      expect(await store.operations.find('bob', 'one')).toBeUndefined()
      const answers = { digests: [id(2)], answers: { a: 'x' } }
      expect(await store.operations.save({ id: 'one', user: 'bob', version: 1, ...answers })).toBe(false)
      expect(await store.operations.finish('bob', 'one', {})).toBe(false)
      expect(await store.operations.find('ada', 'one')).toEqual(found)
    })

    it('lets one of many concurrent answers succeed, and stores one result', async () => {
      const save = (n: number) =>
        store.operations.save({ id: 'one', user: 'ada', version: 1, digests: [id(2)], answers: { n } })
      expect(count(await Promise.all(many.map(save)))).toBe(1)
      const ended = await Promise.all(many.map((n) => store.operations.finish('ada', 'one', { n })))
      expect(count(ended)).toBe(1)
      expect(
        await store.operations.save({ id: 'one', user: 'ada', version: 3, digests: [], answers: {} }),
      ).toBe(false)
    })

    it('forgets operations that ended before a time', async () => {
      expect(await store.operations.forget(2_000)).toBe(0)
      expect(await store.operations.forget(2_001)).toBe(1)
      expect(await store.operations.find('ada', 'one')).toBeUndefined()
    })
  })
})
