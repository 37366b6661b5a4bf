/**
 * Two of three members decide on each trade, in two ways, both with a maximum value and contracts: `node examples/council.ts`
 *
 * 1. co-signatures: each member signs one execution after its own evaluation; the Golem redeems it;
 * 2. a MultiSig account as the delegate: two members sign its redelegation of one execution to the Golem's key.
 */

import * as chain from '@bardo/chain'
import {
  BardoError,
  type Call,
  createMemoryJournal,
  deploymentOn,
  encodeExecution,
  generateSessionKey,
  hashDelegation,
  hybridAccount,
  metamaskKinds,
  multiSigAccount,
  prepareSignatures,
  signDelegation,
  threshold,
  walletSigner,
} from '@bardo/core'
import { devnetAccount, devnetBook, startDevnet } from '@bardo/devnet'
import { type Address, createPublicClient, http, type LocalAccount, parseEther, parseUnits } from 'viem'
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
const now = (await client.getBlock()).timestamp
const rootFor = (delegate: Address, budget: string, salt: bigint) =>
  prepareSignatures(`Swap USDC into WETH.\n\nbudget: $${budget}/day`, {
    chainId,
    now,
    book: devnetBook(world),
    subject: { golem: id, account: account.address, graceSeconds: 86_400 },
    cageEnforcer: deployment.contracts.cageEnforcer,
    delegate,
    salt,
    runway: { to: account.address },
  }).root
const root = rootFor(key.address, '500', 1n)
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
  const links = [signed] as const
  return { client, deployment, delegation: signed, links, redeemer: key.address, calls, nonce }
}
async function said(work: () => Promise<unknown>): Promise<string> {
  try {
    await work()
    return 'traded'
  } catch (error) {
    if (error instanceof BardoError) return [error.shortMessage, ...error.details].join(' ')
    throw error
  }
}
const trade = (asked: chain.MemberQuestion, most: readonly string[]) =>
  said(async () => {
    const signing = most.flatMap((dollars, place) => {
      const member = members[place]
      return member ? [chain.coSignAsMember(member, limits(dollars), asked)] : []
    })
    const leaf = await chain.withCoSignatures(asked, await Promise.all(signing))
    const steps = [{ links: [leaf], calls: asked.calls }]
    await chain.redeem(golem, { id: `trade-${asked.nonce}`, steps })
  })

console.log(await trade(question('100', 1n), ['200', '100']))
console.log(await trade(question('100', 2n), ['200']))
console.log(await trade(question('150', 3n), ['200', '100']))
console.log(await trade(question('100', 4n, key.address), ['200', '200']))
console.log(await trade(question('501', 5n), ['900', '900']))

// The same council as a MultiSig account. The owner's Cage has its maximum value and its contracts.
const councilOf = (signing: readonly LocalAccount[]) =>
  multiSigAccount(deployment, {
    members: members.map(({ address }) => address),
    threshold: 2,
    signer: chain.councilSigner(signing),
  })
const multiSig = councilOf(members.slice(0, 2))
await chain.deployAccount({ client, submitter: submitterOf(devnetAccount('operator')) }, multiSig)
const councilRoot = await signDelegation(account, rootFor(multiSig.address, '300', 2n))
const { LimitedCallsEnforcer: enforcer, ExactExecutionBatchEnforcer: exact } =
  deployment.framework.caveatEnforcers
if (!enforcer || !exact)
  throw new BardoError('The framework lacks an enforcer.', { code: 'UNSUPPORTED_CHAIN' })

const decide = (calls: readonly Call[], signing: readonly LocalAccount[], salt: bigint) =>
  said(async () => {
    // Exactly these calls, once: the Golem's key can do nothing else with the signatures.
    const once = { enforcer, terms: metamaskKinds.LimitedCalls.encode({ limit: 1 }), args: '0x' } as const
    const only = { enforcer: exact, terms: encodeExecution(calls).calldata, args: '0x' } as const
    const leaf = await signDelegation(councilOf(signing), {
      delegate: key.address,
      authority: hashDelegation(councilRoot),
      caveats: [once, only],
      salt,
    })
    await chain.redeem(golem, { id: `council-${salt}`, steps: [{ links: [leaf, councilRoot], calls }] })
  })
const [first, second, third] = members
if (!first || !second || !third)
  throw new BardoError('The example needs three members.', { code: 'INTERNAL' })
console.log(await decide(question('100', 0n).calls, [first, third], 1n))
console.log(await decide(question('100', 0n).calls, [first], 2n))
console.log(await decide(question('301', 0n).calls, [second, third], 3n))
console.log(
  await decide(
    [
      { to: addresses.usdcVault, data: '0x' },
      { to: from, data: '0x' },
    ],
    [first, second],
    4n,
  ),
)
