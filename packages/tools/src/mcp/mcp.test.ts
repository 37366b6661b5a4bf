import { request } from 'node:http'
import { connect as connectSocket } from 'node:net'
import { PassThrough } from 'node:stream'
import { text } from 'node:stream/consumers'
import type { Phase } from '@bardo/core'
import { Client, type ClientOptions, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import { StdioServerTransport } from '@modelcontextprotocol/server/stdio'
import type { Hash } from 'viem'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { commitActionTool } from '../commitActionTool.ts'
import { guidelinesFor, offeredTools, profiles } from '../toolbox.ts'
import { serveMcpHttp } from './serveMcpHttp.ts'
import { serveMcpStdio } from './serveMcpStdio.ts'
import { runCourse, wish } from './testing/course.ts'
import { type McpGolem, type McpWorld, openMcpWorld } from './testing/mcpWorld.ts'

const token = 'a'.repeat(40)
const stop = new AbortController()
const { signal } = stop
const errors: Error[] = []
const closed: Promise<void>[] = []
let here: McpWorld
let golem: McpGolem
let url: string

beforeAll(async () => {
  here = await openMcpWorld()
  golem = await here.summon()
  url = await serveHttp(golem)
  // Whole days are counted: a permission signed a second ago has either 30 or 29 of them.
  await here.world.warp(3_600)
})

afterAll(async () => {
  stop.abort()
  await Promise.all(closed)
  await here?.stop()
})

/** Serves a Golem's tools over HTTP until the end of all tests. */
async function serveHttp({ context }: McpGolem): Promise<string> {
  const onError = (error: Error) => void errors.push(error)
  const http = await serveMcpHttp({ context, profile: 'full', port: 0, token, signal, onError })
  closed.push(http.closed)
  return http.url
}

const names = (tools: readonly { readonly name: string }[]) => tools.map(({ name }) => name)
const about = { name: 'test', version: '1.0.0' }
const modern: ClientOptions = { versionNegotiation: { mode: { pin: '2026-07-28' } } }

async function overHttp(to = url, options: ClientOptions = {}) {
  const client = new Client(about, options)
  const headers = { authorization: `Bearer ${token}` }
  await client.connect(new StreamableHTTPClientTransport(new URL(to), { requestInit: { headers } }))
  return client
}

/** A client at the other end of two streams. */
async function overStreams({ context }: McpGolem, options: ClientOptions = {}) {
  const [input, output] = [new PassThrough(), new PassThrough()]
  const onError = (error: Error) => void errors.push(error)
  const served = await serveMcpStdio({ context, profile: 'full', input, output, signal, onError })
  closed.push(served.closed)
  const client = new Client(about, options)
  // Both ends of a stream transport are alike: a message is a line.
  await client.connect(new StdioServerTransport(output, input))
  return { client, input, closed: served.closed }
}

async function age(id: Hash, phase: Phase): Promise<void> {
  const row = await here.store.golems.find(id)
  expect(row && (await here.store.golems.save({ ...row, phase }))).toBeTruthy()
}

const wordsOf = (content: readonly { readonly type: string; readonly text?: unknown }[]) =>
  content.map((part) => String(part.text))

describe('tools', () => {
  it('are listed with schemas and hints, and answer in text and data', async () => {
    const client = await overHttp()
    const { tools } = await client.listTools()
    expect(names(tools)).toEqual(names(profiles.full))
    for (const { inputSchema, outputSchema, title, description } of tools) {
      expect([inputSchema.type, outputSchema?.['type']]).toEqual(['object', 'object'])
      expect([title, description].every((words) => words && words.length > 3)).toBe(true)
      expect(JSON.stringify([inputSchema, outputSchema])).not.toMatch(/"type":\[/)
    }
    const hints = Object.fromEntries(tools.map(({ name, annotations }) => [name, annotations]))
    expect(hints['wallet_get_status']).toMatchObject({ readOnlyHint: true, destructiveHint: false })
    expect(hints['metamask_revoke_permissions']).toMatchObject({ readOnlyHint: false, destructiveHint: true })
    const result = await client.callTool({ name: 'metamask_check_permission_health' })
    expect(result.structuredContent).toMatchObject({
      health: 'healthy',
      dailyLimitCents: '5000',
      daysRemaining: 29,
    })
    expect(wordsOf(result.content)).toEqual([
      'The permission is healthy: $50.00 left today, 29 whole days remain. There is no runway.',
    ])
    await expect(client.callTool({ name: 'send_everything', arguments: {} })).rejects.toThrow('Unknown tool')
    await client.close()
  })

  it('can all be called by a client', async () => {
    const other = await here.summon()
    const client = await overHttp(await serveHttp(other))
    const called = await runCourse(
      async (name, input) => {
        const result = await client.callTool({ name, arguments: { ...input } })
        expect(result.isError, JSON.stringify(result.content)).toBeUndefined()
        return Object(result.structuredContent)
      },
      { ...other, chainId: here.world.chainId, vault: here.world.addresses.usdcVault },
    )
    expect(called.toSorted()).toEqual(names(profiles.full).toSorted())
    await client.close()
  })

  it('report a refusal in text and data: the caveat, the numbers, and what would pass', async () => {
    const client = await overHttp()
    const tooMuch = { wish: { ...wish, dollars: '51' } }
    const { content, isError } = await client.callTool({ name: 'preview_action', arguments: tooMuch })
    expect(isError).toBe(true)
    const [words = '', data = ''] = wordsOf(content)
    expect(JSON.parse(data)).toEqual({
      code: 'SPEND_LIMIT_EXCEEDED',
      message: 'Cage refuses the redemption: SizeExceeded(5100, 5000, 0).',
      details: [expect.stringMatching(/link 0 .*caveat 0: Cage/)],
      remedy: expect.stringContaining('at most $50'),
      docsPath: expect.stringContaining('.md'),
      outcome: 'not-sent',
      retryable: false,
    })
    for (const part of ['Cage', '5100', 'at most $50']) expect(words).toContain(part)
    await client.close()
  })

  it('report progress on request, over both transports and in both protocol eras', async () => {
    const other = await here.summon()
    const address = await serveHttp(other)
    const clients = [
      await overHttp(address),
      await overHttp(address, modern),
      (await overStreams(other)).client,
      (await overStreams(other, modern)).client,
    ]
    for (const client of clients) {
      const { structuredContent } = await client.callTool({ name: 'preview_action', arguments: { wish } })
      const { permitId } = Object(structuredContent)
      const steps: unknown[] = []
      const onprogress = (step: object) => void steps.push(step)
      await client.callTool({ name: 'commit_action', arguments: { permitId } }, { onprogress })
      const [first, second] = commitActionTool.progressSteps
      expect(steps).toEqual([
        { progress: 1, total: 2, message: first },
        { progress: 2, total: 2, message: second },
      ])
      await client.close()
    }
  })

  it('serve several clients at once, with one effect for all of them', async () => {
    const other = await here.summon()
    const address = await serveHttp(other)
    const many = await Promise.all([1, 2, 3, 4, 5, 6].map(() => overHttp(address)))
    const [first] = many
    const preview = await first?.callTool({ name: 'preview_action', arguments: { wish } })
    const { permitId } = Object(preview?.structuredContent)
    const results = await Promise.all(
      many.map((client) => client.callTool({ name: 'commit_action', arguments: { permitId } })),
    )
    const transactions = results.map(({ structuredContent }) => Object(structuredContent).transaction)
    expect(new Set(transactions).size).toBe(1)
    const calls = many.map((client, index) =>
      client.callTool(
        index % 2
          ? { name: 'wallet_get_status' }
          : { name: 'explain_action', arguments: { about: { type: 'transaction', hash: transactions[0] } } },
      ),
    )
    for (const [position, { structuredContent }] of (await Promise.all(calls)).entries())
      expect(Object(structuredContent)).toMatchObject(
        position % 2 ? { day: { spentCents: '1000' } } : { state: 'landed' },
      )
    await Promise.all(many.map((client) => client.close()))
  })
})

describe('a stage of life', () => {
  it('is announced over both transports when it changes, and limits the list of tools', async () => {
    const other = await here.summon()
    const address = await serveHttp(other)
    const open = [
      (options: ClientOptions) => overHttp(address, { ...options, ...modern }),
      async (options: ClientOptions) => (await overStreams(other, options)).client,
      async (options: ClientOptions) => (await overStreams(other, { ...options, ...modern })).client,
    ]
    const seen = open.map(() => Promise.withResolvers<readonly string[]>())
    const clients = await Promise.all(
      open.map((client, position) =>
        client({
          listChanged: {
            tools: { onChanged: (_, tools) => seen[position]?.resolve(names(tools ?? [])) },
          },
        }),
      ),
    )
    await age(other.golem, 'terminal')
    const allowed = names(offeredTools('full', 'terminal'))
    expect(allowed).not.toContain('commit_action')
    for (const { promise } of seen) expect(await promise).toEqual(allowed)

    for (const client of clients) {
      expect(names((await client.listTools()).tools)).toEqual(allowed)
      const { isError, content } = await client.callTool({ name: 'preview_action', arguments: { wish } })
      expect(isError).toBe(true)
      expect(JSON.parse(wordsOf(content)[1] ?? '')).toMatchObject({
        code: 'GOLEM_DYING',
        outcome: 'not-sent',
        docsPath: 'tools.md#stages-of-life',
      })
      await client.close()
    }
  })

  it('provides its guidelines as instructions, prompt and resource', async () => {
    const other = await here.summon()
    const address = await serveHttp(other)
    const client = await overHttp(address)
    expect(client.getInstructions()).toBe(guidelinesFor('full', 'thriving'))
    const prompt = async () => (await client.getPrompt({ name: 'guidelines' })).messages
    const resource = async () => (await client.readResource({ uri: 'bardo://guidelines' })).contents
    for (const [phase, stage] of [
      ['thriving', 'thriving'],
      ['conservation', 'cautious'],
      ['declining', 'declining'],
      ['terminal', 'terminal'],
    ] as const) {
      await age(other.golem, phase)
      const expected = guidelinesFor('full', stage)
      expect(await prompt()).toEqual([{ role: 'user', content: { type: 'text', text: expected } }])
      expect(await resource()).toEqual([
        { uri: 'bardo://guidelines', mimeType: 'text/plain', text: expected },
      ])
    }
    expect(names((await client.listPrompts()).prompts)).toEqual(['guidelines'])
    expect(names((await client.listResources()).resources)).toEqual(['guidelines'])
    await client.close()
    const late = await overHttp(address)
    expect(late.getInstructions()).toBe(guidelinesFor('full', 'terminal'))
    await late.close()
  })
})

describe('the HTTP server', () => {
  const json = { 'content-type': 'application/json', accept: 'application/json, text/event-stream' }
  const ping = '{"jsonrpc":"2.0","id":1,"method":"ping"}'
  const authorization = `Bearer ${token}`

  /** The response to a request with exactly these headers. */
  function ask(options: {
    readonly method?: string
    readonly path?: string
    readonly headers?: Record<string, string>
    readonly body?: string
  }) {
    const { method = 'POST', path = '/mcp', headers = {}, body = ping } = options
    const { hostname, port } = new URL(url)
    return new Promise<{ status: number | undefined; body: string; headers: object }>((resolve, reject) => {
      const outgoing = request({ hostname, port, method, path, headers: { ...json, ...headers } })
      outgoing.once('error', reject)
      outgoing.once('response', async (response) =>
        resolve({ status: response.statusCode, body: await text(response), headers: response.headers }),
      )
      outgoing.end(['POST', 'PUT', 'PATCH'].includes(method) ? body : undefined)
    })
  }

  it.each([
    ['the token', {}, 200],
    ['the host localhost', { host: 'localhost:1' }, 200],
    ['the host [::1]', { host: '[::1]:80' }, 200],
    ['an origin on this machine', { origin: 'http://localhost:3000' }, 200],
    ['another host', { host: 'evil.example' }, 403],
    ['a host that starts with 127.0.0.1', { host: '127.0.0.1.evil.example' }, 403],
    ['a host with 127.0.0.1 as its user', { host: '127.0.0.1@evil.example' }, 400],
    ['another origin', { origin: 'https://evil.example' }, 403],
    ['the origin "null"', { origin: 'null' }, 403],
    ['no token', { authorization: '' }, 401],
    ['another token', { authorization: `Bearer ${'b'.repeat(40)}` }, 401],
    ['a part of the token', { authorization: `Bearer ${token.slice(0, 20)}` }, 401],
    ['a longer token', { authorization: `Bearer ${token}a` }, 401],
    ['the token in another scheme', { authorization: `Basic ${token}` }, 401],
    ['a content type other than JSON', { 'content-type': 'text/plain' }, 415],
  ])('answers a request with %s', async (_, headers, status) => {
    expect(await ask({ headers: { authorization, ...headers } })).toMatchObject({ status })
  })

  it('refuses a request without a Host header', async () => {
    const { hostname, port } = new URL(url)
    const socket = connectSocket(Number(port), hostname)
    socket.end(
      `POST /mcp HTTP/1.0\r\nauthorization: ${authorization}\r\ncontent-length: ${ping.length}\r\n\r\n${ping}`,
    )
    expect(await text(socket)).toMatch(/^HTTP\/1\.1 400 /)
  })

  it('refuses a wrong path, method or message', async () => {
    const headers = { authorization }
    const large = `{"jsonrpc":"2.0","id":1,"method":"ping","params":{"x":"${'x'.repeat(300_000)}"}}`
    expect(await ask({ headers, path: '/' })).toMatchObject({ status: 404 })
    expect(await ask({ headers, path: '/mcp/../admin' })).toMatchObject({ status: 404 })
    for (const method of ['GET', 'DELETE', 'PUT', 'PATCH'])
      expect([method, (await ask({ headers, method })).status]).toEqual([method, 405])
    expect(await ask({ method: 'OPTIONS', headers: { origin: 'http://localhost:3000' } })).toMatchObject({
      status: 401,
      headers: expect.not.objectContaining({ 'access-control-allow-origin': expect.anything() }),
    })
    expect(await ask({ headers, body: large })).toMatchObject({ status: 413 })
    const chunked = { ...headers, 'transfer-encoding': 'chunked' }
    expect(await ask({ headers: chunked, body: large })).toMatchObject({ status: 413 })
    for (const body of ['', '{', 'undefined', '\u0000'])
      expect(await ask({ headers, body })).toMatchObject({ status: 400 })
    for (const body of ['null', '[]', '{}', '"ping"', '{"jsonrpc":"1.0","id":1,"method":"ping"}'])
      expect(await ask({ headers, body })).toMatchObject({ status: 400 })
    const missing = await ask({})
    expect(missing.headers).toMatchObject({ 'www-authenticate': 'Bearer' })
    expect(missing.body).not.toContain(token)
    expect(await ask({ headers })).toMatchObject({ status: 200 })
  })

  it('refuses a short token, a port in use, and an unknown Golem', async () => {
    const options = {
      context: golem.context,
      profile: 'full',
      port: 0,
      token,
      signal,
      onError: () => {},
    } as const
    const attempt = (changes: Partial<Parameters<typeof serveMcpHttp>[0]>) =>
      serveMcpHttp({ ...options, ...changes })
    await expect(attempt({ token: 'a'.repeat(31) })).rejects.toMatchObject({ code: 'CONFIG_INVALID' })
    await expect(attempt({ port: Number(new URL(url).port) })).rejects.toMatchObject({ code: 'PORT_TAKEN' })
    const unknown = { ...golem.context, golem: `0x${'ab'.repeat(32)}` } as const
    await expect(attempt({ context: unknown })).rejects.toMatchObject({ code: 'GOLEM_UNKNOWN' })
  })
})

describe('the stream server', () => {
  it('ends when its client disconnects, after running calls are done', async () => {
    const other = await here.summon()
    const { client, input, closed: ended } = await overStreams(other)
    const { structuredContent } = await client.callTool({ name: 'preview_action', arguments: { wish } })
    const { permitId } = Object(structuredContent)
    const message = { jsonrpc: '2.0', id: 99, method: 'tools/call' }
    // No client receives its progress any more; that must not stop the call.
    const params = { name: 'commit_action', arguments: { permitId }, _meta: { progressToken: 99 } }
    input.end(`${JSON.stringify({ ...message, params })}\n`)
    await ended
    const recorded = await here.store.events.read({ after: 0, golem: other.golem, limit: 1_000 })
    expect(recorded.at(-1)).toMatchObject({
      name: 'tool:end',
      body: { tool: 'commit_action', output: { ok: true, spentCents: '1000' } },
    })
  })

  it('ignores a line that is not a message, and continues', async () => {
    const { client, input } = await overStreams(golem)
    input.write('\n\u0000\n{\n[]\n"ping"\n{"jsonrpc":"2.0","method":"tools/call","params":1}\n')
    expect(await client.ping()).toEqual({})
    await client.close()
  })
})

it('causes no internal error', () => {
  expect(errors.filter(({ message }) => message.endsWith(' failed'))).toEqual([])
})
