/** A vault manager with a Replicant and a read-only observer, and a second Golem, as one tree: `node examples/delegation-tree.ts` */

import * as chain from '@bardo/chain'
import { policyCage } from '@bardo/contracts'
import {
  BardoError,
  caveatRegistry,
  createMemoryJournal,
  type Delegation,
  delegationTypedData,
  deploymentOn,
  exampleTree,
  hashDelegation,
  hybridAccount,
  signDelegation,
  treeToText,
  walletSigner,
} from '@bardo/core'
import { devnetAccount, devnetBook, startDevnet } from '@bardo/devnet'
import { namesOf } from '@bardo/golem/requests'
import {
  createPublicClient,
  encodeFunctionData,
  http,
  type LocalAccount,
  numberToHex,
  parseEther,
  parseUnits,
  toFunctionSelector,
  zeroHash,
} from 'viem'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'

await using world = await startDevnet({ port: 0 })
const { addresses, chainId, fund } = world
const client = createPublicClient({ chain: world.chain, transport: http(world.url) })
const deployment = deploymentOn(chainId)
const [journal, clock, settings] = [createMemoryJournal(), chain.systemClock, { finality: 1 }]
const submitterOf = (signer: LocalAccount) =>
  chain.createSubmitter({ client, chainId, journal, clock, signer, settings })

// The owner's account, and a constitution with a maximum drawdown of 15 %.
const owner = devnetAccount('owner')
const operator = submitterOf(devnetAccount('operator'))
const account = hybridAccount(deployment, { began: { owner: owner.address }, signer: walletSigner(owner) })
await chain.deployAccount({ client, submitter: operator }, account)
await fund(account.address, { USDC: parseUnits('10000', 6), WETH: parseEther('1') })
const constitution = await enact()

// Four keys: two Golems of the owner, and two delegates of the first one.
const party = async () => {
  const key = privateKeyToAccount(generatePrivateKey())
  await fund(key.address, { ETH: parseEther('1') })
  return { key, redeemer: { client, deployment, address: key.address, submitter: submitterOf(key) } }
}
const [alpha, replicant, sleepwalker, beta] = [await party(), await party(), await party(), await party()]
const idOf = ({ key, redeemer }: typeof alpha) => chain.registerGolem(redeemer, { owner: owner.address, key })

const { LimitedCallsEnforcer, RedeemerEnforcer } = deployment.framework.caveatEnforcers
if (!LimitedCallsEnforcer || !RedeemerEnforcer)
  throw new TypeError('The devnet lacks an enforcer of MetaMask.')
const publisher = { address: addresses.multicall3, selector: toFunctionSelector('function getBlockNumber()') }
const { delegations } = exampleTree({
  now: (await client.getBlock()).timestamp,
  account: account.address,
  book: devnetBook(world),
  enforcers: {
    cageEnforcer: deployment.contracts.cageEnforcer,
    replicantBudgetEnforcer: deployment.contracts.replicantBudgetEnforcer,
    limitedCallsEnforcer: LimitedCallsEnforcer,
    redeemerEnforcer: RedeemerEnforcer,
  },
  alpha: { golem: await idOf(alpha), key: alpha.key.address },
  replicant: { golem: numberToHex(2, { size: 32 }), key: replicant.key.address },
  sleepwalker: sleepwalker.key.address,
  beta: { golem: await idOf(beta), key: beta.key.address },
  publisher,
  constitution,
  portfolioDollars: 2_000,
})

// The owner signs the two roots; the first Golem's key signs what is below its own.
const bySessionKey = async (unsigned: Delegation): Promise<Delegation> => {
  const typed = delegationTypedData(chainId, deployment.framework.DelegationManager, unsigned)
  return { ...unsigned, signature: await alpha.key.signTypedData(typed) }
}
const signed = {
  D1: await signDelegation(account, delegations.D1),
  'D1.1': await bySessionKey(delegations['D1.1']),
  'D1.2': await bySessionKey(delegations['D1.2']),
  D2: await signDelegation(account, delegations.D2),
}

const { usdc: from, weth: to, swapRouter02: router } = addresses
const buy = (dollars: string) => {
  const order = { router, account: account.address, from, to, minimumOut: 1n, fee: 500 }
  return chain.swapCalls({ ...order, amountIn: parseUnits(dollars, 6) })
}
const publish = [{ to: publisher.address, data: publisher.selector }]
let count = 0
async function act(
  name: string,
  by: typeof alpha,
  links: readonly Delegation[],
  calls: ReturnType<typeof buy>,
) {
  count += 1
  try {
    await chain.redeem(by.redeemer, { id: `act-${count}`, steps: [{ links, calls }] })
    console.log(`${name}: done`)
  } catch (error) {
    if (!(error instanceof BardoError)) throw error
    console.log(`${name}: ${error.shortMessage}`)
  }
}
await act('D1 buys for $300', alpha, [signed.D1], buy('300'))
await act('D1.1 buys for $40', replicant, [signed['D1.1'], signed.D1], buy('40'))
await act('D1.1 buys for $11 more', replicant, [signed['D1.1'], signed.D1], buy('11'))
await act('D1.2 publishes', sleepwalker, [signed['D1.2'], signed.D1], publish)
await act('D1.2 buys for $1', sleepwalker, [signed['D1.2'], signed.D1], buy('1'))
await act('D2 buys for $100', beta, [signed.D2], buy('100'))

const { tree, facts } = await chain.readDelegationTree(client, deployment, Object.values(signed))
const labels = new Map(Object.entries(signed).map(([name, one]) => [hashDelegation(one), name] as const))
const shown = { registry: caveatRegistry(deployment), names: namesOf(devnetBook(world)), facts, labels }
console.log(treeToText(tree, shown))

async function enact() {
  const assets = [addresses.usdc, addresses.weth]
    .sort((a, b) => (a.toLowerCase() < b.toLowerCase() ? -1 : 1))
    .map((asset) => ({ asset, maxShareBps: 10_000 }))
  const limits = {
    perTxCents: 100_000n,
    perSessionCents: 1_000_000n,
    perDayCents: 100_000n,
    sessionSeconds: 86_400,
    maxDrawdownBps: 1_500,
  }
  const call = {
    abi: policyCage.abi,
    functionName: 'enact',
    args: [{ assets, limits, document: zeroHash }],
  } as const
  const { result } = await client.simulateContract({ address: addresses.policyCage, ...call })
  await operator.submit({ id: 'enact', to: addresses.policyCage, data: encodeFunctionData(call) })
  return result
}
