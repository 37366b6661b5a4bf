import { type DaySum, economyOf } from '@bardo/core'
import { createGolem } from '@bardo/golem/heartbeat'
import type { GolemParts } from '@bardo/golem/permission'
import { regrant } from '@bardo/golem/requests'
import type { Intention } from '@bardo/golem/strategy'
import { balanceOf, partsOf } from '@bardo/golem/testing/golemWorld'
import type { Store } from '@bardo/store'
import { createWalletSubmitter } from '@bardo/wallets'
import { type Address, encodeFunctionData, erc20Abi, isAddressEqual, parseEther, parseUnits } from 'viem'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { callTool } from './callTool.ts'
import { requestRunway } from './requestRunway.ts'
import { openOwnerWorld } from './testing/ownerWorld.ts'

let here: Awaited<ReturnType<typeof openOwnerWorld>>
beforeAll(async () => {
  here = await openOwnerWorld()
})
afterAll(() => here[Symbol.asyncDispose]())

const text =
  'Swap USDC into WETH and WETH into USDC. Deposit USDC in the vault, and withdraw from it.\n\nbudget: $500/day\nlifespan: 60 days\ngas: 0.02 ETH per day'
const because = 'the test says so'
const swap = (from: string, to: string, cents: bigint): Intention => ({
  type: 'swap',
  from,
  to,
  cents,
  because,
})

/** A Golem that carries out tasks one after the other, and a runway of $10 a day. */
async function summonWithTasks() {
  const one = await here.summon(undefined, text)
  const tasks: Intention[] = []
  const strategy = async () => tasks.shift() ?? ({ type: 'wait', because: 'no task' } as const)
  const economy = { runwayCents: 3_000n, dayPrices: { compute: 50n, data: 0n } }
  const parts = partsOf(here.world, here.store, one.id, { strategy, economy })
  const context = { ...one.context, open: () => createGolem(parts), owner: await one.responder() }
  await one.wallet.upgrade(one.owner.address)
  await here.world.fund(one.owner.address, { USDC: parseUnits('500', 6) })
  return { ...one, parts, context, tasks }
}

/** The gas of every transaction that the chain has of these keys, added up from the blocks. */
async function gasOnChain(
  keys: readonly Address[],
): Promise<{ readonly wei: bigint; readonly count: number }> {
  const { client } = here.world
  const last = await client.getBlockNumber()
  let wei = 0n
  let count = 0
  for (let number = 0n; number <= last; number += 1n) {
    const { transactions } = await client.getBlock({ blockNumber: number, includeTransactions: true })
    for (const { from, hash } of transactions) {
      if (!keys.some((key) => isAddressEqual(key, from))) continue
      const { gasUsed, effectiveGasPrice } = await client.getTransactionReceipt({ hash })
      wei += gasUsed * effectiveGasPrice
      count += 1
    }
  }
  return { wei, count }
}

/** What the ledger leaves to live on, in cents. */
async function fundsOf({ store, id, client, settings }: GolemParts): Promise<bigint> {
  const { timestamp } = await client.getBlock()
  return economyOf(await store.ledger.state(id), settings.economy.dayPrices, Number(timestamp)).leftCents
}

async function booksOfGolem({ store, id }: Pick<GolemParts, 'store' | 'id'>) {
  const balances = await store.ledger.balances(id)
  const transactions = await store.ledger.list({ golem: id, limit: 1_000 })
  return {
    balance: (account: string, asset: string) =>
      balances.find((one) => one.account === account && one.asset === asset.toLowerCase())?.amount ?? 0n,
    transactions,
    kinds: transactions.map(({ kind }) => kind),
  }
}

/** A store whose process dies when a tick is recorded that has ended its action. */
function dyingStore(store: Store): Store {
  return {
    ...store,
    ticks: {
      async save(record) {
        if (record.events.some(({ name }) => name === 'action.landed')) throw new Error('killed')
        return store.ticks.save(record)
      },
    },
  }
}

