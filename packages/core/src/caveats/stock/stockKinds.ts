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

/** MetaMask's enforcers of Delegation Framework 1.3.0, by their names without "Enforcer". */
export const stockKinds = {
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
  /** Knows none of the enforcers inside; the one of a registry does. */
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
 * The registry of a deployment: takes the kit's `caveatEnforcers`, and leaves out what has no kind.
 *
 * @param others - the enforcers that are not MetaMask's, so that a LogicalOrWrapper knows them too
 */
export function stockRegistry(
  caveatEnforcers: Readonly<Record<string, Address>>,
  others: Registry = () => undefined,
): Registry {
  const registry: Registry = (enforcer) => stock(enforcer) ?? others(enforcer)
  const kinds: Readonly<Record<string, BoundKind<unknown>>> = {
    ...stockKinds,
    LogicalOrWrapper: logicalOrWrapper(registry),
  }
  const stock = registryOf(
    Object.entries(caveatEnforcers).flatMap(([name, address]) => {
      const kind = kinds[name.replace(/Enforcer$/, '')]
      return kind ? [[address, kind] as const] : []
    }),
  )
  return registry
}
