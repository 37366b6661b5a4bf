import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { profiles } from '../tools/toolbox.ts'
import { serveMcpHttp } from './serveMcpHttp.ts'
import { runCourse } from './testing/course.ts'
import { type McpGolem, type McpWorld, openMcpWorld } from './testing/mcpWorld.ts'

const token = 'a'.repeat(40)
const stop = new AbortController()
const errors: Error[] = []
const closed: Promise<void>[] = []
let here: McpWorld
let golem: McpGolem
let url: string

beforeAll(async () => {
  here = await openMcpWorld()
  golem = await here.summon()
  url = await serve(golem)
  // Days are whole ones: a permission that was signed a second ago has either thirty of them or twenty-nine.
  await here.world.warp(3_600)
})

afterAll(async () => {
  stop.abort()
  await Promise.all(closed)
  await here?.stop()
  expect(errors).toEqual([])
})

/** Serves a Golem's tools until the end of all tests. */
async function serve({ context }: McpGolem): Promise<string> {
  const { signal } = stop
  const onError = (error: Error) => void errors.push(error)
  const http = await serveMcpHttp({ context, profile: 'golem', port: 0, token, signal, onError })
  closed.push(http.closed)
  return http.url
}

async function connect(to = url) {
  const client = new Client({ name: 'test', version: '1.0.0' })
  const headers = { authorization: `Bearer ${token}` }
  await client.connect(new StreamableHTTPClientTransport(new URL(to), { requestInit: { headers } }))
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
    fetch(url, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...headers },
      body: '{}',
    })
  expect((await post({})).status).toBe(401)
  expect((await post({ authorization: `Bearer ${token}x` })).status).toBe(401)
  const authorization = `Bearer ${token}`
  expect((await post({ authorization, origin: 'https://evil.example' })).status).toBe(403)
})

it('gives every tool to a client, each as it is meant', async () => {
  const other = await here.summon()
  const client = await connect(await serve(other))
  const called = await runCourse(
    async (name, input) => {
      const result = await client.callTool({ name, arguments: { ...input } })
      expect(result.isError, JSON.stringify(result.content)).toBeUndefined()
      return Object(result.structuredContent)
    },
    { ...other, chainId: here.world.chainId, vault: here.world.addresses.usdcVault },
  )
  expect(called.toSorted()).toEqual(profiles.full.map(({ name }) => name).toSorted())
  await client.close()
})
