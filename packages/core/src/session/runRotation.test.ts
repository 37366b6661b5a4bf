import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { BardoError } from '../errors/BardoError.ts'
import {
  advanceRotation,
  type KeyName,
  nextRotationStep,
  operatingKey,
  planRotation,
  type Rotation,
  type RotationKind,
  rotationSteps,
  type StepResult,
} from './rotation.ts'
import { type RotationPorts, runRotation } from './runRotation.ts'

const oldKey: KeyName = '0x01d'
const chain = { redelegations: 0, mayRedelegate: true }
const kinds = Object.keys(rotationSteps) as RotationKind[]
const done: StepResult = { kind: 'done' }
const waiting: StepResult = { kind: 'waiting' }

type Root = { delegate: KeyName; enabled: boolean }
type Transaction = 'pending' | 'landed' | 'refused'

/** The chain, the store and the owner of one Golem. They survive every worker. */
class World {
  rotation: Rotation
  history: Rotation[]
  stored = new Set<KeyName>([oldKey])
  wiped = new Set<KeyName>()
  active: KeyName = oldKey
  signer: KeyName = oldKey
  roots: Root[] = [{ delegate: oldKey, enabled: true }]
  redelegations = new Map<KeyName, KeyName>()
  transactions = new Map<string, Transaction>()
  made: KeyName | undefined
  granted = 0
  flying = 5
  gas = new Map<KeyName, number>([[oldKey, 10]])

  readonly kind: RotationKind
  readonly refusedStep: string

  constructor(kind: RotationKind, refusedStep: string) {
    this.kind = kind
    this.refusedStep = refusedStep
    const reason = kind === 'suspected' ? 'suspected' : 'age'
    this.rotation = planRotation({ id: 'r', kind, reason, oldKey, chain })
    this.history = [this.rotation]
  }

  /** A transaction with its intent's id: sent once, however often it is requested. */
  transact(id: string): StepResult {
    const state = this.transactions.get(id)
    if (state === 'landed') return done
    if (state === 'refused') return { kind: 'refused', why: id }
    if (!state) {
      // The owner signs the others.
      if (['swap-signer', 'hand-over', 'move-gas'].includes(id)) expect(this.stored).toContain(oldKey)
      this.transactions.set(id, 'pending')
    }
    return waiting
  }

  /** Mines a block, and lets the owner act. */
  turn() {
    this.flying = Math.max(0, this.flying - 1)
    for (const [id, state] of this.transactions) {
      if (state !== 'pending') continue
      if (id === this.refusedStep) this.transactions.set(id, 'refused')
      else this.mine(id)
    }
  }

  mine(id: string) {
    this.transactions.set(id, 'landed')
    const newKey = this.made ?? '0x'
    if (id === 'swap-signer') this.signer = newKey
    if (id === 'disable-root') for (const root of this.roots) root.enabled = false
    if (id === 'request-grant') {
      this.granted += 1
      this.roots.push({ delegate: newKey, enabled: true })
    }
    if (id === 'move-gas') {
      this.gas.set(newKey, (this.gas.get(newKey) ?? 0) + (this.gas.get(oldKey) ?? 0))
      this.gas.set(oldKey, 0)
    }
  }

  /** Whether the store has the key and the chain accepts it. */
  isUsable(key: KeyName): boolean {
    if (!this.stored.has(key)) return false
    if (this.kind === 'session-account') return this.signer === key
    return this.roots.some(
      ({ delegate, enabled }) => enabled && (delegate === key || this.redelegations.get(key) === delegate),
    )
  }

  wipe(key: KeyName | undefined): StepResult {
    if (key) {
      expect(key).not.toBe(this.active)
      if (key === oldKey) expect(this.flying).toBe(0)
      this.stored.delete(key)
      this.wiped.add(key)
    }
    return done
  }

