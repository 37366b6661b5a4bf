import { revoke } from '@bardo/chain'
import { createGolem } from '@bardo/golem/heartbeat'
import { parseEther } from 'viem'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { callTool } from './callTool.ts'
import { checkPermissionHealth } from './checkPermissionHealth.ts'
import { explainActionTool } from './explainActionTool.ts'
import { getDelegationTree } from './getDelegationTree.ts'
import { getStatus } from './getStatus.ts'
import { listSessionKeys } from './listSessionKeys.ts'
import { previewActionTool } from './previewActionTool.ts'
import { replicateTool } from './replicateTool.ts'
import { openToolWorld, type ToolWorld } from './testing/toolWorld.ts'

const day = 86_400
const share = {
  name: 'gamma',
  dailyCents: 200n,
  budgetCents: 300n,
  runwayCents: 500n,
  lifespanSeconds: day,
  calls: 10,
  gas: parseEther('0.01'),
}

let world: ToolWorld
beforeAll(async () => {
  world = await openToolWorld()
})
afterAll(() => world?.stop())

async function parentAndChild() {
  const summoned = await world.summon()
  const { golem, context } = summoned
  const { timestamp: born } = await world.world.client.getBlock()
  const id = await golem.replicate(share)
  const child = await createGolem(world.partsFor(id))
  return { ...summoned, child, childId: id, childContext: { ...context, golem: id }, born: Number(born) }
}

describe('a Replicant', () => {
  it('shows its own end and its parent; the parent shows its children', async () => {
    const { id, context, childId, childContext, born } = await parentAndChild()
    const status = await callTool(childContext, getStatus, {})
    expect(status.parent).toBe(id)
    expect(status.endsAt - status.beganAt).toBe(day)
    expect(status.endsAt).toBeGreaterThanOrEqual(born + day)
    expect(status.endsAt).toBeLessThan(born + day + 600)
    const parent = await callTool(context, getStatus, {})
    expect(parent.endsAt - parent.beganAt).toBe(30 * day)
    expect(parent).toMatchObject({ parent: null, children: [{ golem: childId, name: 'gamma' }] })
  })

  it('is created by an agent with the tool, once for each name and within the signed numbers', async () => {
    const { context } = await world.summon('Swap USDC into WETH. Spawn two replicants.\n\nbudget: $30/day\n')
    const wish = { name: 'scout', dailyDollars: 2, budgetDollars: 10, hours: 24 }
    const born = await callTool(context, replicateTool, wish)
    expect(replicateTool.say(born)).toContain('scout is alive')
    const { children } = await callTool(context, getStatus, {})
    expect(children).toEqual([{ golem: born.child, name: 'scout' }])
    await expect(callTool(context, replicateTool, wish)).rejects.toThrow(/already has this name/)
    const keyed = { ...wish, name: 'two', idempotencyKey: 'k' }
    const second = await callTool(context, replicateTool, keyed)
    expect(await callTool(context, replicateTool, keyed)).toEqual(second)
    await expect(callTool(context, replicateTool, { ...wish, name: 'three' })).rejects.toThrow(/as many/)
    await expect(
      callTool(context, replicateTool, { ...wish, name: 'four', dailyDollars: 11 }),
    ).rejects.toThrow(/daily budget exceeds/)
    const { context: never } = await world.summon('Swap USDC into WETH. Never spawn replicants.')
    await expect(callTool(never, replicateTool, wish)).rejects.toThrow(/does not allow Replicants/)
  })

  it('is in its parent’s delegation tree with its own limits', async () => {
    const { context, childContext } = await parentAndChild()
    const { text, tree } = await callTool(context, getDelegationTree, {})
    expect(text).toMatch(/gamma to 0x[0-9a-fA-F]{40}: active/)
    const own = await callTool(childContext, getDelegationTree, {})
    expect(tree).toMatchObject({ delegations: [{ delegations: [{ label: 'gamma' }] }] })
    expect(own.text.split('\n').length).toBe(text.split('\n').length)
  })

  it('starts with a healthy permission: a short life is measured by its own length', async () => {
    const { child, childId, childContext } = await parentAndChild()
    await child.tick()
    expect((await child.status()).state.health).toBe('healthy')
    const recorded = await world.store.events.read({ after: 0, golem: childId, limit: 100 })
    expect(recorded.filter(({ name }) => name === 'permission.health')).toMatchObject([
      { body: { health: 'healthy', warnings: [] } },
    ])
    const { health, daysRemaining } = await callTool(childContext, checkPermissionHealth, {})
    expect(health).toBe('healthy')
    expect(daysRemaining).toBeLessThanOrEqual(1)
  })
})

describe('a Golem after its end', () => {
  it('shows a revocation with its time before the Golem’s next tick finds it', async () => {
    const { context, root, signer } = await world.summon()
    await revoke(signer, { delegation: root, cause: 'owner' })
    const { timestamp } = await world.world.client.getBlock()
    const status = await callTool(context, getStatus, {})
    expect(status).toMatchObject({
      status: 'alive',
      survivalScore: 0,
      day: null,
      ended: { because: 'ownerRevocation', at: Number(timestamp) },
      endsAt: Number(timestamp),
    })
    expect(getStatus.say(status)).toContain('is revoked: its owner revoked its delegation, since ')
    expect(getStatus.say(status)).not.toContain('thriving')
  })

  it('shows how and when a dead Golem ended, and neither vitality nor time left', async () => {
    const { context, golem } = await world.summon()
    await golem.kill()
    const status = await callTool(context, getStatus, {})
    expect(status).toMatchObject({
      status: 'dead',
      survivalScore: 0,
      day: null,
      ended: { because: 'killSwitch', at: expect.any(Number) },
    })
    expect(status.endsAt).toBe(status.ended?.at)
    expect(getStatus.say(status)).toMatch(/is dead: its owner ended it, since \d{4}-/)
  })
})

describe('read-only tools', () => {
  it('append nothing to the audit chain, on success and on refusal', async () => {
    const { context, id } = await world.summon()
    const head = () => world.store.audit.head()
    const before = await head()
    await callTool(context, getStatus, {})
    await callTool(context, getDelegationTree, {})
    await callTool(context, checkPermissionHealth, {})
    await callTool(context, listSessionKeys, {})
    const wish = { type: 'swap', from: 'USDC', to: 'WETH', dollars: 5 }
    await callTool(context, explainActionTool, { about: { type: 'wish', wish } })
    await expect(
      callTool(context, explainActionTool, { about: { type: 'transaction', hash: `0x${'12'.repeat(32)}` } }),
    ).rejects.toThrow()
    expect(await head()).toEqual(before)
    // A tool with an effect is recorded from start to end.
    await callTool(context, previewActionTool, { wish })
    const recorded = await world.store.events.read({ after: before.sequence, golem: id, limit: 100 })
    expect(recorded.map(({ name }) => name).filter((name) => name.startsWith('tool:'))).toEqual([
      'tool:start',
      ...previewActionTool.progressSteps.map(() => 'tool:progress'),
      'tool:end',
    ])
  })
})
