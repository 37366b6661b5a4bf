/**
 * One life on a local chain: summoned from a strategy, trading inside its bounds, robbed in vain, killed, accounted for.
 * `npm run life`; it ends with 1 if a promise was broken.
 */
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import * as chain from '@bardo/chain'
import { createMemoryJournal } from '@bardo/core'
import { devnetAccount, devnetBook, startDevnet } from '@bardo/devnet'
import * as golems from '@bardo/golem'
import { openStore } from '@bardo/store'
import {
  type Address,
  createPublicClient,
  encodeFunctionData,
  erc20Abi,
  formatEther,
  formatUnits,
  http,
  type LocalAccount,
  parseEther,
  parseUnits,
} from 'viem'

const strategyText = 'Every day, swap $50 of USDC into WETH.\n\nlifespan: 30 days'
const broken: string[] = []
const promise = (kept: boolean, what: string) => {
  console.log(`  ${kept ? '✓' : '✗ BROKEN:'} ${what}`)
  if (!kept) broken.push(what)
}

await using world = await startDevnet({ port: 0 })
const home = await mkdtemp(join(tmpdir(), 'bardo-life-'))
await using _folder = { [Symbol.asyncDispose]: () => rm(home, { recursive: true, force: true }) }
await using store = await openStore({ home, clock: chain.systemClock })
const { chainId, addresses } = world
const client = createPublicClient({ chain: world.chain, transport: http(world.url), cacheTime: 0 })
const deployment = chain.deploymentOn(chainId, world.framework)
const [book, clock, settings] = [devnetBook(world), chain.systemClock, { finality: 1, pollMs: 50 }]
const secret = { kind: 'operator', secret: crypto.getRandomValues(new Uint8Array(32)) } as const
const journal = createMemoryJournal()
const submitterOf = (signer: LocalAccount) =>
  chain.createSubmitter({ client, chainId, journal, clock, signer, settings })
const balance = (token: Address, of: Address) =>
  client.readContract({ address: token, abi: erc20Abi, functionName: 'balanceOf', args: [of] })

console.log('Summoning')
const owner = devnetAccount('owner')
const signer = chain.walletSigner(owner)
const account = chain.hybridAccount(deployment, { began: { owner: owner.address }, signer })
const sponsor = submitterOf(devnetAccount('operator'))
await chain.deployAccount({ client, submitter: sponsor }, account)
await world.fund(account.address, { USDC: parseUnits('1000', 6) })
const gas = parseEther('0.1')
const { id, root, milliseconds } = await golems.summonGolem({
  store,
  client,
  deployment,
  book,
  clock,
  name: 'one life',
  strategy: strategyText,
  owner: owner.address,
  account: account.address,
  graceSeconds: 86_400,
  intervalSeconds: golems.defaultSchedule.intervalSeconds,
  secret,
  sponsor,
  sign: (unsigned) => chain.signDelegation(account, unsigned),
  drip: (key) => world.fund(key, { ETH: gas }),
})
const provisioning = ['manifest', 'key', 'Permit2 (none)', 'signature and gas', 'identity', 'machine (none)']
for (const [index, name] of [...provisioning, 'state', 'heart'].entries())
  console.log(`  ${index + 1}. ${name}: ${milliseconds[index]} ms`)

const keys = golems.sealedKeySource(store, id, secret)
const golem = await golems.createGolem({
  id,
  store,
  client,
  deployment,
  book,
  clock,
  keys,
  settings: {
    schedule: golems.defaultSchedule,
    strategy: golems.dcaStrategy,
    economy: { runwayCents: 10_000n, dailyCosts: { inference: 100n, gas: 100n, compute: 50n, data: 50n } },
    expiryTicks: 3,
    poolFee: 500,
    submitter: settings,
  },
})
const told = async (name: string) =>
  (await store.events.read({ after: 0, golem: id, limit: 10_000 })).filter((event) => event.name === name)
const opening = await balance(addresses.usdc, account.address)

