import { BardoError } from '@bardo/core'
import { parseUnits } from 'viem'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { balanceOf } from '../runtime/testing/golemWorld.ts'
import { callTool } from './callTool.ts'
import { commitActionTool } from './commitActionTool.ts'
import { explainActionTool } from './explainActionTool.ts'
import { previewActionTool } from './previewActionTool.ts'
import { expectRefusals } from './testing/badInputs.ts'
import { openToolWorld, type ToolWorld } from './testing/toolWorld.ts'
import type { ToolContext } from './toolContext.ts'
import { defineTool } from './toolDefinition.ts'

const wish = { is: 'swap', from: 'USDC', to: 'WETH', dollars: '10' }
const runs = 1_000

let world: ToolWorld
beforeAll(async () => {
  world = await openToolWorld()
})
afterAll(() => world?.stop())

describe('preview_action, commit_action, explain_action', () => {
  it('go from a wish to what became of it', async () => {
    const { context, account, id } = await world.summon()
    const usdc = () => balanceOf(world.world, world.world.addresses.usdc, account)
    const before = await usdc()
    const preview = await callTool(context, previewActionTool, { wish })
    expect(preview).toMatchObject({ valueLimitCents: '1000', currentTick: 2, expiresAtTick: 5 })
    expect(preview.chainWould).toContain('It passes.')
    expect(await usdc()).toBe(before)

    const { permitId } = preview
    const steps: string[] = []
    const done = await callTool(
      context,
      commitActionTool,
      { permitId },
      { onProgress: (_, __, step) => void steps.push(step) },
    )
    expect(done).toMatchObject({ spentCents: '1000', remainingTodayCents: '4000' })
    expect(steps).toEqual(commitActionTool.progressSteps)
    expect(before - (await usdc())).toBe(parseUnits('10', 6))

    for (const about of [
      { is: 'transaction', hash: done.transaction },
      { is: 'intent', id: done.intentId },
    ])
      expect(await callTool(context, explainActionTool, { about })).toMatchObject({
        verdict: 'passes',
        state: 'landed',
        transaction: done.transaction,
      })
    const told = await world.store.events.read({ after: 0, golem: id, limit: 1_000 })
    expect(told.filter(({ name }) => name === 'tool:end').at(1)).toMatchObject({
      body: { tool: 'commit_action', output: { ok: true, spentCents: '1000' } },
    })
    expect(commitActionTool.say(done)).toContain('$40.00 left today')
  })

  it('say what stands in the way of a wish beside a pause, and else how long that is', async () => {
    const { context } = await world.summon(
      'Every minute, swap $10 of USDC into WETH.\n\nbudget: $50/day\nlifespan: 30 days',
    )
    const { permitId } = await callTool(context, previewActionTool, { wish })
    await callTool(context, commitActionTool, { permitId })
    const about = (dollars: number) => ({ about: { is: 'wish', wish: { ...wish, dollars } } })
    const again = await callTool(context, explainActionTool, about(10))
    expect(again.error).toMatch(/^TooSoon\(/)
    const tooMuch = await callTool(context, explainActionTool, about(5_000))
    expect(tooMuch.error).toMatch(/^SizeExceeded\(/)
    expect(tooMuch.remedy).toContain('$10')
  })

  it('say who refuses a wish, with which numbers, and what would pass', async () => {
    const { context } = await world.summon()
    const tooMuch = { ...wish, dollars: 51 }
    const why = await callTool(context, explainActionTool, { about: { is: 'wish', wish: tooMuch } })
    expect(why).toMatchObject({
      verdict: 'refused',
      state: 'notSent',
      link: 0,
      caveat: 'Cage',
      transaction: null,
    })
    expect(why.error).toMatch(/\(.*5100/)
    expect(why.remedy).toContain('$50')
    await expect(callTool(context, previewActionTool, { wish: tooMuch })).rejects.toMatchObject({
      code: 'REDEMPTION_REFUSED',
      details: [expect.stringContaining('Cage')],
      remedy: why.remedy,
    })
    // What the remedy says, passes.
    const { permitId } = await callTool(context, previewActionTool, { wish: { ...wish, dollars: 50 } })
    await callTool(context, commitActionTool, { permitId })
    await expect(callTool(context, previewActionTool, { wish })).rejects.toMatchObject({
      code: 'SPEND_LIMIT_EXCEEDED',
    })
  })

  it('have one effect for a key, and one for a permit, one after another and at once', async () => {
    const { context, account, golem } = await world.summon()
    const before = await balanceOf(world.world, world.world.addresses.usdc, account)
    const asked = { wish, idempotencyKey: 'preview-1' }
    const preview = await callTool(context, previewActionTool, asked)
    expect(await callTool(context, previewActionTool, asked)).toEqual(preview)
    const call = { permitId: preview.permitId, idempotencyKey: 'commit-1' }
    const attempt = () =>
      callTool(context, commitActionTool, call).catch((error: unknown) => {
        // While the first one runs, the second is told so, and to come again.
        expect(error).toMatchObject({ code: 'OUTCOME_UNKNOWN', retryable: true })
        return undefined
      })
    const results = (await Promise.all([attempt(), attempt(), attempt()])).filter((result) => result)
    const again = await callTool(context, commitActionTool, call)
    for (const result of results) expect(result).toEqual(again)
    const others = await Promise.all([
      callTool(context, commitActionTool, { permitId: preview.permitId }),
      callTool(context, commitActionTool, { permitId: preview.permitId, idempotencyKey: 'commit-2' }),
    ])
    for (const { transaction } of others) expect(transaction).toBe(again.transaction)
    expect(before - (await balanceOf(world.world, world.world.addresses.usdc, account))).toBe(
      parseUnits('10', 6),
    )
    const told = await world.store.events.read({ after: 0, golem: golem.id, limit: 1_000 })
    expect(told.filter(({ name }) => name === 'action.landed')).toHaveLength(1)
    const other = { ...call, permitId: '00000000-0000-4000-8000-000000000000' }
    await expect(callTool(context, commitActionTool, other)).rejects.toMatchObject({ code: 'INVALID_INPUT' })
  })

  it('keep what a permit is for no longer than it can be used', async () => {
    const { context, golem, id } = await world.summon()
    const kept = async () => (await world.store.grimoire.list({ golem: id, kind: 'preview' })).length
    const small = { ...wish, dollars: '1' }
    const used = await callTool(context, previewActionTool, { wish: small })
    await callTool(context, previewActionTool, { wish: small })
    expect(await kept()).toBe(2)
    const done = await callTool(context, commitActionTool, { permitId: used.permitId })
    expect(await kept()).toBe(1)
    // What became of it is still told.
    expect(await callTool(context, commitActionTool, { permitId: used.permitId })).toEqual(done)
    for (const _ of [1, 2, 3]) await golem.tick()
    const last = await callTool(context, previewActionTool, { wish: small })
    expect(await kept()).toBe(1)
    expect(await world.store.grimoire.get(id, `preview.${last.permitId}`)).toBeDefined()
  })

  it('do not take one Golem’s permit for another', async () => {
    const [mine, theirs] = [await world.summon(), await world.summon()]
    const { permitId } = await callTool(mine.context, previewActionTool, { wish })
    await expect(callTool(theirs.context, commitActionTool, { permitId })).rejects.toMatchObject({
      code: 'CAPABILITY_INVALID',
    })
    const { intentId } = await callTool(mine.context, commitActionTool, { permitId })
    const about = { is: 'intent', id: intentId }
    await expect(callTool(theirs.context, explainActionTool, { about })).rejects.toMatchObject({
      code: 'INVALID_INPUT',
    })
  })

  it('are not there for the dying, but for explaining', async () => {
    const { context, golem } = await world.summon()
    const { permitId } = await callTool(context, previewActionTool, { wish })
    await golem.doom('killSwitch')
    await expect(callTool(context, previewActionTool, { wish })).rejects.toMatchObject({
      code: 'GOLEM_DYING',
    })
    await expect(callTool(context, commitActionTool, { permitId })).rejects.toMatchObject({
      code: 'GOLEM_DYING',
    })
    const why = await callTool(context, explainActionTool, { about: { is: 'wish', wish } })
    expect(why.state).toBe('notSent')
  })

  const about = { is: 'wish', wish }
  const sent = { is: 'transaction', hash: `0x${'12'.repeat(32)}` }
  it.each([
    ['a preview', previewActionTool, async () => ({ valid: { wish } })],
    [
      'a commit',
      commitActionTool,
      async (context: ToolContext) => {
        const { permitId } = await callTool(context, previewActionTool, { wish })
        return { valid: { permitId } }
      },
    ],
    ['a wish explained', explainActionTool, async () => ({ valid: { about }, plausible: false })],
    ['a transaction explained', explainActionTool, async () => ({ valid: { about: sent } })],
  ])('refuse a thousand bad calls: %s', async (_, tool, options) => {
    const { context } = await world.summon()
    await expectRefusals(context, tool, { ...(await options(context)), runs })
  })

  it('that failed half-way can be sent again at once, under the same name, and only as it was', async () => {
    const { context } = await world.summon()
    const calls: string[] = []
    const fragile = defineTool({
      ...previewActionTool,
      name: 'fragile',
      run: async (_context, input, { id }) => {
        calls.push(id)
        if (calls.length === 1)
          throw new BardoError('Nobody knows.', { code: 'OUTCOME_UNKNOWN', outcome: 'unknown' })
        if (calls.length === 2) throw new BardoError('Nothing was sent.', { code: 'RPC_UNAVAILABLE' })
        const valueLimitCents = `${input.wish.dollars}`
        return { permitId: 'x', valueLimitCents, expiresAtTick: 2, currentTick: 1, chainWould: '' }
      },
    })
    const call = (dollars: string) =>
      callTool(context, fragile, { wish: { ...wish, dollars }, idempotencyKey: 'k' })
    await expect(call('1')).rejects.toMatchObject({ code: 'OUTCOME_UNKNOWN' })
    await expect(call('2')).rejects.toMatchObject({ code: 'INVALID_INPUT' })
    await expect(call('1')).rejects.toMatchObject({ code: 'RPC_UNAVAILABLE' })
    expect(new Set(calls).size).toBe(1)
    // What had no effect leaves the key free, but its name to nobody else.
    expect(await call('2')).toMatchObject({ valueLimitCents: '200' })
    expect(new Set(calls).size).toBe(2)
    expect(await call('2')).toMatchObject({ valueLimitCents: '200' })
    expect(calls).toHaveLength(3)
  })
})
