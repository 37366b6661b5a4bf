import { systemClock } from '@bardo/chain'
import { type Devnet, startDevnet } from '@bardo/devnet'
import { openStore, type Store } from '@bardo/store'
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { createGolem } from '../runtime/createGolem.ts'
import { partsOf, summonIn, testHome } from '../runtime/testing/golemWorld.ts'
import { stageOf } from '../tools/stage.ts'
import type { ToolContext } from '../tools/toolContext.ts'
import { type McpHttp, serveMcpHttp } from './serveMcpHttp.ts'

const strategy = 'Buy WETH with USDC, $100 every day. At most $300 a day.'
const token = 'a'.repeat(40)
const stop = new AbortController()
let world: Devnet
let store: Store
let home: Awaited<ReturnType<typeof testHome>>
let http: McpHttp

beforeAll(async () => {
  ;[world, home] = await Promise.all([startDevnet({ port: 0 }), testHome()])
  store = await openStore({ home: home.home, clock: systemClock })
  const { id } = await summonIn(world, store, strategy)
  const { client, deployment, book, clock } = partsOf(world, store, id)
  const context: ToolContext = {
    store,
    client,
    deployment,
    book,
    clock,
    golem: id,
    open: (golem) => createGolem(partsOf(world, store, golem)),
  }
  const stage = async () => stageOf((await store.golems.find(id))?.phase ?? 'terminal')
  http = await serveMcpHttp({
    context,
    profile: 'golem',
    stage,
    port: 0,
    token,
    signal: stop.signal,
    onError: (error) => {
      throw error
    },
  })
})

afterAll(async () => {
  stop.abort()
  await http.closed
  await store.close()
  await home[Symbol.asyncDispose]()
  await world[Symbol.asyncDispose]()
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
    health: 'low',
    dailyLimitCents: '10000',
    daysRemaining: 6,
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
