import type { Answer, ChainState, Deployment, Read } from '@bardo/core'
import { type Hex, hexToBigInt, isHex, numberToHex, type PublicClient } from 'viem'
import { malformedAnswer, revertOf, unavailable, withNodeErrors } from '../nodeError.ts'
import { chunkReads, clockReads, decodeAggregate, encodeAggregate, multicall3, wordIn } from './aggregate.ts'
import { type Answers, answersOf, distinct, readKey, stateOf } from './answers.ts'
import { cageNonceSlot, fixedAnswers } from './ownAnswers.ts'

/**
 * Answers reads, all at one block: with one Multicall3 call if they fit into one. Without Multicall3, or if
 * one read burns all gas, each read is a separate call.
 *
 * @param block - Default: the newest.
 * @example
 * const state = await readState(client, deployment, chainReads(links, registry, question))
 */
export async function readState(
  client: PublicClient,
  deployment: Deployment,
  reads: readonly Read[],
  block?: bigint,
): Promise<ChainState> {
  const parts = partsOf(deployment, reads)
  const pinned = await blockFor(client, parts, block)
  const [state, slots] = await readParts(client, deployment, parts, pinned)
  if (state) return state
  return readOneByOne(client, parts, slots, pinned ?? (await newestBlock(client)))
}

/** The same, but undefined if one read makes a whole call fail. */
export async function readStateAtOnce(
  client: PublicClient,
  deployment: Deployment,
  reads: readonly Read[],
): Promise<ChainState | undefined> {
  const parts = partsOf(deployment, reads)
  const [state] = await readParts(client, deployment, parts, await blockFor(client, parts, undefined))
  return state
}

/** Reads by the way in which they are answered. */
type Parts = {
  readonly fixed: Answers
  /** Read from the Cage's storage. */
  readonly nonces: readonly Read[]
  readonly called: readonly Read[]
  readonly chunks: readonly (readonly Read[])[]
}

function partsOf(deployment: Deployment, reads: readonly Read[]): Parts {
  const fixed = fixedAnswers(deployment)
  const nonces: Read[] = []
  const called: Read[] = []
  for (const read of distinct(reads)) {
    if (fixed.has(readKey(read))) continue
    if (cageNonceSlot(deployment, read)) nonces.push(read)
    else called.push(read)
  }
  return { fixed, nonces, called, chunks: chunkReads([...clockReads, ...called]) }
}

/** A single call sees one block anyway. Several calls need an explicit block. */
async function blockFor(
  client: PublicClient,
  { chunks, nonces }: Parts,
  requested: bigint | undefined,
): Promise<bigint | undefined> {
  return requested ?? (chunks.length + nonces.length > 1 ? await newestBlock(client) : undefined)
}

async function readParts(
  client: PublicClient,
  deployment: Deployment,
  { fixed, nonces, chunks }: Parts,
  block: bigint | undefined,
): Promise<readonly [ChainState | undefined, slots: Answers]> {
  const [called, slots] = await Promise.all([
    Promise.all(chunks.map((chunk) => readTogether(client, chunk, block))),
    readNonces(client, deployment, nonces, block),
  ])
  if (called.includes(undefined)) return [undefined, slots]
  const answers = answersOf(
    chunks.flat(),
    called.flatMap((chunk) => chunk ?? []),
  )
  const clock = stateOf({ timestamp: 0n, blockNumber: 0n }, answers)
  const moment = {
    timestamp: wordIn(clock.answer(clockReads[0]), 'getCurrentBlockTimestamp'),
    blockNumber: wordIn(clock.answer(clockReads[1]), 'getBlockNumber'),
  }
  return [stateOf(moment, fixed, slots, answers), slots]
}

async function newestBlock(client: PublicClient): Promise<bigint> {
  return withNodeErrors(() => client.getBlockNumber({ cacheTime: 0 }))
}

/** Undefined if the call as a whole failed. */
async function readTogether(
  client: PublicClient,
  chunk: readonly Read[],
  block: bigint | undefined,
): Promise<readonly Answer[] | undefined> {
  const { ok, data } = await callNode(client, encodeAggregate(chunk), block)
  return ok && data !== '0x' ? decodeAggregate(chunk, data) : undefined
}

/** A call's return data or its revert. Any other failure is the node's. */
export async function callNode(
  client: PublicClient,
  call: Read & { readonly from?: Hex },
  block: bigint | undefined,
): Promise<Answer> {
  try {
    const data: unknown = await client.request({
      method: 'eth_call',
      params: [call, block === undefined ? 'latest' : numberToHex(block)],
    })
    if (!isHex(data) || data.length % 2 !== 0) throw malformedAnswer('eth_call', `${data}`.slice(0, 100))
    return { ok: true, data }
  } catch (error) {
    const data = revertOf(error)
    if (data === undefined) throw unavailable(error)
    return { ok: false, data }
  }
}

/** Reads from the Cage's storage which nonces are used. */
export async function readNonces(
  client: PublicClient,
  deployment: Deployment,
  nonces: readonly Read[],
  block: bigint | undefined,
): Promise<Answers> {
  const slots = await withNodeErrors(() =>
    Promise.all(
      nonces.map((read) =>
        client.getStorageAt({
          address: read.to,
          slot: cageNonceSlot(deployment, read) ?? '0x0',
          ...(block === undefined ? {} : { blockNumber: block }),
        }),
      ),
    ),
  )
  return answersOf(
    nonces,
    slots.map((data) => {
      if (!isHex(data)) throw malformedAnswer('eth_getStorageAt', `${data}`)
      return { ok: true, data: numberToHex(hexToBigInt(data), { size: 32 }) }
    }),
  )
}

// A node with a thousand simultaneous requests tends to drop some.
const maxConcurrent = 50

async function readOneByOne(
  client: PublicClient,
  { called: reads, fixed }: Parts,
  slots: Answers,
  block: bigint,
): Promise<ChainState> {
  const { timestamp, number } = await withNodeErrors(() => client.getBlock({ blockNumber: block }))
  const answers: Answer[] = []
  for (let i = 0; i < reads.length; i += maxConcurrent) {
    const some = reads.slice(i, i + maxConcurrent)
    answers.push(...(await Promise.all(some.map((read) => readAlone(client, read, block)))))
  }
  return stateOf({ timestamp, blockNumber: number }, fixed, slots, answersOf(reads, answers))
}

/** Native balances are normally read from Multicall3, which may not exist. */
async function readAlone(client: PublicClient, read: Read, block: bigint): Promise<Answer> {
  const isBalance = read.to.toLowerCase() === multicall3.toLowerCase() && read.data.length === 74
  if (!isBalance) return callNode(client, read, block)
  const address: Hex = `0x${read.data.slice(34)}`
  const balance = await withNodeErrors(() => client.getBalance({ address, blockNumber: block }))
  return { ok: true, data: numberToHex(balance, { size: 32 }) }
}
