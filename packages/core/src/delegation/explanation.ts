import type { Address, Hex } from 'viem'
import type { Delegation } from './delegation.ts'
import type { ChainVerdict } from './evaluateChain.ts'

/** Why something reverted, as far as it can be read. */
export type Revert = {
  /** The error's name: a custom error, `Error`, `Panic`, or `Unknown` for bytes that nobody here can read. */
  readonly name: string
  readonly args: readonly unknown[]
  readonly data: Hex
  /** In a few words: `Too little received`, `ERC20InsufficientBalance(…)`. */
  readonly text: string
  /** What would make it pass; undefined where nobody knows. */
  readonly remedy: string | undefined
}

/** What became of the account's own calls, without any caveat around them. */
export type ExecutionOutcome =
  | { readonly is: 'done' }
  /** `target` is the contract that reverted, where a trace shows it. */
  | { readonly is: 'reverted'; readonly revert: Revert; readonly target: Address | undefined }
  /** The node cannot simulate. */
  | { readonly is: 'unknown' }

/** What became of the whole redemption on the node, caveats and all. */
export type RedemptionOutcome =
  | { readonly is: 'done' }
  | { readonly is: 'reverted'; readonly revert: Revert; readonly at: RevertPlace | undefined }

/** Where in a redemption a revert came from. */
export type RevertPlace =
  | {
      readonly is: 'caveat'
      readonly link: number
      readonly caveat: number
      readonly enforcer: Address
      readonly hook: 'beforeAllHook' | 'beforeHook' | 'afterHook' | 'afterAllHook'
    }
  | { readonly is: 'execution'; readonly target: Address }
  | { readonly is: 'signature'; readonly link: number | undefined; readonly signer: Address }
  | { readonly is: 'manager' }

/** Why a redemption passes or not: the library's verdict on every caveat, and what the node itself did with it. */
export type Explanation = {
  /** `fails` where every caveat may agree and the account's own call reverts. */
  readonly is: 'pass' | 'refuse' | 'fails' | 'unknown'
  /** Leaf first. */
  readonly links: readonly Delegation[]
  readonly redeemer: Address
  readonly block: { readonly number: bigint; readonly timestamp: bigint }
  readonly verdict: ChainVerdict
  readonly execution: ExecutionOutcome
  readonly redemption: RedemptionOutcome
  /** False where the library and the node say different things; that is a defect, or a state that moved in between. */
  readonly agrees: boolean
}

/** What the parts say together. The account's own failure comes after the hooks before it, and before those after it. */
export function explain(parts: Omit<Explanation, 'is' | 'agrees'>): Explanation {
  const { verdict, execution, redemption } = parts
  const refusesBefore =
    verdict.manager.is === 'refuse' ||
    verdict.first?.hook === 'beforeHook' ||
    verdict.first?.hook === 'beforeAllHook'
  const claim = refusesBefore || execution.is !== 'reverted' ? verdict.is : 'fails'
  return { ...parts, is: concluded(claim, parts), agrees: agree(claim, verdict, execution, redemption) }
}

/** Where the library cannot tell, the node's own answer counts. */
function concluded(
  claim: Explanation['is'],
  { redemption }: Pick<Explanation, 'redemption'>,
): Explanation['is'] {
  if (redemption.is === 'done') return 'pass'
  if (isAboutSignatures(redemption.revert)) return 'refuse'
  if (claim !== 'unknown' && claim !== 'pass') return claim
  return redemption.at?.is === 'execution' ? 'fails' : 'refuse'
}

function agree(
  claim: Explanation['is'],
  verdict: ChainVerdict,
  execution: ExecutionOutcome,
  redemption: RedemptionOutcome,
): boolean {
  if (claim === 'unknown') return true
  if (claim === 'pass') return redemption.is === 'done' || isAboutSignatures(redemption.revert)
  if (redemption.is === 'done') return false
  if (isAboutSignatures(redemption.revert)) return true
  if (claim === 'fails') {
    // What nobody can judge beforehand may have refused before the account was asked.
    const certain = verdict.caveats.every(
      ({ verdict: { is, ...why } }) => is !== 'unknown' || ('missing' in why && why.missing === 'after'),
    )
    return !certain || (execution.is === 'reverted' && execution.revert.data === redemption.revert.data)
  }
  if (verdict.manager.is === 'refuse') return verdict.manager.data === redemption.revert.data
  return verdict.first?.certain === false || verdict.first?.refusal.data === redemption.revert.data
}

const signatureErrors = ['InvalidEOASignature', 'InvalidERC1271Signature', 'EmptySignature']

/** Signatures are looked at by the node alone. */
function isAboutSignatures({ name }: Revert): boolean {
  return signatureErrors.includes(name) || name.startsWith('ECDSAInvalid')
}
