import { createSubmitter, redeem, revoke, swapCalls, systemClock } from '@bardo/chain'
import { publicOracle } from '@bardo/contracts'
import {
  type Call,
  createMemoryJournal,
  type Delegation,
  decodeContext,
  delegationTypedData,
  encodeContext,
  hashDelegation,
} from '@bardo/core'
import type { Devnet } from '@bardo/devnet'
import type { Store } from '@bardo/store'
import { createWalletSubmitter } from '@bardo/wallets'
import { type Address, encodeFunctionData, erc20Abi, type Hash, parseEther, parseUnits, zeroHash } from 'viem'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createGolem } from '../heartbeat/createGolem.ts'
import type { Intention } from '../strategy/strategy.ts'
import { balanceOf, partsOf, summonIn } from '../testing/golemWorld.ts'
import { openTestWorld, type TestWorld } from '../testing/openStoreLocation.ts'
import { activeShared } from './activeShared.ts'
import type { DelegationGift } from './giveDelegation.ts'
import { readShared } from './storedDelegations.ts'

const trader = 'Swap USDC into WETH.\n\nbudget: $100/day\nlifespan: 30 days'
const day = 86_400
const { abi: oracleAbi } = publicOracle

let world: Devnet
let context: TestWorld
let store: Store
beforeAll(async () => {
  context = await openTestWorld()
  ;({ world, store } = context)
})
afterAll(() => context?.stop())

const partsFor = (id: Hash) => partsOf(world, store, id)
const golemOf = (id: Hash) => createGolem(partsFor(id))
const usdc = (account: Address) => balanceOf(world, world.addresses.usdc, account)
const swap = (cents: bigint): Intention => ({
  type: 'swap',
  from: 'USDC',
  to: 'WETH',
  cents,
  because: 'test',
})

/** ALPHA of one owner and BETA of another, and what ALPHA gives to BETA. */
async function pair(change: Partial<DelegationGift> = {}, strategy = trader) {
  const alpha = await summonIn(world, store, strategy)
  const beta = await summonIn(world, store, trader, undefined, { name: 'beta' })
  const { permission } = await (await golemOf(beta.id)).status()
  const gift: DelegationGift = {
    to: permission.links[0].delegate,
    name: 'beta',
    type: 'act',
    budgetCents: 1_500n,
    lifespanSeconds: 2 * day,
    calls: 3,
    ...change,
  }
  const given = await (await golemOf(alpha.id)).give(gift)
  const received = await (await golemOf(beta.id)).accept({ context: given.context, from: 'alpha' })
  return { alpha, beta, gift, given, received }
}

/** A thief with BETA's key redeems without any check of the runtime. */
async function thiefOf(id: Hash) {
  const { client, deployment, keys } = partsFor(id)
  const wallet = await keys.open()
  if (!wallet) throw new Error('there is no key')
  const settings = { finality: 1, pollMs: 20 }
  const options = {
    client,
    chainId: world.chainId,
    journal: createMemoryJournal(),
    clock: systemClock,
    settings,
  }
  const redeemer = {
    client,
    deployment,
    address: wallet.address,
    submitter: createWalletSubmitter(wallet, options),
  }
  let count = 0
  const send = (links: readonly Delegation[], calls: readonly Call[]) => {
    count += 1
    return redeem(redeemer, { id: `take-${count}`, steps: [{ links, calls }] })
  }
  return {
    wallet,
    send,
    take: (links: readonly Delegation[], account: Address, dollars: string) => {
      const { usdc: from, weth: to, swapRouter02: router } = world.addresses
      const amountIn = parseUnits(dollars, 6)
      const calls = swapCalls({ router, account, from, to, amountIn, minimumOut: 1n, fee: 500 })
      return send(links, calls)
    },
  }
}

