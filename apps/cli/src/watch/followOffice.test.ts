import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { connectOffice } from '../office/connectOffice.ts'
import { socketPath } from '../office/socketPath.ts'
import { sampleGolem, sampleId } from '../testing/sampleGolems.ts'
import { type SampleOffice, sampleOffice } from '../testing/sampleOffice.ts'
import { type StubOffice, serveStubOffice } from '../testing/stubOffice.ts'
import { followOffice } from './followOffice.ts'
import type { Happening } from './happen.ts'

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

/** Follows, and hears of each happening as it comes. */
function follow(shown: readonly string[]) {
  const stop = new AbortController()
  const told: Happening[] = []
  let wake = () => {}
  const ended = followOffice({
    connect: () => connectOffice(socketPath(home)),
    shown: () => shown,
    now: Date.now,
    signal: stop.signal,
    tell(happening) {
      told.push(happening)
      wake()
    },
  })
  return {
    ended,
    stop: () => stop.abort(),
    async until(isIt: (happening: Happening) => boolean): Promise<Happening> {
      for (;;) {
        const place = told.findIndex(isIt)
        if (place >= 0) return told.splice(0, place + 1).at(-1) ?? told[0] ?? never()
        await new Promise<void>((resolve) => {
          wake = resolve
        })
      }
    },
  }
}

function never(): never {
  throw new Error('It was there a moment ago.')
}

describe('following an office', () => {
  it('lists all by pages, looks only at what is shown, and ends when it is told to', async () => {
    const following = follow([sampleId('g7'), sampleId('g8')])
    const listed = await following.until(({ is }) => is === 'listed')
    expect(listed.is === 'listed' && listed.golems.length).toBe(1_203)
    const seen = await following.until(({ is }) => is === 'seen')
    expect(seen.is === 'seen' && seen.status.name).toBe('g7')
    await following.until((one) => one.is === 'seen' && one.status.name === 'g8')
    following.stop()
    await following.ended
  })

  it('tells of what is new, and each event once over a lost connection', async () => {
    const following = follow([sampleId('g7')])
    await following.until((one) => one.is === 'link' && one.link.is === 'live')
    office.happen(sampleId('g7'), 'dream.began', { number: 1 })
    await following.until((one) => one.is === 'event' && one.event.name === 'dream.began')
    await following.until(({ is }) => is === 'refreshed')
    await stub[Symbol.asyncDispose]()
    const lost = await following.until((one) => one.is === 'link' && one.link.is === 'waiting')
    expect(lost).toMatchObject({ link: { because: expect.stringContaining('gone') } })
    office.happen(sampleId('g7'), 'dream.ended', { number: 1 })
    stub = await serveStubOffice(home, office.answers)
    const next = await following.until(({ is }) => is === 'event')
    expect(next).toMatchObject({ event: { name: 'dream.ended' } })
    following.stop()
    await following.ended
  })

  it('ends an endless question that nobody waits for any more, even before it was asked', async () => {
    const there = await connectOffice(socketPath(home))
    expect(await there?.ask('events', { after: 0 }, { signal: AbortSignal.abort() })).toEqual({})
  })
})
