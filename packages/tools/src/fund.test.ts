import { transferCall } from '@bardo/chain'
import { answerRequest } from '@bardo/golem/requests'
import { balanceOf } from '@bardo/golem/testing/golemWorld'
import { activeKey } from '@bardo/wallets'
import { erc20Abi, formatUnits, parseEther, parseUnits } from 'viem'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { callTool } from './callTool.ts'
import { fund } from './fund.ts'
import { footprintOf, openOwnerWorld } from './testing/ownerWorld.ts'

let here: Awaited<ReturnType<typeof openOwnerWorld>>
let golem: Awaited<ReturnType<typeof here.summon>>

beforeAll(async () => {
  here = await openOwnerWorld()
  golem = await here.summon()
  await here.world.fund(golem.owner.address, { USDC: parseUnits('100', 6) })
})
afterAll(() => here[Symbol.asyncDispose]())

const ask = (changes: Record<string, unknown> = {}, context = golem.context) =>
  callTool(context, fund, { token: 'USDC', amount: '5', chain: 'devnet', ...changes })

it('gets tokens for the account and gas for the key from the devnet’s owner responder', async () => {
  const context = { ...golem.context, owner: await golem.responder() }
  const { usdc } = here.world.addresses
  const before = await balanceOf(here.world, usdc, golem.account)
  const done = await ask({ idempotencyKey: 'once' }, context)
  expect(done).toMatchObject({ status: 'done', funded: '5000000' })
  expect(await ask({ idempotencyKey: 'once' }, context)).toEqual(done)
  expect((await balanceOf(here.world, usdc, golem.account)) - before).toBe(5_000_000n)
  const key = await activeKey(here.store, golem.id)
  const address = key?.address ?? golem.account
  const gas = await here.world.client.getBalance({ address })
  expect(await ask({ token: 'ETH', amount: '0.01' }, context)).toMatchObject({ status: 'done', to: address })
  expect((await here.world.client.getBalance({ address })) - gas).toBe(parseEther('0.01'))
})

it('refuses more of a token than exists, with the numbers', async () => {
  const before = await footprintOf(here.store, golem.id)
  const supply = await here.world.client.readContract({
    address: here.world.addresses.usdc,
    abi: erc20Abi,
    functionName: 'totalSupply',
  })
  await expect(ask({ amount: formatUnits(supply + 1n, 6) })).rejects.toMatchObject({
    code: 'ACTION_NOT_ALLOWED',
    details: [
      `requested: ${formatUnits(supply + 1n, 6)} USDC`,
      `total supply: ${formatUnits(supply, 6)} USDC`,
    ],
  })
  expect(await footprintOf(here.store, golem.id)).toEqual(before)
})

it('waits for the owner, and accepts only transfers that the chain confirms', async () => {
  const { requestId: id, status } = await ask()
  expect(status).toBe('pending')
  const { usdc } = here.world.addresses
  const send = async (amount: string, account = golem.account) =>
    here.world.client.sendTransaction({
      account: golem.owner,
      ...transferCall({ token: usdc, amount: parseUnits(amount, 6), account }),
    })
  const answer = async (transaction: `0x${string}`, request = id) => {
    await here.world.client.waitForTransactionReceipt({ hash: transaction })
    return answerRequest(golem.context, request, golem.owner.address, { type: 'sent', transaction })
  }
  const malformed = { code: 'GRANT_MALFORMED' }
  await expect(answer(await send('6'))).rejects.toMatchObject(malformed)
  await expect(answer(await send('5', golem.owner.address))).rejects.toMatchObject(malformed)
  const ether = await here.world.client.sendTransaction({
    account: golem.owner,
    to: golem.account,
    value: 5n,
  })
  await expect(answer(ether)).rejects.toMatchObject(malformed)
  const unknown = `0x${'12'.repeat(32)}` as const
  const claimed = answerRequest(golem.context, id, golem.owner.address, {
    type: 'sent',
    transaction: unknown,
  })
  await expect(claimed).rejects.toMatchObject(malformed)
  // A transfer from before the request does not answer it.
  const early = await send('3')
  await here.world.client.waitForTransactionReceipt({ hash: early })
  const later = await ask()
  await expect(answer(early, later.requestId)).rejects.toMatchObject({
    ...malformed,
    details: ['the transfer is older than the request'],
  })
  const less = await send('4')
  expect(await answer(less)).toBe(true)
  expect(await here.store.ownerRequests.find(id)).toMatchObject({ state: 'adjusted' })
  const again = await ask()
  await expect(answer(less, again.requestId)).rejects.toMatchObject(malformed)
  expect(await here.store.ownerRequests.find(again.requestId)).toMatchObject({ state: 'pending' })
})

it('refuses other chains, sources, tokens and amounts, and files no request', async () => {
  const before = await footprintOf(here.store, golem.id)
  await expect(ask({ chain: 1 })).rejects.toMatchObject({ code: 'UNSUPPORTED_CHAIN' })
  await expect(ask({ from: golem.account })).rejects.toMatchObject({ code: 'ACTION_NOT_ALLOWED' })
  await expect(ask({ token: 'UЅDC' })).rejects.toMatchObject({ code: 'INVALID_INPUT' })
  await expect(ask({ token: 'DOGE' })).rejects.toMatchObject({ code: 'ADDRESS_UNKNOWN' })
  for (const amount of ['0', '0.0000001', '-1', '1e3', `1${'0'.repeat(33)}`, '9'.repeat(30), 5])
    await expect(ask({ amount })).rejects.toMatchObject({ code: 'INVALID_INPUT' })
  expect(await footprintOf(here.store, golem.id)).toEqual(before)
})

it('limits requests in later phases', async () => {
  const old = await here.summon()
  const refused = { code: 'ACTION_NOT_ALLOWED' }
  for (const phase of ['stable', 'conservation'] as const) {
    await here.age(old.id, phase)
    expect(await ask({ amount: '300' }, old.context)).toMatchObject({ status: 'pending' })
    await expect(ask({ amount: '300.01' }, old.context)).rejects.toMatchObject(refused)
    await expect(ask({ token: 'WETH', amount: '1' }, old.context)).rejects.toMatchObject(refused)
    await expect(ask({ token: 'ETH', amount: '0.06' }, old.context)).rejects.toMatchObject(refused)
  }
  await here.age(old.id, 'declining')
  await expect(ask({ amount: '1' }, old.context)).rejects.toMatchObject(refused)
  expect(await ask({ token: 'ETH', amount: '0.05' }, old.context)).toMatchObject({ status: 'pending' })
  await here.age(old.id, 'terminal')
  await expect(ask({}, old.context)).rejects.toMatchObject({ code: 'GOLEM_DYING' })
})
