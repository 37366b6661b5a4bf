import type { OwnerSigner } from '@bardo/chain'
import { type AddressBook, BardoError, type Clock, type Deployment } from '@bardo/core'
import type { Json, Store } from '@bardo/store'
import type { Address, PublicClient } from 'viem'
import type { z } from 'zod'

/** Who operates, and with what. */
export type OperationContext = {
  /** The user whose operations are read and written. One person locally. */
  readonly user: string
  /** The owner's key, by its address. */
  readonly owner: Address
  readonly client: PublicClient
  readonly deployment: Deployment
  readonly book: AddressBook
  readonly store: Pick<Store, 'operations' | 'idempotencyKeys'>
  readonly clock: Clock
  /** Blocks that an owner's transaction needs, its own included. Default: 3. */
  readonly confirmations?: number
  /** The longest wait for an owner's transaction. Default: 60 seconds. */
  readonly patienceMs?: number
}

/**
 * What an owner can do. It runs with any `OwnerSigner`: one with a key at once, one without a key step by step. Such a run
 * is repeated with each new answer, so it must do nothing but read until it has all answers, and derive the same bytes
 * from the same fields.
 */
type OwnerOperation<Input, Fields extends Json, Result extends Json> = {
  readonly input: z.ZodType<Input>
  /** The fields that everything else is derived from. They are stored, and parsed when they are read. */
  readonly fields: z.ZodType<Fields>
  readonly result: z.ZodType<Result>
  /** Turns the input into fields, by what the chain shows now: a symbol into a token, `all` into an amount. */
  resolve(context: OperationContext, input: Input): Promise<Fields>
  /** What the operation does, for the owner. */
  describe(context: OperationContext, fields: Fields): readonly string[]
  run(context: RunContext, signer: OwnerSigner, fields: Fields): Promise<Result>
}

/** The context of one run. */
type RunContext = OperationContext & {
  /** The operation's id. The ids of its transactions in the journal contain it. */
  readonly operation: string
}

/** An operation of any kind: what it is given is parsed first. */
export type AnyOperation = {
  readonly input: z.ZodType
  readonly result: z.ZodType<Json>
  resolve(context: OperationContext, input: unknown): Promise<Json>
  describe(context: OperationContext, fields: unknown): readonly string[]
  run(context: RunContext, signer: OwnerSigner, fields: unknown): Promise<Json>
}

/** Defines an operation. */
export function defineOperation<Input, Fields extends Json, Result extends Json>(
  operation: OwnerOperation<Input, Fields, Result>,
): AnyOperation {
  const { input, fields, result, resolve, describe, run } = operation
  return {
    input,
    result,
    resolve: (context, given) => resolve(context, parseInput(input, given)),
    describe: (context, stored) => describe(context, fields.parse(stored)),
    run: (context, signer, stored) => run(context, signer, fields.parse(stored)),
  }
}

function parseInput<Input>(schema: z.ZodType<Input>, given: unknown): Input {
  const parsed = schema.safeParse(given)
  if (parsed.success) return parsed.data
  throw new BardoError('The input of the operation is not valid.', {
    code: 'INVALID_INPUT',
    outcome: 'not-sent',
    details: parsed.error.issues.slice(0, 5).map(({ path, message }) => `${path.join('.')}: ${message}`),
  })
}
