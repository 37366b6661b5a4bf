import {
  type AddressBook,
  BardoError,
  type BookEntry,
  type ChainState,
  type Deployment,
  entryName,
  priceReads,
  protocols,
  type Read,
  supportedChains,
  wordsIn,
} from '@bardo/core'
import {
  type Address,
  encodeFunctionData,
  erc20Abi,
  erc4626Abi,
  isAddressEqual,
  type PublicClient,
  parseAbi,
  toHex,
  zeroAddress,
} from 'viem'
import { withNodeErrors } from '../nodeError.ts'
import { readState } from './readState.ts'

/** An address that is not what an address book says. */
export type BookProblem = {
  readonly entry: BookEntry
  readonly expected: string
  readonly found: string
}

const factoryData = encodeFunctionData({ abi: parseAbi(['function factory() view returns (address)']) })
const decimalsData = encodeFunctionData({ abi: erc20Abi, functionName: 'decimals' })
const assetData = encodeFunctionData({ abi: erc4626Abi, functionName: 'asset' })

/**
 * Compares entries of an address book with the chain: each has code; a token has the decimals that the book
 * computes with, and its price feed answers with a positive and recent price; Uniswap's contracts belong to the
 * built-in factory; a vault holds its token; the sequencer feed of a rollup answers.
 *
 * @example
 * const problems = await findBookProblems({ client, deployment, book }, plannedEntries(plan, book, chainId))
 */
export async function findBookProblems(
  { client, deployment, book }: BookOnChain,
  entries: readonly BookEntry[],
): Promise<readonly BookProblem[]> {
  const checks = entries.map((entry) => ({ entry, ...checkOf(entry, book, deployment.chainId) }))
  const addresses = [...new Set(entries.map(({ address }) => address))]
  const [codes, state] = await Promise.all([
    withNodeErrors(() => Promise.all(addresses.map((address) => client.getCode({ address })))),
    readState(
      client,
      deployment,
      checks.flatMap(({ read }) => (read ? [read] : [])),
    ),
  ])
  return checks.flatMap(({ entry, read, compare }) => {
    const code = codes[addresses.indexOf(entry.address)]
    if (!code || code === '0x') return [{ entry, expected: 'a contract', found: 'no code' }]
    if (!read || !compare) return []
    const problem = compare(state)
    return problem ? [{ entry, ...problem }] : []
  })
}

/**
 * Throws if an entry of an address book is not what the chain has, or if the chain is a rollup and the book has no
 * sequencer feed.
 *
 * @example
 * await requireBook({ client, deployment, book }, plannedEntries(plan, book, deployment.chainId))
 */
export async function requireBook(world: BookOnChain, entries: readonly BookEntry[]): Promise<void> {
  const { deployment, book } = world
  requireSequencerFeed(deployment, book)
  const problems = await findBookProblems(world, entries)
  if (problems.length === 0) return
  const isBuiltIn = problems.every(({ entry: { source } }) => source !== undefined)
  throw new BardoError('An address that the strategy uses is not what the address book says.', {
    code: 'CODE_MISMATCH',
    details: problems.map(bookProblemText),
    remedy: isBuiltIn
      ? `Check that the RPC node is up to date and serves chain ${deployment.chainId}. These addresses are built in: if the node is right, do not use them, and report it.`
      : `Correct the entry in book-${deployment.chainId}.json, or change the strategy.`,
    docsPath: 'address-book.md#checks-on-the-chain',
  })
}

/**
 * A problem in one line: the entry, its address, what was expected, what was found.
 *
 * @example
 * problems.map(bookProblemText)
 */
export function bookProblemText({ entry, expected, found }: BookProblem): string {
  const origin = entry.isVerified ? '' : ' (not verified)'
  return `${entryName(entry)} ${entry.address}${origin}: expected ${expected}, found ${found}`
}

type BookOnChain = {
  readonly client: PublicClient
  readonly deployment: Deployment
  readonly book: AddressBook
}

/** On a rollup, a price stays the same while the sequencer is down: an attacker could choose when to use it. */
export function requireSequencerFeed(
  { chain, chainId }: Pick<Deployment, 'chain' | 'chainId'>,
  { sequencerFeed, acceptsNoSequencerFeed }: AddressBook,
): void {
  if (!('isRollup' in supportedChains[chain]) || sequencerFeed || acceptsNoSequencerFeed) return
  throw new BardoError(`The address book of ${chain} has no sequencer feed.`, {
    code: 'ADDRESS_UNKNOWN',
    details: [
      `${chain} (${chainId}) is a rollup: its prices are old while its sequencer is down`,
      'no package that the built-in book is generated from lists a feed',
    ],
    remedy: `Add "sequencerFeed" to book-${chainId}.json: the address of a feed, or "none" to accept prices without one.`,
    docsPath: 'address-book.md#sequencer-feeds',
  })
}

