import fc from 'fast-check'

// One seed for every property test, so that a failure is reproducible; ten times as many runs in the full
// test.
fc.configureGlobal({ seed: 20261115, numRuns: process.env['BARDO_TEST'] === 'full' ? 10_000 : 1_000 })
