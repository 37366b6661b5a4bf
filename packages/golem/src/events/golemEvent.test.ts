import { describe, expect, it } from 'vitest'
import type { GolemEvent } from './golemEvent.ts'

/** Every event that the spec names, and what it is called here. One that is not in the union does not compile. */
const ofTheSpec = {
  // Spec 000 §4: a session key.
  'SessionKeyEvent::Generated': 'sessionKey.generated',
  'SessionKeyEvent::DelegationGranted': 'sessionKey.delegationGranted',
  'SessionKeyEvent::OperationSigned': 'sessionKey.operationSigned',
  'SessionKeyEvent::RotationTriggered': 'sessionKey.rotationTriggered',
  'SessionKeyEvent::Revoked': 'sessionKey.revoked',
  'SessionKeyEvent::BudgetWarning': 'sessionKey.budgetWarning',
  // Spec 000 §6: custody.
  CustodyModeSelected: 'custody.modeSelected',
  DelegationGranted: 'custody.delegationGranted',
  SessionKeyRotated: 'custody.sessionKeyRotated',
  DelegationRevoked: 'custody.delegationRevoked',
  DelegationExpiringWarning: 'custody.delegationExpiring',
  // Spec 000 §7: death.
  'GolemEvent::DeathProtocolStarted': 'DeathProtocolStarted',
  'GolemEvent::PositionsUnwound': 'PositionsUnwound',
  'GolemEvent::DeathCompleted': 'DeathCompleted',
  // Spec 003: permissions and the end.
  PERMISSION_REVOKED: 'PERMISSION_REVOKED',
  GOLEM_TERMINAL: 'GOLEM_TERMINAL',
  // Specs 003 and 004: tools.
  'tool:start': 'tool:start',
  'tool:progress': 'tool:progress',
  'tool:end': 'tool:end',
  // Spec 000 §3: the oracle's PhaseUpdated.
  PhaseUpdated: 'vitals.phaseChanged',
} as const satisfies Record<string, GolemEvent['name']>

describe('the union of events', () => {
  it('has every event of the spec, each under one name', () => {
    const names: readonly string[] = Object.values(ofTheSpec)
    expect(names).toHaveLength(20)
    expect(new Set(names).size).toBe(names.length)
  })
})
