import { join } from 'node:path'
import { defineConfig } from 'vitest/config'

export default defineConfig({
  test: {
    root: join(import.meta.dirname, '../..'),
    include: ['packages/*/src/**/*.snaps.test.ts'],
    env: { DO_NOT_TRACK: '1' },
    pool: 'forks',
    // The threads that run the Snaps inherit it.
    execArgv: ['--import', join(import.meta.dirname, 'divertFetch.ts')],
    maxWorkers: 1,
    testTimeout: 60_000,
    hookTimeout: 120_000,
    retry: 0,
  },
})
