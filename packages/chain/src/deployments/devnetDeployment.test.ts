import { deploymentOn } from '@bardo/core'
import { expect, it } from 'vitest'
import { devnetDeployment } from './devnetDeployment.ts'

it('plans the enforcers of a local devnet for its own DelegationManager', () => {
  const canonical = deploymentOn(31_337)
  expect(canonical.framework).toEqual(deploymentOn(1).framework)
  expect(canonical.contracts.cageEnforcer).toBe(deploymentOn(1).contracts.cageEnforcer)
  const manager = '0xe8F76a822B57b973c7a89006092364fFF8f69040'
  const older = devnetDeployment({ ...canonical.framework, DelegationManager: manager })
  expect(older.framework.DelegationManager).toBe(manager)
  expect(older.contracts.golemVitals).toBe(canonical.contracts.golemVitals)
  expect(older.contracts.cageEnforcer).not.toBe(canonical.contracts.cageEnforcer)
  expect(older.earlier).toEqual(canonical.earlier)
})

it('has the same addresses as deploymentOn for a new devnet', () => {
  const canonical = deploymentOn(31_337)
  expect(devnetDeployment(canonical.framework)).toEqual(canonical)
})
