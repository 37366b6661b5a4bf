import { spawnSync } from 'node:child_process'
import { pathToFileURL } from 'node:url'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { isSameLine, span } from './line.ts'
import { createWatchDesk } from './watchDesk.ts'

describe('what watching costs', () => {
  beforeEach(() => void vi.useFakeTimers())
  afterEach(() => void vi.useRealTimers())

  it('draws all that happens within a moment at once, and a key without waiting', () => {
    const desk = createWatchDesk(() => {}, undefined)
    const drawn = vi.fn()
    desk.subscribe(drawn)
    for (let each = 0; each < 1_000; each += 1) desk.tell({ is: 'working', text: `${each}` })
    expect(drawn).not.toHaveBeenCalled()
    vi.runAllTimers()
    expect(drawn).toHaveBeenCalledOnce()
    expect(desk.state().work).toBe('999')

    desk.tell({ is: 'done', text: 'all of it' })
    desk.press({ is: 'text', text: '?' }, 1)
    expect(drawn).toHaveBeenCalledTimes(2)
    vi.runAllTimers()
    expect(drawn).toHaveBeenCalledTimes(2)
  })

  it('knows a line that looks the same', () => {
    const line = () => [span('●', 'good'), span(' live', undefined, true)]
    expect(isSameLine(line(), line())).toBe(true)
    for (const other of [
      [span('●', 'bad'), span(' live', undefined, true)],
      [span('●', 'good'), span(' live')],
      [span('●', 'good'), span(' dead', undefined, true)],
      [span('●', 'good')],
      [...line(), span(' ')],
    ])
      expect(isSameLine(line(), other)).toBe(false)
  })

  it('loads the React that is made for use, not the one for its developers', () => {
    const screen = pathToFileURL(`${import.meta.dirname}/runScreen.ts`)
    const { NODE_ENV: _, ...env } = process.env
    // What is only looked through for its exports stands there too, and is not loaded.
    const script = `
      await import('${screen}')
      const known = Object.values(process.getBuiltinModule('module')._cache)
      console.log(known.filter(({ loaded }) => loaded).map(({ id }) => id).join('\\n'))`
    const { stdout } = spawnSync(process.execPath, ['--input-type=module', '-e', script], { env })
    expect(`${stdout}`).toContain('react.production.js')
    expect(`${stdout}`).not.toContain('.development.js')
  })
})
