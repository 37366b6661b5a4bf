import { existsSync, mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { connect, createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { systemClock } from '@bardo/chain'
import { openStore, type Store } from '@bardo/store'
import { copyEmptyPglite } from '@bardo/store/testing/pglite'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import type { Context } from '../context/openContext.ts'
import { connectOffice } from './connectOffice.ts'
import type { Office } from './office.ts'
import { serveOffice } from './serveOffice.ts'
import { socketPath } from './socketPath.ts'

const golem = `0x${'ab'.repeat(32)}` as const

describe('the socket of a data folder', () => {
  const home = mkdtempSync(join(tmpdir(), 'bardo-office-'))
  const path = socketPath(home)
  const defects: unknown[] = []
  let store: Store
  let served: AsyncDisposable
  let office: Office

  beforeAll(async () => {
    await copyEmptyPglite(home)
    store = await openStore({ home, clock: systemClock })
    // These tasks need only the store of a context.
    const context = { store } as unknown as Context
    served = await serveOffice(context, path, (error) => defects.push(error))
    const there = await connectOffice(path)
    if (!there) throw new Error('no process answers')
    office = there
  })
  afterAll(async () => {
    await served[Symbol.asyncDispose]()
    await store.close()
    rmSync(home, { recursive: true, force: true })
  })

  /** Sends raw bytes, and returns the whole answer. */
  const send = (text: string) =>
    new Promise<string>((resolve) => {
      let received = ''
      const socket = connect(path, () => socket.write(text))
      socket.setEncoding('utf8').on('data', (chunk) => {
        received += chunk
      })
      socket.on('error', () => {})
      socket.on('close', () => resolve(received))
    })

  it('has mode 600', () => {
    expect(statSync(path).mode & 0o777).toBe(0o600)
  })

  it('returns the same answers and errors as in this process', async () => {
    expect(await office.ask('golems', {})).toEqual([])
    await expect(office.ask('status', { golem: 'unknown' })).rejects.toMatchObject({
      code: 'GOLEM_UNKNOWN',
      shortMessage: 'There is no such Golem.',
      outcome: 'not-sent',
    })
  })

  it.each([
    ['text that is not JSON', 'hello\n'],
    ['an invalid request', '{"task":1}\n'],
    ['an unknown task', '{"task":"fly","question":{}}\n'],
    ['a name from the object prototype', '{"task":"__proto__","question":{}}\n'],
    ['an unknown input field', '{"task":"golems","question":{"sudo":true}}\n'],
  ])('refuses %s', async (_, text) => {
    expect(JSON.parse(await send(text))).toMatchObject({ type: 'error', error: { code: 'INVALID_INPUT' } })
  })

  it('refuses a request that is too long', async () => {
    expect(JSON.parse(await send('x'.repeat(17 * 1_048_576)))).toMatchObject({
      error: { details: ['it is too long'] },
    })
  })

  it('does not send the text of an unexpected error to the client', async () => {
    // A context without a chain causes an unexpected error.
    const answer = JSON.parse(await send('{"task":"compile","question":{"strategy":"x"}}\n'))
    expect(answer).toMatchObject({ type: 'error', error: { code: 'INTERNAL' } })
    expect(JSON.stringify(answer)).not.toContain('undefined')
    expect(defects).toHaveLength(1)
  })

  it('streams events until the client disconnects, and a hundred clients leave no subscription', async () => {
    const received: unknown[] = []
    const listening = new AbortController()
    const ended = office.ask(
      'events',
      { after: 0 },
      {
        signal: listening.signal,
        tell: (event) => received.push(event) && received.length === 2 && listening.abort(),
      },
    )
    await store.events.append([{ golem, name: 'test.one', body: { many: 12n } }])
    await store.events.append([{ golem, name: 'test.two', body: {} }])
    await ended
    expect(received).toMatchObject([
      { sequence: 1, name: 'test.one', body: { many: '12' } },
      { sequence: 2, name: 'test.two' },
    ])
    for (let time = 0; time < 100; time += 1) expect(await connectOffice(path)).toBeDefined()
    expect(await office.ask('golems', {})).toEqual([])
  })

  it('reports an unknown outcome if the other process dies during a request', async () => {
    const dying = socketPath(mkdtempSync(join(tmpdir(), 'bardo-office-')))
    const server = createServer((socket) =>
      socket.on('data', () => socket.end('{"type":"note","text":"begun"}\n')),
    )
    await new Promise<void>((resolve) => server.listen(dying, resolve))
    const there = await connectOffice(dying)
    await expect(there?.ask('golems', {})).rejects.toMatchObject({
      code: 'OUTCOME_UNKNOWN',
      outcome: 'unknown',
    })
    server.close()
  })

  it('refuses a socket of another user', async () => {
    const otherUser = vi.spyOn(process, 'getuid').mockReturnValue(12_345)
    await expect(connectOffice(path)).rejects.toMatchObject({ code: 'STORE_UNAVAILABLE' })
    otherUser.mockRestore()
    expect(await connectOffice(path)).toBeDefined()
  })

  it('removes a leftover socket, and returns undefined if no process runs', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'bardo-office-'))
    const left = socketPath(folder)
    expect(await connectOffice(left)).toBeUndefined()
    const child = createServer()
    await new Promise<void>((resolve) => child.listen(left, resolve))
    rmSync(left)
    writeFileSync(left, '')
    expect(await connectOffice(left)).toBeUndefined()
    expect(existsSync(left)).toBe(false)
    child.close()
  })
})
