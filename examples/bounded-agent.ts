/** An agent that trades for an owner within what the owner signed, on a local chain: `node examples/bounded-agent.ts` */

import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { deploymentOn } from '@bardo/core'
import { devnetAccount, devnetBook, startDevnet } from '@bardo/devnet'
import { createBoundedAgent } from '@bardo/golem'
import { createPublicClient, http, parseUnits } from 'viem'

await using world = await startDevnet({ port: 0 })
const home = await mkdtemp(join(tmpdir(), 'bardo-agent-'))
const local = {
  client: createPublicClient({ chain: world.chain, transport: http(world.url) }),
  deployment: deploymentOn(world.chainId),
  book: devnetBook(world),
}

const strategy = 'Every day, swap $10 of USDC into WETH.\n\nbudget: $50/day\nlifespan: 30 days'
const owner = devnetAccount('owner')
const agent = await createBoundedAgent({ ...local, strategy, owner, home, passphrase: 'a long passphrase' })
await world.fund(agent.account, { USDC: parseUnits('1000', 6) })

await agent.tick()
for (const { name, body } of await agent.events())
  if (name.startsWith('action.')) console.log(name, JSON.stringify(body))

await agent.revoke()
console.log((await agent.tick()).type)

await agent[Symbol.asyncDispose]()
await rm(home, { recursive: true })
