import { createSubmitter, systemClock } from '@bardo/chain'
import { type Address, keccak256, parseEther, parseGwei } from 'viem'
import { generatePrivateKey, privateKeyToAccount, privateKeyToAddress } from 'viem/accounts'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openTestWorld, type TestWorld } from '../testing/openStoreLocation.ts'
import { submitOnce } from './submitOnce.ts'

let context: TestWorld
beforeAll(async () => {
  context = await openTestWorld()
})
afterAll(() => context?.stop())

/** A funded key with its submitter. */
async function keyWith(isInUse: () => Promise<boolean>) {
  const { world, store } = context
  const signer = privateKeyToAccount(generatePrivateKey())
  await world.fund(signer.address, { ETH: parseEther('1') })
  const { client, chainId } = world
  const { journal } = store
  const settings = { finality: 1, pollMs: 20, patienceMs: 200 }
  const options = { client, chainId, journal, clock: systemClock, settings }
  const submitter = createSubmitter({ ...options, signer, isInUse })
  return {
    address: signer.address,
    submitter,
    isInUse,
    signer,
    followerOf: (address: Address) =>
      createSubmitter({ ...options, signer: { address, signTransaction: neverSigns }, isKeyless: true }),
  }
}

async function neverSigns(): Promise<never> {
  throw new Error('a key that is not in use signed a transaction')
}

/** An intent of a key that its process left before it was signed, and the same request. */
async function leftBy({ address: from }: { readonly address: Address }, id: string) {
  const { world, store } = context
  const to = privateKeyToAddress(generatePrivateKey())
  const gift = { id, to, value: 5n }
  const { chainId } = world
  await store.journal.addIntent({ ...gift, chainId, from, data: '0x', gas: 21_000n }, systemClock.now())
  return { gift, received: () => world.client.getBalance({ address: to }) }
}

const used = async () => true

it('sends an intent that a retired key had not signed with the new key, once', async () => {
  const { world, store } = context
  const to = privateKeyToAddress(generatePrivateKey())
  const gift = { id: 'gift', to, value: 5n }
  const retired = await keyWith(async () => false)
  await expect(submitOnce(store.journal, retired, gift)).rejects.toMatchObject({
    code: 'INTENT_CLOSED',
    outcome: 'not-sent',
  })
  expect(await world.client.getBalance({ address: to })).toBe(0n)

  const current = await keyWith(async () => true)
  const landed = await submitOnce(store.journal, current, gift)
  expect(landed).toMatchObject({ status: 'success' })
  // Neither key sends it a second time.
  expect(await submitOnce(store.journal, current, gift)).toEqual(landed)
  expect(await submitOnce(store.journal, retired, gift)).toEqual(landed)
  expect(await world.client.getBalance({ address: to })).toBe(5n)
})

describe('an intent of an earlier key', () => {
  it.each([
    ['has no nonce', async () => {}],
    ['has a nonce', async (id: string) => void (await context.store.journal.claimNonce(id, 0))],
  ])('is sent by the key in use if it %s and was never signed, once', async (title, leave) => {
    const { store } = context
    const [old, current] = [await keyWith(used), await keyWith(used)]
    const { gift, received } = await leftBy(old, title)
    await leave(gift.id)
    const landed = await submitOnce(store.journal, current, gift)
    expect(landed).toMatchObject({ status: 'success' })
    expect(await submitOnce(store.journal, current, gift)).toEqual(landed)
    // The process of the old key continues.
    await expect(old.submitter.submit(gift)).rejects.toMatchObject({ code: 'INTENT_CLOSED' })
    expect(await received()).toBe(5n)
  })

  /** Signs the intent with the old key and stores the transaction, as a process does that then crashes. */
  async function sign({ signer }: Awaited<ReturnType<typeof keyWith>>, gift: { id: string; to: Address }) {
    const { world, store } = context
    const fees = { maxFeePerGas: parseGwei('5'), maxPriorityFeePerGas: parseGwei('1') }
    const raw = await signer.signTransaction({
      ...gift,
      ...fees,
      value: 5n,
      chainId: world.chainId,
      nonce: 0,
      gas: 21_000n,
    })
    await store.journal.claimNonce(gift.id, 0)
    const attempt = { hash: keccak256(raw), raw, purpose: 'intent', ...fees, storedAt: 0 } as const
    await store.journal.addAttempt(gift.id, 0, attempt)
    return attempt.hash
  }

  it('lands as it was signed, and is not sent a second time', async () => {
    const { store } = context
    const [old, current] = [await keyWith(used), await keyWith(used)]
    const { gift, received } = await leftBy(old, 'signed')
    const hash = await sign(old, gift)
    expect(await submitOnce(store.journal, current, gift)).toMatchObject({ hash, status: 'success' })
    expect(await received()).toBe(5n)
  })

  it('is sent by the key in use if something else took its nonce', async () => {
    const { world, store } = context
    const [old, current] = [await keyWith(used), await keyWith(used)]
    const { gift, received } = await leftBy(old, 'displaced')
    await sign(old, gift)
    const { client } = world
    const other = { account: old.signer, chain: null, to: old.address } as const
    await client.waitForTransactionReceipt({ hash: await client.sendTransaction(other) })
    expect(await submitOnce(store.journal, current, gift)).toMatchObject({ status: 'success' })
    expect(await received()).toBe(5n)
  })

  it('is left to a newer key', async () => {
    const { store } = context
    const [retired, current] = [await keyWith(async () => false), await keyWith(used)]
    const { gift, received } = await leftBy(current, 'newer')
    await expect(submitOnce(store.journal, retired, gift)).rejects.toMatchObject({ code: 'INTENT_CLOSED' })
    expect(await submitOnce(store.journal, current, gift)).toMatchObject({ id: 'newer', status: 'success' })
    expect(await received()).toBe(5n)
  })

  it('is followed if its process stores it at the same moment', async () => {
    const { store } = context
    const [old, current] = [await keyWith(used), await keyWith(used)]
    const to = privateKeyToAddress(generatePrivateKey())
    const gift = { id: 'same moment', to, value: 5n }
    let isFirst = true
    const find: typeof store.journal.find = async (id) => {
      const known = await store.journal.find(id)
      if (isFirst) {
        isFirst = false
        await old.submitter.submit(gift)
      }
      return known
    }
    const landed = await submitOnce({ ...store.journal, find }, current, gift)
    expect(landed).toMatchObject({ id: gift.id, status: 'success' })
    expect(await context.world.client.getBalance({ address: to })).toBe(5n)
  })
})
