import {
  type AddressBook,
  type BookEntry,
  bookEntries,
  builtInBook,
  compileStrategy,
  deploymentOn,
  plannedEntries,
} from '@bardo/core'
import { type Devnet, startDevnet } from '@bardo/devnet'
import { type AddressesAsBase, baseChainId, passAsBase } from '@bardo/devnet/testing/passAsBase'
import { type Address, type Hex, pad, toHex } from 'viem'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { bookProblemText, findBookProblems, requireBook } from './bookProblems.ts'

const deployment = deploymentOn(baseChainId)
const book = builtInBook(baseChainId)
const now = 1_800_000_000n
const { plan } = compileStrategy('Swap $20 of USDC into WETH every week.', {
  now,
  symbols: [...book.assets.keys()],
})

describe('the addresses of a strategy on the chain', () => {
  let world: Devnet
  let addresses: AddressesAsBase
  beforeAll(async () => {
    world = await startDevnet({ port: 0 })
    addresses = await passAsBase(world)
  })
  afterAll(() => world?.stop())

  const require = (given: AddressBook = book) =>
    requireBook({ client: world.client, deployment, book: given }, plannedEntries(plan, given, baseChainId))
  /** The problems of all entries of these types, in words. */
  const problems = async (given: AddressBook, isAsked: (entry: BookEntry) => boolean) =>
    (
      await findBookProblems(
        { client: world.client, deployment, book: given },
        bookEntries(given, baseChainId).filter(isAsked),
      )
    ).map(bookProblemText)

  /** Runs with other code at an address. */
  async function withCode(address: Address, bytecode: Hex, run: () => Promise<void>): Promise<void> {
    const code = (await world.client.getCode({ address })) ?? '0x'
    await world.client.setCode({ address, bytecode })
    await run().finally(() => world.client.setCode({ address, bytecode: code }))
  }

  /** Code that answers every call with these words. */
  function answering(...words: readonly bigint[]): Hex {
    const store = words.map(
      (word, at) =>
        `7f${pad(toHex(word), { size: 32 }).slice(2)}61${(at * 32).toString(16).padStart(4, '0')}52`,
    )
    return `0x${store.join('')}61${(words.length * 32).toString(16).padStart(4, '0')}6000f3`
  }

  it('agree with the built-in book', async () => {
    await require()
    expect(await problems(book, ({ type }) => type === 'pool')).toEqual([])
  })

  it('are refused without code, naming entry and address', async () => {
    await withCode(addresses.swapRouter02, '0x', async () => {
      await expect(require()).rejects.toMatchObject({
        code: 'CODE_MISMATCH',
        details: [`contract swapRouter02 ${addresses.swapRouter02}: expected a contract, found no code`],
      })
    })
  })

  it('are refused with other decimals', async () => {
    await withCode(addresses.usdc, answering(18n), async () => {
      await expect(require()).rejects.toMatchObject({
        details: [`token USDC ${addresses.usdc}: expected 6 decimals, found 18`],
      })
    })
  })

  it.each([
    ['a price of zero', 0n, 0n, 'found the price 0'],
    ['a negative price', -1n, 0n, 'found the price -1'],
    ['an old price', 300_000_000_000n, 90_060n, 'seconds old'],
  ])('are refused with %s', async (_, answer, age, found) => {
    const { timestamp } = await world.client.getBlock()
    const at = timestamp - age
    await withCode(addresses.wethFeed, answering(1n, BigInt.asUintN(256, answer), at, at, 1n), async () => {
      await expect(require()).rejects.toMatchObject({
        details: expect.arrayContaining([expect.stringContaining(found)]),
      })
    })
  })

  it('are refused with a feed without rounds, like a capped adapter', async () => {
    await withCode(addresses.usdcFeed, answering(1n), async () => {
      await expect(require()).rejects.toMatchObject({
        details: [expect.stringContaining('found no answer to latestRoundData()')],
      })
    })
  })

  it('are refused with a router of another factory', async () => {
    await withCode(addresses.swapRouter02, answering(BigInt(addresses.weth)), async () => {
      await expect(require()).rejects.toMatchObject({
        details: [expect.stringContaining(`found ${addresses.weth.toLowerCase()}`)],
      })
    })
  })

  it('are refused on a rollup with a sequencer feed that does not answer, or with none', async () => {
    await withCode(addresses.sequencerFeed, answering(2n), async () => {
      await expect(require()).rejects.toMatchObject({ details: [expect.stringContaining('sequencer feed')] })
    })
    const { sequencerFeed: _, ...without } = book
    await expect(require(without)).rejects.toMatchObject({ code: 'ADDRESS_UNKNOWN' })
    await require({ ...without, acceptsNoSequencerFeed: true })
  })

  it('are refused with a vault that holds another token', async () => {
    const vaults = new Map([['WETH', addresses.usdcVault]])
    const given = { ...book, vaults, unverified: [addresses.usdcVault] }
    expect(await problems(given, ({ type }) => type === 'vault')).toEqual([
      `vault WETH ${addresses.usdcVault} (not verified): expected a vault for WETH (${addresses.weth}), found ${addresses.usdc.toLowerCase()}`,
    ])
  })

  it('do not matter if the strategy does not name them', async () => {
    // The local chain has none of these tokens.
    const others = await problems(book, ({ type, name }) => type === 'token' && name === 'DAI')
    expect(others).toHaveLength(1)
    await require()
  })
})
