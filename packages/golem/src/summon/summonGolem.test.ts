import { createIdentityClient } from '@bardo/chain'
import { golemVitals } from '@bardo/contracts'
import type { Devnet } from '@bardo/devnet'
import type { Store } from '@bardo/store'
import { type Address, getAbiItem, parseEther } from 'viem'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createGolem } from '../heartbeat/createGolem.ts'
import { ownerIn, partsOf, summonIn } from '../testing/golemWorld.ts'
import { openTestWorld, type TestWorld } from '../testing/openStoreLocation.ts'
import { summonGolem } from './summonGolem.ts'
import type { Summons } from './summons.ts'

const dca = 'Every day, swap $50 of USDC into WETH.\n\nlifespan: 30 days'
const drip = parseEther('0.1')

let world: Devnet
let context: TestWorld
let store: Store
beforeAll(async () => {
  context = await openTestWorld()
  ;({ world, store } = context)
})
afterAll(() => context?.stop())

class SimulatedCrash extends Error {}
const allDeaths = new Set<string>()

/** A summoning that crashes at the nth point: before or after an external effect. */
function crashing(summons: Summons, crashesAt: number) {
  const seen = { moments: 0, signatures: 0, diedAt: '' }
  const moment = (what: string) => {
    seen.moments += 1
    if (seen.moments !== crashesAt) return
    seen.diedAt = what
    throw new SimulatedCrash(what)
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
  const pay: Summons['drip'] = (to, id) => summons.sponsor.submit({ id, to, value: drip })
  const sign: Summons['sign'] = (root) => {
    seen.signatures += 1
    return summons.sign(root)
  }
  const dying: Summons = {
    ...summons,
    store: {
      ...store,
      transaction: (work) => around('a transaction', () => store.transaction(work))(),
    },
    sign: around('the signature', sign),
    drip: around('the drip', pay),
    sponsor: { ...summons.sponsor, submit: around('the registration', summons.sponsor.submit) },
  }
  return { seen, dying }
}

const registered = (owner: Address) =>
  world.client.getLogs({
    event: getAbiItem({ abi: golemVitals.abi, name: 'GolemRegistered' }),
    args: { owner },
    fromBlock: 0n,
  })

async function eventsOf(owner: Address) {
  const [golem] = await store.golems.list({ owner })
  return golem ? store.events.read({ after: 0, golem: golem.id, limit: 1_000 }) : []
}

/** Exactly one Golem, key, delegation and registration, and each of the eight steps recorded once. */
async function expectOne(owner: Address) {
  const golems = await store.golems.list({ owner })
  expect(golems).toHaveLength(1)
  const [golem] = golems
  if (!golem) throw new Error('there is no Golem')
  expect(golem).toMatchObject({ status: 'alive', onboarding: { step: 'live', custody: 'delegation' } })
  const keys = await store.sessionKeys.list(golem.id)
  expect(keys).toHaveLength(1)
  expect(await store.delegations.list(golem.id)).toHaveLength(1)
  expect(await registered(owner)).toHaveLength(1)
  expect(await world.client.getBalance({ address: keys[0]?.address ?? '0x' })).toBe(drip)
  const recorded = await eventsOf(owner)
  const steps = recorded.filter(({ name }) => name === 'golem.provisioned').map(({ body }) => body)
  expect(steps).toMatchObject([1, 2, 3, 4, 5, 6, 7, 8].map((step) => ({ step })))
  const names = recorded.map(({ name }) => name).filter((name) => name !== 'golem.provisioned')
  expect(names).toEqual([
    'custody.modeSelected',
    'sessionKey.generated',
    'custody.delegationGranted',
    'sessionKey.delegationGranted',
    'golem.summoned',
  ])
  return golem
}

describe('an interrupted summoning', () => {
  // Each attempt crashes at the nth point of its own.
  const golemStates = [{ moments: [1, 2, 3, 4] }, { moments: [1, 2, 3, 4, 5] }, { moments: [6, 3, 1, 5] }]
  it.each(golemStates)('continues where it stopped, again and again: $moments', async ({ moments }) => {
    const { summons, owner } = await ownerIn(world, store, dca)
    const deaths = new Set<string>()
    for (let life = 0; ; life += 1) {
      const crashesAt = moments[life % moments.length] ?? 1
      const { seen, dying } = crashing(summons, crashesAt)
      const [existing] = await store.golems.list({ owner: owner.address })
      const isSigned = existing && (await store.delegations.list(existing.id)).length > 0
      const end = await summonGolem(dying).catch((error: unknown) => {
        if (!(error instanceof SimulatedCrash)) throw error
        deaths.add(seen.diedAt)
        return undefined
      })
      // Before the second step nothing is stored; after the signature is stored no second one is requested.
      if (life === 0 && crashesAt === 1) expect(await store.golems.list({ owner: owner.address })).toEqual([])
      if (isSigned) expect(seen.signatures).toBe(0)
      if (!end) continue
      expect(life).toBeGreaterThan(4)
      expect(end.milliseconds).toHaveLength(8)
      expect((await expectOne(owner.address)).id).toBe(end.id)
      break
    }
    for (const death of deaths) allDeaths.add(death)
  })

  it('was tested before and after each of its effects', () => {
    const effects = ['a transaction', 'the signature', 'the drip', 'the registration']
    expect(allDeaths).toEqual(new Set(effects.flatMap((effect) => [`before ${effect}`, `after ${effect}`])))
  })

  it('is complete once done: a repeated call changes nothing, and the Golem ticks', async () => {
    const { summons, owner } = await ownerIn(world, store, dca)
    const { seen, dying } = crashing(summons, 0)
    const first = await summonGolem(dying)
    const { moments } = seen
    expect(await summonGolem(dying)).toEqual(first)
    expect(seen).toMatchObject({ moments, signatures: 1 })
    await expectOne(owner.address)
    const golem = await createGolem(partsOf(world, store, first.id))
    expect(await golem.tick()).toMatchObject({ type: 'ticked', state: { tick: 1 } })
    expect((await eventsOf(owner.address)).map(({ name }) => name)).toContain('action.landed')
  })

  it('creates one Golem for two concurrent calls', async () => {
    const { summons, owner } = await ownerIn(world, store, dca)
    const { dying } = crashing(summons, 0)
    const ends = await Promise.allSettled([summonGolem(dying), summonGolem(dying)])
    const late = ends.filter(({ status }) => status === 'rejected')
    expect(late.length).toBeLessThan(2)
    for (const end of late) expect(end).toMatchObject({ reason: { code: 'STORE_UNAVAILABLE' } })
    await summonGolem(dying)
    await expectOne(owner.address)
  })
})

it('creates nothing for a strategy that cannot be granted', async () => {
  const { summons, owner } = await ownerIn(world, store, 'Be kind.')
  await expect(summonGolem(summons)).rejects.toMatchObject({ code: 'INVALID_INPUT' })
  expect(await store.golems.list({ owner: owner.address })).toEqual([])
})

describe('the choices of a summoning', () => {
  const bounds = {
    maxDailySpendCents: 10_000n,
    maxTotalCalls: 5,
    expiresAt: 4_000_000_000n,
    allowedTargets: [],
  }
  const differs = { code: 'STEP_OUT_OF_ORDER' }

  it('cannot be changed half-way or after the first heartbeat: custody, strategy and account', async () => {
    const { summons } = await ownerIn(world, store, dca)
    const { swapRouter02 } = world.addresses
    const other: Summons = {
      ...summons,
      custody: { type: 'localKey', bounds: { ...bounds, allowedTargets: [swapRouter02] } },
    }
    const rich = { ...summons, strategy: dca.replace('$50', '$500') }
    const elsewhere = { ...summons, account: summons.owner }
    await expect(summonGolem(crashing(summons, 8).dying)).rejects.toThrow(SimulatedCrash)
    for (const changed of [other, rich]) await expect(summonGolem(changed)).rejects.toMatchObject(differs)
    const { id } = await summonGolem(summons)
    await (await createGolem(partsOf(world, store, id))).tick()
    for (const changed of [other, rich, elsewhere])
      await expect(summonGolem(changed)).rejects.toMatchObject(differs)

    const golem = await store.golems.find(id)
    if (!golem) throw new Error('the Golem is not stored')
    await expect(store.golems.save({ ...golem, custody: 'localKey' })).rejects.toMatchObject(differs)
    await expect(store.golems.save({ ...golem, custody: undefined })).rejects.toMatchObject(differs)
    expect(await store.golems.find(id)).toMatchObject({ custody: 'delegation', version: golem.version })
  })

  it('leave the name free again after a death', async () => {
    const { summons } = await ownerIn(world, store, dca)
    const first = await summonGolem(summons)
    await (await createGolem(partsOf(world, store, first.id))).kill()
    const second = await summonGolem({ ...summons, strategy: dca.replace('$50', '$20') })
    expect(second.id).not.toBe(first.id)
  })
})

describe('an ERC-8004 identity', () => {
  it('is registered once if the owner wants it, with the session key as its wallet', async () => {
    const { summons, owner, account, signer } = await ownerIn(world, store, dca)
    const submitted: string[] = []
    const submitter: typeof signer.submitter = {
      ...signer.submitter,
      submit(request) {
        submitted.push(request.id)
        return signer.submitter.submit(request)
      },
    }
    const withIdentity: Summons = {
      ...summons,
      identity: {
        type: 'register',
        signer: { ...signer, submitter },
        uri: 'agent:alpha',
        submitter: { finality: 1, pollMs: 20 },
      },
    }
    // The process crashes after the registration, before the store records it.
    let transactions = 0
    const dying: Store = {
      ...store,
      transaction: (work) => {
        transactions += 1
        if (transactions === 5) throw new SimulatedCrash()
        return store.transaction(work)
      },
    }
    await expect(summonGolem({ ...withIdentity, store: dying })).rejects.toThrow(SimulatedCrash)
    expect(submitted).toHaveLength(1)
    await world.warp(10)
    const { id, root } = await summonGolem(withIdentity)
    expect(new Set(submitted).size).toBe(1)
    const golem = await store.golems.find(id)
    const onboarding = golem?.onboarding
    if (onboarding?.step !== 'live' || onboarding.identity === undefined)
      throw new Error('the Golem has no identity')
    expect(await createIdentityClient(signer).read(onboarding.identity)).toMatchObject({
      owner: account,
      wallet: root.delegate,
      uri: 'agent:alpha',
      golem: id,
    })
    const recorded = (await eventsOf(owner.address)).filter(({ name }) => name === 'identity.registered')
    expect(recorded).toMatchObject([{ body: { agentId: `${onboarding.identity}`, wallet: root.delegate } }])
  })

  it('is never a target of a permission, in either custody', async () => {
    const { summons } = await ownerIn(world, store, dca)
    const { identityGuardian } = summons.deployment.contracts
    const contracts = { ...summons.book.contracts, swapRouter02: identityGuardian }
    const allowedTargets = [identityGuardian]
    const bounds = { maxDailySpendCents: 100_00n, maxTotalCalls: 10, expiresAt: 2n ** 40n, allowedTargets }
    for (const custody of [{ type: 'delegation' }, { type: 'localKey', bounds }] as const)
      await expect(
        summonGolem({ ...summons, custody, book: { ...summons.book, contracts } }),
      ).rejects.toMatchObject({ message: expect.stringContaining('never part of a permission') })
  })

  it('is not registered by default', async () => {
    const { id } = await summonIn(world, store, dca)
    expect((await store.golems.find(id))?.onboarding).toMatchObject({ step: 'live', identity: undefined })
  })
})
