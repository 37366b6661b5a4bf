import { spawnSync } from 'node:child_process'
import { pathToFileURL } from 'node:url'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { isSameLine, span } from './line.ts'
import { createWatchStore } from './watchStore.ts'

describe('the cost of watching', () => {
  beforeEach(() => void vi.useFakeTimers())
  afterEach(() => void vi.useRealTimers())

  it('draws changes together, and a key at once', () => {
    const store = createWatchStore(() => {}, undefined)
    const drawn = vi.fn()
    store.subscribe(drawn)
    for (let each = 0; each < 1_000; each += 1) store.tell({ type: 'working', text: `${each}` })
    expect(drawn).not.toHaveBeenCalled()
    vi.runAllTimers()
    expect(drawn).toHaveBeenCalledOnce()
    expect(store.state().work).toBe('999')

    store.tell({ type: 'done', text: 'all of it' })
    store.press({ type: 'text', text: '?' }, 1)
    expect(drawn).toHaveBeenCalledTimes(2)
    vi.runAllTimers()
    expect(drawn).toHaveBeenCalledTimes(2)
  })

  it('recognises an unchanged line', () => {
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

  it('loads the production build of React', () => {
    const screen = pathToFileURL(`${import.meta.dirname}/runScreen.ts`)
    const { NODE_ENV: _, ...env } = process.env
    // Modules that are only scanned for exports are listed too, but not loaded.
    const script = `
      await import('${screen}')
      const known = Object.values(process.getBuiltinModule('module')._cache)
      console.log(known.filter(({ loaded }) => loaded).map(({ id }) => id).join('\\n'))`
    const { stdout } = spawnSync(process.execPath, ['--input-type=module', '-e', script], { env })
    expect(`${stdout}`).toContain('react.production.js')
    expect(`${stdout}`).not.toContain('.development.js')
  })
})
