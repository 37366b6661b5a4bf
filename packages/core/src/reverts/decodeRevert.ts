import { decodeErrorResult, type Hex } from 'viem'
import type { Revert } from '../delegation/explanation.ts'
import { errorsBySelector } from './errorsBySelector.ts'

/**
 * What to do about a callee's revert. The remedies for the framework's own refusals are in the caveats'
 * verdicts.
 */
const remedies: Readonly<Record<string, string>> = {
  'Too little received': 'Set a lower minimum output, or swap when the pool pays more.',
  'Too much requested': 'Allow a larger input, or swap when the pool asks for less.',
  V3TooLittleReceived: 'Set a lower minimum output, or swap when the pool pays more.',
  V3TooMuchRequested: 'Allow a larger input, or swap when the pool asks for less.',
  'Transaction too old': 'Build the call again with a later deadline.',
  TransactionDeadlinePassed: 'Build the call again with a later deadline.',
  'Price slippage check': 'Lower the minimum amounts, or wait until the pool’s price is back.',
  STF: 'Approve the spender for at least this amount in the same batch, and check that the account holds it.',
  TF: 'Check that the pool or the account holds the tokens it has to send.',
  STE: 'Check that the receiver accepts native currency.',
  SPL: 'Set the price limit on the right side of the pool’s price.',
  AS: 'Swap an amount above zero.',
  LOK: 'Do not call the pool from within the pool.',
  ERC20InsufficientBalance: 'Use a smaller amount, or fund the account.',
  'ERC20: transfer amount exceeds balance': 'Use a smaller amount, or fund the account.',
  ERC20InsufficientAllowance: 'Approve the spender for at least this amount in the same batch.',
  'ERC20: transfer amount exceeds allowance':
    'Approve the spender for at least this amount in the same batch.',
  ERC4626ExceededMaxWithdraw: 'Withdraw at most what the account’s shares are worth.',
  ERC4626ExceededMaxRedeem: 'Redeem at most the shares that the account holds.',
  CannotUseADisabledDelegation: 'Request a new delegation: this one is revoked.',
  InvalidDelegate: 'Redeem as the delegate that the leaf names.',
  InvalidAuthority: 'Send every link up to the root, leaf first.',
  InvalidEOASignature: 'Have the link signed again. A smart account must be deployed before it can sign.',
  InvalidERC1271Signature: 'Have the link signed again by a signer of its delegator account.',
  EmptySignature: 'Have the link signed.',
  EnforcedPause: 'Wait until MetaMask’s DelegationManager is no longer paused.',
  BatchDataLengthMismatch: 'Send one mode and one execution for each permission context.',
}

/**
 * Decodes revert data: reason strings, panics, and the errors of the framework, Bardo and supported
 * protocols.
 *
 * @example
 * const { text, remedy } = decodeRevert('0x05baa052')
 * text // 'CannotUseADisabledDelegation()'
 */
export function decodeRevert(data: Hex): Revert {
  if (data === '0x') {
    return { name: 'Unknown', args: [], data, text: 'no reason given', remedy: undefined }
  }
  const error = tryDecode(data)
  if (!error)
    return { name: 'Unknown', args: [], data, text: `unknown error ${data.slice(0, 10)}`, remedy: undefined }
  const { name, args } = error
  const reason = name === 'Error' ? `${args[0]}` : undefined
  const text = reason ?? `${name}(${args.map(valueToText).join(', ')})`
  return { name, args, data, text, remedy: remedies[reason ?? name] }
}

function tryDecode(data: Hex): { readonly name: string; readonly args: readonly unknown[] } | undefined {
  try {
    const definition = errorsBySelector().get(data.slice(0, 10))
    const { errorName, args } = decodeErrorResult({ abi: definition ? [definition] : [], data })
    return { name: errorName, args: Array.isArray(args) ? args : [] }
  } catch {
    return undefined
  }
}

function valueToText(value: unknown): string {
  return typeof value === 'object'
    ? JSON.stringify(value, (_, inner) => (typeof inner === 'bigint' ? `${inner}` : inner))
    : `${value}`
}
