import { isDisabled, systemClock } from '@bardo/chain'
import { hashDelegation, rotationSteps } from '@bardo/core'
import type { Devnet } from '@bardo/devnet'
import type { Store } from '@bardo/store'
import { parseEther } from 'viem'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createGolem } from '../heartbeat/createGolem.ts'
import type { GolemParts } from '../permission/golemParts.ts'
import { grantAsOwner, signGrantAsOwner } from '../requests/grantAsOwner.ts'
import { regrant } from '../requests/regrant.ts'
import { ownRoots, standingRoots } from '../requests/rootExchange.ts'
import { partsOf, summonIn } from '../testing/golemWorld.ts'
import { openTestWorld, type TestWorld } from '../testing/openStoreLocation.ts'

const dca = 'Every day, swap $50 of USDC into WETH.\n\nlifespan: 30 days'
const narrower = 'Every day, swap $5 of USDC into WETH.\n\nlifespan: 30 days'

/** How far the store's clock is behind, in milliseconds. */
let behind = 0
const storeClock = { ...systemClock, now: () => systemClock.now() - behind }

let world: Devnet
let context: TestWorld
let store: Store
beforeAll(async () => {
  context = await openTestWorld(storeClock)
  ;({ world, store } = context)
})
afterAll(() => context?.stop())

/** The same Golem in a process that crashes after `steps` steps of a rotation are written. */
function dyingAfter(parts: GolemParts, steps: number): GolemParts {
  const transaction: Store['transaction'] = (work) =>
    store.transaction((open) =>
      work({
        ...open,
        rotations: {
          ...open.rotations,
          save: (rotation) =>
            rotation.stepsDone > steps
              ? Promise.reject(new Error('simulated crash'))
              : open.rotations.save(rotation),
        },
      }),
    )
  return { ...parts, store: { ...store, transaction } }
}

async function summon() {
  const summoned = await summonIn(world, store, dca)
  const { id, signer } = summoned
  const parts = partsOf(world, store, id)
  const drip = (key: `0x${string}`) => world.fund(key, { ETH: parseEther('1') })
  return {
    ...summoned,
    parts,
    golem: await createGolem(parts),
    async grant() {
      for (const request of await store.ownerRequests.pending(id))
        if (request.kind === 'grant') await grantAsOwner(signer, store, request, drip)
    },
  }
}

/**
 * Expects one active key, one enabled root that names it, and every other key wiped and every other root
 * disabled.
 */
async function expectOnlyNewKey({ id, parts, golem }: Awaited<ReturnType<typeof summon>>) {
  const known = await store.sessionKeys.list(id)
  const [active, ...more] = known.filter(({ status }) => status === 'active')
  if (!active) throw new Error('there is no active key')
  expect(more).toEqual([])
  for (const { status, sealed, address } of known) {
    if (address === active.address) continue
    expect([status, sealed]).toEqual(['wiped', undefined])
    expect(await world.client.getBalance({ address })).toBeLessThan(parseEther('0.001'))
  }
  expect(await standingRoots(parts, id, active.address)).toEqual([])
  const { permission, state } = await golem.status()
  expect(permission.links).toHaveLength(1)
  expect(permission.links[0].delegate.toLowerCase()).toBe(active.address.toLowerCase())
  expect(await isDisabled(parts, permission.links[0])).toBe(false)
  expect(state.recovery).toEqual({ type: 'acting' })
}

