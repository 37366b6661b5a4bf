import { refusedRedemption, type TransactionExplanation } from '@bardo/chain'
import { caveatRegistry, type Deployment } from '@bardo/core'

/** Why the chain refused a transaction, from `explainTransaction`. */
export type NamedRefusal = {
  /** The link that refuses, 0 being the leaf; undefined if no link refuses. */
  readonly link: number | undefined
  /** By name: `Cage`, `ReplicantBudget`; or `DelegationManager`. */
  readonly caveat: string
  /** The error that it reverted with. */
  readonly error: string
  readonly numbers: readonly string[]
  /** What would make it pass. */
  readonly remedy: string | undefined
}

/** The refusal in an explained transaction; undefined if it was not refused. */
export function namedRefusal(
  { contexts }: TransactionExplanation,
  deployment: Deployment,
): NamedRefusal | undefined {
  const explanation = contexts.at(-1)?.explanation
  if (explanation?.redemption.type !== 'reverted') return undefined
  const { revert, at } = explanation.redemption
  const remedy = refusedRedemption(explanation, { deployment, step: 0, outcome: 'landed' })?.remedy
  const isPlain = revert.name === 'Error'
  const details = {
    error: isPlain ? revert.text : revert.name,
    numbers: isPlain ? [] : revert.args.map(String),
    remedy,
  }
  if (at?.type === 'caveat')
    return {
      link: at.link,
      caveat: caveatRegistry(deployment)(at.enforcer)?.name ?? at.enforcer,
      ...details,
    }
  const { manager } = explanation.verdict
  const link = manager.type === 'refuse' ? manager.link : undefined
  return { link, caveat: at?.type === 'execution' ? 'the call itself' : 'DelegationManager', ...details }
}
