import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { connectOffice } from '../rpc/connectOffice.ts'
import { socketPath } from '../rpc/socketPath.ts'
import { sampleGolem, sampleId } from '../testing/sampleGolems.ts'
import { type SampleOffice, sampleOffice } from '../testing/sampleOffice.ts'
import { type StubOffice, serveStubOffice } from '../testing/stubOffice.ts'
import { followOffice } from './followOffice.ts'
import type { WatchChange } from './reduceEvent.ts'

let home: string
let office: SampleOffice
let stub: StubOffice

beforeEach(async () => {
  home = mkdtempSync(join(tmpdir(), 'bardo-follow-'))
  const names = Array.from({ length: 1_203 }, (_, at) => `g${at}`)
  office = sampleOffice(
    names.map((name) => sampleGolem({ name }, Date.now())),
    Date.now,
  )
  stub = await serveStubOffice(home, office.answers)
})

afterEach(async () => {
  await stub[Symbol.asyncDispose]()
  rmSync(home, { recursive: true, force: true })
})

/** Follows, and collects each change as it comes. */
function follow(shown: readonly string[]) {
  const stop = new AbortController()
  const changes: WatchChange[] = []
  let wake = () => {}
  const ended = followOffice({
    connect: () => connectOffice(socketPath(home)),
    shown: () => shown,
    now: Date.now,
    signal: stop.signal,
    tell(happening) {
      changes.push(happening)
      wake()
    },
  })
  return {
    ended,
    stop: () => stop.abort(),
    async until(isIt: (happening: WatchChange) => boolean): Promise<WatchChange> {
      for (;;) {
        const index = changes.findIndex(isIt)
        if (index >= 0) return changes.splice(0, index + 1).at(-1) ?? changes[0] ?? never()
        await new Promise<void>((resolve) => {
          wake = resolve
        })
      }
    },
  }
}

function never(): never {
  throw new Error('unreachable')
}

describe('following a data folder', () => {
  it('lists all Golems by pages, reads the status of shown ones only, and ends with its signal', async () => {
    const following = follow([sampleId('g7'), sampleId('g8')])
    const listed = await following.until(({ type }) => type === 'listed')
    expect(listed.type === 'listed' && listed.golems.length).toBe(1_203)
    const seen = await following.until(({ type }) => type === 'seen')
    expect(seen.type === 'seen' && seen.status.name).toBe('g7')
    await following.until((one) => one.type === 'seen' && one.status.name === 'g8')
    following.stop()
    await following.ended
  })

  it('reports new events, each once, also after a lost connection', async () => {
    const following = follow([sampleId('g7')])
    await following.until((one) => one.type === 'link' && one.link.type === 'live')
    office.happen(sampleId('g7'), 'dream.began', { number: 1 })
    await following.until((one) => one.type === 'event' && one.event.name === 'dream.began')
    await following.until(({ type }) => type === 'refreshed')
    await stub[Symbol.asyncDispose]()
    const lost = await following.until((one) => one.type === 'link' && one.link.type === 'waiting')
    expect(lost).toMatchObject({ link: { because: expect.stringContaining('stopped') } })
    office.happen(sampleId('g7'), 'dream.ended', { number: 1 })
    stub = await serveStubOffice(home, office.answers)
    const next = await following.until(({ type }) => type === 'event')
    expect(next).toMatchObject({ event: { name: 'dream.ended' } })
    following.stop()
    await following.ended
  })

  it('ends a stream when it is aborted, even before it starts', async () => {
    const there = await connectOffice(socketPath(home))
    expect(await there?.ask('events', { after: 0 }, { signal: AbortSignal.abort() })).toEqual({})
  })
})
