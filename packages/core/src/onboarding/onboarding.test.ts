import fc from 'fast-check'
import { expect, test } from 'vitest'
import { advanceOnboarding, type Onboarding, type OnboardingEvent, onboardingSteps } from './onboarding.ts'

const hash = `0x${'a'.repeat(64)}` as const
const owner = `0x${'1'.repeat(40)}` as const
const way: OnboardingEvent[] = [
  { event: 'authenticated', owner },
  { event: 'custodySelected', custody: 'delegation' },
  { event: 'walletReady' },
  { event: 'strategyAuthored', strategyHash: hash },
  { event: 'identitySkipped' },
  { event: 'firstHeartbeat', golem: 'g' },
]
const first = { step: 'authenticating', method: 'qrCode' } as Onboarding

test('six steps lead to a living Golem, and keep all data', () => {
  const states = [first]
  for (const event of way) states.push(advanceOnboarding(states.at(-1) ?? first, event))
  expect(states.map(({ step }) => step)).toEqual([...onboardingSteps])
  expect(states.at(-1)).toEqual({
    step: 'live',
    owner,
    custody: 'delegation',
    strategyHash: hash,
    identity: undefined,
    golem: 'g',
  })
})

test('a step is only ever followed by the next, for any events', () => {
  const event = fc.constantFrom<OnboardingEvent>(...way, { event: 'identityRegistered', identity: 7n })
  fc.assert(
    fc.property(fc.array(event, { maxLength: 30 }), (events) => {
      let state = first
      for (const happened of events) {
        const at = onboardingSteps.indexOf(state.step)
        try {
          state = advanceOnboarding(state, happened)
          expect(onboardingSteps.indexOf(state.step)).toBe(at + 1)
        } catch (error) {
          expect(error).toMatchObject({ code: 'STEP_OUT_OF_ORDER' })
        }
      }
    }),
  )
})