describe('the ledger of a Golem on a chain', () => {
  it('agrees with the gas and the balances on the chain after trades, draws, a reverted transaction, a rotation and a death', async () => {
    const { context, parts, tasks, id, account, owner } = await summonWithTasks()
    const { world, store } = here
    const { usdc, weth } = world.addresses
    const [vault] = [parts.book.vaults.get('USDC')]
    if (!vault) throw new Error('no vault')
    await world.fund(account, { ETH: parseEther('0.1') })
    const held = async () => ({
      usdc: await balanceOf(world, usdc, account),
      weth: await balanceOf(world, weth, account),
      shares: await balanceOf(world, vault, account),
      native: await world.client.getBalance({ address: account }),
    })
    const before = await held()
    let golem = await createGolem(parts)
    const tick = async (...next: Intention[]) => {
      for (const task of next) {
        tasks.push(task)
        expect((await golem.tick()).type).toBe('ticked')
      }
    }
    await tick(swap('USDC', 'WETH', 4_000n), { type: 'deposit', asset: 'USDC', cents: 5_000n, because })
    expect(
      await callTool(context, requestRunway, { golems: [id], dailyCapUsdc: 10, durationDays: 30 }),
    ).toMatchObject({
      status: 'done',
    })
    await golem.draw('first')
    await golem.rotate('age')
    golem = await createGolem(parts)
    await tick(swap('WETH', 'USDC', 1_500n), { type: 'withdraw', asset: 'USDC', cents: 2_000n, because })
    // A transaction of the key that reverts costs gas too.
    const wallet = await parts.keys.open()
    if (!wallet) throw new Error('no key')
    const { client, clock, deployment } = parts
    const { chainId } = deployment
    const settings = { finality: 1, pollMs: 20 }
    const submitter = createWalletSubmitter(wallet, {
      client,
      chainId,
      journal: store.journal,
      clock,
      settings,
    })
    const data = encodeFunctionData({ abi: erc20Abi, functionName: 'transfer', args: [owner.address, 1n] })
    const reverted = await submitter.submit({ id: `${id}:reverts`, to: usdc, data, gas: 100_000n })
    expect(reverted.status).toBe('reverted')
    await golem.tick()

    const compare = async () => {
      const keys = (await store.sessionKeys.list(id)).map(({ address }) => address)
      const [books, after, chain] = await Promise.all([booksOfGolem(parts), held(), gasOnChain(keys)])
      expect(books.balance('gas', 'native')).toBe(chain.wei)
      expect(books.kinds.filter((kind) => kind === 'gas')).toHaveLength(chain.count)
      expect({
        usdc: books.balance('account', usdc),
        weth: books.balance('account', weth),
        shares: books.balance('account', vault),
        native: books.balance('account', 'native'),
      }).toEqual({
        usdc: after.usdc - before.usdc,
        weth: after.weth - before.weth,
        shares: after.shares - before.shares,
        native: after.native - before.native,
      })
      return { books, chain }
    }
    const { books, chain } = await compare()
    expect(chain.count).toBeGreaterThan(6)
    for (const kind of ['allotment', 'gas', 'swap', 'deposit', 'withdrawal', 'runwayDraw'])
      expect(books.kinds).toContain(kind)
    expect(books.balance('runway', usdc)).toBe(-parseUnits('10', 6))
    expect(books.balance('allotment', 'usd')).toBe(30_000_000n)

    // At its death the rest of the gas goes back to the owner.
    const ownersGas = await world.client.getBalance({ address: owner.address })
    expect(await golem.kill()).toMatchObject({ phase: 'over' })
    const { books: last } = await compare()
    expect(last.balance('owner', 'native')).toBe(
      (await world.client.getBalance({ address: owner.address })) - ownersGas,
    )
    expect(await store.ledger.verify(id)).toMatchObject({ type: 'intact' })
    expect(await store.grimoire.get(id, 'settlement')).toBeDefined()
  })

  it('posts once what landed before a crash', async () => {
    const { parts, tasks, id, account } = await summonWithTasks()
    const { usdc } = here.world.addresses
    const before = await balanceOf(here.world, usdc, account)
    await (await createGolem(parts)).tick()
    tasks.push(swap('USDC', 'WETH', 4_000n))
    const dying = await createGolem({ ...parts, store: dyingStore(here.store) })
    await expect(dying.tick()).rejects.toThrow('killed')
    const spent = before - (await balanceOf(here.world, usdc, account))
    expect(spent).toBeGreaterThan(0n)
    expect((await here.store.ledger.state(id)).hasUnposted).toBe(true)
    // Two processes continue at once, and the loser's entries are not added.
    const others = await Promise.all([createGolem(parts), createGolem(parts)])
    await Promise.all(others.map((one) => one.tick()))
    await others[0]?.tick()
    const books = await booksOfGolem(parts)
    expect(books.kinds.filter((kind) => kind === 'swap')).toHaveLength(1)
    expect(books.balance('account', usdc)).toBe(-spent)
    const keys = (await here.store.sessionKeys.list(id)).map(({ address }) => address)
    expect(books.balance('gas', 'native')).toBe((await gasOnChain(keys)).wei)
  })

  it('gives every signed root one allotment, fills it up at a renewal, and charges days once', async () => {
    const { parts, id, signer } = await summonWithTasks()
    const golem = await createGolem(parts)
    await golem.tick()
    await golem.tick()
    await here.world.warp(2 * 86_400 + 60)
    await golem.tick()
    await golem.tick()
    const { kinds, balance } = await booksOfGolem(parts)
    expect(kinds.filter((kind) => kind === 'allotment')).toHaveLength(1)
    expect(kinds.filter((kind) => kind === 'compute')).toHaveLength(2)
    expect(balance('owed:operator', 'usd')).toBe(-1_000_000n)
    expect((await here.store.ledger.state(id)).lifetime).toContainEqual<DaySum>({
      account: 'compute',
      day: -1,
      micros: 1_000_000n,
    })
    const spent = () => booksOfGolem(parts).then((books) => books.balance('gas', 'native'))
    expect(await spent()).toBeGreaterThan(0n)
    // A renewal fills up what was used, and no more, however often the Golem is opened.
    await regrant(signer, parts)
    await golem.tick()
    await (await createGolem(parts)).tick()
    const { funding, books } = { funding: await fundsOf(parts), books: await booksOfGolem(parts) }
    expect(books.kinds.filter((kind) => kind === 'allotment')).toHaveLength(2)
    expect(books.balance('allotment', 'usd')).toBeGreaterThan(31_000_000n)
    expect(books.balance('allotment', 'usd')).toBeLessThan(33_000_000n)
    expect(funding).toBeGreaterThan(2_900n)
    expect(funding).toBeLessThanOrEqual(3_000n)
  })
})
