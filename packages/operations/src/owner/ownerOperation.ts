import type { OwnerSigner, Submitter, SubmitterSettings } from '@bardo/chain'
import {
  type AddressBook,
  BardoError,
  type Clock,
  type Deployment,
  type GrantingWallet,
  type SealingSecret,
} from '@bardo/core'
import type { CustodyChoice, Runtime } from '@bardo/golem'
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
  readonly store: Store
  readonly clock: Clock
  /** Blocks that an owner's transaction needs, its own included. Default: 3. */
  readonly confirmations?: number
  /** The longest wait for an owner's transaction. Default: 60 seconds. */
  readonly patienceMs?: number
  /** Opens Golems: for operations in which a Golem takes part itself. */
  readonly runtime?: Pick<Runtime, 'open' | 'partsOf'>
  /** How the key of a new Golem sends its own transactions. */
  readonly submitter?: Partial<SubmitterSettings>
  /** Seals the session key of a new Golem. */
  readonly secret?: SealingSecret
  /** How a new Golem's money is held. Default: by delegation. */
  readonly custody?: CustodyChoice
  /** Environment variables: of these, BARDO_BUNDLER_URL and BARDO_PAYMASTER_URL are read for a new Golem. */
  readonly env?: Readonly<Record<string, string | undefined>>
  /** Pays for deployments and registrations. Default: the owner. */
  readonly sponsor?: Submitter
  /** The least gas that a session key gets, on a chain where gas is free. Default: 0. */
  readonly leastGas?: bigint
  /** Called before a new Golem is planned: the local world gives the account test money. */
  readonly onAccount?: (account: Address) => Promise<void>
  /** Whether the signer has the owner's key: everything happens in one run. */
  readonly hasKey?: boolean
  /** Reports the current step in a few words. */
  readonly note?: (text: string) => void
}

/** An owner's signer, with the wallet that grants runways (ERC-7715) if there is one. */
export type OperationSigner = OwnerSigner & { readonly wallet?: GrantingWallet }

/**
 * What an owner can do. It runs with any `OwnerSigner`: one with a key at once, one without a key step by step. Such a run
 * is repeated with each new answer, so it must do nothing but read until it has all answers, and derive the same bytes
 * from the same fields.
 */
type OwnerOperation<Input extends z.ZodType, Fields extends Json, Result extends z.ZodType<Json>> = {
  readonly input: Input
  /** The fields that everything else is derived from. They are stored, and parsed when they are read. */
  readonly fields: z.ZodType<Fields>
  readonly result: Result
  /** Turns the input into fields, by what the chain shows now: a symbol into a token, `all` into an amount. */
  resolve(context: OperationContext, input: z.output<Input>): Promise<Fields>
  /** What the operation does, for the owner. */
  describe(context: OperationContext, fields: Fields): readonly string[]
  run(context: RunContext, signer: OperationSigner, fields: Fields): Promise<z.output<Result>>
}

/** The context of one run. */
export type RunContext = OperationContext & {
  /** The operation's id. The ids of its transactions in the journal contain it. */
  readonly operation: string
}

/** An operation of any kind: what it is given is parsed first. */
export type AnyOperation = {
  readonly input: z.ZodType
  readonly result: z.ZodType<Json>
  resolve(context: OperationContext, input: unknown): Promise<Json>
  describe(context: OperationContext, fields: unknown): readonly string[]
  run(context: RunContext, signer: OperationSigner, fields: unknown): Promise<Json>
}

/** Defines an operation. Its schemas keep their types, for callers that give the input or read the result. */
export function defineOperation<Input extends z.ZodType, Fields extends Json, Result extends z.ZodType<Json>>(
  operation: OwnerOperation<Input, Fields, Result>,
): AnyOperation & { readonly input: Input; readonly result: Result } {
  const { input, fields, result, resolve, describe, run } = operation
  return {
    input,
    result,
    resolve: (context, given) => resolve(context, parseInput(input, given)),
    describe: (context, stored) => describe(context, fields.parse(stored)),
    run: (context, signer, stored) => run(context, signer, fields.parse(stored)),
  }
}

function parseInput<Input extends z.ZodType>(schema: Input, given: unknown): z.output<Input> {
  const parsed = schema.safeParse(given)
  if (parsed.success) return parsed.data
  throw new BardoError('The input of the operation is not valid.', {
    code: 'INVALID_INPUT',
    outcome: 'not-sent',
    details: parsed.error.issues.slice(0, 5).map(({ path, message }) => `${path.join('.')}: ${message}`),
  })
}

/** The runtime of an operation in which a Golem takes part itself. */
export function requireRuntime({ runtime }: OperationContext): NonNullable<OperationContext['runtime']> {
  if (runtime) return runtime
  throw new BardoError('This operation needs a runtime that opens Golems.', { code: 'INTERNAL' })
}