describe('a delegation from one Golem to another', () => {
  it('lets the other Golem act for the giver’s owner, within its budget and number of calls', async () => {
    const { alpha, beta, received } = await pair()
    const golem = await golemOf(beta.id)
    const before = await usdc(alpha.account)
    const preview = await golem.preview(swap(600n), received)
    const done = await golem.commit(preview.capabilityId, 'first')
    expect(done).toMatchObject({ spentCents: 600n })
    expect(before - (await usdc(alpha.account))).toBe(parseUnits('6', 6))
    // The same permit again has no second effect.
    expect(await golem.commit(preview.capabilityId, 'first')).toEqual(done)
    expect(before - (await usdc(alpha.account))).toBe(parseUnits('6', 6))
    // Its own account and its own state are untouched.
    expect(await usdc(beta.account)).toBe(parseUnits('10000', 6))
    expect((await golem.status()).state).toMatchObject({ pending: undefined, chainRefusals: [] })
    await expect(golem.preview(swap(901n), received)).rejects.toThrow(/ReplicantBudget/)
    const names = (await store.events.read({ after: 0, golem: beta.id, limit: 1_000 })).map(
      ({ name }) => name,
    )
    expect(names).toEqual(expect.arrayContaining(['delegation.received', 'action.intended', 'action.landed']))
  })

  it('lets a thief of the other Golem’s key take no more', async () => {
    const { alpha, beta, given } = await pair({ calls: 2 })
    const links = decodeContext(given.context)
    const thief = await thiefOf(beta.id)
    await expect(thief.take(links, alpha.account, '15.01')).rejects.toThrow(/ReplicantBudget/)
    await thief.take(links, alpha.account, '14')
    await expect(thief.take(links, alpha.account, '1.01')).rejects.toThrow(/ReplicantBudget/)
    // Redelegated to an accomplice.
    const accomplice = privateKeyToAccount(generatePrivateKey())
    await world.fund(accomplice.address, { ETH: parseEther('1') })
    const [leaf] = links
    if (!leaf) throw new Error('there is no leaf')
    const unsigned: Delegation = {
      delegate: accomplice.address,
      delegator: leaf.delegate,
      authority: hashDelegation(leaf),
      caveats: [],
      salt: 1n,
      signature: '0x',
    }
    const typed = delegationTypedData(world.chainId, world.framework.DelegationManager, unsigned)
    const further = { ...unsigned, signature: await thief.wallet.signTypedData(typed) }
    const { client, deployment } = partsFor(beta.id)
    const submitter = createSubmitter({
      client,
      chainId: world.chainId,
      journal: createMemoryJournal(),
      clock: systemClock,
      signer: accomplice,
      settings: { finality: 1, pollMs: 20 },
    })
    const { usdc: from, weth: to, swapRouter02: router } = world.addresses
    const account = alpha.account
    const calls = swapCalls({ router, account, from, to, amountIn: 10_000n, minimumOut: 1n, fee: 500 })
    const redeemer = { client, deployment, address: accomplice.address, submitter }
    await expect(
      redeem(redeemer, { id: 'further', steps: [{ links: [further, ...links], calls }] }),
    ).rejects.toThrow(/Redeemer/)
    await thief.take(links, account, '0.5')
    await expect(thief.take(links, account, '0.1')).rejects.toThrow(/LimitedCalls/)
    // A Golem that received a delegation cannot give it, and no Golem gives more time than it has.
    const golem = await golemOf(alpha.id)
    const gift = { to: accomplice.address, name: 'x', type: 'act', budgetCents: 1n, calls: 1 } as const
    await expect(golem.give({ ...gift, lifespanSeconds: 31 * day })).rejects.toThrow(/outlive/)
    await expect(golem.give({ ...gift, lifespanSeconds: day, methods: ['deposit'] })).rejects.toThrow(
      /only methods of its parent/,
    )
  })

  it('ends on the chain by the giver alone, and leaves a second one alone', async () => {
    const { alpha, beta, given, gift, received } = await pair()
    const golem = await golemOf(alpha.id)
    const other = await golem.give({
      ...gift,
      to: privateKeyToAccount(generatePrivateKey()).address,
      name: 'other',
    })
    await expect((await golemOf(beta.id)).endGiven('beta')).rejects.toThrow(/no active delegation/)
    expect(await golem.endGiven('beta')).toEqual([given.hash])
    const shared = await readShared(store, alpha.id, 'given')
    expect(shared.map(({ hash, isEnded }) => [hash, isEnded]).sort()).toEqual(
      [
        [given.hash, true],
        [other.hash, false],
      ].sort(),
    )
    await expect((await golemOf(beta.id)).preview(swap(100n), received)).rejects.toMatchObject({
      code: 'DELEGATION_DISABLED',
    })
    await expect(golem.endGiven('beta')).rejects.toThrow(/no active delegation/)
  })

  it('survives a rotation of the giver’s key, and then ends only with the root', async () => {
    const { alpha, beta, received } = await pair()
    const golem = await golemOf(alpha.id)
    await golem.rotate('age')
    const receiver = await golemOf(beta.id)
    const preview = await receiver.preview(swap(100n), received)
    await receiver.commit(preview.capabilityId, 'after-rotation')
    await expect(golem.endGiven('beta')).rejects.toThrow(/was replaced, and cannot disable it/)
    // The new key gives too, though its own link carries no Cage.
    const to = privateKeyToAccount(generatePrivateKey()).address
    const gift = {
      to,
      name: 'later',
      type: 'act',
      budgetCents: 100n,
      lifespanSeconds: day,
      calls: 1,
    } as const
    expect(decodeContext((await golem.give(gift)).context)).toHaveLength(3)
    const root = (await golem.status()).permission.links.at(-1)
    if (!root) throw new Error('there is no root')
    await revoke(alpha.signer, { delegation: root, cause: 'owner' })
    await expect(receiver.preview(swap(100n), received)).rejects.toMatchObject({
      code: 'DELEGATION_DISABLED',
    })
  })

  it('ends with the giver’s death, and is useless after the receiver’s rotation', async () => {
    const { alpha, beta, received, gift } = await pair()
    const receiver = await golemOf(beta.id)
    await receiver.rotate('age')
    await expect((await golemOf(beta.id)).preview(swap(100n), received)).rejects.toThrow(/names another key/)
    const second = await pair()
    await (await golemOf(second.alpha.id)).kill()
    await expect((await golemOf(second.beta.id)).preview(swap(100n), second.received)).rejects.toThrow(
      /Cage refuses/,
    )
    await expect((await golemOf(second.alpha.id)).give(gift)).rejects.toMatchObject({ code: 'GOLEM_DYING' })
    expect(await readShared(store, alpha.id, 'given')).toHaveLength(1)
  })

  it('ends after its days, with the receiver’s death, and is then active on neither side', async () => {
    const { alpha, beta, received, given } = await pair({ lifespanSeconds: day })
    const active = (id: Hash, side: 'given' | 'received') => activeShared(partsFor(id), id, side)
    expect(await active(alpha.id, 'given')).toHaveLength(1)
    expect(await active(beta.id, 'received')).toHaveLength(1)
    const thief = await thiefOf(beta.id)
    await (await golemOf(beta.id)).kill()
    await expect((await golemOf(beta.id)).preview(swap(100n), received)).rejects.toMatchObject({
      code: 'GOLEM_DYING',
    })
    await world.warp(day + 1)
    await world.fund(thief.wallet.address, { ETH: parseEther('1') })
    await expect(thief.take(decodeContext(given.context), alpha.account, '0.1')).rejects.toMatchObject({
      code: 'DELEGATION_EXPIRED',
    })
    expect(await active(alpha.id, 'given')).toEqual([])
    expect(await active(beta.id, 'received')).toEqual([])
    const second = await pair()
    await (await golemOf(second.alpha.id)).kill()
    expect(await active(second.beta.id, 'received')).toEqual([])
    const third = await pair()
    const root = (await (await golemOf(third.alpha.id)).status()).permission.links.at(-1)
    if (!root) throw new Error('there is no root')
    await revoke(third.alpha.signer, { delegation: root, cause: 'owner' })
    expect(await active(third.beta.id, 'received')).toEqual([])
  })

  it('is refused with a budget of $0, and from a Golem to itself', async () => {
    await expect(pair({ budgetCents: 0n })).rejects.toThrow(/budget of \$0 allows no action/)
    const { alpha, gift } = await pair()
    const golem = await golemOf(alpha.id)
    const { permission } = await golem.status()
    await expect(golem.give({ ...gift, to: permission.links[0].delegate })).rejects.toThrow(
      /cannot delegate to itself/,
    )
  })

  it('executes nothing if it is read-only, and needs a signed contract to publish', async () => {
    const { alpha, beta, received, given } = await pair({ type: 'readOnly' })
    await expect((await golemOf(beta.id)).preview(swap(1n), received)).rejects.toMatchObject({
      name: 'BardoError',
    })
    const thief = await thiefOf(beta.id)
    await expect(thief.take(decodeContext(given.context), alpha.account, '0.01')).rejects.toThrow(/Cage/)
    await expect(pair({ type: 'observer' })).rejects.toThrow(/publishes to a contract that the owner signed/)
  })

  it('lets an observer publish to the contract that the strategy names, and do nothing else', async () => {
    const strategy = `Publish to ORACLE. ${trader}`
    const { alpha, beta, given } = await pair({ type: 'observer' }, strategy)
    const { client } = partsFor(beta.id)
    const { publicOracle: board, usdc: token } = world.addresses
    const links = decodeContext(given.context)
    const observer = await thiefOf(beta.id)
    const topic = zeroHash
    const publish = encodeFunctionData({ abi: oracleAbi, functionName: 'publish', args: [topic, 42n] })
    await observer.send(links, [{ to: board, data: publish }])
    // The giver's account publishes.
    const args = [alpha.account, topic] as const
    expect(await client.readContract({ address: board, abi: oracleAbi, functionName: 'valueOf', args })).toBe(
      42n,
    )
    const before = await usdc(alpha.account)
    const pay = encodeFunctionData({
      abi: erc20Abi,
      functionName: 'transfer',
      args: [observer.wallet.address, 1n],
    })
    const read = encodeFunctionData({ abi: oracleAbi, functionName: 'valueOf', args })
    for (const call of [
      { to: token, data: pay },
      { to: board, data: read },
      { to: board, data: publish, value: 1n },
      { to: observer.wallet.address, data: '0x' as const, value: 1n },
    ])
      await expect(observer.send(links, [call])).rejects.toThrow(/Cage/)
    await expect(observer.take(links, alpha.account, '0.01')).rejects.toThrow(/Cage/)
    expect(await usdc(alpha.account)).toBe(before)
  })

  it('is not accepted if it is forged or for another key, and a forged row is left out', async () => {
    const { alpha, beta, given } = await pair()
    const [leaf, ...above] = decodeContext(given.context)
    if (!leaf) throw new Error('there is no leaf')
    const golem = await golemOf(beta.id)
    const accept = (links: readonly Delegation[]) =>
      golem.accept({ context: encodeContext(links), from: 'x' })
    await expect(accept([{ ...leaf, salt: 7n }, ...above])).rejects.toThrow(/did not sign it/)
    await expect((await golemOf(alpha.id)).accept({ context: given.context, from: 'x' })).rejects.toThrow(
      /is for the key/,
    )
    // A row under another hash is not shown, and cannot be used.
    const key = `received.${'0x11'.padEnd(66, '1')}`
    const row = { type: 'act', peer: 'x', context: given.context, endsAt: 1, isEnded: false }
    await store.grimoire.put({ golem: beta.id, key, kind: 'received', body: row })
    expect(await readShared(store, beta.id, 'received')).toHaveLength(1)
    await expect(golem.preview(swap(100n), '0x11'.padEnd(66, '1'))).rejects.toThrow(/has not received/)
  })
})
