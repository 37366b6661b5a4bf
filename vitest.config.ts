import { configDefaults, defineConfig } from 'vitest/config'

export default defineConfig({
  test: {
    include: ['{bench,examples,scripts,contracts,packages/*/src,apps/*/src}/**/*.test.ts'],
    // What needs a real bundler has a command of its own: `npm run test:bundler`.
    exclude: [...configDefaults.exclude, '**/*.bundler.test.ts'],
    // MetaMask's kit reports its use to MetaMask unless told not to; a test talks to nobody.
    env: { DO_NOT_TRACK: '1' },
    setupFiles: ['scripts/fastCheck.setup.ts'],
    // A chain of its own for every file: two cores carry two worlds at a time.
    maxWorkers: 2,
    // With large counts a test takes as many times as long.
    testTimeout: process.env['BARDO_TEST'] === 'full' ? 900_000 : 20_000,
    hookTimeout: 60_000,
    retry: 0,
  },
})
