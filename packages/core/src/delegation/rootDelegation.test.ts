import { expect, it } from 'vitest'
import { cage } from '../caveats/cage.ts'
import { mandate, people } from '../caveats/testing/sample.ts'
import { rootDelegation } from './rootDelegation.ts'

it('upgrades limits that were read from version 1 to version 2', () => {
  const terms = {
    version: 1,
    golem: `0x${'09'.repeat(32)}`,
    start: 1,
    end: 2,
    classes: 1,
    methods: 1,
    pairs: 2n,
    graceSeconds: 0,
    mood: { minPleasure: -128, maxArousal: 127, minDominance: -128 },
    restricted: 0,
    dayCents: 100n,
    slippageBps: 100,
    spreadBps: 100,
    cadenceSeconds: 0,
    calls: 0,
    dollarsByPhase: [1, 1, 1, 1, 1],
    settlement: 255,
    mandate,
    coSigners: { threshold: 1, keys: [people.payee] },
  } as const
  const [caveat] = rootDelegation({
    terms: cage.decode(cage.encode(terms)),
    cageEnforcer: people.router,
    delegate: people.author,
    salt: 1n,
  }).caveats
  expect(caveat && cage.decode(caveat.terms, 2)).toEqual({ ...terms, version: 2 })
})
