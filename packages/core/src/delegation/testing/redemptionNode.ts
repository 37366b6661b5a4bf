import { encodeDelegations } from '@metamask/delegation-core'
import { type Address, encodeFunctionData, type Hex, numberToHex, parseAbi } from 'viem'
import type { Answer, ChainState, Execution, HookName, Read } from '../../caveats/caveatKind.ts'
import { addressWord, wordOf } from '../../caveats/execution/digits.ts'
import type { Delegation } from '../delegation.ts'

/** State overrides of accounts for one call. */
export type Overrides = Readonly<
  Record<
    Address,
    {
      readonly balance?: Hex
      readonly code?: Hex
      readonly stateDiff?: Readonly<Record<Hex, Hex>>
    }
  >
>

/** A redemption and its world. */
export type Redemption = {
  readonly links: readonly Delegation[]
  readonly execution: Execution
  /** The sender of the transaction. */
  readonly origin: Address
  /** The redeemer: the sender, or a contract that forwards calls to the manager. */
  readonly redeemer: Address
  readonly overrides: Overrides
  readonly timestamp: bigint
  readonly blockNumber: bigint
}

/** The result: success, or the refusing contract and its revert data. */
export type Ending =
  | { readonly type: 'pass' }
  | { readonly type: 'refuse'; readonly by: 'manager' | 'execution'; readonly data: Hex }
  | {
      readonly type: 'refuse'
      readonly by: 'caveat'
      readonly hook: HookName
      /** Its index among all caveats, leaf first. */
      readonly place: number
      readonly data: Hex
    }

type Trace = {
  readonly to?: Address
  readonly input: Hex
  readonly output?: Hex
  readonly error?: string
  readonly calls?: readonly Trace[]
}

const manager = parseAbi([
  'function redeemDelegations(bytes[] contexts, bytes32[] modes, bytes[] executions)',
])
const executor = parseAbi(['function executeFromExecutor(bytes32 mode, bytes execution)'])
const executeSelector = '0xd691c964'
const multicall3 = '0xca11bde05977b3631167028862be2a173976ca11'
const hooks: ReadonlyMap<string, HookName> = new Map([
  ['0x414c3e33', 'beforeAllHook'],
  ['0xa145832a', 'beforeHook'],
  ['0xd3eddcc5', 'afterHook'],
  ['0xed463367', 'afterAllHook'],
])

/** A node that redeems through the real DelegationManager, in a world of one call. */
export function createRedemptionNode(url: string, delegationManager: Address) {
  async function rpc<Result>(method: string, params: readonly unknown[]): Promise<Result> {
    const response = await fetch(url, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }),
    })
    const { result, error } = (await response.json()) as { result?: Result; error?: { message: string } }
    if (result === undefined) throw new Error(`${method}: ${error?.message}`)
    return result
  }

  return {
    rpc,

    /** The answers before the plain execution and after it; no `after` if it fails. */
    async look(
      { links, execution, overrides, timestamp, blockNumber }: Redemption,
      reads: readonly Read[],
    ): Promise<{ readonly before: ChainState; readonly after: ChainState | undefined }> {
      const ask = { from: multicall3, to: multicall3, data: aggregate(reads), gas: '0x989680' }
      const execute = {
        from: delegationManager,
        to: links.at(-1)?.delegator,
        data: encodeFunctionData({ abi: executor, args: [execution.mode, execution.calldata] }),
        gas: '0x989680',
      }
      const blockOverrides = { time: numberToHex(timestamp), number: numberToHex(blockNumber) }
      const [block] = await rpc<readonly { calls: readonly { status: Hex; returnData: Hex }[] }[]>(
        'eth_simulateV1',
        [
          { blockStateCalls: [{ stateOverrides: overrides, blockOverrides, calls: [ask, execute, ask] }] },
          'latest',
        ],
      )
      const [first, executed, last] = block?.calls ?? []
      const seen = (data: Hex): ChainState => {
        const answers = answersIn(data)
        const known = new Map(reads.map((read, i) => [keyOf(read), answers[i]]))
        return { timestamp, blockNumber, answer: (read) => known.get(keyOf(read)) }
      }
      return {
        before: seen(first?.returnData ?? '0x'),
        after: executed?.status === '0x1' ? seen(last?.returnData ?? '0x') : undefined,
      }
    },

    /** Redeems for real, and finds the refusing contract in the trace. */
    async redeem(redemption: Redemption): Promise<Ending> {
      const { links, execution, overrides, origin, redeemer, timestamp, blockNumber } = redemption
      const data = encodeFunctionData({
        abi: manager,
        args: [[contextOf(links)], [execution.mode], [execution.calldata]],
      })
      const to = origin === redeemer ? delegationManager : redeemer
      const trace = await rpc<Trace>('debug_traceCall', [
        { from: origin, to, data, gas: '0x1c9c380' },
        'latest',
        {
          tracer: 'callTracer',
          stateOverrides: overrides,
          blockOverrides: { time: numberToHex(timestamp), number: numberToHex(blockNumber) },
        },
      ])
      return endingOf(origin === redeemer ? trace : (trace.calls?.[0] ?? trace), links)
    },
  }
}

