import { createMemoryJournal } from '@bardo/core'
import { type Address, type LocalAccount, parseEther } from 'viem'
import { generatePrivateKey, privateKeyToAccount, privateKeyToAddress } from 'viem/accounts'
import { afterAll, afterEach, beforeAll, expect, it } from 'vitest'
import { signUpgrade } from '../accounts/upgrade.ts'
import { createSubmitter } from '../submission/createSubmitter.ts'
import { readGasPrice } from '../submission/gasMarket.ts'
import type { SubmitterSettings } from '../submission/settings.ts'
import { createTestClock } from '../testing/fault.ts'
import { openRedemptionWorld, type RedemptionWorld } from '../testing/redemptionWorld.ts'
import { sendAllGas } from './sendAllGas.ts'

let world: RedemptionWorld
beforeAll(async () => {
  world = await openRedemptionWorld()
})
afterEach(() => world.god.setAutomine(true))
afterAll(() => world?.stop())

const balanceOf = (address: Address) => world.client.getBalance({ address })

const impatient = { patienceMs: 5_000 }

/** A key with one ether, and a function that sends it all to another address. */
async function holder(to = privateKeyToAddress(generatePrivateKey())) {
  const key = privateKeyToAccount(generatePrivateKey())
  await world.god.setBalance({ address: key.address, value: parseEther('1') })
  const journal = createMemoryJournal()
  const give = (signer: LocalAccount = key, changed: Partial<SubmitterSettings> = {}) => {
    const settings = { finality: 1, patienceMs: 600_000, replaceAfterMs: 1_000, ...changed }
    const submission = { journal, clock: createTestClock(), settings }
    const { client, chainId } = world
    const submitter = createSubmitter({ client, chainId, signer, ...submission })
    return sendAllGas({ client, journal, address: key.address, submitter }, { id: 'farewell', to })
  }
  return { key, journal, to, give }
}

it('leaves no wei on the key', async () => {
  const { key, to, give } = await holder()
  expect(await give()).toMatchObject({ status: 'success' })
  expect(await balanceOf(key.address)).toBe(0n)
  expect(await balanceOf(to)).toBeGreaterThan(parseEther('0.999'))
  // A second call returns the same transfer. A key without balance sends nothing.
  expect(await give()).toMatchObject({ nonce: 0 })
  const empty = await holder()
  await world.god.setBalance({ address: empty.key.address, value: 0n })
  expect(await empty.give()).toBeUndefined()
  await world.god.setBalance({ address: empty.key.address, value: 21_000n })
  expect(await empty.give()).toBeUndefined()
})

it('reaches an owner whose account is upgraded and has code', async () => {
  const owner = await world.fundedOwner()
  const authorization = await signUpgrade(owner, world.deployment, 0)
  const hash = await world.god.sendTransaction({
    account: world.accounts.operator,
    to: owner.address,
    authorizationList: [authorization],
  })
  await world.client.waitForTransactionReceipt({ hash })
  const { key, give } = await holder(owner.address)
  const before = await balanceOf(owner.address)
  expect(await give()).toMatchObject({ status: 'success' })
  expect((await balanceOf(owner.address)) - before).toBeGreaterThan(parseEther('0.999'))
  expect(await balanceOf(key.address)).toBe(0n)
})

it('is not replaced while the gas price is stable, and pays at most 1.3 times the price', async () => {
  const { key, journal, give } = await holder()
  await world.god.setAutomine(false)
  const price = await readGasPrice(world.client)
  await expect(give(key, { patienceMs: 20_000 })).rejects.toMatchObject({ code: 'OUTCOME_UNKNOWN' })
  const offered = (await journal.find('farewell'))?.attempts.map(({ maxFeePerGas }) => maxFeePerGas) ?? []
  expect(offered[0]).toBe(price)
  for (const each of offered) expect(each * 10n).toBeLessThanOrEqual(price * 13n)
  await world.god.setAutomine(true)
  await world.god.mine({ blocks: 1 })
  expect(await give()).toMatchObject({ status: 'success', left: 0n })
  expect(await balanceOf(key.address)).toBe(0n)
})

