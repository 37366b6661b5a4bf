/** One Golem lets a Golem of another owner trade with a part of its permission: `node examples/cross-golem.ts` */

import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { BardoError, deploymentOn } from '@bardo/core'
import { devnetAccount, devnetBook, startDevnet } from '@bardo/devnet'
import { createBoundedAgent } from '@bardo/golem'
import { createPublicClient, http, parseEther, parseUnits } from 'viem'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'

await using world = await startDevnet({ port: 0 })
const homes = await Promise.all(['alpha', 'beta'].map((name) => mkdtemp(join(tmpdir(), `bardo-${name}-`))))
const [alphaHome = '', betaHome = ''] = homes
const local = {
  client: createPublicClient({ chain: world.chain, transport: http(world.url) }),
  deployment: deploymentOn(world.chainId),
  book: devnetBook(world),
  strategy: 'Swap USDC into WETH.\n\nbudget: $50/day\nlifespan: 30 days',
  passphrase: 'a long passphrase',
}

// Two owners, two data folders.
const otherOwner = privateKeyToAccount(generatePrivateKey())
await world.fund(otherOwner.address, { ETH: parseEther('1') })
const alpha = await createBoundedAgent({ ...local, owner: devnetAccount('owner'), home: alphaHome })
const beta = await createBoundedAgent({ ...local, owner: otherOwner, home: betaHome })
await world.fund(alpha.account, { USDC: parseUnits('1000', 6) })

// ALPHA's key signs; only the bytes of the context travel.
const { context } = await alpha.golem.give({
  to: beta.permission.delegate,
  name: 'beta',
  type: 'act',
  budgetCents: 1_500n,
  lifespanSeconds: 2 * 86_400,
  methods: ['exactInputSingle'],
  calls: 10,
})
const received = await beta.golem.accept({ context, from: 'alpha' })

const swap = { type: 'swap', from: 'USDC', to: 'WETH', because: 'example' } as const
const { capabilityId } = await beta.golem.preview({ ...swap, cents: 1_000n }, received)
const { spentCents } = await beta.golem.commit(capabilityId, 'first')
console.log(`beta spent ${spentCents} cents of alpha's owner`)

console.log(await refusal({ ...swap, cents: 600n }))
await alpha.golem.endGiven('beta')
console.log(await refusal({ ...swap, cents: 100n }))

await alpha[Symbol.asyncDispose]()
await beta[Symbol.asyncDispose]()
await Promise.all(homes.map((home) => rm(home, { recursive: true })))

async function refusal(intention: Parameters<typeof beta.golem.preview>[0]): Promise<string> {
  try {
    await beta.golem.preview(intention, received)
    return 'allowed'
  } catch (error) {
    if (error instanceof BardoError) return `${error.code}: ${error.shortMessage}`
    throw error
  }
}
