import { request } from 'node:http'
import { connect as connectSocket } from 'node:net'
import { PassThrough } from 'node:stream'
import { text } from 'node:stream/consumers'
import type { Phase } from '@bardo/core'
import { Client, type ClientOptions, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import { StdioServerTransport } from '@modelcontextprotocol/server/stdio'
import type { Hash } from 'viem'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { commitActionTool } from '../tools/commitActionTool.ts'
import { guidelinesFor, offeredTools, profiles } from '../tools/toolbox.ts'
import { serveMcpHttp } from './serveMcpHttp.ts'
import { serveMcpStdio } from './serveMcpStdio.ts'
import { runCourse, wish } from './testing/course.ts'
import { type McpGolem, type McpWorld, openMcpWorld } from './testing/mcpWorld.ts'

const token = 'a'.repeat(40)
const stop = new AbortController()
const { signal } = stop
const broken: Error[] = []
const closed: Promise<void>[] = []
let here: McpWorld
let golem: McpGolem
let url: string

beforeAll(async () => {
  here = await openMcpWorld()
  golem = await here.summon()
  url = await serveHttp(golem)
  // Days are whole ones: a permission that was signed a second ago has either thirty of them or twenty-nine.
  await here.world.warp(3_600)
})

afterAll(async () => {
  stop.abort()
  await Promise.all(closed)
  await here?.stop()
})

/** Serves a Golem's tools over HTTP until the end of all tests. */
async function serveHttp({ context }: McpGolem): Promise<string> {
  const onError = (error: Error) => void broken.push(error)
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

/** A client at the other end of two streams, and what comes out of them. */
async function overStreams({ context }: McpGolem, options: ClientOptions = {}) {
  const [input, output] = [new PassThrough(), new PassThrough()]
  const onError = (error: Error) => void broken.push(error)
  const served = await serveMcpStdio({ context, profile: 'full', input, output, signal, onError })
  closed.push(served.closed)
  const client = new Client(about, options)
  // Both ends of two streams speak alike: a message is a line.
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
  it('are listed with schemas and hints, and answer in words and in data', async () => {
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
      'The permission is healthy: $50.00 left today, 29 whole days to go. There is no runway.',
    ])
    await expect(client.callTool({ name: 'send_everything', arguments: {} })).rejects.toThrow('no such tool')
    await client.close()
  })

  it('are all there for a client, each as it is meant', async () => {
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

  it('say in words and in data who refuses, by which numbers, and what would pass', async () => {
    const client = await overHttp()
    const tooMuch = { wish: { ...wish, dollars: '51' } }
    const { content, isError } = await client.callTool({ name: 'preview_action', arguments: tooMuch })
    expect(isError).toBe(true)
    const [words = '', data = ''] = wordsOf(content)
    expect(JSON.parse(data)).toEqual({
      code: 'REDEMPTION_REFUSED',
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

  it('tell of their steps to whoever asks, over both transports and in both eras', async () => {
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

  it('serve several clients at once, and have one effect for all of them', async () => {
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
    const asked = many.map((client, place) =>
      client.callTool(
        place % 2
          ? { name: 'wallet_get_status' }
          : { name: 'explain_action', arguments: { about: { is: 'transaction', hash: transactions[0] } } },
      ),
    )
    for (const [place, { structuredContent }] of (await Promise.all(asked)).entries())
      expect(Object(structuredContent)).toMatchObject(
        place % 2 ? { day: { spentCents: '1000' } } : { state: 'landed' },
      )
    await Promise.all(many.map((client) => client.close()))
  })
})

describe('a stage of life', () => {
  it('that begins is told over both transports, and only what it allows is listed', async () => {
    const other = await here.summon()
    const address = await serveHttp(other)
    const open = [
      (options: ClientOptions) => overHttp(address, { ...options, ...modern }),
      async (options: ClientOptions) => (await overStreams(other, options)).client,
      async (options: ClientOptions) => (await overStreams(other, { ...options, ...modern })).client,
    ]
    const seen = open.map(() => Promise.withResolvers<readonly string[]>())
    const clients = await Promise.all(
      open.map((client, place) =>
        client({
          listChanged: { tools: { onChanged: (_, tools) => seen[place]?.resolve(names(tools ?? [])) } },
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

  it('gives its guidelines as instructions, prompt and resource', async () => {
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

describe('over HTTP', () => {
  const json = { 'content-type': 'application/json', accept: 'application/json, text/event-stream' }
  const ping = '{"jsonrpc":"2.0","id":1,"method":"ping"}'
  const authorization = `Bearer ${token}`

  /** What comes back for a request with exactly these headers. */
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
    ['the name localhost', { host: 'localhost:1' }, 200],
    ['the name [::1]', { host: '[::1]:80' }, 200],
    ['a page of this machine', { origin: 'http://localhost:3000' }, 200],
    ['another name', { host: 'evil.example' }, 403],
    ['a name that begins like ours', { host: '127.0.0.1.evil.example' }, 403],
    ['a name with ours as its user', { host: '127.0.0.1@evil.example' }, 400],
    ['another page', { origin: 'https://evil.example' }, 403],
    ['a page without a name', { origin: 'null' }, 403],
    ['no token', { authorization: '' }, 401],
    ['another token', { authorization: `Bearer ${'b'.repeat(40)}` }, 401],
    ['half a token', { authorization: `Bearer ${token.slice(0, 20)}` }, 401],
    ['a longer token', { authorization: `Bearer ${token}a` }, 401],
    ['the token in another scheme', { authorization: `Basic ${token}` }, 401],
    ['words that are no JSON', { 'content-type': 'text/plain' }, 415],
  ])('answers a request with %s', async (_, headers, status) => {
    expect(await ask({ headers: { authorization, ...headers } })).toMatchObject({ status })
  })

  it('answers a request without a Host, as an old client would send it', async () => {
    const { hostname, port } = new URL(url)
    const socket = connectSocket(Number(port), hostname)
    socket.end(
      `POST /mcp HTTP/1.0\r\nauthorization: ${authorization}\r\ncontent-length: ${ping.length}\r\n\r\n${ping}`,
    )
    expect(await text(socket)).toMatch(/^HTTP\/1\.1 400 /)
  })

  it('says what is wrong with the way, the method and the message', async () => {
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

  it('refuses a short token, a port that is taken, and a Golem that nobody knows', async () => {
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
    const nobody = { ...golem.context, golem: `0x${'ab'.repeat(32)}` } as const
    await expect(attempt({ context: nobody })).rejects.toMatchObject({ code: 'GOLEM_UNKNOWN' })
  })
})

describe('over streams', () => {
  it('ends with its client, once what was begun is over', async () => {
    const other = await here.summon()
    const { client, input, closed: ended } = await overStreams(other)
    const { structuredContent } = await client.callTool({ name: 'preview_action', arguments: { wish } })
    const { permitId } = Object(structuredContent)
    const message = { jsonrpc: '2.0', id: 99, method: 'tools/call' }
    // Nobody is left to hear of its steps; they are no reason to stop.
    const params = { name: 'commit_action', arguments: { permitId }, _meta: { progressToken: 99 } }
    input.end(`${JSON.stringify({ ...message, params })}\n`)
    await ended
    const told = await here.store.events.read({ after: 0, golem: other.golem, limit: 1_000 })
    expect(told.at(-1)).toMatchObject({
      name: 'tool:end',
      body: { tool: 'commit_action', output: { ok: true, spentCents: '1000' } },
    })
  })

  it('answers what is no message with nothing, and goes on', async () => {
    const { client, input } = await overStreams(golem)
    input.write('\n\u0000\n{\n[]\n"ping"\n{"jsonrpc":"2.0","method":"tools/call","params":1}\n')
    expect(await client.ping()).toEqual({})
    await client.close()
  })
})

it('breaks nothing', () => {
  expect(broken.filter(({ message }) => message.endsWith(' broke'))).toEqual([])
})
