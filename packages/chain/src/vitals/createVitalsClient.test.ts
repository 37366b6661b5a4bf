import { golemVitals } from '@bardo/contracts'
import { type Devnet, startDevnet } from '@bardo/devnet'
import { createPublicClient, http, keccak256, type PublicClient } from 'viem'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createSubmissionBench } from '../testing/submissionBench.ts'
import { createVitalsClient } from './createVitalsClient.ts'

describe('the vitals of a Golem', () => {
  let world: Devnet
  let client: PublicClient
  beforeAll(async () => {
    world = await startDevnet({ port: 0 })
    client = createPublicClient({ transport: http(world.url), cacheTime: 0 })
  })
  afterAll(() => world?.stop())

  it('are written exactly once and handed over to another key', async () => {
    const bench = createSubmissionBench(world.url)
    const [key, next] = [await bench.fundedKey(), await bench.fundedKey()]
    const owner = world.accounts.owner
    const address = world.addresses.golemVitals
    const salt = keccak256('0x01')
    const { abi } = golemVitals
    const golem = await client.readContract({
      address,
      abi,
      functionName: 'golemId',
      args: [owner, key.address, salt],
    })
    const signature = await key.signTypedData({
      domain: { name: 'GolemVitals', version: '1', chainId: 31_337, verifyingContract: address },
      types: {
        RegisterGolem: [
          { name: 'owner', type: 'address' },
          { name: 'key', type: 'address' },
          { name: 'salt', type: 'bytes32' },
        ],
      },
      primaryType: 'RegisterGolem',
      message: { owner, key: key.address, salt },
    })
    const registration = await bench.chain.writeContract({
      account: key,
      chain: null,
      address,
      abi,
      functionName: 'register',
      args: [owner, key.address, salt, signature],
    })
    await bench.chain.waitForTransactionReceipt({ hash: registration })
    const clientOf = (signer: typeof key) =>
      createVitalsClient({ client, address, golem, submitter: bench.start(signer).submitter })
    const vitals = clientOf(key)
    expect(await vitals.read()).toMatchObject({ state: 'alive', phase: 0, writer: key.address })
    const posted = await vitals.post('post', 2, 4_200)
    expect(await vitals.post('post', 2, 4_200)).toEqual(posted)
    await vitals.setDreaming('dream', true)
    const mood = await bench.chain.writeContract({
      account: key,
      chain: null,
      address,
      abi,
      functionName: 'setMood',
      args: [golem, -100, 0, 77],
    })
    await bench.chain.waitForTransactionReceipt({ hash: mood })
    expect(await vitals.read()).toMatchObject({
      phase: 2,
      survivalScore: 4_200,
      dreaming: true,
      mood: { pleasure: -100, arousal: 0, dominance: 77 },
    })
    await expect(vitals.post('back', 1, 9_000)).rejects.toMatchObject({
      code: 'TRANSACTION_REVERTED',
      outcome: 'not-sent',
    })
    await vitals.handOver('over', next.address)
    await expect(vitals.heartbeat('beat')).rejects.toMatchObject({ code: 'TRANSACTION_REVERTED' })
    await clientOf(next).heartbeat('beat')
    await clientOf(next).deregister('end')
    expect(await vitals.read()).toMatchObject({ state: 'dead' })
  })
})
