import type { Devnet } from '@bardo/devnet'
import type { Store } from '@bardo/store'
import { parseEther, parseGwei } from 'viem'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { createGolem } from '../heartbeat/createGolem.ts'
import { vaultStrategy } from '../strategy/vaultStrategy.ts'
import { balanceOf, partsOf, summonIn } from '../testing/golemWorld.ts'
import { openTestWorld, type TestWorld } from '../testing/openStoreLocation.ts'

const vaults =
  '- Deposit USDC into the vault when the balance is above $200.\n- Withdraw USDC from the vault when funds are needed.\n\nbudget: $1,000/day\nlifespan: 30 days'

/** A short replacement time: an underpaid transaction is soon signed again. */
const submitter = { finality: 1, pollMs: 20, replaceAfterMs: 100 }

let world: Devnet
let context: TestWorld
let store: Store
beforeAll(async () => {
  context = await openTestWorld()
  ;({ world, store } = context)
})
afterAll(() => context?.stop())

/** A Golem with shares in a vault, and little gas left in its key. */
async function invested(wei: bigint) {
  const { id, account, root } = await summonIn(world, store, vaults)
  const golem = await createGolem(partsOf(world, store, id, { strategy: vaultStrategy, submitter }))
  await golem.tick()
  const shares = () => balanceOf(world, world.addresses.usdcVault, account)
  expect(await shares()).toBeGreaterThan(0n)
  await world.client.setBalance({ address: root.delegate, value: wei })
  return { id, golem, shares }
}

/** Mines a block at this base fee. The base fee of the next blocks follows from it. */
async function setBaseFee(wei: bigint) {
  await world.client.setNextBlockBaseFeePerGas({ baseFeePerGas: wei })
  await world.client.mine({ blocks: 1 })
}

it('makes a dying Golem wait for a fee that it can pay, then settle and surrender', async () => {
  const { id, golem, shares } = await invested(parseEther('0.01'))
  await setBaseFee(parseGwei('400'))
  for (const _ of [1, 2])
    expect(await golem.kill()).toMatchObject({
      type: 'dying',
      phase: 'acceptance',
      death: { impossible: [] },
    })
  await setBaseFee(1n)
  expect(await golem.tick()).toMatchObject({
    phase: 'over',
    death: { impossible: [], unwound: { settled: [{ id: 'vault-USDC' }], deferred: [] } },
  })
  expect(await shares()).toBe(0n)
  const names = (await store.events.read({ after: 0, golem: id, limit: 1_000 })).map(({ name }) => name)
  expect(names).toContain('PERMISSION_REVOKED')
})

it('makes a dying Golem close a position once the fee is low', async () => {
  const { golem, shares } = await invested(parseEther('0.01'))
  await setBaseFee(1n)
  await golem.beginDeath('killSwitch')
  // The acceptance is done: the death continues with settling.
  await store.transaction(async ({ golemStates }) => {
    const death = (await golemStates.find(golem.id))?.death
    const settling = { ...(death as object), stepsDone: 2, version: 1 }
    expect(await golemStates.saveDeath(golem.id, 1, settling)).toBe(true)
  })
  await setBaseFee(parseGwei('400'))
  expect(await golem.tick()).toMatchObject({ phase: 'settlement', death: { impossible: [] } })
  expect(await shares()).toBeGreaterThan(0n)
  await setBaseFee(1n)
  expect(await golem.tick()).toMatchObject({
    phase: 'over',
    death: { impossible: [], unwound: { settled: [{ id: 'vault-USDC' }], deferred: [] } },
  })
  expect(await shares()).toBe(0n)
})

it('does not make a dying Golem wait if its key is empty', async () => {
  const { golem } = await invested(0n)
  await setBaseFee(parseGwei('1'))
  const { death } = Object.assign({ death: undefined }, await golem.kill())
  expect(death).toMatchObject({
    impossible: expect.arrayContaining([{ step: 'surrender', because: 'the session key has no gas' }]),
  })
})
