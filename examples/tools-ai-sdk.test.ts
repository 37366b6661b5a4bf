import { offeredTools } from '@bardo/tools'
import { type McpWorld, openMcpWorld } from '@bardo/tools/testing/mcpWorld'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { aiSdkTools, langChainTools } from './tools-ai-sdk.ts'

let here: McpWorld
beforeAll(async () => {
  here = await openMcpWorld()
})
afterAll(() => here?.stop())

it('provides the tools for the AI SDK and LangChain as plain objects', async () => {
  const { context } = await here.summon()
  const offered = offeredTools('golem', 'thriving')
  const tools = aiSdkTools(context, offered, (schema) => ({ jsonSchema: schema }))
  expect(tools['preview_action']?.inputSchema.jsonSchema).toMatchObject({
    type: 'object',
    required: ['wish'],
    additionalProperties: false,
  })
  const wish = { type: 'swap', from: 'USDC', to: 'WETH', dollars: '10' }
  const { permitId } = Object(await tools['preview_action']?.execute({ wish }))
  expect(await tools['commit_action']?.execute({ permitId })).toMatchObject({ spentCents: '1000' })
  expect(await tools['preview_action']?.execute({ wish: { ...wish, dollars: 49 } })).toMatchObject({
    error: { code: 'SPEND_LIMIT_EXCEEDED', outcome: 'not-sent' },
  })

  const health = langChainTools(context, offered).find(({ name }) => name.endsWith('permission_health'))
  expect(JSON.parse((await health?.func({})) ?? '')).toMatchObject({ remainingTodayCents: '4000' })
  expect(await health?.func({ golem: 'unknown' })).toContain('GOLEM_UNKNOWN')
})
