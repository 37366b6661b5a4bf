import {
  type CustodyEvent,
  createMemoryJournal,
  type Delegation,
  type GasEvent,
  generateSessionKey,
  hybridAccount,
  type KeyName,
  planRotation,
  type Rotation,
  type RotationKind,
  type RotationPorts,
  rotationSteps,
  runRotation,
  type SessionKey,
  type SessionKeyEvent,
  type SubmissionEvent,
  signersOf,
} from '@bardo/core'
import { parseEther, parseUnits } from 'viem'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { sessionKeyAccount } from '../accounts/sessionKeyAccount.ts'
import { sessionKeySigner } from '../accounts/sessionKeySigner.ts'
import { sessionSigner } from '../accounts/sessionSigner.ts'
import { signGasDraw } from '../gasAllowance/signGasDraw.ts'
import { isDisabled, revoke } from '../ownerActions/revoke.ts'
import { redeem } from '../redemption/redeem.ts'
import { createTestClock } from '../testing/fault.ts'
import { openRedemptionWorld, type RedemptionWorld } from '../testing/redemptionWorld.ts'
import { createVitalsClient } from '../vitals/createVitalsClient.ts'
import { createRotationPorts } from './createRotationPorts.ts'
import { redelegationState } from './redelegationState.ts'
import type { RotationStore } from './rotationStore.ts'

const hundred = parseUnits('100', 6)
const random = (length: number) => crypto.getRandomValues(new Uint8Array(length))

/** A store that survives every simulated crash. */
function createStore(oldKey: SessionKey, links: readonly Delegation[], curve: SessionKey['curve']) {
  const keys = new Map<KeyName, SessionKey>([[oldKey.publicKey, oldKey]])
  const made = new Map<string, KeyName>()
  const chains = new Map<KeyName, readonly Delegation[]>([[oldKey.publicKey, links]])
  const state = { active: oldKey.publicKey, rotation: undefined as Rotation | undefined }
  const grants = new Map<string, Delegation>()
  const store: RotationStore = {
    load: async () => state.rotation,
    async save(rotation) {
      if (rotation.version !== (state.rotation?.version ?? -1) + 1) return false
      state.rotation = rotation
      return true
    },
    async makeKey(rotationId) {
      const existing = made.get(rotationId)
      if (existing) return existing
      const key = generateSessionKey(curve, random)
      made.set(rotationId, key.publicKey)
      keys.set(key.publicKey, key)
      return key.publicKey
    },
    async signerOf(name) {
      const key = keys.get(name)
      return key && sessionSigner(key)
    },
    async wipeKey(name) {
      // Wiping the bytes would also wipe the test's own copy, so this store only deletes its entry.
      keys.delete(name)
    },
    linksOf: async (name) => chains.get(name) ?? [],
    setLinks: async (name, given) => void chains.set(name, given),
    drawOf: async () => [],
    addDraw: async () => {},
    async activate({ from, to }) {
      if (state.active === from) state.active = to
    },
    leftoverKeys: async () => [],
    grantFor: async (rotationId) => grants.get(rotationId),
  }
  return { store, state, keys, chains, grants }
}

class Killed extends Error {}

/** Crashes around one step: before it, or after it and before its result is saved. */
function crashing(ports: RotationPorts, step: string, when: 'before' | 'after'): RotationPorts {
  const entries = Object.entries(ports.perform).map(([name, perform]) => [
    name,
    async (rotation: Rotation) => {
      if (name === step && when === 'before') throw new Killed()
      const result = await perform(rotation)
      if (name === step && when === 'after') throw new Killed()
      return result
    },
  ])
  return { ...ports, perform: Object.fromEntries(entries) }
}

