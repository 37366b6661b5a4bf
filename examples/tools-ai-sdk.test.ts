import { offeredTools } from '@bardo/golem'
import { type McpWorld, openMcpWorld } from '@bardo/golem/testing/mcpWorld'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { aiSdkTools, langChainTools } from './tools-ai-sdk.ts'

let here: McpWorld
beforeAll(async () => {
  here = await openMcpWorld()
})
afterAll(() => here?.stop())

it('gives the tools to the AI SDK and to LangChain as plain objects', async () => {
  const { context } = await here.summon()
  const offered = offeredTools('golem', 'thriving')
  const tools = aiSdkTools(context, offered, (schema) => ({ jsonSchema: schema }))
  expect(tools['preview_action']?.inputSchema.jsonSchema).toMatchObject({
    type: 'object',
    required: ['wish'],
    additionalProperties: false,
  })
  const wish = { is: 'swap', from: 'USDC', to: 'WETH', dollars: '10' }
  const { permitId } = Object(await tools['preview_action']?.execute({ wish }))
  expect(await tools['commit_action']?.execute({ permitId })).toMatchObject({ spentCents: '1000' })
  expect(await tools['preview_action']?.execute({ wish: { ...wish, dollars: 49 } })).toMatchObject({
    error: { code: 'SPEND_LIMIT_EXCEEDED', outcome: 'not-sent' },
  })

  const health = langChainTools(context, offered).find(({ name }) => name.endsWith('permission_health'))
  expect(JSON.parse((await health?.func({})) ?? '')).toMatchObject({ remainingTodayCents: '4000' })
  expect(await health?.func({ golem: 'nobody' })).toContain('GOLEM_UNKNOWN')
})