console.log('Living')
const days = 3
for (let day = 0; day < days; day += 1) {
  await golem.tick()
  await world.warp(86_400)
}
const trades = await told('action.landed')
promise(trades.length === days, `${trades.length} trades in ${days} days`)
const spent = opening - (await balance(addresses.usdc, account.address))
promise(spent === parseUnits('150', 6), `$${formatUnits(spent, 6)} spent, $50 a day`)

console.log('Robbed: the thief has the session key')
const stolen = await keys.open()
if (!stolen) throw new Error('the Golem has a key while it lives')
const thief = {
  client,
  deployment,
  address: root.delegate,
  submitter: submitterOf(chain.sessionKeyAccount(stolen)),
}
const { usdc: from, weth: to, swapRouter02: router } = addresses
const swap = { router, account: account.address, from, to, minimumOut: 1n, fee: 500 }
const steal = encodeFunctionData({
  abi: erc20Abi,
  functionName: 'transfer',
  args: [world.accounts.payee, 1_000_000n],
})
const robberies = {
  'a dollar to a stranger': [{ to: addresses.usdc, data: steal }],
  'a trade of $500': chain.swapCalls({ ...swap, amountIn: parseUnits('500', 6) }),
}
for (const [what, calls] of Object.entries(robberies)) {
  const refusal = await chain.redeem(thief, { id: what, steps: [{ links: [root], calls }] }).then(
    () => undefined,
    (error: Error) => error.message.split('\n')[0],
  )
  promise(refusal !== undefined, `${what}: ${refusal ?? 'it went through'}`)
}

console.log('Refused: the pool is far from the feed')
const price = await world.price('WETH/USDC')
await world.postPrice('WETH', (price * 100n) / 2n)
await golem.tick()
await world.postPrice('WETH', price * 100n)
promise((await told('action.refused')).length === 1, 'the Golem kept from a bad trade, with a warning')
const warnings = await store.grimoire.list({ golem: id, kind: 'warning' })
for (const { body } of warnings) console.log(`    ${JSON.stringify(body)}`)

console.log('Dying')
const [gasBefore, money] = [await client.getBalance({ address: owner.address }), await assets()]
const death = await golem.kill()
promise(death.is === 'dying' && death.phase === 'over', 'the death is over')
promise(`${await assets()}` === `${money}`, 'nothing moved out of the owner’s account')
promise((await keys.open()) === undefined, 'the session key is wiped')
const [request] = await store.ownerRequests.pending(id)
promise(request?.kind === 'revoke', 'the owner’s revocation is filed')
const desk = { client, deployment, account, key: owner.address, submitter: submitterOf(owner) }
const gasReturned = (await client.getBalance({ address: owner.address })) - gasBefore
await chain.revoke(desk, { delegation: root, cause: 'owner' })
promise(await chain.isDisabled(desk, root), 'and done: the delegation is disabled for good')
const report = await store.audit.verify()
promise(report.is === 'intact', `the record of events is ${report.is}`)

console.log('Balance sheet')
const [dollars = 0n, ether = 0n] = await assets()
const left = await client.getBalance({ address: root.delegate })
console.log(`  brought in        $${formatUnits(opening, 6)}`)
console.log(`  sold              $${formatUnits(opening - dollars, 6)} in ${trades.length} trades`)
console.log(`  bought            ${formatEther(ether)} WETH`)
console.log(`  in the account    $${formatUnits(dollars, 6)} and ${formatEther(ether)} WETH`)
console.log(`  gas given         ${formatEther(gas)} ETH`)
console.log(`  gas used          ${formatEther(gas - gasReturned - left)} ETH`)
console.log(`  gas returned      ${formatEther(gasReturned)} ETH`)
console.log(`  gas left behind   ${formatEther(left)} ETH`)
promise(dollars + parseUnits(`${50 * trades.length}`, 6) === opening, 'every dollar is accounted for')
const worth = (ether * price) / 10n ** 18n
promise(worth * 100n >= (opening - dollars) * 98n, `what was bought is worth $${formatUnits(worth, 6)}`)
promise(left < gas / 100n, 'less than a hundredth of the gas is left behind')

if (broken.length > 0) process.exitCode = 1

async function assets(): Promise<readonly bigint[]> {
  return Promise.all([addresses.usdc, addresses.weth].map((token) => balance(token, account.address)))
}