it('sends less after the gas price has risen, and still leaves nothing', async () => {
  const { key, journal, to, give } = await holder()
  await world.god.setAutomine(false)
  await expect(give(key, impatient)).rejects.toMatchObject({ code: 'OUTCOME_UNKNOWN' })
  const first = (await journal.find('farewell'))?.attempts.length ?? 0
  // The base fee is far above the offer: only a replacement can be mined.
  const { baseFeePerGas } = await world.client.getBlock()
  await world.god.setNextBlockBaseFeePerGas({ baseFeePerGas: (baseFeePerGas ?? 0n) + 50_000_000_000n })
  await world.god.mine({ blocks: 1 })
  expect(await balanceOf(to)).toBe(0n)
  await expect(give(key, impatient)).rejects.toMatchObject({ code: 'OUTCOME_UNKNOWN' })
  await world.god.setAutomine(true)
  await world.god.mine({ blocks: 1 })
  const swept = await give()
  expect((await journal.find('farewell'))?.attempts.length).toBeGreaterThan(first)
  expect(swept).toMatchObject({ status: 'success', left: 0n, amount: await balanceOf(to) })
  expect(swept?.amount).toBeLessThan((await journal.find('farewell'))?.intent.value ?? 0n)
  expect(await balanceOf(key.address)).toBe(0n)
})

it('leaves nothing when its fee cap is below the current price', async () => {
  const { key, give } = await holder()
  const price = await readGasPrice(world.client)
  const { baseFeePerGas } = await world.client.getBlock({ blockTag: 'pending' })
  const cap = (baseFeePerGas ?? 0n) + (price - (baseFeePerGas ?? 0n)) / 2n
  expect(await give(key, { maxFeePerGas: cap })).toMatchObject({ status: 'success', left: 0n })
  expect(await balanceOf(key.address)).toBe(0n)
})

it('does not raise the gas price: fifty sweeps in a row pay the same tip', async () => {
  const suggestion = () => world.client.estimateMaxPriorityFeePerGas()
  const tips: bigint[] = []
  const before = await suggestion()
  for (let sweep = 0; sweep < 50; sweep += 1) {
    const { key, give } = await holder()
    const swept = await give()
    expect(swept).toMatchObject({ status: 'success', left: 0n })
    expect(await balanceOf(key.address)).toBe(0n)
    const { baseFeePerGas } = await world.client.getBlock({ blockNumber: swept?.blockNumber ?? 0n })
    const receipt = await world.client.getTransactionReceipt({ hash: swept?.hash ?? '0x' })
    tips.push(receipt.effectiveGasPrice - (baseFeePerGas ?? 0n))
    expect(await suggestion()).toBe(before)
  }
  expect(new Set(tips)).toEqual(new Set([before]))
})

it('continues after a crash with the amount decided first, and leaves nothing', async () => {
  const { key, journal, give } = await holder()
  const dead = { ...key, signTransaction: () => Promise.reject(new Error('the power is off')) }
  await expect(give(dead)).rejects.toMatchObject({ code: 'OUTCOME_UNKNOWN' })
  expect((await journal.find('farewell'))?.attempts).toEqual([])
  expect(await give()).toMatchObject({ status: 'success' })
  expect(await balanceOf(key.address)).toBe(0n)
})

it('holds back a rollup’s data fee and reports what is left', async () => {
  const { key, give } = await holder()
  const address = '0x420000000000000000000000000000000000000F'
  // Returns 100,000 to every call.
  await world.god.setCode({ address, bytecode: '0x620186a05f5260205ff3' })
  const swept = await give()
  await world.god.setCode({ address, bytecode: '0x' })
  // The devnet charges no data fee, so the whole reserve stays; a rollup would take 100,000 of it.
  expect(swept).toMatchObject({ status: 'success', left: 104_000n })
  expect(await balanceOf(key.address)).toBe(104_000n)
})
