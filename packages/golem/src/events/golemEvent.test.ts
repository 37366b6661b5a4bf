import { describe, expect, it } from 'vitest'
import type { GolemEvent } from './golemEvent.ts'

/**
 * The events of the original specification, and their names here. A name that is not in the union does not
 * compile.
 */
const specifiedEvents = {
  // Session keys.
  'SessionKeyEvent::Generated': 'sessionKey.generated',
  'SessionKeyEvent::DelegationGranted': 'sessionKey.delegationGranted',
  'SessionKeyEvent::OperationSigned': 'sessionKey.operationSigned',
  'SessionKeyEvent::RotationTriggered': 'sessionKey.rotationTriggered',
  'SessionKeyEvent::Revoked': 'sessionKey.revoked',
  'SessionKeyEvent::BudgetWarning': 'sessionKey.budgetWarning',
  // Custody.
  CustodyModeSelected: 'custody.modeSelected',
  DelegationGranted: 'custody.delegationGranted',
  SessionKeyRotated: 'custody.sessionKeyRotated',
  DelegationRevoked: 'custody.delegationRevoked',
  DelegationExpiringWarning: 'custody.delegationExpiring',
  // Death.
  'GolemEvent::DeathProtocolStarted': 'DeathProtocolStarted',
  'GolemEvent::PositionsUnwound': 'PositionsUnwound',
  'GolemEvent::DeathCompleted': 'DeathCompleted',
  // Permissions and the end.
  PERMISSION_REVOKED: 'PERMISSION_REVOKED',
  GOLEM_TERMINAL: 'GOLEM_TERMINAL',
  // Tools.
  'tool:start': 'tool:start',
  'tool:progress': 'tool:progress',
  'tool:end': 'tool:end',
  // The oracle's PhaseUpdated.
  PhaseUpdated: 'vitals.phaseChanged',
} as const satisfies Record<string, GolemEvent['name']>

describe('the union of events', () => {
  it('has every specified event, each under one name', () => {
    const names: readonly string[] = Object.values(specifiedEvents)
    expect(names).toHaveLength(20)
    expect(new Set(names).size).toBe(names.length)
  })
})
