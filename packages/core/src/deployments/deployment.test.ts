import { getSmartAccountsEnvironment } from '@metamask/smart-accounts-kit'
import { describe, expect, it } from 'vitest'
import { deploymentOn, supportedChainIds } from './deployment.ts'

describe('deploymentOn', () => {
  it.each(supportedChainIds.filter((id) => id !== 31_337))(
    'chain %d: has the framework addresses of MetaMask’s kit',
    (id) => {
      const { framework, contracts } = deploymentOn(id)
      // The kit omits some enforcers.
      expect(framework).toMatchObject(getSmartAccountsEnvironment(id))
      expect(contracts.golemVitals).toBe(deploymentOn(1).contracts.golemVitals)
      expect(contracts.identityRegistry).toMatch(/^0x8004A/)
    },
  )

  it('refuses a chain that Bardo does not support', () => {
    expect(() => deploymentOn(56)).toThrow(expect.objectContaining({ code: 'UNSUPPORTED_CHAIN' }))
  })
})
