import type { Address, Hex } from 'viem'
import type { CryptoEngine } from '../crypto/cryptoEngine.ts'

/** What a redemption asks the root's account to do, exactly as the manager passes it to the hooks. */
export type Execution = {
  /** An ERC-7579 mode: 32 bytes. */
  readonly mode: Hex
  readonly calldata: Hex
}

/** A read from the chain: an `eth_call`. */
export type Read = { readonly to: Address; readonly data: Hex }

/** The data that the call returned. */
export type Answer = { readonly ok: boolean; readonly data: Hex }

/** Chain state at one moment, limited to the reads that were made. */
export type ChainState = {
  readonly timestamp: bigint
  readonly blockNumber: bigint
  /** Undefined if this read was not made. */
  answer(read: Read): Answer | undefined
}

/** The version of the contracts' rules. An enforcer keeps the rules of its version permanently. */
export type RulesVersion = 1 | 2

/** All inputs of a caveat's hooks. */
export type HookContext = {
  /** The version of the enforcer. Default: 2. */
  readonly rules?: RulesVersion | undefined
  readonly chainId: number
  readonly manager: Address
  readonly enforcer: Address
  readonly execution: Execution
  readonly delegationHash: Hex
  /** The delegator of the link that carries the caveat, not of the root, where the execution happens. */
  readonly delegator: Address
  readonly redeemer: Address
  /** Written by the redeemer and not signed. */
  readonly args: Hex
  /** How the redeemer calls the manager; omitted if unknown. */
  readonly sender?: SenderKind | undefined
  /**
   * Recovers a co-signer's public key. If omitted, a verdict that needs it is unknown: code that only reads
   * and compares caveats does not have to bundle an elliptic curve.
   */
  readonly recoverPublicKey?: CryptoEngine['recoverPublicKey'] | undefined
  /** Frames that earlier caveats of the same redemption hold open. */
  readonly frames?: readonly Frame[] | undefined
  /** The chain before the execution. */
  readonly before: ChainState
  /** The chain after the execution, from a simulation. If omitted, checks that need it are unknown. */
  readonly after?: ChainState | undefined
}

/**
 * A plain key and an upgraded key (EIP-7702: a key with code) send the transaction themselves. Every other
 * redeemer is a contract.
 */
export type SenderKind = 'key' | 'upgraded key' | 'contract'

/** State that an enforcer holds open between a caveat's first hook and its last. */
export type Frame = {
  readonly enforcer: Address
  /** The owner of the state: an account at a manager, or a delegation. */
  readonly book: Hex
  /** The key of the row. */
  readonly key: Hex
}

/** The effect of a caveat's first hook on later caveats of the same redemption. */
export type Traces = {
  /** Maps a read and its earlier answer to the answer after the hook. */
  readonly rewrite?: ((read: Read, answer: Answer | undefined) => Answer | undefined) | undefined
  readonly frames?: readonly Frame[] | undefined
}

/** The four hooks, in the order of the manager's rounds. */
export type HookName = 'beforeAllHook' | 'beforeHook' | 'afterHook' | 'afterAllHook'

/** Why a caveat refuses: the exact revert data of the contract, decoded. */
export type Refusal = {
  /** The custom error's name; `Error` for a plain reason. */
  readonly name: string
  readonly args: readonly unknown[]
  readonly data: Hex
}

/** A caveat's verdict on an execution. */
export type Verdict =
  | { readonly type: 'pass' }
  | {
      readonly type: 'refuse'
      readonly hook: HookName
      readonly refusal: Refusal
      /** What would make it pass, in one sentence for a person. */
      readonly remedy: string
    }
  | {
      readonly type: 'unknown'
      /**
       * What is missing: a read, the state after the execution, how the redeemer calls, a kind for the
       * enforcer, or what an earlier caveat writes; or that only a simulation can tell.
       */
      readonly missing: readonly Read[] | 'after' | 'sender' | 'kind' | 'earlier' | 'simulation'
      /** The first hook that may refuse, if it is not `beforeHook`. */
      readonly hook?: HookName
    }

/** Whether a child's terms allow nothing that the parent's refuse. */
export type Coverage =
  | { readonly type: 'covered' }
  /**
   * Where the child allows more, with both numbers; or that the two cannot be compared, which counts as
   * wider.
   */
  | { readonly type: 'wider'; readonly because: string }

/** Names for addresses in sentences: tokens with their decimals, and other known addresses. */
export type Names = {
  token(address: Address): { readonly symbol: string; readonly decimals: number } | undefined
  label(address: Address): string | undefined
  /** The asset of a vault, to describe share prices. */
  vaultAsset?(vault: Address): Address | undefined
}

/** One kind of caveat: encodes, decodes, compares, evaluates and describes its terms. */
export type CaveatKind<Terms> = {
  /** The enforcer's name without "Enforcer". */
  readonly name: string
  /** @param rules - the version of the enforcer that the terms are for. Default: 2. */
  encode(terms: Terms, rules?: RulesVersion): Hex
  /** Throws for bytes that the enforcer of that version would refuse. */
  decode(terms: Hex, rules?: RulesVersion): Terms
  /** Both are decoded terms of this kind. */
  covers(parent: Terms, child: Terms): Coverage
  /** One plain sentence for an owner: "at most 1,000 USDC in any 24 hours". */
  describe(terms: Terms, names: Names): string
  /** The reads needed to evaluate this execution under these terms; both may be malformed. */
  reads(terms: Hex, context: Omit<HookContext, 'before' | 'after'>): readonly Read[]
  /**
   * The contract's verdict, with the same revert data. Terms are raw: malformed ones are refused, not thrown.
   */
  evaluate(terms: Hex, context: HookContext): Verdict
  /** The effect of its first hook, if that passed; undefined if later caveats cannot see any. */
  leaves?(terms: Hex, context: HookContext): Traces
}

/**
 * Declares a kind with its terms type inferred, and erases the type so that kinds fit in one list.
 *
 * @example
 * const atMost = caveatKind<bigint>({
 *   name: 'AtMost',
 *   encode: (most) => numberToHex(most, { size: 32 }),
 *   decode: (terms) => BigInt(terms),
 *   covers: (parent, child) =>
 *     child <= parent ? { type: 'covered' } : { type: 'wider', because: `${child} > ${parent}` },
 *   describe: (most) => `at most ${most}`,
 *   reads: () => [],
 *   evaluate: () => ({ type: 'pass' }),
 * })
 */
export function caveatKind<Terms>(kind: CaveatKind<Terms>): CaveatKind<Terms> {
  return kind
}
