import {
  type Address,
  type Hash,
  type Hex,
  isAddress,
  isAddressEqual,
  isHash,
  isHex,
  numberToHex,
  type PublicClient,
} from 'viem'
import { isComplaint, malformedAnswer, unavailable } from '../nodeError.ts'
import type { LogQuery } from './watchedEvents.ts'

/** A log with its position on the chain. */
export type PlacedLog = {
  readonly address: Address
  readonly topics: [] | [Hex, ...Hex[]]
  readonly data: Hex
  readonly blockNumber: bigint
  readonly blockHash: Hash
  readonly transactionHash: Hash
  readonly logIndex: number
  /** Unix seconds, if the node reports it. */
  readonly blockTimestamp: bigint | undefined
}

/** The logs of a range of blocks that match the queries, in chain order. Checks every field. */
export async function readLogs(
  client: PublicClient,
  queries: readonly LogQuery[],
  from: bigint,
  to: bigint,
): Promise<readonly PlacedLog[]> {
  const results = await Promise.all(queries.map((query) => ask(client, query, from, to)))
  return results
    .flat()
    .sort((a, b) =>
      a.blockNumber === b.blockNumber ? a.logIndex - b.logIndex : a.blockNumber < b.blockNumber ? -1 : 1,
    )
}

/** The same for any range: splits the range when the node refuses it. */
export async function readAllLogs(
  client: PublicClient,
  queries: readonly LogQuery[],
  from: bigint,
  to: bigint,
): Promise<readonly PlacedLog[]> {
  try {
    return await readLogs(client, queries, from, to)
  } catch (error) {
    if (!isComplaint(error) || from >= to) throw unavailable(error)
    const middle = (from + to) / 2n
    const first = await readAllLogs(client, queries, from, middle)
    return [...first, ...(await readAllLogs(client, queries, middle + 1n, to))]
  }
}

async function ask(
  client: PublicClient,
  { address, topics }: LogQuery,
  from: bigint,
  to: bigint,
): Promise<readonly PlacedLog[]> {
  const answer: unknown = await client.request({
    method: 'eth_getLogs',
    params: [
      {
        address,
        topics: topics.map((topic) => topic && [...topic]),
        fromBlock: numberToHex(from),
        toBlock: numberToHex(to),
      },
    ],
  })
  if (!Array.isArray(answer)) throw malformedAnswer('eth_getLogs', 'not a list')
  return answer.map((log) => {
    const placed = placedLog(log)
    if (!placed) throw malformedAnswer('eth_getLogs', JSON.stringify(log)?.slice(0, 200) ?? 'nothing')
    const { blockNumber } = placed
    if (blockNumber < from || blockNumber > to || !isAddressEqual(placed.address, address)) {
      throw malformedAnswer(
        'eth_getLogs',
        `a log of ${placed.address} in block ${blockNumber}, outside the query`,
      )
    }
    return placed
  })
}

type RawLog = Readonly<
  Record<
    'address' | 'topics' | 'data' | 'blockNumber' | 'blockHash' | 'transactionHash' | 'logIndex',
    unknown
  >
>

function placedLog(log: RawLog | null): PlacedLog | undefined {
  if (typeof log !== 'object' || log === null) return undefined
  const { address, topics, data, blockNumber, blockHash, transactionHash, logIndex } = log
  if (!isText(address) || !isAddress(address) || !isHex(data)) return undefined
  if (!isQuantity(blockNumber) || !isQuantity(logIndex)) return undefined
  if (!isText(blockHash) || !isHash(blockHash) || !isText(transactionHash) || !isHash(transactionHash))
    return undefined
  if (!isTopics(topics)) return undefined
  const blockTimestamp =
    'blockTimestamp' in log && isQuantity(log.blockTimestamp) ? BigInt(log.blockTimestamp) : undefined
  return {
    address,
    topics,
    data,
    blockNumber: BigInt(blockNumber),
    blockHash,
    transactionHash,
    logIndex: Number(logIndex),
    blockTimestamp,
  }
}

function isText(value: unknown): value is string {
  return typeof value === 'string'
}

function isQuantity(value: unknown): value is Hex {
  return typeof value === 'string' && /^0x[0-9a-f]{1,16}$/i.test(value)
}

function isTopics(value: unknown): value is [] | [Hex, ...Hex[]] {
  return Array.isArray(value) && value.length <= 4 && value.every((topic) => isText(topic) && isHash(topic))
}
