import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { deploymentOn } from '@bardo/core'
import { type Devnet, devnetAccount, devnetBook, startDevnet } from '@bardo/devnet'
import { createPublicClient, http, parseUnits } from 'viem'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { createBoundedAgent } from './createBoundedAgent.ts'

let world: Devnet
let home: string
beforeAll(async () => {
  world = await startDevnet({ port: 0 })
  home = await mkdtemp(join(tmpdir(), 'bardo-agent-'))
})
afterAll(async () => {
  await world?.[Symbol.asyncDispose]()
  if (home) await rm(home, { recursive: true, force: true })
})

const open = (passphrase = 'a long passphrase') =>
  createBoundedAgent({
    strategy: 'Every day, swap $10 of USDC into WETH.\n\nbudget: $50/day\nlifespan: 30 days',
    owner: devnetAccount('owner'),
    client: createPublicClient({ chain: world.chain, transport: http(world.url), cacheTime: 0 }),
    deployment: deploymentOn(world.chainId),
    book: devnetBook(world),
    home,
    passphrase,
  })

it('opens the same agent again from its folder, refuses a wrong passphrase, and ends when it is revoked', async () => {
  const first = await open()
  await world.fund(first.account, { USDC: parseUnits('1000', 6) })
  expect(await first.tick()).toMatchObject({ type: 'ticked' })
  const { account, permission } = first
  await first[Symbol.asyncDispose]()

  await expect(open('another passphrase')).rejects.toMatchObject({
    code: expect.stringMatching(/^SEALED_KEY/),
  })

  await using again = await open()
  expect(again).toMatchObject({ account, permission })
  const landed = (await again.events()).filter(({ name }) => name === 'action.landed')
  expect(landed).toHaveLength(1)
  expect(await again.revoke()).toMatchObject({ type: 'revoked' })
  expect(await again.tick()).toMatchObject({ type: 'dying' })
})
