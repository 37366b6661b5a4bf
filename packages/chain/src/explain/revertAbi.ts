import * as artifacts from '@bardo/contracts'
import { DelegationManager, EntryPoint, HybridDeleGator, MultiSigDeleGator } from '@metamask/delegation-abis'
import { type Abi, type AbiItem, type AbiParameter, parseAbi, toFunctionSelector } from 'viem'

/** Errors of the protocols that a Golem calls, and of OpenZeppelin's shared contracts. */
const protocolErrors = parseAbi([
  'error DecodingError()',
  'error ERC20InsufficientBalance(address sender, uint256 balance, uint256 needed)',
  'error ERC20InsufficientAllowance(address spender, uint256 allowance, uint256 needed)',
  'error ERC20InvalidReceiver(address receiver)',
  'error ERC20InvalidSender(address sender)',
  'error ERC20InvalidSpender(address spender)',
  'error ERC4626ExceededMaxDeposit(address receiver, uint256 assets, uint256 max)',
  'error ERC4626ExceededMaxWithdraw(address owner, uint256 assets, uint256 max)',
  'error ERC4626ExceededMaxRedeem(address owner, uint256 shares, uint256 max)',
  'error ERC721NonexistentToken(uint256 tokenId)',
  'error SafeERC20FailedOperation(address token)',
  'error V3TooLittleReceived()',
  'error V3TooMuchRequested()',
  'error V3InvalidSwap()',
  'error TransactionDeadlinePassed()',
  'error AllowanceExpired(uint256 deadline)',
  'error InsufficientAllowance(uint256 amount)',
  'error InvalidNonce()',
  'error SignatureExpired(uint256 signatureDeadline)',
])

/** Errors of version 1 that version 2 does not have. */
const earlierErrors = parseAbi(['error NavExceeded(uint256 outMicros, uint256 limitMicros)'])

/** All of Bardo's contracts: the errors of a new caveat need no entry here. */
const contracts: readonly Abi[] = [
  DelegationManager,
  HybridDeleGator,
  MultiSigDeleGator,
  EntryPoint,
  ...Object.values(artifacts).map(({ abi }) => abi),
  earlierErrors,
  protocolErrors,
]

/** Every error of a redemption, by selector. Hashing them all at each revert would be slow. */
export const revertAbi: ReadonlyMap<string, AbiItem> = new Map(
  contracts
    .flat()
    .flatMap((item) => (item.type === 'error' ? [[toFunctionSelector(toSignature(item)), item]] : [])),
)

function toSignature({ name, inputs }: Extract<AbiItem, { type: 'error' }>): string {
  return `${name}(${inputs.map(canonicalType).join()})`
}

function canonicalType(input: AbiParameter): string {
  if (!('components' in input) || !input.type.startsWith('tuple')) return input.type
  return `(${input.components.map(canonicalType).join()})${input.type.slice('tuple'.length)}`
}