describe('a rotation on the chain', () => {
  let world: RedemptionWorld
  beforeAll(async () => {
    world = await openRedemptionWorld()
  })
  afterAll(() => world?.stop())

  let count = 0

  /** An owner, a Golem with a key, and everything that its rotation needs. */
  async function open(kind: RotationKind, curve: SessionKey['curve'] = 'secp256k1') {
    const id = `rotation-${++count}`
    const { owner, account } = await world.hybridOwner()
    const oldKey = await world.sessionKey(kind === 'session-account' ? curve : 'secp256k1')
    const writer = kind === 'direct' ? sessionKeyAccount(oldKey) : undefined
    const golem = await world.registerGolem(owner.address, writer)
    const session = hybridAccount(world.deployment, {
      began: signersOf(oldKey),
      signer: sessionKeySigner(oldKey),
      salt: world.salt(),
    })
    const isSession = kind === 'session-account'
    if (isSession) await world.fund(session.address, { ETH: parseEther('1') })
    const delegate = isSession ? session.address : sessionKeyAccount(oldKey).address
    const cage = await world.cageCaveat(account.address, golem)
    const root = await world.signRoot(account, delegate, [cage])
    const storage = createStore(oldKey, [root], isSession ? curve : 'secp256k1')
    const events: (SessionKeyEvent | CustodyEvent | GasEvent | SubmissionEvent)[] = []
    const journal = createMemoryJournal()
    const signer = {
      ...world,
      account,
      key: owner.address,
      submitter: world.submitterOf(owner),
    }
    /** The maximum number of roots that were valid at one time. */
    const seen = { roots: 1 }
    const ports = createRotationPorts({
      ...world,
      journal,
      clock: createTestClock(),
      settings: { finality: 1, patienceMs: 5_000 },
      store: storage.store,
      expiresAt: 0n,
      ...(writer && { golem }),
      ...(isSession && { session: { account: session, bundler: world.operatorBundler } }),
      owner: {
        askToRevoke: async (_, asked) =>
          void (await revoke(signer, { delegation: asked, cause: 'suspected' })),
        askToGrant: async (rotation, _, delegate) => {
          const isOff = (await revoke(signer, { delegation: root, cause: 'check' })).type === 'already'
          if (!isOff) seen.roots += 1
          if (!storage.grants.has(rotation.id))
            storage.grants.set(rotation.id, await world.signRoot(account, delegate, [cage]))
        },
      },
      onEvent: (event) => events.push(event),
    })
    storage.state.rotation = planRotation({
      id,
      kind,
      reason: kind === 'suspected' ? 'suspected' : 'age',
      oldKey: oldKey.publicKey,
      chain: redelegationState([root], world.deployment),
    })

    const redeemerOf = (key: SessionKey) =>
      isSession
        ? world.operationRedeemer({ ...session, signer: sessionKeySigner(key) })
        : world.directRedeemer(key)
    let ticks = 0
    const trade = async (key: SessionKey, links: readonly Delegation[], times = 1n) =>
      redeem(redeemerOf(key), {
        id: `${id}-tick-${++ticks}`,
        steps: [{ links, calls: world.swapCalls(account.address, times * hundred) }],
      })

    /** Runs the rotation to its end. Each round after a wait is a turn of the owner. */
    async function finish() {
      for (let turn = 0; turn < 5 && storage.state.rotation?.status === 'open'; turn += 1)
        await runRotation(ports, id)
      return storage.state.rotation
    }

    /** One key is left, it is the active one, and it trades from the same budget. */
    async function expectRotated() {
      const rotation = await finish()
      expect(rotation).toMatchObject({ status: 'done', newKey: storage.state.active })
      expect([...storage.keys.keys()]).toEqual([storage.state.active])
      const newKey = storage.keys.get(storage.state.active)
      if (!newKey) throw new Error('no key')
      if (kind === 'suspected' && newKey.address) await world.fund(newKey.address, { ETH: parseEther('1') })
      const links = isSession ? [root] : (storage.chains.get(newKey.publicKey) ?? [])
      await trade(newKey, links)
      return { newKey, links }
    }

    /** The old key spends $500 of the day's $1,000: the new one gets exactly the other $500. */
    async function expectOneBudget() {
      await trade(oldKey, [root], 5n)
      const { newKey, links } = await expectRotated()
      await trade(newKey, links, 4n)
      await expect(trade(newKey, links)).rejects.toMatchObject({ code: 'SPEND_LIMIT_EXCEEDED' })
      return { newKey, links }
    }

    return {
      ...storage,
      id,
      oldKey,
      root,
      ports,
      events,
      seen,
      session,
      golem,
      trade,
      finish,
      expectRotated,
      expectOneBudget,
    }
  }

  it.each(['secp256k1', 'p256'] as const)('swaps a session account’s signer (%s)', async (curve) => {
    const golem = await open('session-account', curve)
    await golem.expectOneBudget()
    await expect(golem.trade(golem.oldKey, [golem.root])).rejects.toThrow()
    expect(golem.events.map(({ name }) => name)).toEqual([
      'sessionKey.generated',
      'sessionKey.rotationTriggered',
      'custody.sessionKeyRotated',
    ])
  })

  it('moves a direct key’s delegation and gas to the new key', async () => {
    const golem = await open('direct')
    const before = await world.client.getBalance({ address: sessionKeyAccount(golem.oldKey).address })
    const { links, newKey } = await golem.expectOneBudget()
    expect(links).toHaveLength(2)
    const vitals = createVitalsClient({
      client: world.client,
      address: world.deployment.contracts.golemVitals,
      golem: golem.golem,
      submitter: world.directRedeemer(newKey).submitter,
    })
    expect((await vitals.read()).writer).toBe(sessionKeyAccount(newKey).address)
    await vitals.heartbeat(`${golem.id}-beat`)
    expect(redelegationState(links, world.deployment)).toEqual({ redelegations: 1, mayRedelegate: true })
    const [old, next] = [
      await world.client.getBalance({ address: sessionKeyAccount(golem.oldKey).address }),
      await world.client.getBalance({ address: sessionKeyAccount(newKey).address }),
    ]
    expect(next).toBeGreaterThan(before / 2n)
    expect(old).toBe(0n)
  })

  it('moves gas once, by the amount decided first', async () => {
    const golem = await open('direct')
    const newKey = await golem.store.makeKey(golem.id)
    const rotation = { ...(golem.state.rotation as Rotation), newKey }
    const next = (await golem.store.signerOf(newKey))?.address
    if (!next) throw new Error('no key')
    await world.god.setAutomine(false)
    expect(await golem.ports.perform['move-gas'](rotation)).toEqual({ kind: 'waiting' })
    // Meanwhile the old key receives ETH: decided now, the amount would be larger.
    const { address } = sessionKeyAccount(golem.oldKey)
    await world.god.setBalance({ address, value: parseEther('2') })
    await world.god.setAutomine(true)
    await world.god.mine({ blocks: 1 })
    expect(await golem.ports.perform['move-gas'](rotation)).toEqual({ kind: 'done' })
    expect(await golem.ports.perform['move-gas'](rotation)).toEqual({ kind: 'done' })
    expect(await world.client.getBalance({ address: next })).toBeLessThan(parseEther('1'))
  })

  it('replaces a suspected key with a new grant, after the old root is revoked', async () => {
    const golem = await open('suspected')
    await golem.expectOneBudget()
    expect(golem.seen.roots).toBe(1)
    // Its gas is on the new key: no attacker took it first.
    expect(await world.client.getBalance({ address: sessionKeyAccount(golem.oldKey).address })).toBe(0n)
    await expect(golem.trade(golem.oldKey, [golem.root])).rejects.toMatchObject({
      code: 'DELEGATION_DISABLED',
    })
  })

  it('of a suspected key leaves the thief neither an account nor gas', async () => {
    const { owner, account } = await world.hybridOwner()
    const oldKey = await world.sessionKey()
    const session = hybridAccount(world.deployment, {
      began: signersOf(oldKey),
      signer: sessionKeySigner(oldKey),
      salt: world.salt(),
    })
    const cage = await world.cageCaveat(account.address, await world.registerGolem(owner.address))
    const root = await world.signRoot(account, session.address, [cage])
    const { timestamp } = await world.client.getBlock()
    const gas = await signGasDraw(account, {
      delegate: session.address,
      allowance: { amount: parseEther('0.05'), periodSeconds: 86_400n, start: timestamp },
    })
    const signer = { ...world, account, key: owner.address, submitter: world.submitterOf(owner) }
    const storage = createStore(oldKey, [root], 'secp256k1')
    const asked: Delegation[] = []
    const delegates: string[] = []
    const ports = createRotationPorts({
      ...world,
      journal: createMemoryJournal(),
      clock: createTestClock(),
      settings: { finality: 1, patienceMs: 5_000 },
      store: storage.store,
      expiresAt: 0n,
      session: { account: session, bundler: world.operatorBundler },
      besides: [gas],
      owner: {
        async askToRevoke(_, delegation) {
          asked.push(delegation)
          await revoke(signer, { delegation, cause: 'suspected' })
        },
        async askToGrant(rotation, _, delegate) {
          expect(await Promise.all([root, gas].map((each) => isDisabled(signer, each)))).toEqual([true, true])
          delegates.push(delegate)
          // First the owner's page grants to the old session account, for which the thief can still sign.
          const to = delegates.length === 1 ? session.address : delegate
          storage.grants.set(rotation.id, await world.signRoot(account, to, [cage]))
        },
      },
    })
    const plan = (id: string) =>
      planRotation({ id, kind: 'suspected', reason: 'suspected', oldKey: oldKey.publicKey })
    const finish = async (id: string) => {
      storage.state.rotation = plan(id)
      for (let turn = 0; turn < 5 && storage.state.rotation.status === 'open'; turn += 1)
        await runRotation(ports, id)
      return storage.state.rotation
    }
    expect(await finish('stolen-1')).toMatchObject({
      status: 'failed',
      refusal: `the grant names another delegate: ${session.address}`,
    })
    expect(asked).toEqual([root, gas])
    expect(await finish('stolen-2')).toMatchObject({ status: 'done' })
    const newKey = storage.keys.get(storage.state.active)
    if (!newKey) throw new Error('no key')
    const fresh = hybridAccount(world.deployment, {
      began: signersOf(newKey),
      signer: sessionKeySigner(newKey),
    })
    expect(delegates[1]).toBe(fresh.address)
    expect(delegates).not.toContain(session.address)
    await world.fund(fresh.address, { ETH: parseEther('1') })
    const calls = world.swapCalls(account.address, hundred)
    const links = storage.chains.get(newKey.publicKey) ?? []
    await redeem(world.operationRedeemer(fresh), { id: 'new-key', steps: [{ links, calls }] })
  })

  it('refuses a grant of another lineage or for another key', async () => {
    const golem = await open('suspected')
    const { account } = await world.hybridOwner()
    golem.grants.set(golem.id, await world.signRoot(account, golem.root.delegate, golem.root.caveats))
    await golem.finish()
    expect(golem.state.rotation).toMatchObject({ status: 'failed' })
    expect(golem.state.rotation?.refusal).toContain('the grant names another delegate')
    const other = await open('suspected')
    const name = await other.store.makeKey(other.id)
    const next = (await other.store.signerOf(name))?.address
    if (!next) throw new Error('no key')
    const elsewhere = await world.cageCaveat(account.address, await world.registerGolem(account.address))
    other.grants.set(other.id, await world.signRoot(account, next, [elsewhere]))
    await other.finish()
    expect(other.state.rotation?.refusal).toContain('second budget')
  })

  const crashes = (Object.keys(rotationSteps) as RotationKind[]).flatMap((kind) =>
    rotationSteps[kind].flatMap((step) =>
      (['before', 'after'] as const).map((when) => [kind, when, step] as const),
    ),
  )

  it.each(crashes)('(%s) killed %s %s ends with one key and one budget', async (kind, when, step) => {
    const golem = await open(kind)
    for (let start = 0; start < 6; start += 1)
      await runRotation(crashing(golem.ports, step, when), golem.id).catch((error: unknown) => {
        if (!(error instanceof Killed)) throw error
      })
    await golem.expectRotated()
    expect(golem.seen.roots).toBe(1)
  })

  it('does not start if the root forbids redelegation', async () => {
    const golem = await open('direct')
    const redeemer = world.framework.caveatEnforcers['RedeemerEnforcer'] ?? '0x'
    const bound = {
      ...golem.root,
      caveats: [{ enforcer: redeemer, terms: golem.root.delegate, args: '0x' as const }],
    }
    expect(redelegationState([bound], world.deployment).mayRedelegate).toBe(false)
    expect(() =>
      planRotation({
        id: 'x',
        kind: 'direct',
        reason: 'age',
        oldKey: '0x01',
        chain: redelegationState([bound], world.deployment),
      }),
    ).toThrow('does not allow this key to redelegate')
  })
})
