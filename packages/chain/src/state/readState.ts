import type { Answer, ChainState, Read } from '@bardo/core'
import { type Hex, hexToBigInt, isHex, numberToHex, type PublicClient } from 'viem'
import type { Deployment } from '../deployments/deployment.ts'
import { chunked, clockReads, decodeAggregate, encodeAggregate, multicall3, wordIn } from './aggregate.ts'
import { type Answers, answersOf, distinct, stateOf } from './answers.ts'
import { asking, malformedAnswer, revertOf, unavailable } from './nodeError.ts'
import { cageNonceSlot, fixedAnswers } from './ownAnswers.ts'

/**
 * What the chain answers to questions, all at one block: one call to Multicall3 where they fit into one. Where there is
 * no Multicall3, or one answer burns all gas, each question is a call of its own.
 *
 * @param block - the newest unless told otherwise
 * @example
 * const state = await readState(client, deployment, chainReads(links, registry, question))
 */
export async function readState(
  client: PublicClient,
  deployment: Deployment,
  reads: readonly Read[],
  block?: bigint,
): Promise<ChainState> {
  const fixed = fixedAnswers(deployment)
  const asked = distinct(reads).filter(
    (read) => !stateOf({ timestamp: 0n, blockNumber: 0n }, fixed).answer(read),
  )
  const nonces = asked.filter((read) => cageNonceSlot(deployment, read))
  const chunks = chunked([...clockReads, ...asked.filter((read) => !nonces.includes(read))])
  // One call sees one block by itself; several have to be told which.
  const pinned = block ?? (chunks.length + nonces.length > 1 ? await newestBlock(client) : undefined)
  const [called, slots] = await Promise.all([
    Promise.all(chunks.map((chunk) => readTogether(client, chunk, pinned))),
    readNonces(client, deployment, nonces, pinned),
  ])
  if (called.includes(undefined)) {
    return readOneByOne(client, asked, { nonces, slots, fixed, block: pinned ?? (await newestBlock(client)) })
  }
  const answers = answersOf(
    chunks.flat(),
    called.flatMap((chunk) => chunk ?? []),
  )
  const clock = stateOf({ timestamp: 0n, blockNumber: 0n }, answers)
  const moment = {
    timestamp: wordIn(clock.answer(clockReads[0]), 'getCurrentBlockTimestamp'),
    blockNumber: wordIn(clock.answer(clockReads[1]), 'getBlockNumber'),
  }
  return stateOf(moment, fixed, slots, answers)
}

async function newestBlock(client: PublicClient): Promise<bigint> {
  return asking(() => client.getBlockNumber({ cacheTime: 0 }))
}

/** Undefined where the call as a whole failed. */
async function readTogether(
  client: PublicClient,
  chunk: readonly Read[],
  block: bigint | undefined,
): Promise<readonly Answer[] | undefined> {
  const { ok, data } = await callNode(client, encodeAggregate(chunk), block)
  return ok && data !== '0x' ? decodeAggregate(chunk, data) : undefined
}

/** A call's answer, or its revert; whatever else goes wrong is the node's. */
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

/** Which nonces of the Cage are used, out of its storage. */
export async function readNonces(
  client: PublicClient,
  deployment: Deployment,
  nonces: readonly Read[],
  block: bigint | undefined,
): Promise<Answers> {
  const slots = await asking(() =>
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

// A node that is asked a thousand things at once tends to drop some.
const atOnce = 50

async function readOneByOne(
  client: PublicClient,
  asked: readonly Read[],
  known: { nonces: readonly Read[]; slots: Answers; fixed: Answers; block: bigint },
): Promise<ChainState> {
  const { nonces, slots, fixed, block } = known
  const reads = asked.filter((read) => !nonces.includes(read))
  const { timestamp, number } = await asking(() => client.getBlock({ blockNumber: block }))
  const found: Answer[] = []
  for (let i = 0; i < reads.length; i += atOnce) {
    const some = reads.slice(i, i + atOnce)
    found.push(...(await Promise.all(some.map((read) => readAlone(client, read, block)))))
  }
  return stateOf({ timestamp, blockNumber: number }, fixed, slots, answersOf(reads, found))
}

/** Native balances are asked of Multicall3, which need not be there. */
async function readAlone(client: PublicClient, read: Read, block: bigint): Promise<Answer> {
  const isBalance = read.to.toLowerCase() === multicall3.toLowerCase() && read.data.length === 74
  if (!isBalance) return callNode(client, read, block)
  const address: Hex = `0x${read.data.slice(34)}`
  const balance = await asking(() => client.getBalance({ address, blockNumber: block }))
  return { ok: true, data: numberToHex(balance, { size: 32 }) }
}
