import { expect, it } from 'vitest'
import { deathTriggers } from './decideDeath.ts'
import { revocationReason, revocationReasons } from './revocationReason.ts'

it('records every cause of death under one of four reasons, and uses all four', () => {
  expect(new Set(deathTriggers.map(revocationReason))).toEqual(new Set(revocationReasons))
})

it('records the owner’s own acts as the kill switch, and every end of time or money as terminal', () => {
  for (const trigger of ['killSwitch', 'ownerRevocation'] as const)
    expect(revocationReason(trigger)).toBe('owner_kill_switch')
  for (const trigger of ['naturalExpiry', 'callLimitReached', 'economicExhaustion'] as const)
    expect(revocationReason(trigger)).toBe('terminal')
})
