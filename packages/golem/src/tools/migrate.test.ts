import { actionPermitTypedData } from '@bardo/core'
import { devnetAccount } from '@bardo/devnet'
import { type Address, type Hash, parseAbi, parseEther, parseUnits, zeroAddress } from 'viem'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { answerRequest } from '../owner/answerRequest.ts'
import { readOwnerAsk } from '../owner/ownerRequest.ts'
import { requireReceiver } from '../owner/requireReceiver.ts'
import { activeKey } from '../runtime/activeKey.ts'
import { balanceOf } from '../runtime/testing/golemWorld.ts'
import { callTool } from './callTool.ts'
import { configurePolicy } from './configurePolicy.ts'
import { migrate } from './migrate.ts'
import { mortalStore } from './testing/mortalStore.ts'
import { footprintOf, openOwnerWorld } from './testing/ownerWorld.ts'

let here: Awaited<ReturnType<typeof openOwnerWorld>>
type Summoned = Awaited<ReturnType<typeof here.summon>>

beforeAll(async () => {
  here = await openOwnerWorld()
})
afterAll(() => here[Symbol.asyncDispose]())

const positionsAbi = parseAbi([
  'function ownerOf(uint256 id) view returns (address)',
  'function tokenOfOwnerByIndex(address owner, uint256 index) view returns (uint256)',
  'function transferFrom(address from, address to, uint256 id)',
])
const fresh = () => privateKeyToAccount(generatePrivateKey()).address
const move = ({ context }: Pick<Summoned, 'context'>, changes: Record<string, unknown>) =>
  callTool(context, migrate, { chain: 'devnet', ...changes })
async function keyOf({ id }: Summoned) {
  const key = await activeKey(here.store, id)
  if (!key) throw new Error('there is no key')
  return key.address
}
/** A Golem whose key holds a few dollars, some dust and an ether. */
async function richGolem() {
  const golem = await here.summon()
  const key = await keyOf(golem)
  await here.world.fund(key, { USDC: parseUnits('7', 6), WETH: 1n })
  return { ...golem, key }
}
const positions = () => ({ address: here.world.addresses.nonfungiblePositionManager, abi: positionsAbi })
/** One of the world's own positions, handed over. */
async function givePosition(to: Address) {
  const faucet = devnetAccount('faucet')
  const { client } = here.world
  const args = [faucet.address, 0n] as const
  const id = await client.readContract({ ...positions(), functionName: 'tokenOfOwnerByIndex', args })
  const given = { functionName: 'transferFrom', args: [faucet.address, to, id] } as const
  const hash = await client.writeContract({
    ...positions(),
    ...given,
    account: faucet,
    chain: here.world.chain,
  })
  await client.waitForTransactionReceipt({ hash })
  return id
}
async function sign({ owner, context }: Summoned, id: string) {
  const request = await here.store.ownerRequests.find(id)
  const ask = request && readOwnerAsk(request)
  if (ask?.is !== 'permit') throw new Error('no permit was asked for')
  const typedData = actionPermitTypedData(ask.permit, context.deployment.chainId, ask.account)
  return owner.signTypedData(typedData)
}
const permit = async (golem: Summoned, id: string, by = golem) =>
  answerRequest(golem.context, id, golem.owner.address, {
    is: 'permitted',
    signature: await sign(by, id),
  })

it('shows a plan in its order without dust and the reserve, and files nothing', async () => {
  const golem = await richGolem()
  const before = await footprintOf(here.store, golem.id)
  const dry = await move(golem, { destinationWallet: fresh(), dryRun: true, gasReserveEth: '0.25' })
  const ether = await here.world.client.getBalance({ address: golem.key })
  expect(dry).toMatchObject({ status: 'dryRun', txHashes: [], note: expect.stringContaining('but gas') })
  expect(dry.plan.map(({ kind, amount }) => [kind, amount])).toEqual([
    ['erc20', '7000000'],
    ['eth', `${ether - parseEther('0.25')}`],
  ])
  const { weth, usdc } = here.world.addresses
  expect(dry.notMoved).toEqual([
    { token: weth, amount: '1', why: expect.stringContaining('worth less') },
    { token: zeroAddress, amount: `${parseEther('0.25')}`, why: 'it is kept for gas' },
  ])
  // What is named and unknown is said, and never called.
  const unknown = fresh()
  const named = await move(golem, { destinationWallet: fresh(), dryRun: true, tokens: [usdc, unknown] })
  expect(named.plan.map(({ kind }) => kind)).toEqual(['erc20', 'eth'])
  expect(named.notMoved).toContainEqual({
    token: unknown,
    amount: null,
    why: expect.stringContaining('known'),
  })
  expect(migrate.say(named)).toContain(unknown)
  const all = await move(golem, { destinationWallet: fresh(), dryRun: true, minBalanceUsd: 0 })
  expect(all.plan.map(({ kind }) => kind)).toEqual(['erc20', 'erc20', 'eth'])
  expect(await footprintOf(here.store, golem.id)).toEqual(before)
})