describe('a suspected rotation', () => {
  it.each(rotationSteps.direct.map((step, at) => [step, at] as const))(
    'supersedes a rotation by policy that was interrupted at %s',
    async (_, steps) => {
      const all = await summon()
      const { golem, parts, id } = all
      await golem.tick()
      const dying = await createGolem(dyingAfter(parts, steps))
      await expect(dying.rotate('age')).rejects.toThrow('simulated crash')
      const rotation = await golem.rotate('suspected')
      expect(rotation).toMatchObject({ kind: 'suspected', reason: 'suspected' })
      await all.grant()
      await golem.tick()
      expect(await store.rotations.underWay(id)).toBeUndefined()
      await golem.tick()
      await expectOnlyNewKey(all)
    },
  )

  it('ends a feed in progress, and disables both of its roots', async () => {
    const all = await summon()
    const { golem, parts, id, signer } = all
    const crashing = {
      ...signer,
      submitter: { ...signer.submitter, submit: () => Promise.reject(new Error('simulated crash')) },
    }
    await expect(regrant(crashing, parts, narrower)).rejects.toThrow('simulated crash')
    expect(await ownRoots(store, id)).toHaveLength(3)
    await golem.rotate('suspected')
    // A regrant that was signed for the suspected key cannot continue.
    await expect(regrant(signer, parts, narrower)).rejects.toMatchObject({ code: 'ROTATION_REFUSED' })
    await all.grant()
    await golem.tick()
    await golem.tick()
    await expectOnlyNewKey(all)
    await expect(regrant(signer, parts)).resolves.toMatchObject({ order: expect.anything() })
  })

  it.each([
    ['has begun', false],
    ['is done', true],
  ])(
    'keeps a feed from storing a signature for the suspected key when it %s in the meantime',
    async (_, isDone) => {
      const all = await summon()
      const { golem, parts, signer, root } = all
      await golem.tick()
      const signedFor: unknown[] = []
      let isFirst = true
      /** The rotation begins between the owner's signature and the transaction that stores it. */
      const transaction: Store['transaction'] = async (work) => {
        if (isFirst) {
          isFirst = false
          await golem.rotate('suspected')
          if (isDone) {
            await all.grant()
            await golem.tick()
          }
        }
        return store.transaction((open) =>
          work({
            ...open,
            grimoire: {
              ...open.grimoire,
              async put(entry) {
                signedFor.push(Object(entry.body).next?.delegate)
                return open.grimoire.put(entry)
              },
            },
          }),
        )
      }
      const fed = regrant(signer, { ...parts, store: { ...store, transaction } })
      if (isDone) await fed
      else {
        await expect(fed).rejects.toMatchObject({ code: 'ROTATION_REFUSED' })
        await all.grant()
        await golem.tick()
      }
      expect(signedFor).not.toContain(root.delegate)
      await golem.tick()
      await expectOnlyNewKey(all)
    },
  )

  it('replaces a rotation of a lost key, which would be cancelled if the key is recovered', async () => {
    const all = await summon()
    const { golem, parts, id } = all
    const locked = await createGolem({ ...parts, keys: { ...parts.keys, open: async () => undefined } })
    await locked.tick()
    expect(await store.rotations.underWay(id)).toMatchObject({ reason: 'lost' })
    await golem.rotate('suspected')
    expect(await store.rotations.underWay(id)).toMatchObject({ reason: 'suspected' })
    await all.grant()
    await golem.tick()
    await golem.tick()
    await expectOnlyNewKey(all)
  })

  it('does not keep a Golem from dying after the owner passed its row to the new key', async () => {
    const { golem, id, signer, parts } = await summon()
    await golem.tick()
    await golem.rotate('suspected')
    const [request] = await store.ownerRequests.pending(id)
    if (!request) throw new Error('no request was filed')
    // The owner has signed the grant and not yet answered the request: the Golem dies first.
    await signGrantAsOwner(signer, store, request, (key) => world.fund(key, { ETH: parseEther('1') }))
    await golem.beginDeath('killSwitch')
    // A death may take an hour to close positions.
    const late = { ...parts.clock, now: () => parts.clock.now() + 2 * 3_600_000 }
    const later = await createGolem({ ...parts, clock: late })
    for (let ticks = 0; ticks < 3; ticks += 1) await later.tick()
    expect((await store.golems.find(id))?.status).toBe('dead')
  })

  it('supersedes a rotation by policy that begins at the same moment', async () => {
    const all = await summon()
    const { golem, parts, id } = all
    await golem.tick()
    const dying = await createGolem(dyingAfter(parts, 0))
    let isFirst = true
    const underWay: Store['rotations']['underWay'] = async (one) => {
      const known = await store.rotations.underWay(one)
      if (isFirst) {
        isFirst = false
        await expect(dying.rotate('age')).rejects.toThrow('simulated crash')
      }
      return known
    }
    const late = await createGolem({
      ...parts,
      store: { ...store, rotations: { ...store.rotations, underWay } },
    })
    expect(await late.rotate('suspected')).toMatchObject({ reason: 'suspected' })
    await all.grant()
    await golem.tick()
    expect(await store.rotations.underWay(id)).toBeUndefined()
    await golem.tick()
    await expectOnlyNewKey(all)
  })

  it('requests the limits of a feed that was stored just before it began', async () => {
    const all = await summon()
    const { parts, id, signer } = all
    await all.golem.tick()
    // The owner adjusts the permission after this process has read the delegation and before it writes the
    // rotation.
    let isAdjusted = false
    const underWay: Store['rotations']['underWay'] = async (golem) => {
      const found = await store.rotations.underWay(golem)
      if (!isAdjusted) {
        isAdjusted = true
        await regrant(signer, parts, narrower)
      }
      return found
    }
    const late = await createGolem({
      ...parts,
      store: { ...store, rotations: { ...store.rotations, underWay } },
    })
    await late.rotate('suspected')
    expect(isAdjusted).toBe(true)
    await all.grant()
    await all.golem.tick()
    expect(await store.rotations.underWay(id)).toBeUndefined()
    await all.golem.tick()
    await expectOnlyNewKey(all)
    expect((await all.golem.status()).permission.plan.sizeCents[0]).toBe(500n)
  })

  it('requests the newest limits although the clock went back before they were stored', async () => {
    const all = await summon()
    const { golem, parts, signer, id } = all
    await golem.rotate('age')
    behind = 60_000
    await regrant(signer, parts, narrower)
    behind = 0
    await golem.rotate('suspected')
    await all.grant()
    await golem.tick()
    expect(await store.rotations.underWay(id)).toBeUndefined()
    await golem.tick()
    await expectOnlyNewKey(all)
    expect((await golem.status()).permission.plan.sizeCents[0]).toBe(500n)
  })

  it('begins once for two concurrent calls', async () => {
    const all = await summon()
    const { golem, id, parts } = all
    const other = await createGolem(parts)
    const [one, two] = await Promise.all([golem.rotate('suspected'), other.rotate('suspected')])
    expect(one.id).toBe(two.id)
    await all.grant()
    await Promise.all([golem.tick(), other.tick()])
    await golem.tick()
    expect(await store.rotations.underWay(id)).toBeUndefined()
    await expectOnlyNewKey(all)
  })
})