  /** One worker's view: it crashes at call `dieAt`, or works on a state that is `behind` writes old. */
  ports(dieAt: number, behind: number): RotationPorts {
    let calls = 0
    let stale = behind
    const dieOr = async <Result>(run: () => Result): Promise<Result> => {
      const call = calls++
      // Even calls crash before their effect, odd ones after it.
      if (call * 2 >= dieAt) throw new BardoError('killed', { code: 'INTERNAL' })
      const result = run()
      if (call * 2 + 1 >= dieAt) throw new BardoError('killed', { code: 'INTERNAL' })
      return result
    }
    const step = (run: (rotation: Rotation) => StepResult) => (rotation: Rotation) =>
      dieOr(() => run(rotation))
    const transaction = (id: string) => step(() => this.transact(id))
    return {
      load: () =>
        dieOr(() => {
          const seen = this.history.at(-1 - stale) ?? this.rotation
          stale = 0
          return seen
        }),
      save: (next) =>
        dieOr(() => {
          if (next.version !== this.rotation.version + 1) return false
          this.rotation = next
          this.history.push(next)
          return true
        }),
      perform: {
        'make-key': step(() => {
          // Stored with the rotation's id: the second try finds the first one's key, or its tombstone.
          this.made ??= '0x4e'
          if (!this.wiped.has(this.made)) this.stored.add(this.made)
          return { kind: 'done', newKey: this.made }
        }),
        'disable-root': transaction('disable-root'),
        'swap-signer': transaction('swap-signer'),
        'hand-over': transaction('hand-over'),
        'request-grant': transaction('request-grant'),
        'move-gas': transaction('move-gas'),
        drain: step(() => (this.flying > 0 ? waiting : done)),
        redelegate: step(({ newKey }) => {
          if (this.refusedStep === 'redelegate') return { kind: 'refused', why: 'redelegate' }
          if (newKey) this.redelegations.set(newKey, oldKey)
          return done
        }),
        switch: step(({ newKey }) => {
          if (newKey && this.active === oldKey) this.active = newKey
          return done
        }),
        'wipe-old': step(() => this.wipe(oldKey)),
        'wipe-new': step(({ newKey }) => this.wipe(newKey)),
      },
    }
  }

  /** What holds at every moment, wherever a worker crashed. */
  check() {
    expect(this.roots.filter(({ enabled }) => enabled).length).toBeLessThanOrEqual(1)
    expect(this.granted).toBeLessThanOrEqual(1)
    const operating = operatingKey(this.rotation)
    if (operating) expect(this.isUsable(operating)).toBe(true)
    if (this.kind === 'suspected') expect(operating).not.toBe(oldKey)
    else expect([...this.stored].some((key) => this.isUsable(key))).toBe(true)
    if (this.rotation.status === 'done') {
      expect(this.active).toBe(this.rotation.newKey)
      expect(this.isUsable(this.active)).toBe(true)
      expect([...this.stored]).toEqual([this.active])
      if (this.kind === 'direct') expect(this.gas.get(this.active)).toBe(10)
    }
    if (this.rotation.status === 'failed') {
      expect([...this.stored]).toEqual([oldKey])
      if (this.kind !== 'suspected') expect(this.isUsable(oldKey)).toBe(true)
    }
  }
}

async function run(world: World, dieAt = Number.POSITIVE_INFINITY, behind = 0) {
  await runRotation(world.ports(dieAt, behind), 'r').catch((error) => {
    if (error.message !== 'killed') throw error
  })
  world.check()
}

async function finish(world: World) {
  for (let turn = 0; turn < 20; turn += 1) {
    await run(world)
    world.turn()
    world.check()
  }
}

