import { BardoError, type ErrorCode } from '@bardo/core'
import { isViolation } from '@bardo/golem/action'
import { createGolem } from '@bardo/golem/heartbeat'
import { createPublicClient, http } from 'viem'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { callTool } from './callTool.ts'
import { commitActionTool } from './commitActionTool.ts'
import { previewActionTool } from './previewActionTool.ts'
import { openToolWorld, type ToolWorld } from './testing/toolWorld.ts'

const swap = { type: 'swap', from: 'USDC', to: 'WETH', dollars: '10' }

let world: ToolWorld
beforeAll(async () => {
  world = await openToolWorld()
})
afterAll(() => world?.stop())

type Summoned = Awaited<ReturnType<typeof world.summon>>
const preview = ({ context }: Pick<Summoned, 'context'>, wish: object) =>
  callTool(context, previewActionTool, { wish })
const eventsOf = async ({ id }: Pick<Summoned, 'id'>, name: string) =>
  (await world.store.events.read({ after: 0, golem: id, limit: 1_000 })).filter(
    (event) => event.name === name,
  )
const warningsOf = async ({ id }: Pick<Summoned, 'id'>) =>
  (await world.store.grimoire.list({ golem: id })).filter(({ kind }) => kind === 'warning')
const arousalOf = async ({ golem }: Summoned) => (await golem.status()).state.mood.arousal

describe('a preview refused by the limits', () => {
  it('records an event, a warning and arousal, like a refused tick', async () => {
    const all = await world.summon()
    const before = await arousalOf(all)
    await expect(preview(all, { ...swap, dollars: '5000' })).rejects.toMatchObject({ outcome: 'not-sent' })
    await expect(preview(all, { ...swap, to: 'DAI' })).rejects.toThrow()
    const refused = await eventsOf(all, 'action.refused')
    expect(refused.map(({ body }) => body)).toMatchObject([
      { source: 'policy_violation', where: 'runtime' },
      { source: 'policy_violation', where: 'runtime' },
    ])
    expect(await warningsOf(all)).toMatchObject([
      { source: 'policy_violation' },
      { source: 'policy_violation' },
    ])
    expect(await arousalOf(all)).toBeGreaterThan(before + 30)
    // A refused preview is a warning, not a cause of death.
    expect((await all.golem.status()).state.chainRefusals).toEqual([])
  })

  it('cannot flood the record: six per minute are recorded, the rest is counted', async () => {
    const all = await world.summon()
    const requests = Array.from({ length: 20 }, (_, n) => ({ ...swap, dollars: `${5_000 + n}` }))
    for (const wish of requests) await expect(preview(all, wish)).rejects.toThrow()
    const recorded = (await eventsOf(all, 'action.refused')).length
    const counted = (await eventsOf(all, 'action.refusalsCounted')).map(({ body }) => Object(body).count)
    const entry = await world.store.grimoire.get(all.id, 'refusals.preview')
    const uncounted = Object(entry?.body).more
    // At most two minutes have begun during the calls.
    expect(recorded).toBeGreaterThanOrEqual(6)
    expect(recorded).toBeLessThanOrEqual(12)
    expect(recorded + uncounted + counted.reduce((sum, one) => sum + one, 0)).toBe(20)
    expect((await warningsOf(all)).length).toBeLessThanOrEqual(12)
  })

  it('leaves one warning per action request, however often it is refused', async () => {
    const all = await world.summon()
    for (let times = 0; times < 3; times += 1)
      await expect(preview(all, { ...swap, dollars: '5000' })).rejects.toThrow()
    expect(await warningsOf(all)).toHaveLength(1)
  })
})

describe('a preview refused because of its timing', () => {
  it('is not a violation when it is too soon, unless it also exceeds a limit', async () => {
    const all = await world.summon(
      'Every minute, swap $10 of USDC into WETH.\n\nbudget: $50/day\nlifespan: 30 days',
    )
    const { permitId } = await preview(all, swap)
    await callTool(all.context, commitActionTool, { permitId })
    await expect(preview(all, swap)).rejects.toThrow()
    expect(await eventsOf(all, 'action.refused')).toEqual([])
    expect(await warningsOf(all)).toEqual([])
    await expect(preview(all, { ...swap, dollars: '5000' })).rejects.toThrow()
    expect(await eventsOf(all, 'action.refused')).toHaveLength(1)
  })

  it('is not a violation when the node does not answer', async () => {
    const all = await world.summon()
    const { context, id } = all
    const withoutNode = {
      ...context,
      open: async () => {
        const parts = world.partsFor(id)
        const golem = await createGolem(parts)
        // The node becomes unreachable after the Golem was opened.
        Object.assign(
          parts.client,
          createPublicClient({ transport: http('http://127.0.0.1:9', { retryCount: 0 }) }),
        )
        return golem
      },
    }
    await expect(callTool(withoutNode, previewActionTool, { wish: swap })).rejects.toThrow()
    expect(await eventsOf(all, 'action.refused')).toEqual([])
  })

  it.each<[string, ErrorCode, boolean]>([
    ['a limit of the Cage', 'REDEMPTION_REFUSED', true],
    // The code decides, not the message.
    ['Cage refuses the redemption: TargetNotAllowed(TooSoon(1, 60)).', 'REDEMPTION_REFUSED', true],
    ['the daily limit', 'SPEND_LIMIT_EXCEEDED', true],
    ['a target that is not allowed', 'ACTION_NOT_ALLOWED', true],
    ['the minimum interval', 'TOO_SOON', false],
    ['a price that moved', 'PRICE_MOVED', false],
    ['a stale feed', 'PRICE_UNUSABLE', false],
    ['a dream', 'GOLEM_DREAMING', false],
    ['the end of the window', 'DELEGATION_EXPIRED', false],
    ['a call that fails by itself', 'TRANSACTION_REVERTED', false],
    ['too many actions', 'RATE_LIMITED', false],
    ['a node that does not answer', 'RPC_UNAVAILABLE', false],
  ])('%s (%s) counts as a violation: %s', (message, code, is) => {
    expect(isViolation(new BardoError(message, { code }))).toBe(is)
  })
})
