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

/** Every operation by its kind. */
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

/** Every kind. */
export const operationKinds = Object.keys(operations) as [OperationKind, ...OperationKind[]]