it('does nothing without the owner’s permit, and exactly the plan with it, once', async () => {
  const golem = await richGolem()
  const { usdc } = here.world.addresses
  const destinationWallet = fresh()
  const pending = await move(golem, { destinationWallet })
  expect(pending).toMatchObject({ status: 'pending', txHashes: [] })
  const requestId = pending.requestId ?? ''
  expect(await move(golem, { destinationWallet, requestId })).toMatchObject({ status: 'pending' })
  expect(await balanceOf(here.world, usdc, golem.key)).toBe(7_000_000n)
  const stranger = await here.summon()
  await expect(permit(golem, requestId, stranger)).rejects.toMatchObject({ code: 'GRANT_MALFORMED' })
  expect(await permit(golem, requestId)).toBe(true)

  await expect(move(golem, { destinationWallet: fresh(), requestId })).rejects.toMatchObject({
    code: 'ACTION_NOT_ALLOWED',
  })
  await expect(move(stranger, { destinationWallet, requestId })).rejects.toMatchObject({
    code: 'ACTION_NOT_ALLOWED',
  })
  // What came in later is in no plan.
  await here.world.fund(golem.key, { USDC: 1_000_000n })
  const done = await move(golem, { destinationWallet, requestId })
  expect(done).toMatchObject({ status: 'done', totalMigrated: 2, plan: pending.plan })
  expect(await balanceOf(here.world, usdc, destinationWallet)).toBe(7_000_000n)
  const again = await move(golem, { destinationWallet, requestId })
  expect(again.txHashes).toEqual(done.txHashes)
  expect(await balanceOf(here.world, usdc, destinationWallet)).toBe(7_000_000n)
  expect(await here.world.client.getBalance({ address: destinationWallet })).toBe(
    BigInt(pending.plan.at(-1)?.amount ?? 0),
  )
})

it('holds a permit to the policy it was signed under, and to its hour', async () => {
  const golem = await richGolem()
  const destinationWallet = fresh()
  const { requestId } = await move(golem, { destinationWallet })
  await permit(golem, requestId ?? '')
  const later = { ...golem.context.clock, now: () => Date.now() + 3_601_000 }
  const late = move({ context: { ...golem.context, clock: later } }, { destinationWallet, requestId })
  await expect(late).rejects.toMatchObject({ code: 'GRANT_MALFORMED' })
  await callTool(golem.context, configurePolicy, { policyTemplate: 'read-only' })
  await expect(move(golem, { destinationWallet, requestId })).rejects.toMatchObject({
    code: 'ACTION_NOT_ALLOWED',
    details: ['its policy does not fit'],
  })
  expect(await here.world.client.getBalance({ address: destinationWallet })).toBe(0n)
})

it('moves positions between tokens and ETH, where the devnet’s owner signs', async () => {
  const golem = await richGolem()
  const { owner } = golem
  const context = { ...golem.context, owner: await golem.seat() }
  const position = await givePosition(golem.key)
  const done = await move({ context }, { destinationWallet: golem.account })
  expect(done).toMatchObject({ status: 'done', totalMigrated: 3 })
  expect(done.plan.map(({ kind }) => kind)).toEqual(['erc20', 'nft', 'eth'])
  expect(
    await here.world.client.readContract({ ...positions(), functionName: 'ownerOf', args: [position] }),
  ).toBe(golem.account)
  const empty = await move({ context }, { destinationWallet: owner.address, gasReserveEth: '2' })
  expect(empty).toMatchObject({ status: 'nothing', requestId: null })
})