describe('a rotation by policy', () => {
  it('does not begin while the owner signs a new root', async () => {
    const { golem, parts, signer, id } = await summon()
    const crashing = {
      ...signer,
      submitter: { ...signer.submitter, submit: () => Promise.reject(new Error('simulated crash')) },
    }
    await expect(regrant(crashing, parts, narrower)).rejects.toThrow('simulated crash')
    await expect(golem.rotate('age')).rejects.toMatchObject({ code: 'RATE_LIMITED' })
    expect(await store.rotations.underWay(id)).toBeUndefined()
    await regrant(signer, parts, narrower)
    await expect(golem.rotate('age')).resolves.toMatchObject({ status: 'done' })
    expect((await golem.status()).permission.links).toHaveLength(2)
  })

  it('makes the owner wait until the new key is in use', async () => {
    const { golem, parts, signer } = await summon()
    const dying = await createGolem(dyingAfter(parts, 2))
    await expect(dying.rotate('age')).rejects.toThrow('simulated crash')
    await expect(regrant(signer, parts)).rejects.toMatchObject({ code: 'RATE_LIMITED' })
    await golem.tick()
    const { root } = await regrant(signer, parts)
    await golem.tick()
    const { permission, state } = await golem.status()
    expect(permission.links.map((link) => hashDelegation(link))).toEqual([hashDelegation(root)])
    expect(state.recovery).toEqual({ type: 'acting' })
  })
})
