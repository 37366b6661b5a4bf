import { createMemoryJournal, type Journal } from '@bardo/core'
import { type Address, type LocalAccount, parseEther } from 'viem'
import { generatePrivateKey, privateKeyToAccount, privateKeyToAddress } from 'viem/accounts'
import { afterAll, afterEach, beforeAll, expect, it } from 'vitest'
import { signUpgrade } from '../accounts/upgradedAccount.ts'
import { createSubmitter } from '../submission/createSubmitter.ts'
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

/** A key with an ether, a process that gives it away, and whoever gets it. */
async function holder(to = privateKeyToAddress(generatePrivateKey())) {
  const key = privateKeyToAccount(generatePrivateKey())
  await world.god.setBalance({ address: key.address, value: parseEther('1') })
  const journal = createMemoryJournal()
  const give = (signer: LocalAccount = key, used: Journal = journal) => {
    const settings = { finality: 1, patienceMs: 5_000, replaceAfterMs: 1_000 }
    const submission = { journal: used, clock: createTestClock(), settings }
    const { client, chainId } = world
    const submitter = createSubmitter({ client, chainId, signer, ...submission })
    return sendAllGas({ client, journal, address: key.address, submitter }, { id: 'farewell', to })
  }
  return { key, journal, to, give }
}

it('leaves not a wei with a key that is about to be wiped', async () => {
  const { key, to, give } = await holder()
  expect(await give()).toMatchObject({ status: 'success' })
  expect(await balanceOf(key.address)).toBe(0n)
  expect(await balanceOf(to)).toBeGreaterThan(parseEther('0.999'))
  // Asked again it is the same transfer; a key without anything sends nothing.
  expect(await give()).toMatchObject({ nonce: 0 })
  const empty = await holder()
  await world.god.setBalance({ address: empty.key.address, value: 0n })
  expect(await empty.give()).toBeUndefined()
  await world.god.setBalance({ address: empty.key.address, value: 21_000n })
  expect(await empty.give()).toBeUndefined()
})

it('reaches an owner whose account is upgraded, and has code', async () => {
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

it('waits where it is not seen, and is not replaced by what the key cannot pay', async () => {
  const { key, journal, give } = await holder()
  await world.god.setAutomine(false)
  await expect(give()).rejects.toMatchObject({ code: 'OUTCOME_UNKNOWN' })
  expect((await journal.find('farewell'))?.attempts).toHaveLength(1)
  await world.god.setAutomine(true)
  await world.god.mine({ blocks: 1 })
  expect(await give()).toMatchObject({ status: 'success' })
  expect(await balanceOf(key.address)).toBe(0n)
})

it('goes on after a crash with the amount that was decided first, to the last wei', async () => {
  const { key, journal, give } = await holder()
  const dead = { ...key, signTransaction: () => Promise.reject(new Error('the power is off')) }
  await expect(give(dead)).rejects.toMatchObject({ code: 'OUTCOME_UNKNOWN' })
  expect((await journal.find('farewell'))?.attempts).toEqual([])
  expect(await give()).toMatchObject({ status: 'success' })
  expect(await balanceOf(key.address)).toBe(0n)
})

it('keeps something back on a rollup that takes a fee for data', async () => {
  const { key, give } = await holder()
  const address = '0x420000000000000000000000000000000000000F'
  await world.god.setCode({ address, bytecode: '0x00' })
  expect(await give()).toMatchObject({ status: 'success' })
  await world.god.setCode({ address, bytecode: '0x' })
  expect(await balanceOf(key.address)).toBeGreaterThan(0n)
  expect(await balanceOf(key.address)).toBeLessThan(parseEther('0.001'))
})
