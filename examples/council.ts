/** Two of three members co-sign each trade, each after its own evaluation: `node examples/council.ts` */

import * as chain from '@bardo/chain'
import {
  BardoError,
  createMemoryJournal,
  deploymentOn,
  generateSessionKey,
  hybridAccount,
  prepareSignatures,
  signDelegation,
  threshold,
  walletSigner,
} from '@bardo/core'
import { devnetAccount, devnetBook, startDevnet } from '@bardo/devnet'
import { createPublicClient, http, type LocalAccount, parseEther, parseUnits } from 'viem'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'

await using world = await startDevnet({ port: 0 })
const { addresses, chainId, fund } = world
const client = createPublicClient({ chain: world.chain, transport: http(world.url) })
const deployment = deploymentOn(chainId)
const [journal, clock, settings] = [createMemoryJournal(), chain.systemClock, { finality: 1 }]
const submitterOf = (signer: LocalAccount) =>
  chain.createSubmitter({ client, chainId, journal, clock, signer, settings })

const owner = devnetAccount('owner')
const signer = walletSigner(owner)
const account = hybridAccount(deployment, { began: { owner: owner.address }, signer })
await chain.deployAccount({ client, submitter: submitterOf(devnetAccount('operator')) }, account)
await fund(account.address, { USDC: parseUnits('1000', 6) })
const random = (length: number) => crypto.getRandomValues(new Uint8Array(length))
const key = chain.sessionKeyAccount(generateSessionKey('secp256k1', random))
await fund(key.address, { ETH: parseEther('1') })
const golem = { client, deployment, address: key.address, submitter: submitterOf(key) }
const id = await chain.registerGolem(golem, { owner: owner.address, key })

// The keys of the council, ascending. The owner signs the Cage (amounts, contracts) and the council beside it.
const members = Array.from({ length: 3 }, () => privateKeyToAccount(generatePrivateKey())).sort((a, b) =>
  BigInt(a.address) < BigInt(b.address) ? -1 : 1,
)
const { root } = prepareSignatures('Swap USDC into WETH.\n\nbudget: $500/day', {
  chainId,
  now: (await client.getBlock()).timestamp,
  book: devnetBook(world),
  subject: { golem: id, account: account.address, graceSeconds: 86_400 },
  cageEnforcer: deployment.contracts.cageEnforcer,
  delegate: key.address,
  salt: 1n,
  runway: { to: account.address },
})
const council = {
  enforcer: deployment.contracts.thresholdEnforcer,
  terms: threshold.encode({ threshold: 2, keys: members.map(({ address }) => address) }),
  args: '0x',
} as const
const signed = await signDelegation(account, { ...root, caveats: [...root.caveats, council] })

const { usdc: from, weth: to, swapRouter02: router } = addresses
/** Each member agrees to other amounts. */
const limits = (dollars: string) => ({
  targets: [router],
  most: [{ token: from, amount: parseUnits(dollars, 6) }],
})
const question = (dollars: string, nonce: bigint, receiver = account.address): chain.MemberQuestion => {
  const order = { router, account: receiver, from, to, minimumOut: 1n, fee: 500 }
  const calls = chain.swapCalls({ ...order, amountIn: parseUnits(dollars, 6) })
  const links = [signed]
  return { client, deployment, delegation: signed, links, redeemer: key.address, calls, nonce }
}
async function trade(asked: chain.MemberQuestion, most: readonly string[]): Promise<string> {
  try {
    const signing = most.flatMap((dollars, place) => {
      const member = members[place]
      return member ? [chain.coSignAsMember(member, limits(dollars), asked)] : []
    })
    const leaf = await chain.withCoSignatures(asked, await Promise.all(signing))
    const steps = [{ links: [leaf], calls: asked.calls }]
    await chain.redeem(golem, { id: `trade-${asked.nonce}`, steps })
    return 'traded'
  } catch (error) {
    if (error instanceof BardoError) return [error.shortMessage, ...error.details].join(' ')
    throw error
  }
}

console.log(await trade(question('100', 1n), ['200', '100']))
console.log(await trade(question('100', 2n), ['200']))
console.log(await trade(question('150', 3n), ['200', '100']))
console.log(await trade(question('100', 4n, key.address), ['200', '200']))
console.log(await trade(question('501', 5n), ['900', '900']))
