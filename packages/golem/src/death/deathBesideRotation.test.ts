import { createVitalsClient } from '@bardo/chain'
import { golemVitals } from '@bardo/contracts'
import type { Devnet } from '@bardo/devnet'
import type { Store } from '@bardo/store'
import type { Wallet } from '@bardo/wallets'
import { encodeFunctionData, parseGwei } from 'viem'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createGolem } from '../heartbeat/createGolem.ts'
import { type DeathStep, deathIntentId } from '../state/death.ts'
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

const fees = { maxFeePerGas: parseGwei('5'), maxPriorityFeePerGas: parseGwei('1') }

describe('a death after a rotation', () => {
  /** The state in which a slow process with the old key leaves a step: stored, with a nonce, or signed. */
  type Left = 'stored' | 'numbered' | 'signed'

  /** Stores a step of a death as a process does that has the old key open. */
  async function leaveStep(
    { golem, parts, root }: Awaited<ReturnType<typeof summon>>,
    { step, left, wallet }: { step: DeathStep; left: Left; wallet: Wallet },
  ) {
    const { chainId, contracts } = parts.deployment
    const { death } = await golem.status()
    if (!death) throw new Error('the Golem is not dying')
    const intentId = deathIntentId(death, step)
    const gas = 200_000n
    const post = { abi: golemVitals.abi, functionName: 'post', args: [golem.id, 3, 0] } as const
    const call = { to: contracts.golemVitals, value: 0n, data: encodeFunctionData(post) }
    const intent = { id: intentId, chainId, from: root.delegate, ...call, gas }
    await store.journal.addIntent(intent, Date.now())
    if (left === 'stored') return
    const nonce = await world.client.getTransactionCount({ address: root.delegate })
    await store.journal.claimNonce(intentId, nonce)
    if (left === 'numbered') return
    const signing = { nonce, fees, purpose: 'intent', earlier: 0, at: Date.now() } as const
    const attempt = await wallet.backend({ client: parts.client, chainId }).sign(intent, signing)
    await store.journal.addAttempt(intentId, 0, attempt)
  }

  it.each(
    (['postDeclining', 'clearDreaming', 'postTerminal', 'surrender', 'wipe'] as const).flatMap((step) =>
      (['stored', 'numbered', 'signed'] as const).map((left) => [step, left] as const),
    ),
  )('does %s with the new key if a process with the old key left it %s', async (step, left) => {
    const all = await summon()
    const { golem, parts, keys } = all
    await golem.beginDeath('killSwitch')
    const wallet = await parts.keys.open()
    if (!wallet) throw new Error('there is no key')
    await golem.rotate('age')
    await leaveStep(all, { step, left, wallet })
    expect(await golem.tick()).toMatchObject({ phase: 'over', death: { impossible: [] } })
    expect(await golem.look()).toMatchObject({ vitals: { state: 'dead' } })
    for (const { address, status } of await keys()) {
      expect(status).toBe('wiped')
      expect(await world.client.getBalance({ address })).toBe(0n)
    }
  })
})

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
