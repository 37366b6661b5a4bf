import fc from 'fast-check'

// One seed for every property, so that a red run is red again; ten times the runs where time does not matter.
fc.configureGlobal({ seed: 20261115, numRuns: process.env['BARDO_TEST'] === 'full' ? 10_000 : 1_000 })
