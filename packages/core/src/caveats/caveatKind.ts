import type { Address, Hex } from 'viem'

/** What a redemption asks the root's account to do, byte for byte as the manager hands it to the hooks. */
export type Execution = {
  /** An ERC-7579 mode: 32 bytes. */
  readonly mode: Hex
  readonly calldata: Hex
}

/** A question to the chain: an `eth_call`. */
export type Read = { readonly to: Address; readonly data: Hex }

/** What came back. */
export type Answer = { readonly ok: boolean; readonly data: Hex }

/** The chain at one moment, as far as somebody looked. */
export type ChainState = {
  readonly timestamp: bigint
  readonly blockNumber: bigint
  /** Undefined where nobody asked. */
  answer(read: Read): Answer | undefined
}

/** Everything that a caveat's hooks are told. */
export type HookContext = {
  readonly chainId: number
  readonly manager: Address
  readonly enforcer: Address
  readonly execution: Execution
  readonly delegationHash: Hex
  /** Of the link that carries the caveat, not of the root on which execution happens. */
  readonly delegator: Address
  readonly redeemer: Address
  /** Written by the redeemer, signed by nobody. */
  readonly args: Hex
  /** How the redeemer comes to the manager; left out where nobody looked. */
  readonly sender?: SenderKind | undefined
  /** What earlier caveats of the same redemption hold open. */
  readonly frames?: readonly Frame[] | undefined
  /** The chain before the execution. */
  readonly before: ChainState
  /** The chain after it, as a simulation saw it. Without it, what only shows afterwards is unknown. */
  readonly after?: ChainState | undefined
}

/**
 * A plain key sends the transaction itself, and so does an upgraded one, which has code (EIP-7702). Whoever else redeems is
 * a contract.
 */
export type SenderKind = 'key' | 'upgraded key' | 'contract'

/** Books that an enforcer keeps open between a caveat's first hook and its last. */
export type Frame = {
  readonly enforcer: Address
  /** Whose books they are: an account's at a manager, or a delegation's. */
  readonly book: Hex
  /** Under which key. */
  readonly key: Hex
}

/** What a caveat's first hook leaves for those that come after it in the same redemption. */
export type Traces = {
  /** What a question is answered now, given what it was answered before. */
  readonly rewrite?: ((read: Read, answer: Answer | undefined) => Answer | undefined) | undefined
  readonly frames?: readonly Frame[] | undefined
}

/** The four hooks, in the order of the manager's rounds. */
export type HookName = 'beforeAllHook' | 'beforeHook' | 'afterHook' | 'afterAllHook'

/** Why a caveat says no: the very bytes that the contract reverts with, and what they mean. */
export type Refusal = {
  /** The custom error's name; `Error` for a plain reason. */
  readonly name: string
  readonly args: readonly unknown[]
  readonly data: Hex
}

/** What a caveat says about an execution. */
export type Verdict =
  | { readonly is: 'pass' }
  | {
      readonly is: 'refuse'
      readonly hook: HookName
      readonly refusal: Refusal
      /** What would make it pass, in a sentence for a person. */
      readonly remedy: string
    }
  | {
      readonly is: 'unknown'
      /**
       * What is missing: a read that was not made, the state after the execution, how the redeemer comes, a kind for the
       * enforcer, what an earlier caveat writes; or nothing but running it would tell.
       */
      readonly missing: readonly Read[] | 'after' | 'sender' | 'kind' | 'earlier' | 'simulation'
      /** The first hook that may refuse, where it is not `beforeHook`. */
      readonly hook?: HookName
    }

/** Whether a child's terms allow nothing that the parent's would refuse. */
export type Coverage =
  | { readonly is: 'covered' }
  /** Where the child reaches further, with both numbers in it; or that it cannot be told, which counts the same. */
  | { readonly is: 'wider'; readonly because: string }

/** Names for addresses in sentences: tokens with their decimals, and whatever else is known. */
export type Names = {
  token(address: Address): { readonly symbol: string; readonly decimals: number } | undefined
  label(address: Address): string | undefined
}

/** One kind of caveat: how its terms are written and read, compared, judged and put into words. */
export type CaveatKind<Terms> = {
  /** The enforcer's name without "Enforcer". */
  readonly name: string
  encode(terms: Terms): Hex
  /** Refuses bytes that the enforcer itself would refuse. */
  decode(terms: Hex): Terms
  /** Both are decoded terms of this kind. */
  covers(parent: Terms, child: Terms): Coverage
  /** One plain sentence for an owner: "at most 1,000 USDC in any 24 hours". */
  describe(terms: Terms, names: Names): string
  /** What has to be known of the chain to judge this execution under these terms; both may be malformed. */
  reads(terms: Hex, context: Omit<HookContext, 'before' | 'after'>): readonly Read[]
  /** The same verdict as the contract's, with the same bytes. Terms come raw: malformed ones are refused, not thrown. */
  evaluate(terms: Hex, context: HookContext): Verdict
  /** What its first hook leaves behind, where that passed; undefined for nothing that others could see. */
  leaves?(terms: Hex, context: HookContext): Traces
}

/** Lets a kind be written down with its type inferred, and kept in a list without it. */
export function caveatKind<Terms>(kind: CaveatKind<Terms>): CaveatKind<Terms> {
  return kind
}
