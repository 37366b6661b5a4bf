import { deposit } from './money/deposit.ts'
import { withdraw } from './money/withdraw.ts'
import type { AnyOperation } from './owner/ownerOperation.ts'

/** Every operation by its kind. */
export const operations = { deposit, withdraw } as const satisfies Record<string, AnyOperation>

/** The kind of an operation. */
export type OperationKind = keyof typeof operations

/** Every kind. */
export const operationKinds = Object.keys(operations) as [OperationKind, ...OperationKind[]]
