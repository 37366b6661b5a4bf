import { existsSync, mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { connect, createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { systemClock } from '@bardo/chain'
import { openStore, type Store } from '@bardo/store'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import type { Place } from '../place/openPlace.ts'
import { connectOffice } from './connectOffice.ts'
import type { Office } from './office.ts'
import { serveOffice } from './serveOffice.ts'
import { socketPath } from './socketPath.ts'

const golem = `0x${'ab'.repeat(32)}` as const

describe('the office', () => {
  const home = mkdtempSync(join(tmpdir(), 'bardo-office-'))
  const path = socketPath(home)
  const defects: unknown[] = []
  let store: Store
  let served: AsyncDisposable
  let office: Office

  beforeAll(async () => {
    store = await openStore({ home, clock: systemClock })
    // Of a place these tasks need what is remembered, and nothing else.
    const place = { store } as unknown as Place
    served = await serveOffice(place, path, (error) => defects.push(error))
    const there = await connectOffice(path)
    if (!there) throw new Error('nobody answers')
    office = there
  })
  afterAll(async () => {
    await served[Symbol.asyncDispose]()
    await store.close()
    rmSync(home, { recursive: true, force: true })
  })

  /** Sends some bytes as they are, and hears all that comes back. */
  const send = (text: string) =>
    new Promise<string>((resolve) => {
      let heard = ''
      const socket = connect(path, () => socket.write(text))
      socket.setEncoding('utf8').on('data', (chunk) => {
        heard += chunk
      })
      socket.on('error', () => {})
      socket.on('close', () => resolve(heard))
    })

  it('is for its owner alone', () => {
    expect(statSync(path).mode & 0o777).toBe(0o600)
  })

  it('answers, with the errors that there would be here', async () => {
    expect(await office.ask('golems', {})).toEqual([])
    await expect(office.ask('status', { golem: 'nobody' })).rejects.toMatchObject({
      code: 'GOLEM_UNKNOWN',
      shortMessage: 'There is no such Golem.',
      outcome: 'not-sent',
    })
  })

  it.each([
    ['no JSON', 'hello\n'],
    ['no question', '{"task":1}\n'],
    ['no task', '{"task":"fly","question":{}}\n'],
    ['a task of every object', '{"task":"__proto__","question":{}}\n'],
    ['more than is asked for', '{"task":"golems","question":{"sudo":true}}\n'],
  ])('refuses %s', async (_, text) => {
    expect(JSON.parse(await send(text))).toMatchObject({ is: 'error', error: { code: 'INVALID_INPUT' } })
  })

  it('reads no question without end', async () => {
    expect(JSON.parse(await send('x'.repeat(17 * 1_048_576)))).toMatchObject({
      error: { details: ['it is too long'] },
    })
  })

  it('keeps a defect to itself', async () => {
    // A place without a chain: a defect, from here.
    const answer = JSON.parse(await send('{"task":"compile","question":{"strategy":"x"}}\n'))
    expect(answer).toMatchObject({ is: 'error', error: { code: 'INTERNAL' } })
    expect(JSON.stringify(answer)).not.toContain('undefined')
    expect(defects).toHaveLength(1)
  })

  it('tells events as they come, until nobody listens; a hundred that came and went leave nothing', async () => {
    const heard: unknown[] = []
    const listening = new AbortController()
    const ended = office.ask(
      'events',
      { after: 0 },
      {
        signal: listening.signal,
        tell: (event) => heard.push(event) && heard.length === 2 && listening.abort(),
      },
    )
    await store.events.append([{ golem, name: 'test.one', body: { many: 12n } }])
    await store.events.append([{ golem, name: 'test.two', body: {} }])
    await ended
    expect(heard).toMatchObject([
      { sequence: 1, name: 'test.one', body: { many: '12' } },
      { sequence: 2, name: 'test.two' },
    ])
    for (let time = 0; time < 100; time += 1) expect(await connectOffice(path)).toBeDefined()
    expect(await office.ask('golems', {})).toEqual([])
  })

  it('says so where the other process dies over a question', async () => {
    const dying = socketPath(mkdtempSync(join(tmpdir(), 'bardo-office-')))
    const server = createServer((socket) =>
      socket.on('data', () => socket.end('{"is":"note","text":"begun"}\n')),
    )
    await new Promise<void>((resolve) => server.listen(dying, resolve))
    const there = await connectOffice(dying)
    await expect(there?.ask('golems', {})).rejects.toMatchObject({
      code: 'OUTCOME_UNKNOWN',
      outcome: 'unknown',
    })
    server.close()
  })

  it('does not talk to another user', async () => {
    const somebodyElse = vi.spyOn(process, 'getuid').mockReturnValue(12_345)
    await expect(connectOffice(path)).rejects.toMatchObject({ code: 'STORE_UNAVAILABLE' })
    somebodyElse.mockRestore()
    expect(await connectOffice(path)).toBeDefined()
  })

  it('removes a socket that was left behind, and is not there where there is none', async () => {
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
