import type { Address } from 'viem'
import { type BoundKind, type Registry, registryOf } from '../boundKind.ts'
import { allowedCalldata } from './allowedCalldata.ts'
import { allowedMethods } from './allowedMethods.ts'
import { allowedTargets } from './allowedTargets.ts'
import { approvalRevocation } from './approvalRevocation.ts'
import { argsEqualityCheck } from './argsEqualityCheck.ts'
import { blockNumber } from './blockNumber.ts'
import { deployed } from './deployed.ts'
import { erc20BalanceChange } from './erc20BalanceChange.ts'
import { erc20PeriodTransfer } from './erc20PeriodTransfer.ts'
import { erc20Streaming } from './erc20Streaming.ts'
import { erc20TransferAmount } from './erc20TransferAmount.ts'
import { erc721BalanceChange } from './erc721BalanceChange.ts'
import { erc721Transfer } from './erc721Transfer.ts'
import { erc1155BalanceChange } from './erc1155BalanceChange.ts'
import { exactCalldata } from './exactCalldata.ts'
import { exactCalldataBatch } from './exactCalldataBatch.ts'
import { exactExecution } from './exactExecution.ts'
import { exactExecutionBatch } from './exactExecutionBatch.ts'
import { id } from './id.ts'
import { limitedCalls } from './limitedCalls.ts'
import { logicalOrWrapper } from './logicalOrWrapper.ts'
import { multiTokenPeriod } from './multiTokenPeriod.ts'
import { nativeBalanceChange } from './nativeBalanceChange.ts'
import { nativeTokenPayment } from './nativeTokenPayment.ts'
import { nativeTokenPeriodTransfer } from './nativeTokenPeriodTransfer.ts'
import { nativeTokenStreaming } from './nativeTokenStreaming.ts'
import { nativeTokenTransferAmount } from './nativeTokenTransferAmount.ts'
import { nonce } from './nonce.ts'
import { ownershipTransfer } from './ownershipTransfer.ts'
import { redeemer } from './redeemer.ts'
import { specificActionERC20TransferBatch } from './specificActionERC20TransferBatch.ts'
import { timestamp } from './timestamp.ts'
import { valueLte } from './valueLte.ts'

/** MetaMask's enforcers of Delegation Framework 1.3.0, keyed by name without "Enforcer". */
export const metamaskKinds = {
  AllowedCalldata: allowedCalldata,
  AllowedMethods: allowedMethods,
  AllowedTargets: allowedTargets,
  ApprovalRevocation: approvalRevocation,
  ArgsEqualityCheck: argsEqualityCheck,
  BlockNumber: blockNumber,
  Deployed: deployed,
  ERC20BalanceChange: erc20BalanceChange,
  ERC20PeriodTransfer: erc20PeriodTransfer,
  ERC20Streaming: erc20Streaming,
  ERC20TransferAmount: erc20TransferAmount,
  ERC721BalanceChange: erc721BalanceChange,
  ERC721Transfer: erc721Transfer,
  ERC1155BalanceChange: erc1155BalanceChange,
  ExactCalldata: exactCalldata,
  ExactCalldataBatch: exactCalldataBatch,
  ExactExecution: exactExecution,
  ExactExecutionBatch: exactExecutionBatch,
  Id: id,
  LimitedCalls: limitedCalls,
  /** Knows no inner enforcers; the one in a registry does. */
  LogicalOrWrapper: logicalOrWrapper(() => undefined),
  MultiTokenPeriod: multiTokenPeriod,
  NativeBalanceChange: nativeBalanceChange,
  NativeTokenPayment: nativeTokenPayment,
  NativeTokenPeriodTransfer: nativeTokenPeriodTransfer,
  NativeTokenStreaming: nativeTokenStreaming,
  NativeTokenTransferAmount: nativeTokenTransferAmount,
  Nonce: nonce,
  OwnershipTransfer: ownershipTransfer,
  Redeemer: redeemer,
  SpecificActionERC20TransferBatch: specificActionERC20TransferBatch,
  Timestamp: timestamp,
  ValueLte: valueLte,
} as const

/**
 * The registry of a deployment. Takes the kit's `caveatEnforcers` and ignores enforcers without a kind.
 *
 * @param others - the enforcers that are not MetaMask's, so that a LogicalOrWrapper can evaluate them too
 *
 * @example
 * const registry = metamaskRegistry(environment.caveatEnforcers, bardoRegistry(deployment.contracts))
 * registry(caveat.enforcer)?.name // 'ERC20PeriodTransfer'
 */
export function metamaskRegistry(
  caveatEnforcers: Readonly<Record<string, Address>>,
  others: Registry = () => undefined,
): Registry {
  const registry: Registry = (enforcer) => metamask(enforcer) ?? others(enforcer)
  const kinds: Readonly<Record<string, BoundKind<unknown>>> = {
    ...metamaskKinds,
    LogicalOrWrapper: logicalOrWrapper(registry),
  }
  const metamask = registryOf(
    Object.entries(caveatEnforcers).flatMap(([name, address]) => {
      const kind = kinds[name.replace(/Enforcer$/, '')]
      return kind ? [[address, kind] as const] : []
    }),
  )
  return registry
}
