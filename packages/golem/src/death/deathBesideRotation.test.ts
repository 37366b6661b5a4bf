import { createVitalsClient } from '@bardo/chain'
import type { Devnet } from '@bardo/devnet'
import type { Store } from '@bardo/store'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createGolem } from '../heartbeat/createGolem.ts'
import { partsOf, summonIn } from '../testing/golemWorld.ts'
import { openTestWorld, type TestWorld } from '../testing/openStoreLocation.ts'

const dca = 'Every day, swap $50 of USDC into WETH.\n\nlifespan: 30 days'

let world: Devnet
let context: TestWorld
let store: Store
beforeAll(async () => {
  context = await openTestWorld()
  ;({ world, store } = context)
})
afterAll(() => context?.stop())

async function summon() {
  const summoned = await summonIn(world, store, dca)
  const parts = partsOf(world, store, summoned.id)
  const keys = () => store.sessionKeys.list(summoned.id)
  return { ...summoned, parts, keys, golem: await createGolem(parts) }
}

describe('a death during a rotation', () => {
  /**
   * Rotates the same Golem in another process, which crashes right after the row was passed to the new key.
   */
  async function rotateAndCrash({ parts, root, id, signer }: Awaited<ReturnType<typeof summon>>) {
    const { client, deployment } = parts
    const address = deployment.contracts.golemVitals
    const row = createVitalsClient({ client, address, golem: id, submitter: signer.submitter })
    const isHandedOver = async () => (await row.read()).writer.toLowerCase() !== root.delegate.toLowerCase()
    const failing = (rotations: Store['rotations']): Store['rotations'] => ({
      ...rotations,
      async save(rotation) {
        if (await isHandedOver()) throw new Error('simulated crash')
        return rotations.save(rotation)
      },
    })
    const dying: Store = {
      ...store,
      rotations: failing(store.rotations),
      transaction: (work) =>
        store.transaction((inner) => work({ ...inner, rotations: failing(inner.rotations) })),
    }
    const other = await createGolem({ ...parts, store: dying })
    await expect(other.rotate('age')).rejects.toThrow('simulated crash')
  }

  it('waits while the row is passed to another key, and continues with that key', async () => {
    const all = await summon()
    const { golem, id, keys } = all
    await golem.beginDeath('killSwitch')
    await rotateAndCrash(all)
    expect(await store.rotations.underWay(id)).toMatchObject({ kind: 'direct' })
    // A process without the vault cannot continue the rotation, and the old key cannot write the row any
    // more: the step waits.
    const { keys: source } = all.parts
    const withoutVault = await createGolem({
      ...all.parts,
      keys: { open: () => source.open(), wipe: async () => {} },
    })
    expect(await withoutVault.tick()).toMatchObject({
      type: 'dying',
      phase: 'acceptance',
      death: { stepsDone: 0, impossible: [] },
    })
    expect(await golem.tick()).toMatchObject({ phase: 'over', death: { impossible: [] } })
    expect(await store.rotations.underWay(id)).toBeUndefined()
    expect(await golem.look()).toMatchObject({ vitals: { state: 'dead' } })
    for (const { status } of await keys()) expect(status).toBe('wiped')
  })
})
