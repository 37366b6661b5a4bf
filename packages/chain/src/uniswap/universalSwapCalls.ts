import { BardoError, type Call } from '@bardo/core'
import {
  type Address,
  concat,
  encodeAbiParameters,
  encodeFunctionData,
  erc20Abi,
  type Hex,
  numberToHex,
  parseAbi,
} from 'viem'

/** Permit2 has the same address on every chain. */
export const permit2Address: Address = '0x000000000022D473030F116dDEE9F6B43aC78BA3'

const permit2Abi = parseAbi([
  'function approve(address token, address spender, uint160 amount, uint48 expiration)',
])
const routerAbi = parseAbi(['function execute(bytes commands, bytes[] inputs, uint256 deadline)'])

/** Permit2 reads 0 as "within this block". */
const thisBlockOnly = 0
const exactInCommand: Hex = '0x00'
const exactInInput = [
  { name: 'recipient', type: 'address' },
  { name: 'amountIn', type: 'uint256' },
  { name: 'amountOutMinimum', type: 'uint256' },
  { name: 'path', type: 'bytes' },
  { name: 'payerIsUser', type: 'bool' },
] as const

/** A swap through UniversalRouter. */
export type UniversalSwap = {
  readonly router: Address
  /** The payer and recipient: the Cage allows no other. */
  readonly account: Address
  /** The tokens in order, at least two. */
  readonly tokens: readonly Address[]
  /** The pools' fees between them, in hundredths of a basis point. */
  readonly fees: readonly number[]
  readonly amountIn: bigint
  readonly amountOutMinimum: bigint
  /** Unix seconds. */
  readonly deadline: bigint
}

/**
 * One exact-input V3 swap through Permit2 and UniversalRouter, in the only form of batch that a Cage can
 * decode: both approvals are for exactly the amount, and the swap uses them up.
 */
export function universalSwapCalls(swap: UniversalSwap): readonly Call[] {
  const { router, account, tokens, fees, amountIn, amountOutMinimum, deadline } = swap
  const [token] = tokens
  if (!token || tokens.length !== fees.length + 1 || fees.length === 0)
    throw new BardoError('A path needs one fee between every two tokens.', {
      code: 'INVALID_INPUT',
      details: [`${tokens.length} tokens, ${fees.length} fees`],
    })
  const hops = fees.flatMap((fee, i) => [numberToHex(fee, { size: 3 }), tokens[i + 1] ?? '0x'])
  const input = encodeAbiParameters(exactInInput, [
    account,
    amountIn,
    amountOutMinimum,
    concat([token, ...hops]),
    true,
  ])
  return [
    {
      to: token,
      data: encodeFunctionData({ abi: erc20Abi, functionName: 'approve', args: [permit2Address, amountIn] }),
    },
    {
      to: permit2Address,
      data: encodeFunctionData({
        abi: permit2Abi,
        functionName: 'approve',
        args: [token, router, amountIn, thisBlockOnly],
      }),
    },
    {
      to: router,
      data: encodeFunctionData({
        abi: routerAbi,
        functionName: 'execute',
        args: [exactInCommand, [input], deadline],
      }),
    },
  ]
}
