import { deploymentOn } from '@bardo/core'
import { type Devnet, startDevnet } from '@bardo/devnet'
import { createPublicClient, http, type PublicClient } from 'viem'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { verifyDeployment } from './verifyDeployment.ts'

describe('verifyDeployment', () => {
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
