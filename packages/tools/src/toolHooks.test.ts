import { BardoError } from '@bardo/core'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { callTool } from './callTool.ts'
import { configurePolicy } from './configurePolicy.ts'
import { getStatus } from './getStatus.ts'
import { footprintOf, openOwnerWorld } from './testing/ownerWorld.ts'
import type { HookedOutcome, ToolHooks } from './toolHooks.ts'

let here: Awaited<ReturnType<typeof openOwnerWorld>>
let golem: Awaited<ReturnType<typeof here.summon>>

beforeAll(async () => {
  here = await openOwnerWorld()
  golem = await here.summon()
})
afterAll(() => here[Symbol.asyncDispose]())

const under = (hooks: ToolHooks) => ({ ...golem.context, hooks })
const readOnly = { policyTemplate: 'read-only' }

it('refuses a call before anything is recorded', async () => {
  const before = await footprintOf(here.store, golem.id)
  const refuse = (error: Error) =>
    callTool(
      under({
        before: () => {
          throw error
        },
      }),
      configurePolicy,
      readOnly,
    )
  await expect(refuse(new Error('Wait until Monday.'))).rejects.toMatchObject({
    code: 'ACTION_NOT_ALLOWED',
    outcome: 'not-sent',
    details: ['Wait until Monday.'],
  })
  const own = new BardoError('The quota is used up.', { code: 'RATE_LIMITED' })
  await expect(refuse(own)).rejects.toBe(own)
  expect(await footprintOf(here.store, golem.id)).toEqual(before)
})

it('sees the parsed call and how it ended, once for a repeated call', async () => {
  const seen: unknown[] = []
  const outcomes: HookedOutcome[] = []
  const context = under({
    before: ({ tool, capability, golem: subject, input }) =>
      void seen.push({ tool, capability, subject, input }),
    after: (_, outcome) => void outcomes.push(outcome),
  })
  const input = { ...readOnly, idempotencyKey: 'hooked' }
  const done = await callTool(context, configurePolicy, input)
  expect(await callTool(context, configurePolicy, input)).toEqual(done)
  expect(seen).toEqual([{ tool: 'wallet_configure_policy', capability: 'write', subject: golem.id, input }])
  expect(outcomes).toEqual([{ type: 'done', output: done }])
  await expect(callTool(context, getStatus, { chain: 'base' })).rejects.toMatchObject({
    code: 'UNSUPPORTED_CHAIN',
  })
  expect(outcomes[1]).toMatchObject({ type: 'failed', error: { code: 'UNSUPPORTED_CHAIN' } })
})

it('cannot change the input or the result, and a failure after a call changes nothing', async () => {
  const warnings: string[] = []
  const listen = ({ message }: Error) => void warnings.push(message)
  process.on('warning', listen)
  const context = under({
    before: ({ input }) => void Object.assign(Object(input), { policyTemplate: 'defi-trading' }),
    after(_, outcome) {
      if (outcome.type === 'done') Object.assign(Object(outcome.output), { status: 'pending' })
      throw new Error('the log is full')
    },
  })
  const { status, appliedPolicy } = await callTool(context, configurePolicy, readOnly)
  expect([status, appliedPolicy.split(':')[0]]).toEqual(['done', 'read-only'])
  await new Promise(setImmediate)
  process.off('warning', listen)
  expect(warnings).toEqual(['The hook after wallet_configure_policy failed: the log is full'])
})
