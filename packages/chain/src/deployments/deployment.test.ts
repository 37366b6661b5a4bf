import { type Devnet, startDevnet } from '@bardo/devnet'
import { getSmartAccountsEnvironment } from '@metamask/smart-accounts-kit'
import { createPublicClient, http, type PublicClient } from 'viem'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { deploymentOn, supportedChainIds } from './deployment.ts'
import { verifyDeployment } from './verifyDeployment.ts'

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

  it('plans the enforcers of a local devnet for its own DelegationManager', () => {
    const canonical = deploymentOn(31_337)
    expect(canonical.framework).toEqual(deploymentOn(1).framework)
    expect(canonical.contracts.cageEnforcer).toBe(deploymentOn(1).contracts.cageEnforcer)
    const manager = '0xe8F76a822B57b973c7a89006092364fFF8f69040'
    const older = deploymentOn(31_337, { ...canonical.framework, DelegationManager: manager })
    expect(older.framework.DelegationManager).toBe(manager)
    expect(older.contracts.golemVitals).toBe(canonical.contracts.golemVitals)
    expect(older.contracts.cageEnforcer).not.toBe(canonical.contracts.cageEnforcer)
    expect(older.earlier).toEqual(canonical.earlier)
  })
})

describe('on the devnet', () => {
  let world: Devnet
  let client: PublicClient
  beforeAll(async () => {
    world = await startDevnet({ port: 0 })
    client = createPublicClient({ transport: http(world.url), cacheTime: 0 })
  })
  afterAll(() => world?.stop())

  it('accepts a complete deployment and names what is missing', async () => {
    const deployment = deploymentOn(31_337)
    await verifyDeployment(client, deployment)
    const elsewhere = { ...deployment.framework, SimpleFactory: world.accounts.owner }
    await expect(verifyDeployment(client, { ...deployment, framework: elsewhere })).rejects.toMatchObject({
      code: 'CODE_MISMATCH',
      details: [`SimpleFactory is not at ${world.accounts.owner}`],
    })
    await expect(verifyDeployment(client, deploymentOn(8453))).rejects.toMatchObject({
      code: 'CHAIN_MISMATCH',
    })
  })
})
