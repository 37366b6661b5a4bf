import { revoke } from '@bardo/chain'
import { cage, type Delegation } from '@bardo/core'
import type { Devnet } from '@bardo/devnet'
import { createGolem } from '@bardo/golem/heartbeat'
import { regrant } from '@bardo/golem/requests'
import { balanceOf, partsOf, summonIn } from '@bardo/golem/testing/golemWorld'
import { openTestWorld, type TestWorld } from '@bardo/golem/testing/openStoreLocation'
import type { Store } from '@bardo/store'
import { type Hash, parseUnits } from 'viem'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { callTool } from './callTool.ts'
import { getDelegationTree } from './getDelegationTree.ts'
import { getStatus } from './getStatus.ts'
import { revokePermissions } from './revokePermissions.ts'

const dca = 'Every day, swap $50 of USDC into WETH.\n\nlifespan: 30 days'

let world: Devnet
let opened: TestWorld
let store: Store
beforeAll(async () => {
  opened = await openTestWorld()
  ;({ world, store } = opened)
})
afterAll(() => opened?.stop())

/**
 * A delegation of an earlier version: a salt that names no strategy, and numbers that today's compiler does
 * not choose.
 */
function signedEarlier(root: Delegation): Delegation {
  const caveats = root.caveats.map((caveat) => {
    const terms = cage.decode(caveat.terms)
    const dollarsByPhase = [40, 30, 0, 0, 0] as const
    return { ...caveat, terms: cage.encode({ ...terms, slippageBps: 77, dayCents: 4_321n, dollarsByPhase }) }
  })
  return { ...root, caveats, salt: 1_794_841_859n }
}

const spent = async (account: `0x${string}`) =>
  parseUnits('10000', 6) - (await balanceOf(world, world.addresses.usdc, account))

describe('a Golem summoned by an earlier version', () => {
  it('trades within the signed numbers, not those of today’s compiler', async () => {
    const { id, account } = await summonIn(world, store, dca, signedEarlier)
    const golem = await createGolem(partsOf(world, store, id))
    expect((await golem.status()).permission.plan).toMatchObject({ slippageBps: 77, dayCents: 4_321n })
    expect(await golem.tick()).toMatchObject({ type: 'ticked', state: { pending: undefined } })
    expect(await spent(account)).toBe(parseUnits('40', 6))
  })

  it('uses the signed router and price feeds after the address book has changed', async () => {
    const { id, account } = await summonIn(world, store, dca, signedEarlier)
    const parts = partsOf(world, store, id)
    const book = { ...parts.book, contracts: {}, vaults: new Map(), pools: new Map() }
    const golem = await createGolem({ ...parts, book })
    await golem.tick()
    expect(await spent(account)).toBe(parseUnits('40', 6))
  })

  it('can be killed, and its wind-down completes', async () => {
    const { id } = await summonIn(world, store, dca, signedEarlier)
    const golem = await createGolem(partsOf(world, store, id))
    expect(await golem.kill()).toMatchObject({ type: 'dying', phase: 'over' })
    expect(await golem.look()).toMatchObject({ vitals: { state: 'dead' } })
  })

  it('is bound to its strategy text from its next feed on', async () => {
    const { id, signer } = await summonIn(world, store, dca, signedEarlier)
    const parts = partsOf(world, store, id)
    await regrant(signer, parts)
    await change(id, `${dca}\nbudget: $9/day`)
    const golem = await createGolem(parts)
    expect(await golem.tick()).toMatchObject({ state: { recovery: { reason: 'strategyChanged' } } })
  })
})

/** A thief with the database writes another strategy for a Golem. */
async function change(id: Hash, text: string): Promise<void> {
  const stored = await store.golems.find(id)
  if (!stored?.strategy) throw new Error('the Golem has no strategy')
  await store.golems.save({ ...stored, strategy: { ...stored.strategy, text } })
}

/** A Golem, opened after its stored strategy text was changed. */
async function changed(text = dca.replace('$50', '$500')) {
  const { id, account, signer, root } = await summonIn(world, store, dca)
  await change(id, text)
  const parts = partsOf(world, store, id)
  const golem = await createGolem(parts)
  const { client, deployment, book, clock } = parts
  const context = { store, client, deployment, book, clock, golem: id, open: async () => golem }
  return { id, account, signer, root, parts, golem, context }
}

describe('a Golem whose stored strategy text was changed', () => {
  it.each([
    ['another strategy', dca.replace('$50', '$500')],
    ['no strategy at all', ''],
    ['something that is not a strategy', '][ lifespan: 0 days'],
  ])('can be killed, and its wind-down completes: %s', async (_, text) => {
    const { golem, context } = await changed(text)
    const ended = await callTool(context, revokePermissions, { reason: 'owner_kill_switch' })
    expect(ended).toMatchObject({ sessionAccountInvalidated: true })
    expect(await golem.look()).toMatchObject({ vitals: { state: 'dead' } })
  })

  it('shows the signed limits in status and tree, and reports that it does not act', async () => {
    const { context, golem } = await changed()
    const signed = 'at most $50 in any 24 hours'
    expect((await callTool(context, getDelegationTree, {})).text).toContain(signed)
    expect((await golem.status()).permission.plan.sizeCents[0]).toBe(5_000n)
    const { healthChecks } = await callTool(context, getStatus, {})
    const note = 'Its stored strategy differs from the one that the owner signed.'
    expect(healthChecks).toContainEqual({ name: 'strategy', ok: false, note })
  })

  it('enters observe-only mode, moves nothing, and refuses action requests', async () => {
    const { id, account, golem } = await changed()
    expect(await golem.tick()).toMatchObject({ state: { recovery: { reason: 'strategyChanged' } } })
    expect(await spent(account)).toBe(0n)
    const swap = { type: 'swap', from: 'USDC', to: 'WETH', cents: 1_000n, because: 'a test' } as const
    const refusal = {
      code: 'CONFIG_INVALID',
      shortMessage: 'The stored strategy differs from the one that the owner signed.',
      remedy: expect.stringContaining(`bardo kill ${id}`),
    }
    await expect(golem.preview(swap)).rejects.toMatchObject(refusal)
    await expect(golem.draw('one')).rejects.toMatchObject(refusal)
    const child = {
      name: 'child',
      dailyCents: 100n,
      budgetCents: 100n,
      runwayCents: 0n,
      lifespanSeconds: 3_600,
      calls: 1,
      gas: 0n,
    }
    await expect(golem.replicate(child)).rejects.toMatchObject(refusal)
  })

  it('begins to die when its owner revokes', async () => {
    const { signer, root, golem } = await changed()
    await revoke(signer, { delegation: root, cause: 'owner' })
    expect(await golem.tick()).toMatchObject({ type: 'dying', death: { trigger: 'ownerRevocation' } })
  })

  it('refuses a feed with the changed text, and continues with a text that its owner signs', async () => {
    const { signer, parts, account } = await changed()
    await expect(regrant(signer, parts)).rejects.toMatchObject({ code: 'CONFIG_INVALID' })
    await regrant(signer, parts, dca.replace('$50', '$20'))
    const golem = await createGolem(parts)
    expect(await golem.tick()).toMatchObject({ type: 'ticked', state: { recovery: { type: 'acting' } } })
    expect(await spent(account)).toBe(parseUnits('20', 6))
  })
})
