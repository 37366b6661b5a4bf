/** An agent under its owner's constitution: two lines of the strategy become limits on the chain. `node examples/constitution.ts` */

import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { readAdopted, readConstitution } from '@bardo/chain'
import { constitutionSentences, deploymentOn, namedConstitution } from '@bardo/core'
import { devnetAccount, devnetBook, startDevnet } from '@bardo/devnet'
import { createBoundedAgent } from '@bardo/golem'
import { createPublicClient, http, parseUnits } from 'viem'

await using world = await startDevnet({ port: 0 })
const home = await mkdtemp(join(tmpdir(), 'bardo-constitution-'))
const local = {
  client: createPublicClient({ chain: world.chain, transport: http(world.url) }),
  deployment: deploymentOn(world.chainId),
  book: devnetBook(world),
}

const strategy = `Swap USDC into WETH, $20 each.
Never hold more than 3% in WETH.
Stop when the drawdown is 15%.

budget: $100/day`
const owner = devnetAccount('owner')
const agent = await createBoundedAgent({ ...local, strategy, owner, home, passphrase: 'a long passphrase' })
await world.fund(agent.account, { USDC: parseUnits('1000', 6) })

// The owner has enacted and adopted it; its hash is in the signed terms.
const hash = await readAdopted(local, owner.address)
const content = hash && (await readConstitution(local, hash))
const nameOf = (token: string) =>
  [...local.book.assets].find(([, asset]) => asset.token === token)?.[0] ?? token
if (content)
  for (const { sentence } of constitutionSentences(namedConstitution(content, nameOf))) console.log(sentence)

await agent.tick()
const buy = { type: 'swap', from: 'USDC', to: 'WETH', cents: 2_000n, because: 'an example' } as const
const { capabilityId } = await agent.golem.preview(buy)
await agent.golem.commit(capabilityId, 'first')
console.log('The first $20 are bought: 2 % of the portfolio.')
await agent.golem.preview(buy).catch(({ message }) => console.log(message))

await agent[Symbol.asyncDispose]()
await rm(home, { recursive: true })
