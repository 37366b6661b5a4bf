import { type Answer, BardoError, encodeRedeemCall, type Read, type RedeemedContext } from '@bardo/core'
import { HybridDeleGator } from '@metamask/delegation-abis'
import { type Address, BaseError, encodeFunctionData, type Hex, isHex, type PublicClient } from 'viem'
import { isMethodMissing, malformedAnswer, unavailable, withNodeErrors } from '../nodeError.ts'
import {
  chunkReads,
  clockReads,
  decodeAggregate,
  encodeAggregate,
  multicall3,
  wordIn,
} from '../reads/aggregate.ts'
import { type Answers, answersOf, stateOf } from '../reads/answers.ts'

/** A block that is built on `parent`. */
export type NextBlock = { readonly parent: bigint; readonly number: bigint; readonly time: bigint }

/** What to simulate. */
export type Trial = {
  readonly block: NextBlock
  readonly manager: Address
  readonly redeemer: Address
  /** The contexts of one call to the manager; the last one is simulated, after those before it. */
  readonly contexts: readonly RedeemedContext[]
  /** Other calls in the same block, before it. */
  readonly preceding: readonly SimulatedCall[]
  readonly reads: readonly Read[]
}

/** The state before the account's calls, the calls' result, and the state after them. */
export type Simulated = {
  readonly clock: { readonly timestamp: bigint; readonly blockNumber: bigint }
  readonly before: Answers
  readonly execution: Answer
  readonly after: Answers
}

/** A call in a simulated block. */
export type SimulatedCall = {
  readonly account?: Address
  readonly to: Address
  readonly data: Hex
  readonly value?: bigint
}

/**
 * Executes the account's calls in a simulated block, as the manager would but without any caveat, and reads
 * the state before and after. Undefined if the node cannot simulate.
 */
export async function simulateExecution(client: PublicClient, trial: Trial): Promise<Simulated | undefined> {
  // A token that burns all gas fails the whole multicall. In that case each read gets its own call.
  const joint = await tryWith(client, trial, chunkReads([...clockReads, ...trial.reads]))
  if (joint !== 'failed') return joint
  const separate = await tryWith(client, trial, [clockReads, ...trial.reads.map((read) => [read])])
  if (separate === 'failed') throw malformedAnswer('eth_simulateV1', 'Multicall3 does not answer')
  return separate
}

async function tryWith(
  client: PublicClient,
  { block, manager, redeemer, contexts, preceding }: Trial,
  chunks: readonly (readonly Read[])[],
): Promise<Simulated | undefined | 'failed'> {
  const questions = chunks.map((chunk) =>
    chunk.length > 1 ? encodeAggregate(chunk) : (chunk[0] ?? clockReads[0]),
  )
  const earlier = contexts.slice(0, -1)
  const current = contexts.at(-1)
  const account = current?.links.at(-1)?.delegator ?? redeemer
  const execution: SimulatedCall = {
    account: manager,
    to: account,
    data: encodeFunctionData({
      abi: HybridDeleGator,
      functionName: 'executeFromExecutor',
      args: [current?.execution.mode ?? '0x', current?.execution.calldata ?? '0x'],
    }),
  }
  const first = [...preceding, ...(earlier.length > 0 ? [redeemCall(manager, redeemer, earlier)] : [])]
  const results = await simulate(client, block, [...first, ...questions, execution, ...questions])
  if (!results) return undefined
  const [start, end] = [first.length, first.length + questions.length]
  const before = answersIn(chunks, results.slice(start, end))
  const after = answersIn(chunks, results.slice(end + 1))
  const done = results[end]
  if (!done || !before || !after) return 'failed'
  const clock = stateOf({ timestamp: 0n, blockNumber: 0n }, before)
  return {
    clock: {
      timestamp: wordIn(clock.answer(clockReads[0]), 'getCurrentBlockTimestamp'),
      blockNumber: wordIn(clock.answer(clockReads[1]), 'getBlockNumber'),
    },
    before,
    // A call to an account without code succeeds and returns nothing; the manager would revert.
    execution: done.ok && done.data === '0x' ? { ok: false, data: '0x' } : done,
    after,
  }
}

/** The block that would be built next: on the newest one, a second later, unless a block or a later time is named. */
export async function nextBlock(
  client: PublicClient,
  { block, time }: { readonly block?: bigint | undefined; readonly time?: bigint | undefined } = {},
): Promise<NextBlock> {
  const { number, timestamp } = await withNodeErrors(() =>
    client.getBlock(block === undefined ? {} : { blockNumber: block }),
  )
  const next = timestamp + 1n
  return { parent: number, number: number + 1n, time: time !== undefined && time > next ? time : next }
}

/** What the node makes of the redemption itself; undefined where it cannot simulate. */
export async function simulateRedemption(
  client: PublicClient,
  { block, manager, redeemer, contexts, preceding }: Omit<Trial, 'reads'>,
): Promise<Answer | undefined> {
  const results = await simulate(client, block, [...preceding, redeemCall(manager, redeemer, contexts)])
  return results?.at(-1)
}

function redeemCall(to: Address, account: Address, contexts: readonly RedeemedContext[]): SimulatedCall {
  return { account, to, data: encodeRedeemCall(contexts) }
}

async function simulate(
  client: PublicClient,
  { parent, number, time }: NextBlock,
  calls: readonly SimulatedCall[],
): Promise<readonly Answer[] | undefined> {
  try {
    const [block] = await client.simulateBlocks({
      blockNumber: parent,
      blocks: [{ blockOverrides: { number, time }, calls: [...calls] }],
    })
    const results = block?.calls ?? []
    if (results.length !== calls.length) {
      throw malformedAnswer('eth_simulateV1', `${results.length} results for ${calls.length} calls`)
    }
    return results.map(({ status, data }) => ({ ok: status === 'success', data: bytesIn(data) }))
  } catch (error) {
    if (isMethodMissing(error)) return undefined
    if (error instanceof BaseError || error instanceof BardoError) throw unavailable(error)
    throw malformedAnswer('eth_simulateV1', `${error}`)
  }
}

function bytesIn(data: unknown): Hex {
  if (!isHex(data) || data.length % 2 !== 0) throw malformedAnswer('eth_simulateV1', `${data}`.slice(0, 100))
  return data
}

/** Undefined if a multicall failed as a whole. */
function answersIn(chunks: readonly (readonly Read[])[], results: readonly Answer[]): Answers | undefined {
  const answers: (Answer | undefined)[] = []
  for (const [i, chunk] of chunks.entries()) {
    const result = results[i]
    if (chunk.length === 1) {
      const isSilent = result?.data === '0x' && chunk[0]?.to.toLowerCase() === multicall3.toLowerCase()
      answers.push(isSilent ? undefined : result)
      continue
    }
    if (!result?.ok || result.data === '0x') return undefined
    answers.push(...decodeAggregate(chunk, result.data))
  }
  return answersOf(chunks.flat(), answers)
}