/** All four hooks are called on every caveat: the index is the number of earlier calls in that round. */
function endingOf(trace: Trace, links: readonly Delegation[]): Ending {
  if (!trace.error) return { type: 'pass' }
  const data = trace.output ?? '0x'
  const calls = trace.calls ?? []
  const last = calls.at(-1)
  if (!last?.error) return { type: 'refuse', by: 'manager', data }
  if (last.input.startsWith(executeSelector)) return { type: 'refuse', by: 'execution', data }
  const hook = hookOf(last)
  if (!hook) return { type: 'refuse', by: 'manager', data }
  const before = calls.filter((call) => hookOf(call) === hook).length - 1
  const total = links.reduce((sum, { caveats }) => sum + caveats.length, 0)
  const place = hook === 'beforeAllHook' || hook === 'beforeHook' ? before : total - 1 - before
  return { type: 'refuse', by: 'caveat', hook, place, data }
}

function hookOf({ input }: Trace): HookName | undefined {
  return hooks.get(input.slice(0, 10))
}

function contextOf(links: readonly Delegation[]): Hex {
  return encodeDelegations(
    links.map((link) => ({ ...link, caveats: link.caveats.map((caveat) => ({ ...caveat })) })),
  )
}

function keyOf({ to, data }: Read): string {
  return `${to}${data}`.toLowerCase()
}

/** `aggregate3` of Multicall3, where every call may fail; encoded by hand for speed. */
function aggregate(reads: readonly Read[]): Hex {
  let offset = 32 * reads.length
  const heads: string[] = []
  const tails: string[] = []
  for (const { to, data } of reads) {
    const digits = data.slice(2)
    const padded = digits.padEnd(Math.ceil(digits.length / 64) * 64, '0')
    const tail = `${addressWord(to)}${wordOf(1)}${wordOf(96)}${wordOf(digits.length / 2)}${padded}`
    heads.push(wordOf(offset))
    tails.push(tail)
    offset += tail.length / 2
  }
  return `0x82ad56cb${wordOf(32)}${wordOf(reads.length)}${heads.join('')}${tails.join('')}`
}

function answersIn(data: Hex): readonly Answer[] {
  const digits = data.slice(2)
  const at = (byte: number) => Number.parseInt(digits.slice(2 * byte, 2 * byte + 64), 16)
  const count = at(32)
  return Array.from({ length: count }, (_, i) => {
    const start = 64 + at(64 + 32 * i)
    const length = at(start + 64)
    const from = 2 * (start + 96)
    return { ok: at(start) === 1, data: `0x${digits.slice(from, from + 2 * length)}` }
  })
}
