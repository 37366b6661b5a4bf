import { actionPermitTypedData } from '@bardo/core'
import { devnetAccount } from '@bardo/devnet'
import { answerRequest, readOwnerAsk, requireReceiver } from '@bardo/golem/requests'
import { balanceOf } from '@bardo/golem/testing/golemWorld'
import { activeKey } from '@bardo/wallets'
import { type Address, type Hash, parseAbi, parseEther, parseUnits, zeroAddress } from 'viem'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { afterAll, beforeAll, expect, it } from 'vitest'
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
/** A Golem whose key holds $7, one unit of WETH and one ETH. */
async function richGolem() {
  const golem = await here.summon()
  const key = await keyOf(golem)
  await here.world.fund(key, { USDC: parseUnits('7', 6), WETH: 1n })
  return { ...golem, key }
}
const positions = () => ({ address: here.world.addresses.nonfungiblePositionManager, abi: positionsAbi })
/** Transfers one of the devnet's own positions. */
async function givePosition(to: Address) {
  const faucet = devnetAccount('faucet')
  const { client } = here.world
  const args = [faucet.address, 0n] as const
  const id = await client.readContract({ ...positions(), functionName: 'tokenOfOwnerByIndex', args })
  const transfer = { functionName: 'transferFrom', args: [faucet.address, to, id] } as const
  const hash = await client.writeContract({
    ...positions(),
    ...transfer,
    account: faucet,
    chain: here.world.chain,
  })
  await client.waitForTransactionReceipt({ hash })
  return id
}
async function sign({ owner, context }: Summoned, id: string) {
  const request = await here.store.ownerRequests.find(id)
  const ask = request && readOwnerAsk(request)
  if (ask?.type !== 'permit') throw new Error('no permit request was filed')
  const typedData = actionPermitTypedData(ask.permit, context.deployment.chainId, ask.account)
  return owner.signTypedData(typedData)
}
const permit = async (golem: Summoned, id: string, by = golem) =>
  answerRequest(golem.context, id, golem.owner.address, {
    type: 'permitted',
    signature: await sign(by, id),
  })

it('shows the ordered plan without dust and the gas reserve, and files nothing', async () => {
  const golem = await richGolem()
  const before = await footprintOf(here.store, golem.id)
  const dry = await move(golem, { destinationWallet: fresh(), dryRun: true, gasReserveEth: '0.25' })
  const ether = await here.world.client.getBalance({ address: golem.key })
  expect(dry).toMatchObject({ status: 'dryRun', txHashes: [], note: expect.stringContaining('only gas') })
  expect(dry.plan.map(({ kind, amount }) => [kind, amount])).toEqual([
    ['erc20', '7000000'],
    ['eth', `${ether - parseEther('0.25')}`],
  ])
  const { weth, usdc } = here.world.addresses
  expect(dry.notMoved).toEqual([
    { token: weth, amount: '1', why: expect.stringContaining('worth less') },
    { token: zeroAddress, amount: `${parseEther('0.25')}`, why: 'reserved for gas' },
  ])
  // A named token that is unknown is reported, and never called.
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

it('does nothing without the owner’s permit, and exactly the plan, once, with it', async () => {
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
  // Assets that arrive later are not in the plan.
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

it('refuses a permit after the policy changed, or after an hour', async () => {
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
    details: ['its policy does not match'],
  })
  expect(await here.world.client.getBalance({ address: destinationWallet })).toBe(0n)
})

it('moves tokens, then positions, then ETH, if an owner responder signs', async () => {
  const golem = await richGolem()
  const { owner } = golem
  const context = { ...golem.context, owner: await golem.responder() }
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

it('continues after a crash before a position is sent, and after a crash before it is recorded as mined', async () => {
  const golem = await richGolem()
  const position = await givePosition(golem.key)
  const { client } = here.world
  const destinationWallet = fresh()
  const { requestId } = await move(golem, { destinationWallet })
  await permit(golem, requestId ?? '')
  const call = { destinationWallet, requestId }
  const ownerOf = () => client.readContract({ ...positions(), functionName: 'ownerOf', args: [position] })
  const dieBefore = async (target: string, time: number) => {
    let count = 0
    const mortal = mortalStore(here.store, (write) => write === target && ++count === time)
    await expect(move({ context: golem.contextOn(mortal.store) }, call)).rejects.toThrow()
    expect(mortal.isDead()).toBe(true)
  }
  // The token is moved; the position is not sent yet.
  await dieBefore('journal.addIntent', 2)
  expect(await balanceOf(here.world, here.world.addresses.usdc, destinationWallet)).toBe(7_000_000n)
  expect(await ownerOf()).toBe(golem.key)
  // The position is sent, but its receipt is not recorded.
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
  const unable = [zeroAddress, golem.key, usdc, usdcVault, nonfungiblePositionManager, multicall3]
  for (const destinationWallet of unable)
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
  // WETH accepts ETH, but no NFTs.
  const unnamed = { ...golem.context, book: { ...golem.context.book, assets: new Map() } }
  await expect(requireReceiver(unnamed, golem.key, here.world.addresses.weth)).rejects.toMatchObject({
    details: ['the contract does not accept NFTs'],
  })
  // A smart account accepts both.
  expect(await move(golem, { destinationWallet: golem.account, dryRun: true })).toMatchObject({
    status: 'dryRun',
  })
})

it('migrates only to the owner when declining, and not at all when terminal', async () => {
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
