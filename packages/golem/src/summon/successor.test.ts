import { hashDelegation } from '@bardo/core'
import type { Devnet } from '@bardo/devnet'
import { permissionKey, type Store } from '@bardo/store'
import type { Hash, LocalAccount } from 'viem'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { secret } from '../config/secret.ts'
import { createGolem } from '../heartbeat/createGolem.ts'
import { readFamily } from '../state/storedFamily.ts'
import { assertNoSecret } from '../testing/assertNoSecret.ts'
import { partsOf, summonIn } from '../testing/golemWorld.ts'
import { openTestWorld, type TestWorld } from '../testing/openStoreLocation.ts'

const dca = 'Every day, swap $50 of USDC into WETH.\n\nlifespan: 30 days'
const canary = 'canary-of-what-must-stay-behind'

let world: Devnet
let context: TestWorld
let store: Store
beforeAll(async () => {
  context = await openTestWorld()
  ;({ world, store } = context)
})
afterAll(() => context?.stop())

const golemOf = (id: Hash) => createGolem(partsOf(world, store, id))
const summon = (succession: { owner?: LocalAccount; ancestor?: Hash } = {}) =>
  summonIn(world, store, dca, (root) => root, succession)
const countGolems = async () => (await store.golems.list({ limit: 1_000 })).length

/** Everything in the store that belongs to a Golem. */
async function allOf(golem: Hash) {
  return {
    row: await store.golems.find(golem),
    grimoire: await store.grimoire.list({ golem, limit: 1_000 }),
    delegations: await store.delegations.list(golem),
    keys: await store.sessionKeys.list(golem),
    life: await store.golemStates.find(golem),
    events: await store.events.read({ after: 0, golem, limit: 1_000 }),
  }
}

it('inherits its ancestor’s knowledge with its authors, and nothing else', async () => {
  const first = await summon()
  const learn = (key: string, kind: string, body: object) =>
    store.grimoire.put({ golem: first.id, key, kind, body: { ...body } })
  await learn('a', 'insight', { text: 'Mornings are calm.', confidence: 0.8 })
  await learn('b', 'heuristic', { text: 'Small steps.', confidence: 0.6, authors: ['the-first-of-all'] })
  await learn('c', 'insight', { text: 'Noisy.', confidence: 0.5, wallet: canary, privateKey: canary })
  await learn('d', 'sessionKey', { text: canary, confidence: 1 })
  await learn(permissionKey(first.id), 'permission', { text: canary, confidence: 1, context: canary })
  const golem = await golemOf(first.id)
  await golem.tick()
  expect(await golem.kill()).toMatchObject({ phase: 'over' })

  const second = await summon({ owner: first.owner, ancestor: first.id })
  const inherited = await store.grimoire.list({ golem: second.id, prefix: 'inherited.' })
  expect(inherited.map(({ kind, body }) => ({ kind, body }))).toEqual([
    { kind: 'insight', body: { text: 'Mornings are calm.', confidence: 0.8, authors: [first.id] } },
    { kind: 'heuristic', body: { text: 'Small steps.', confidence: 0.6, authors: ['the-first-of-all'] } },
    { kind: 'insight', body: { text: 'Noisy.', confidence: 0.5, authors: [first.id] } },
  ])
  expect(await readFamily(store, second.id)).toEqual({ generation: 1, ancestor: first.id, replicants: [] })

  // Neither its key, address, delegation nor anything else hidden in its knowledge.
  const [oldKey] = await store.sessionKeys.list(first.id)
  const [oldRoot] = await store.delegations.list(first.id)
  if (!oldKey || !oldRoot) throw new Error('the key and the root are missing')
  const left = [canary, oldKey.address, oldKey.publicKey, hashDelegation(first.root), oldRoot.context]
  const secrets = left.map((text) => secret(text))
  assertNoSecret(await allOf(second.id), secrets)
  expect(() => assertNoSecret(oldRoot, secrets)).toThrow()
  expect(second.id).not.toBe(first.id)

  // The knowledge passes on to the next generation.
  const heir = await golemOf(second.id)
  await heir.kill()
  const { body } = (await store.grimoire.get(second.id, 'testament')) ?? {}
  expect(body).toMatchObject({
    generation: 1,
    knowledge: [{ authors: [first.id] }, { authors: ['the-first-of-all'] }, { authors: [first.id] }],
  })
  const third = await summon({ owner: first.owner, ancestor: second.id })
  expect(await readFamily(store, third.id)).toMatchObject({ generation: 2, ancestor: second.id })
})

it('refuses a living, dying or foreign ancestor, and leaves no partial Golem', async () => {
  const { id: living, owner } = await summon()
  const count = await countGolems()
  const refused = { code: 'ACTION_NOT_ALLOWED', outcome: 'not-sent' }
  await expect(summon({ owner, ancestor: living })).rejects.toMatchObject(refused)
  await expect(summon({ owner, ancestor: `0x${'ab'.repeat(32)}` })).rejects.toMatchObject(refused)

  await (await golemOf(living)).kill()
  // The testament is written, but the death is not over.
  const change = async (status: 'dying' | 'dead') => {
    const golem = await store.golems.find(living)
    if (golem) await store.golems.save({ ...golem, status })
  }
  await change('dying')
  await expect(summon({ owner, ancestor: living })).rejects.toMatchObject(refused)
  await change('dead')
  await expect(summon({ ancestor: living })).rejects.toMatchObject(refused)
  expect(await countGolems()).toBe(count)
  await summon({ owner, ancestor: living })
  expect(await countGolems()).toBe(count + 1)
})