type Check = {
  readonly read?: Read
  /** Undefined if the answer is as expected. */
  readonly compare?: (state: ChainState) => Omit<BookProblem, 'entry'> | undefined
}

function checkOf({ type, name, address, source }: BookEntry, book: AddressBook, chainId: number): Check {
  switch (type) {
    case 'token': {
      const builtIn = source === undefined ? undefined : tokenDecimals(chainId, name)
      const read = { to: address, data: decimalsData }
      return {
        read,
        compare(state) {
          const decimals = wordsIn(state, read, 1)?.[0]
          if (decimals === undefined) return { expected: 'decimals()', found: 'no answer' }
          return builtIn !== undefined && decimals !== BigInt(builtIn)
            ? { expected: `${builtIn} decimals`, found: `${decimals}` }
            : undefined
        },
      }
    }
    case 'feed':
      return priceCheck(address, book.assets.get(name)?.maxAgeSeconds ?? 0)
    case 'nativeFeed':
      return priceCheck(address, book.native?.maxAgeSeconds ?? 0)
    case 'sequencerFeed': {
      const read = roundRead(address)
      return {
        read,
        compare(state) {
          const answer = wordsIn(state, read, 5)?.[1]
          const expected = 'latestRoundData() with 0 (up) or 1 (down)'
          if (answer === undefined) return { expected, found: 'no answer' }
          return answer > 1n ? { expected, found: `${BigInt.asIntN(256, answer)}` } : undefined
        },
      }
    }
    case 'contract':
      return name === 'swapRouter02' || name === 'positionManager' ? factoryCheck(address, chainId) : {}
    case 'pool':
      return factoryCheck(address, chainId)
    case 'vault': {
      const token = book.assets.get(name)?.token
      return token ? addressCheck({ to: address, data: assetData }, token, `a vault for ${name}`) : {}
    }
    case 'sale':
      return {}
    default:
      return type satisfies never
  }
}

function tokenDecimals(chainId: number, symbol: string): number | undefined {
  return protocols[chainId]?.flatMap((one) =>
    one.type === 'token' && one.name === symbol ? [one.decimals] : [],
  )[0]
}

function roundRead(feed: Address): Read {
  const [read] = priceReads([{ token: zeroAddress, feed, maxAgeSeconds: 1, scale: 0 }])
  if (!read) throw new BardoError('A price feed has no read.', { code: 'INTERNAL' })
  return read
}

function priceCheck(feed: Address, maxAgeSeconds: number): Check {
  const read = roundRead(feed)
  return {
    read,
    compare(state) {
      const expected = `a positive price, at most ${maxAgeSeconds} seconds old`
      const [, says, , updatedAt] = wordsIn(state, read, 5) ?? []
      if (says === undefined || updatedAt === undefined)
        return { expected, found: 'no answer to latestRoundData()' }
      const price = BigInt.asIntN(256, says)
      if (price <= 0n) return { expected, found: `the price ${price}` }
      const age = state.timestamp - updatedAt
      return age < 0n || age > BigInt(maxAgeSeconds)
        ? { expected, found: `a price that is ${age} seconds old` }
        : undefined
    },
  }
}

/** Uniswap's contracts name their factory. A contract of another factory is not Uniswap's. */
function factoryCheck(address: Address, chainId: number): Check {
  const factory = protocols[chainId]?.find(({ name }) => name === 'uniswapV3Factory')?.address
  return factory ? addressCheck({ to: address, data: factoryData }, factory, 'Uniswap’s factory') : {}
}

function addressCheck(read: Read, expected: Address, what: string): Check {
  return {
    read,
    compare(state) {
      const [word] = wordsIn(state, read, 1) ?? []
      if (word === undefined) return { expected: `${what} (${expected})`, found: 'no answer' }
      const found = toHex(BigInt.asUintN(160, word), { size: 20 })
      return isAddressEqual(found, expected) ? undefined : { expected: `${what} (${expected})`, found }
    },
  }
}
