/** The lifecycle of a permission on a local chain: sign, use, exceed, explain, revoke. Run it with `npm run example`. */
import * as chain from '@bardo/chain'
import {
  createMemoryJournal,
  deploymentOn,
  generateSessionKey,
  hybridAccount,
  prepareSignatures,
  signDelegation,
  walletSigner,
} from '@bardo/core'
import { devnetAccount, devnetBook, startDevnet } from '@bardo/devnet'
import { createPublicClient, http, type LocalAccount, parseEther, parseUnits } from 'viem'

await using world = await startDevnet({ port: 0 })
const { addresses, chainId, fund } = world
const client = createPublicClient({ chain: world.chain, transport: http(world.url) })
const deployment = deploymentOn(chainId)
const [journal, clock, settings] = [createMemoryJournal(), chain.systemClock, { finality: 1 }]
const submitterOf = (signer: LocalAccount) =>
  chain.createSubmitter({ client, chainId, journal, clock, signer, settings })

// The owner: a smart account with money. The owner's key signs for it.
const owner = devnetAccount('owner')
const signer = walletSigner(owner)
const account = hybridAccount(deployment, { began: { owner: owner.address }, signer })
await chain.deployAccount({ client, submitter: submitterOf(devnetAccount('operator')) }, account)
await fund(account.address, { USDC: parseUnits('1000', 6) })

// The Golem: a session key with a little gas, registered for the owner.
const random = (length: number) => crypto.getRandomValues(new Uint8Array(length))
const key = chain.sessionKeyAccount(generateSessionKey('secp256k1', random))
await fund(key.address, { ETH: parseEther('1') })
const golem = { client, deployment, address: key.address, submitter: submitterOf(key) }
const id = await chain.registerGolem(golem, { owner: owner.address, key })

// The strategy is compiled into the least permission that it needs, and the owner signs that.
const { compiled, root } = prepareSignatures('Swap USDC into WETH. Never bridge.\n\nbudget: $50/day', {
  chainId,
  now: (await client.getBlock()).timestamp,
  book: devnetBook(world),
  subject: { golem: id, account: account.address, graceSeconds: 86_400 },
  cageEnforcer: deployment.contracts.cageEnforcer,
  delegate: key.address,
  salt: 1n,
  runway: { to: account.address },
})
for (const { permission, because } of compiled.plan.reasons)
  console.log(`  ${permission}  ← ${because.map(({ sentence }) => sentence).join(' ') || 'default'}`)
const signed = await signDelegation(account, root)

const swap = (name: string, dollars: string) => {
  const { usdc: from, weth: to, swapRouter02: router } = addresses
  const amountIn = parseUnits(dollars, 6)
  const order = { router, account: account.address, from, to, amountIn, minimumOut: 1n, fee: 500 }
  return chain.redeem(golem, { id: name, steps: [{ links: [signed], calls: chain.swapCalls(order) }] })
}

console.log('$30 swapped in', (await swap('within', '30')).hash)
await swap('beyond', '40').catch(({ message }) => console.log(message))
const ownerSigner = { client, deployment, account, key: owner.address, submitter: submitterOf(owner) }
await chain.revoke(ownerSigner, { delegation: signed, cause: 'owner' })
await swap('afterwards', '1').catch(({ message }) => console.log(message))
