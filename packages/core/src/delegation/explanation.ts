import type { Address, Hex } from 'viem'
import type { Delegation } from './delegation.ts'
import type { DelegationVerdict } from './evaluateDelegations.ts'

/** Why a call reverted, as far as the revert data can be decoded. */
export type Revert = {
  /**
   * The error's name: a custom error, `Error`, `Panic`, or `Unknown` for revert data that cannot be decoded.
   */
  readonly name: string
  readonly args: readonly unknown[]
  readonly data: Hex
  /** In a few words: `Too little received`, `ERC20InsufficientBalance(…)`. */
  readonly text: string
  /** What would make it pass; undefined if unknown. */
  readonly remedy: string | undefined
}

/** The result of the account's own calls, without any caveat. */
export type ExecutionOutcome =
  | { readonly type: 'done' }
  /** `target` is the contract that reverted, if a trace shows it. */
  | { readonly type: 'reverted'; readonly revert: Revert; readonly target: Address | undefined }
  /** The node cannot simulate. */
  | { readonly type: 'unknown' }

/** The result of the whole redemption on the node, including caveats. */
export type RedemptionOutcome =
  | { readonly type: 'done' }
  | { readonly type: 'reverted'; readonly revert: Revert; readonly at: RevertLocation | undefined }

/** Where in a redemption a revert came from. */
export type RevertLocation =
  | {
      readonly type: 'caveat'
      readonly link: number
      readonly caveat: number
      readonly enforcer: Address
      readonly hook: 'beforeAllHook' | 'beforeHook' | 'afterHook' | 'afterAllHook'
    }
  | { readonly type: 'execution'; readonly target: Address }
  | { readonly type: 'signature'; readonly link: number | undefined; readonly signer: Address }
  | { readonly type: 'manager' }

/** Why a redemption passes or not: the library's verdict on every caveat, and the node's result. */
export type Explanation = {
  /** `fails` if the account's own call reverts although no caveat refuses. */
  readonly type: 'pass' | 'refuse' | 'fails' | 'unknown'
  /** Leaf first. */
  readonly links: readonly Delegation[]
  readonly redeemer: Address
  readonly block: { readonly number: bigint; readonly timestamp: bigint }
  readonly verdict: DelegationVerdict
  readonly execution: ExecutionOutcome
  readonly redemption: RedemptionOutcome
  /** False if the library and the node disagree: a defect, or state that changed in between. */
  readonly agrees: boolean
}

/**
 * Combines the parts. The account's own failure comes after the hooks before it and before the hooks after
 * it.
 *
 * @example
 * const explanation = explain({ links, redeemer, block, verdict, execution, redemption })
 * explanation.type // 'pass', 'refuse', 'fails' or 'unknown'
 */
export function explain(parts: Omit<Explanation, 'type' | 'agrees'>): Explanation {
  const { verdict, execution, redemption } = parts
  const refusesBefore =
    verdict.manager.type === 'refuse' ||
    verdict.first?.hook === 'beforeHook' ||
    verdict.first?.hook === 'beforeAllHook'
  const claim = refusesBefore || execution.type !== 'reverted' ? verdict.type : 'fails'
  return { ...parts, type: concluded(claim, parts), agrees: agree(claim, verdict, execution, redemption) }
}

/** If the library cannot tell, the node's answer counts. */
function concluded(
  claim: Explanation['type'],
  { redemption }: Pick<Explanation, 'redemption'>,
): Explanation['type'] {
  if (redemption.type === 'done') return 'pass'
  if (isAboutSignatures(redemption.revert)) return 'refuse'
  if (claim !== 'unknown' && claim !== 'pass') return claim
  return redemption.at?.type === 'execution' ? 'fails' : 'refuse'
}

function agree(
  claim: Explanation['type'],
  verdict: DelegationVerdict,
  execution: ExecutionOutcome,
  redemption: RedemptionOutcome,
): boolean {
  if (claim === 'unknown') return true
  if (claim === 'pass') return redemption.type === 'done' || isAboutSignatures(redemption.revert)
  if (redemption.type === 'done') return false
  if (isAboutSignatures(redemption.revert)) return true
  if (claim === 'fails') {
    // A caveat that cannot be evaluated may have refused before the account's call ran.
    const certain = verdict.caveats.every(
      ({ verdict: { type, ...why } }) => type !== 'unknown' || ('missing' in why && why.missing === 'after'),
    )
    return !certain || (execution.type === 'reverted' && execution.revert.data === redemption.revert.data)
  }
  if (verdict.manager.type === 'refuse') return verdict.manager.data === redemption.revert.data
  return verdict.first?.certain === false || verdict.first?.refusal.data === redemption.revert.data
}

const signatureErrors = ['InvalidEOASignature', 'InvalidERC1271Signature', 'EmptySignature']

/** Only the node checks signatures. */
function isAboutSignatures({ name }: Revert): boolean {
  return signatureErrors.includes(name) || name.startsWith('ECDSAInvalid')
}
