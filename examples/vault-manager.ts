/** A Golem that manages a vault and trades, within $1,000 a day: `node examples/vault-manager.ts` */

import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { BardoError, deploymentOn } from '@bardo/core'
import { devnetAccount, devnetBook, startDevnet } from '@bardo/devnet'
import { createBoundedAgent } from '@bardo/golem'
import { createPublicClient, http, parseUnits } from 'viem'

await using world = await startDevnet({ port: 0 })
const home = await mkdtemp(join(tmpdir(), 'bardo-vault-'))
const owner = devnetAccount('owner')

// Everything that the owner signs, once.
const strategy = `Deposit USDC into the vault.
Withdraw USDC from the vault.
Trade between USDC and WETH.
Never leave the vault below 98 % of its rate.

budget: $1,000/day
gas: none
lifespan: 30 days`

const manager = await createBoundedAgent({
  client: createPublicClient({ chain: world.chain, transport: http(world.url) }),
  deployment: deploymentOn(world.chainId),
  book: devnetBook(world),
  strategy,
  owner,
  home,
  passphrase: 'a long passphrase',
})
await world.fund(manager.account, { USDC: parseUnits('5000', 6) })

type Wanted = Parameters<typeof manager.golem.preview>[0]
const because = 'example'

await perform({ type: 'deposit', asset: 'USDC', cents: 60_000n, because })
await perform({ type: 'swap', from: 'USDC', to: 'WETH', cents: 30_000n, because })
await perform({ type: 'withdraw', asset: 'USDC', cents: 20_000n, because })
// $900 of the day are used.
await perform({ type: 'swap', from: 'USDC', to: 'WETH', cents: 20_000n, because })

await manager[Symbol.asyncDispose]()
await rm(home, { recursive: true })

async function perform(wanted: Wanted): Promise<void> {
  const what = `${wanted.type} $${wanted.cents / 100n}`
  try {
    const { capabilityId } = await manager.golem.preview(wanted)
    await manager.golem.commit(capabilityId, what)
    console.log(`${what}: done`)
  } catch (error) {
    if (!(error instanceof BardoError)) throw error
    console.log(`${what}: ${error.code}`)
  }
}
