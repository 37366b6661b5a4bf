import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { type McpHttp, serveMcpHttp } from './serveMcpHttp.ts'
import { type McpWorld, openMcpWorld } from './testing/mcpWorld.ts'

const token = 'a'.repeat(40)
const stop = new AbortController()
let here: McpWorld
let http: McpHttp

beforeAll(async () => {
  here = await openMcpWorld()
  http = await serveMcpHttp({
    context: here.context,
    profile: 'golem',
    port: 0,
    token,
    signal: stop.signal,
    onError: (error) => {
      throw error
    },
  })
  // Days are whole ones: a permission that was signed a second ago has either thirty of them or twenty-nine.
  await here.world.warp(3_600)
})

afterAll(async () => {
  stop.abort()
  await http?.closed
  await here?.stop()
})

async function connect() {
  const client = new Client({ name: 'test', version: '1.0.0' })
  const headers = { authorization: `Bearer ${token}` }
  await client.connect(new StreamableHTTPClientTransport(new URL(http.url), { requestInit: { headers } }))
  return client
}

it('lists and calls the tools', async () => {
  const client = await connect()
  const { tools } = await client.listTools()
  expect(tools.map(({ name }) => name)).toContain('metamask_check_permission_health')
  const result = await client.callTool({ name: 'metamask_check_permission_health', arguments: {} })
  expect(result.structuredContent).toMatchObject({
    health: 'healthy',
    dailyLimitCents: '5000',
    daysRemaining: 29,
  })
  const tree = await client.callTool({ name: 'get_delegation_tree', arguments: {} })
  expect(JSON.stringify(tree.content)).toContain('USDC')
  const wrong = await client.callTool({ name: 'get_delegation_tree', arguments: { golem: 'nobody' } })
  expect(wrong.isError).toBe(true)
  expect(JSON.stringify(wrong.content)).toContain('GOLEM_UNKNOWN')
  await client.close()
})

it('lets nobody in without the token, from another page, or by another name', async () => {
  const post = (headers: Record<string, string>) =>
    fetch(http.url, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...headers },
      body: '{}',
    })
  expect((await post({})).status).toBe(401)
  expect((await post({ authorization: `Bearer ${token}x` })).status).toBe(401)
  const authorization = `Bearer ${token}`
  expect((await post({ authorization, origin: 'https://evil.example' })).status).toBe(403)
})
