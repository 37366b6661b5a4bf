import type { Revert } from '@bardo/core'
import { decodeErrorResult, type Hex } from 'viem'
import { revertOf } from '../state/nodeError.ts'
import { revertAbi } from './revertAbi.ts'

/** What a callee's refusal means to somebody who only wanted to swap. The framework's own are in the caveats' verdicts. */
const remedies: Readonly<Record<string, string>> = {
  'Too little received': 'Ask for a lower minimum out, or swap when the pool pays more.',
  'Too much requested': 'Allow a larger input, or swap when the pool asks for less.',
  V3TooLittleReceived: 'Ask for a lower minimum out, or swap when the pool pays more.',
  V3TooMuchRequested: 'Allow a larger input, or swap when the pool asks for less.',
  'Transaction too old': 'Build the call again with a later deadline.',
  TransactionDeadlinePassed: 'Build the call again with a later deadline.',
  'Price slippage check': 'Lower the minimum amounts, or wait until the pool’s price is back.',
  STF: 'Approve the spender for at least this amount in the same batch, and see that the account holds it.',
  TF: 'See that the pool or the account holds what it should send.',
  STE: 'See that the receiver takes native currency.',
  SPL: 'Set the price limit on the right side of the pool’s price.',
  AS: 'Swap an amount above zero.',
  LOK: 'Do not call the pool from within the pool.',
  ERC20InsufficientBalance: 'Take less, or fund the account.',
  'ERC20: transfer amount exceeds balance': 'Take less, or fund the account.',
  ERC20InsufficientAllowance: 'Approve the spender for at least this amount in the same batch.',
  'ERC20: transfer amount exceeds allowance':
    'Approve the spender for at least this amount in the same batch.',
  ERC4626ExceededMaxWithdraw: 'Withdraw at most what the account’s shares are worth.',
  ERC4626ExceededMaxRedeem: 'Redeem at most the shares that the account holds.',
  CannotUseADisabledDelegation: 'Ask for a new delegation: this one was revoked.',
  InvalidDelegate: 'Redeem as the delegate that the leaf names.',
  InvalidAuthority: 'Send every link up to the root, leaf first.',
  InvalidEOASignature: 'Have the link signed again; a smart account has to be deployed before it can sign.',
  InvalidERC1271Signature: 'Have the link signed again by a signer of its account.',
  EmptySignature: 'Have the link signed.',
  EnforcedPause: 'Wait until MetaMask’s manager is no longer paused.',
  BatchDataLengthMismatch: 'Send as many modes and executions as contexts.',
}

/** Reads the bytes of a revert: plain reasons, panics, the framework's errors, ours, and those of known protocols. */
export function decodeRevert(data: Hex): Revert {
  if (data === '0x') {
    return { name: 'Unknown', args: [], data, text: 'no reason was given', remedy: undefined }
  }
  const found = decoded(data)
  if (!found)
    return { name: 'Unknown', args: [], data, text: `unknown error ${data.slice(0, 10)}`, remedy: undefined }
  const { name, args } = found
  const reason = name === 'Error' ? `${args[0]}` : undefined
  const text = reason ?? `${name}(${args.map(shown).join(', ')})`
  return { name, args, data, text, remedy: remedies[reason ?? name] }
}

/** Reads the revert inside what a simulation or an estimate of viem's threw; undefined where the node itself failed. */
export function revertInError(error: unknown): Revert | undefined {
  const data = revertOf(error)
  return data === undefined ? undefined : decodeRevert(data)
}

function decoded(data: Hex): { readonly name: string; readonly args: readonly unknown[] } | undefined {
  try {
    const known = revertAbi.get(data.slice(0, 10))
    const { errorName, args } = decodeErrorResult({ abi: known ? [known] : [], data })
    return { name: errorName, args: Array.isArray(args) ? args : [] }
  } catch {
    return undefined
  }
}

function shown(value: unknown): string {
  return typeof value === 'object'
    ? JSON.stringify(value, (_, inner) => (typeof inner === 'bigint' ? `${inner}` : inner))
    : `${value}`
}