it('goes on where it died: before a position is sent, and after that without knowing', async () => {
  const golem = await richGolem()
  const position = await givePosition(golem.key)
  const { client } = here.world
  const destinationWallet = fresh()
  const { requestId } = await move(golem, { destinationWallet })
  await permit(golem, requestId ?? '')
  const call = { destinationWallet, requestId }
  const ownerOf = () => client.readContract({ ...positions(), functionName: 'ownerOf', args: [position] })
  const dieBefore = async (wanted: string, time: number) => {
    let seen = 0
    const mortal = mortalStore(here.store, (write) => write === wanted && ++seen === time)
    await expect(move({ context: golem.contextOn(mortal.store) }, call)).rejects.toThrow()
    expect(mortal.isDead()).toBe(true)
  }
  // The token is gone, and the position's turn never came.
  await dieBefore('journal.addIntent', 2)
  expect(await balanceOf(here.world, here.world.addresses.usdc, destinationWallet)).toBe(7_000_000n)
  expect(await ownerOf()).toBe(golem.key)
  // The position is sent, and nobody wrote down that it arrived.
  await dieBefore('journal.noteMined', 1)
  expect(await ownerOf()).toBe(destinationWallet)
  expect(await client.getBalance({ address: destinationWallet })).toBe(0n)

  const done = await move(golem, call)
  expect(done).toMatchObject({ status: 'done', totalMigrated: 3 })
  expect(done.plan.map(({ kind }) => kind)).toEqual(['erc20', 'nft', 'eth'])
  expect(await client.getBalance({ address: destinationWallet })).toBe(BigInt(done.plan.at(-1)?.amount ?? 0))
  // Three transactions of the key in the plan's order, ETH last, and no fourth.
  const nonces = await Promise.all(
    done.txHashes.map(async (hash) => (await client.getTransaction({ hash: hash as Hash })).nonce),
  )
  const [first = 0] = nonces
  expect(nonces).toEqual([first, first + 1, first + 2])
  expect(await client.getTransactionCount({ address: golem.key })).toBe(first + 3)
  expect(await here.store.grimoire.get(golem.id, `migration.${requestId}`)).toMatchObject({
    body: { txHashes: done.txHashes },
  })
})

it('refuses destinations that cannot receive, another source and another chain', async () => {
  const golem = await richGolem()
  const before = await footprintOf(here.store, golem.id)
  const { usdc, usdcVault, nonfungiblePositionManager, multicall3 } = here.world.addresses
  const deaf = [zeroAddress, golem.key, usdc, usdcVault, nonfungiblePositionManager, multicall3]
  for (const destinationWallet of deaf)
    await expect(move(golem, { destinationWallet })).rejects.toMatchObject({
      code: 'INVALID_INPUT',
      message: expect.stringContaining('cannot receive'),
    })
  await expect(
    move(golem, { destinationWallet: fresh(), sourceWallet: golem.account }),
  ).rejects.toMatchObject({ code: 'ACTION_NOT_ALLOWED' })
  await expect(move(golem, { destinationWallet: fresh(), chain: 8453 })).rejects.toMatchObject({
    code: 'UNSUPPORTED_CHAIN',
  })
  expect(await footprintOf(here.store, golem.id)).toEqual(before)
  // Takes ETH, and has no ear for NFTs.
  const unnamed = { ...golem.context, book: { ...golem.context.book, assets: new Map() } }
  await expect(requireReceiver(unnamed, golem.key, here.world.addresses.weth)).rejects.toMatchObject({
    details: ['it is a contract that takes no NFTs'],
  })
  // A smart account takes both.
  expect(await move(golem, { destinationWallet: golem.account, dryRun: true })).toMatchObject({
    status: 'dryRun',
  })
})

it('goes to the owner alone once it declines, and nowhere at the end', async () => {
  const golem = await richGolem()
  for (const phase of ['stable', 'conservation'] as const) {
    await here.age(golem.id, phase)
    expect(await move(golem, { destinationWallet: fresh(), dryRun: true })).toMatchObject({
      status: 'dryRun',
    })
  }
  await here.age(golem.id, 'declining')
  await expect(move(golem, { destinationWallet: fresh() })).rejects.toMatchObject({
    code: 'ACTION_NOT_ALLOWED',
  })
  expect(await move(golem, { destinationWallet: golem.owner.address })).toMatchObject({ status: 'pending' })
  await here.age(golem.id, 'terminal')
  await expect(move(golem, { destinationWallet: golem.owner.address })).rejects.toMatchObject({
    code: 'GOLEM_DYING',
  })
})