describe('a rotation', () => {
  it.each(kinds)('ends with one usable key (%s)', async (kind) => {
    const world = new World(kind, '')
    await finish(world)
    expect(world.rotation).toMatchObject({ status: 'done', newKey: '0x4e' })
  })

  it.each([
    ['session-account', 'swap-signer'],
    ['direct', 'redelegate'],
    ['direct', 'hand-over'],
    ['suspected', 'request-grant'],
  ] as const)('of kind %s is undone if %s is refused', async (kind, step) => {
    const world = new World(kind, step)
    await finish(world)
    expect(world.rotation).toMatchObject({ status: 'failed', refusal: step })
  })

  it('survives crashes between any two steps, any number of times, with slower workers', async () => {
    const event = fc.oneof(
      { weight: 3, arbitrary: fc.record({ dieAt: fc.nat(16), behind: fc.constant(0) }) },
      { weight: 1, arbitrary: fc.record({ dieAt: fc.nat(16), behind: fc.nat(6) }) },
      { weight: 2, arbitrary: fc.constant('turn' as const) },
    )
    const refused = fc.constantFrom('', '', 'swap-signer', 'redelegate', 'hand-over', 'request-grant')
    await fc.assert(
      fc.asyncProperty(
        fc.constantFrom(...kinds),
        refused,
        fc.array(event, { maxLength: 40 }),
        async (kind, refusedStep, events) => {
          const world = new World(kind, refusedStep)
          for (const one of events) {
            if (one === 'turn') world.turn()
            else await run(world, one.dieAt, one.behind)
            world.check()
          }
          await finish(world)
          const steps: readonly string[] = rotationSteps[kind]
          expect(world.rotation.status).toBe(steps.includes(refusedStep) ? 'failed' : 'done')
        },
      ),
      { numRuns: process.env['BARDO_TEST'] === 'full' ? 4_000 : 400 },
    )
  }, 120_000)

  it('does not turn back after the switch', () => {
    let rotation = planRotation({ id: 'r', kind: 'direct', reason: 'age', oldKey, chain })
    while (nextRotationStep(rotation) !== 'move-gas')
      rotation = advanceRotation(rotation, { kind: 'done', newKey: '0x4e' })
    expect(advanceRotation(rotation, { kind: 'refused', why: 'no gas' })).toBe(rotation)
  })

  it('is refused if it cannot succeed', () => {
    const refused = expect.objectContaining({ code: 'ROTATION_REFUSED' })
    const plan = { id: 'r', kind: 'direct', reason: 'age', oldKey } as const
    expect(() => planRotation(plan)).toThrow(refused)
    expect(() => planRotation({ ...plan, chain: { ...chain, mayRedelegate: false } })).toThrow(refused)
    expect(() => planRotation({ ...plan, chain: { ...chain, redelegations: 4 } })).toThrow(refused)
    expect(() => planRotation({ ...plan, chain, reason: 'suspected' })).toThrow(refused)
  })
})

describe('a step that fails because another worker was faster', () => {
  /** A rotation whose last step fails here, after `meanwhile`. */
  function lateWorker(meanwhile: (stored: Rotation) => Rotation): RotationPorts {
    const steps = rotationSteps.direct
    const before = planRotation({ id: 'r', kind: 'direct', reason: 'age', oldKey, chain })
    let stored: Rotation = { ...before, newKey: '0x02', stepsDone: steps.length - 1, version: 6 }
    const fails = async (): Promise<StepResult> => {
      stored = meanwhile(stored)
      throw new BardoError('The store does not have the key.', { code: 'SESSION_KEY_ZEROED' })
    }
    const { perform } = new World('direct', '').ports(Number.POSITIVE_INFINITY, 0)
    return { load: async () => stored, save: async () => true, perform: { ...perform, 'wipe-old': fails } }
  }

  it('is not a failure: the rotation has the state of the other worker', async () => {
    const ports = lateWorker((stored) => advanceRotation(stored, done))
    await expect(runRotation(ports, 'r')).resolves.toMatchObject({ status: 'done' })
  })

  it('is a failure if the rotation has not changed', async () => {
    await expect(
      runRotation(
        lateWorker((stored) => stored),
        'r',
      ),
    ).rejects.toMatchObject({
      code: 'SESSION_KEY_ZEROED',
    })
  })
})
