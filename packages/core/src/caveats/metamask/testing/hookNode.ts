import { type Address, encodeFunctionData, type Hex, numberToHex, parseAbi } from 'viem'
import type { Answer, ChainState, HookContext, Read } from '../../caveatKind.ts'

const hooks = parseAbi([
  'function beforeHook(bytes terms, bytes args, bytes32 mode, bytes execution, bytes32 hash, address delegator, address redeemer)',
  'function afterHook(bytes terms, bytes args, bytes32 mode, bytes execution, bytes32 hash, address delegator, address redeemer)',
])

/** A block time to simulate. */
export type Moment = { readonly timestamp: bigint; readonly blockNumber: bigint }

/** A node on which any address can act as the manager and call hooks. */
export function createHookNode(url: string) {
  /** Sends a transaction, and waits until it is in a block. */
  async function land(transaction: object): Promise<void> {
    const { ok, data: hash } = await rpc('eth_sendTransaction', [{ gas: '0x7a1200', ...transaction }])
    while (ok && (await rpc('eth_getTransactionReceipt', [hash])).data === '0x') await Promise.resolve()
  }

  async function rpc(method: string, params: readonly unknown[]): Promise<Answer> {
    const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method, params })
    const response = await fetch(url, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body,
    })
    const reply = (await response.json()) as { result?: Hex; error?: { data?: Hex } }
    return reply.error
      ? { ok: false, data: reply.error.data ?? '0x' }
      : { ok: true, data: reply.result ?? '0x' }
  }

  function call(to: Address, data: Hex, from: Address, moment: Moment): Promise<Answer> {
    return rpc('eth_call', [
      { from, to, data, gas: '0x1c9c380' },
      'latest',
      {},
      { time: numberToHex(moment.timestamp), number: numberToHex(moment.blockNumber) },
    ])
  }

  const hookData = (
    hook: 'beforeHook' | 'afterHook',
    terms: Hex,
    context: Omit<HookContext, 'before' | 'after'>,
  ) =>
    encodeFunctionData({
      abi: hooks,
      functionName: hook,
      args: [
        terms,
        context.args,
        context.execution.mode,
        context.execution.calldata,
        context.delegationHash,
        context.delegator,
        context.redeemer,
      ],
    })

  return {
    rpc,

    /** Lets an address send transactions without a key. */
    async impersonate(account: Address) {
      await rpc('anvil_impersonateAccount', [account])
      await rpc('anvil_setBalance', [account, numberToHex(10n ** 24n)])
    },

    /** Sends from an address and ignores the result. */
    send: (from: Address, to: Address, data: Hex, value = 0n) =>
      land({ from, to, data, value: numberToHex(value) }),

    /** The verdict of the deployed enforcer. */
    hook: (
      hook: 'beforeHook' | 'afterHook',
      terms: Hex,
      context: Omit<HookContext, 'before' | 'after'>,
      moment: Moment,
    ) => call(context.enforcer, hookData(hook, terms, context), context.manager, moment),

    /** The same as a transaction, so that the enforcer stores its state. */
    keep: (hook: 'beforeHook' | 'afterHook', terms: Hex, context: Omit<HookContext, 'before' | 'after'>) =>
      land({ from: context.manager, to: context.enforcer, data: hookData(hook, terms, context) }),

    /** The chain state for these reads. */
    async state(reads: readonly Read[], moment: Moment): Promise<ChainState> {
      const answers = new Map<string, Answer>()
      for (const { to, data } of reads) {
        answers.set(
          `${to}${data}`,
          await call(to, data, '0x0000000000000000000000000000000000000001', moment),
        )
      }
      return { ...moment, answer: ({ to, data }) => answers.get(`${to}${data}`) }
    },
  }
}

export type HookNode = ReturnType<typeof createHookNode>
