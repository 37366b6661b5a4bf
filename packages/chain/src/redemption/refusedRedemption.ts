import {
  BardoError,
  type ErrorCode,
  type Explanation,
  hashDelegation,
  type Outcome,
  type Revert,
} from '@bardo/core'
import type { Deployment } from '../deployments/deployment.ts'
import { caveatRegistry } from '../deployments/registry.ts'

/** Refusals that have a code of their own. */
const codes: Readonly<Record<string, ErrorCode>> = {
  CannotUseADisabledDelegation: 'DELEGATION_DISABLED',
  EnforcedPause: 'MANAGER_PAUSED',
  SpendLimitExceeded: 'SPEND_LIMIT_EXCEEDED',
}

/**
 * An explained refusal as an error: which step, link and caveat, which numbers, and what would make it pass. Undefined
 * where nothing refuses.
 */
export function refusedRedemption(
  { is, links, verdict, redemption }: Explanation,
  { deployment, step, ...rest }: { deployment: Deployment; step: number; outcome: Outcome; cause?: unknown },
): BardoError | undefined {
  if (is === 'pass' || redemption.is !== 'reverted') return undefined
  const { revert, at } = redemption
  const { manager, first } = verdict
  const remedy = (manager.is === 'refuse' ? manager.remedy : first?.remedy) ?? revert.remedy
  const place = at ?? (first ? { is: 'caveat' as const, ...first } : undefined)
  const shared = { docsPath: 'explain.md', ...(remedy && { remedy }), ...rest }
  if (is === 'fails') {
    const target = place?.is === 'execution' ? [`in ${place.target}`] : []
    return new BardoError(`The call itself fails: ${revert.text}. No caveat refuses it.`, {
      code: 'TRANSACTION_REVERTED',
      details: [`step ${step}`, ...target],
      ...shared,
    })
  }
  const link = place?.is === 'caveat' ? links[place.link] : undefined
  const caveat = place?.is === 'caveat' ? link?.caveats[place.caveat] : undefined
  const name = caveat && (caveatRegistry(deployment)(caveat.enforcer)?.name ?? caveat.enforcer)
  return new BardoError(`${name ?? 'The manager'} refuses the redemption: ${revert.text}.`, {
    code: codes[revert.name] ?? 'REDEMPTION_REFUSED',
    details:
      link && place?.is === 'caveat'
        ? [`step ${step}, link ${place.link} (${hashDelegation(link)}), caveat ${place.caveat}: ${name}`]
        : [`step ${step}`],
    ...shared,
  })
}

/** A refusal of which no more is known than its bytes. */
export function refusedUnexplained({ name, text, remedy }: Revert, cause: BardoError): BardoError {
  return new BardoError(`The chain refuses the redemption: ${text}.`, {
    code: codes[name] ?? 'REDEMPTION_REFUSED',
    docsPath: 'explain.md',
    outcome: cause.outcome,
    cause,
    ...(remedy && { remedy }),
  })
}
