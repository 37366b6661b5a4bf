import { type Devnet, startDevnet } from '@bardo/devnet'
import { getSmartAccountsEnvironment } from '@metamask/smart-accounts-kit'
import { createPublicClient, http, type PublicClient } from 'viem'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { deploymentOn, supportedChainIds } from './deployment.ts'
import { verifyDeployment } from './verifyDeployment.ts'

describe('deploymentOn', () => {
  it.each(supportedChainIds.filter((id) => id !== 31_337))('%d: the framework as the kit has it', (id) => {
    const { framework, contracts } = deploymentOn(id)
    // The kit leaves some enforcers out.
    expect(framework).toMatchObject(getSmartAccountsEnvironment(id))
    expect(contracts.golemVitals).toBe(deploymentOn(1).contracts.golemVitals)
    expect(contracts.identityRegistry).toMatch(/^0x8004A/)
  })

  it('knows no other chain, and no devnet without its framework', () => {
    const unsupported = expect.objectContaining({ code: 'UNSUPPORTED_CHAIN' })
    expect(() => deploymentOn(56)).toThrow(unsupported)
    expect(() => deploymentOn(31_337)).toThrow(unsupported)
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

  it('finds everything in its place, and says what is not', async () => {
    const deployment = deploymentOn(31_337, world.framework)
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
