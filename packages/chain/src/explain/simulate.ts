import { type Answer, BardoError, type Read } from '@bardo/core'
import { HybridDeleGator } from '@metamask/delegation-abis'
import { type Address, BaseError, encodeFunctionData, type Hex, isHex, type PublicClient } from 'viem'
import {
  chunked,
  clockReads,
  decodeAggregate,
  encodeAggregate,
  multicall3,
  wordIn,
} from '../state/aggregate.ts'
import { type Answers, answersOf, stateOf } from '../state/answers.ts'
import { isMethodMissing, malformedAnswer, unavailable } from '../state/nodeError.ts'
import { encodeRedeemCall, type RedeemedContext } from './redeemCall.ts'

/** A block that is built on `parent`. */
export type NextBlock = { readonly parent: bigint; readonly number: bigint; readonly time: bigint }

/** What is tried out. */
export type Trial = {
  readonly block: NextBlock
  readonly manager: Address
  readonly redeemer: Address
  /** The contexts of one call to the manager; the last one is tried, after those before it. */
  readonly contexts: readonly RedeemedContext[]
  /** What else happens in the block before. */
  readonly preceding: readonly SimulatedCall[]
  readonly reads: readonly Read[]
}

/** What the chain is before the account's calls, what becomes of them, and what it is then. */
export type Simulated = {
  readonly clock: { readonly timestamp: bigint; readonly blockNumber: bigint }
  readonly before: Answers
  readonly execution: Answer
  readonly after: Answers
}

/** A call in a block that never is. */
export type SimulatedCall = {
  readonly account?: Address
  readonly to: Address
  readonly data: Hex
  readonly value?: bigint
}

/**
 * Lets the account do its calls in a block that never is, as the manager would have it do them but without any caveat,
 * and looks at the chain before and after. Undefined where the node cannot simulate.
 */
export async function simulateExecution(client: PublicClient, trial: Trial): Promise<Simulated | undefined> {
  // A token that burns all gas takes the other answers of its call with it: then each question gets a call of its own.
  const together = await tryWith(client, trial, chunked([...clockReads, ...trial.reads]))
  if (together !== 'spoilt') return together
  const apart = await tryWith(client, trial, [clockReads, ...trial.reads.map((read) => [read])])
  if (apart === 'spoilt') throw malformedAnswer('eth_simulateV1', 'Multicall3 does not answer')
  return apart
}

async function tryWith(
  client: PublicClient,
  { block, manager, redeemer, contexts, preceding }: Trial,
  chunks: readonly (readonly Read[])[],
): Promise<Simulated | undefined | 'spoilt'> {
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
  if (!done || !before || !after) return 'spoilt'
  const clock = stateOf({ timestamp: 0n, blockNumber: 0n }, before)
  return {
    clock: {
      timestamp: wordIn(clock.answer(clockReads[0]), 'getCurrentBlockTimestamp'),
      blockNumber: wordIn(clock.answer(clockReads[1]), 'getBlockNumber'),
    },
    before,
    // An account without code takes every call and says nothing; the manager notices.
    execution: done.ok && done.data === '0x' ? { ok: false, data: '0x' } : done,
    after,
  }
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
      throw malformedAnswer('eth_simulateV1', `${results.length} results of ${calls.length} calls`)
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

/** Undefined where a call that asks many things failed as a whole. */
function answersIn(chunks: readonly (readonly Read[])[], results: readonly Answer[]): Answers | undefined {
  const found: (Answer | undefined)[] = []
  for (const [i, chunk] of chunks.entries()) {
    const result = results[i]
    if (chunk.length === 1) {
      const isSilent = result?.data === '0x' && chunk[0]?.to.toLowerCase() === multicall3.toLowerCase()
      found.push(isSilent ? undefined : result)
      continue
    }
    if (!result?.ok || result.data === '0x') return undefined
    found.push(...decodeAggregate(chunk, result.data))
  }
  return answersOf(chunks.flat(), found)
}
