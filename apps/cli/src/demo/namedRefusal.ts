import { caveatRegistry, type Deployment, refusedRedemption, type TransactionExplanation } from '@bardo/chain'

/** Why the chain refused a transaction, in the words of `explainTransaction`. */
export type NamedRefusal = {
  /** Which delegation of the chain, 0 being the leaf; undefined where none of them refuses. */
  readonly link: number | undefined
  /** By name: `Cage`, `ReplicantBudget`; or `DelegationManager`. */
  readonly caveat: string
  /** The error that it reverted with. */
  readonly error: string
  readonly numbers: readonly string[]
  /** What would make it pass. */
  readonly remedy: string | undefined
}

/** The refusal in an explained transaction; undefined where nothing refused. */
export function namedRefusal(
  { contexts }: TransactionExplanation,
  deployment: Deployment,
): NamedRefusal | undefined {
  const explanation = contexts.at(-1)?.explanation
  if (explanation?.redemption.is !== 'reverted') return undefined
  const { revert, at } = explanation.redemption
  const remedy = refusedRedemption(explanation, { deployment, step: 0, outcome: 'landed' })?.remedy
  const isPlain = revert.name === 'Error'
  const said = {
    error: isPlain ? revert.text : revert.name,
    numbers: isPlain ? [] : revert.args.map(String),
    remedy,
  }
  if (at?.is === 'caveat')
    return {
      link: at.link,
      caveat: caveatRegistry(deployment)(at.enforcer)?.name ?? at.enforcer,
      ...said,
    }
  const { manager } = explanation.verdict
  const link = manager.is === 'refuse' ? manager.link : undefined
  return { link, caveat: at?.is === 'execution' ? 'the call itself' : 'DelegationManager', ...said }
}
