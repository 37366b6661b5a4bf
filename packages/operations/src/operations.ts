import type { z } from 'zod'
import { constitution } from './constitution/constitution.ts'
import { identityAttest } from './identity/identityAttest.ts'
import { identityCancel } from './identity/identityCancel.ts'
import { identityComplete } from './identity/identityComplete.ts'
import { identityDeposit } from './identity/identityDeposit.ts'
import { identityRegister } from './identity/identityRegister.ts'
import { identityTransfer } from './identity/identityTransfer.ts'
import { identityWallet } from './identity/identityWallet.ts'
import { deposit } from './money/deposit.ts'
import { withdraw } from './money/withdraw.ts'
import type { AnyOperation } from './owner/ownerOperation.ts'
import { adjust, feed } from './permission/regrant.ts'
import { resetPhase } from './permission/resetPhase.ts'
import { revoke } from './permission/revoke.ts'
import { answer } from './requests/answer.ts'
import { summon } from './summon/summon.ts'

/**
 * Every operation by its kind. `input` and `result` are its schemas.
 *
 * @example
 * const { transaction } = operations.deposit.result.parse(done.result)
 */
export const operations = {
  summon,
  feed,
  adjust,
  constitution,
  resetPhase,
  answer,
  revoke,
  deposit,
  withdraw,
  identityRegister,
  identityWallet,
  identityAttest,
  identityDeposit,
  identityTransfer,
  identityCancel,
  identityComplete,
} as const satisfies Record<string, AnyOperation>

/** The kind of an operation. */
export type OperationKind = keyof typeof operations

/** What an operation is given. */
export type OperationInput<Kind extends OperationKind> = z.input<(typeof operations)[Kind]['input']>

/** What a finished operation reports. */
export type OperationResult<Kind extends OperationKind> = z.output<(typeof operations)[Kind]['result']>

/** Every kind. */
export const operationKinds = Object.keys(operations) as [OperationKind, ...OperationKind[]]
