import { BardoError, hashDelegation, type Outcome, type Refusal, remedyFor } from '@bardo/core'
import type { Address } from 'viem'
import type { Deployment } from '../deployments/deployment.ts'
import type { RedemptionStep } from './encodeRedemption.ts'

/** Manager errors that have a code or a remedy of their own. */
const managerRefusals: Readonly<Record<string, Pick<BardoErrorParts, 'code' | 'remedy'>>> = {
  CannotUseADisabledDelegation: {
    code: 'DELEGATION_DISABLED',
    remedy: 'The owner revoked it: ask for a new grant.',
  },
  EnforcedPause: {
    code: 'MANAGER_PAUSED',
    remedy: 'MetaMask paused its DelegationManager. Nothing is lost: observe, and redeem once it is open.',
  },
  InvalidEOASignature: {
    code: 'REDEMPTION_REFUSED',
    remedy: 'The delegator has no code and did not sign by itself: deploy the account first.',
  },
  InvalidERC1271Signature: {
    code: 'REDEMPTION_REFUSED',
    remedy: 'Another key signs for the account now: have it sign the delegation again.',
  },
  InvalidDelegate: {
    code: 'REDEMPTION_REFUSED',
    remedy: 'Redeem as the account that the leaf names.',
  },
}

type BardoErrorParts = { readonly code: BardoError['code']; readonly remedy: string }

/** A refusal of the chain as an error: which step, link and caveat, which numbers, and what would make it pass. */
export function refuseRedemption(
  refusal: Refusal,
  {
    steps,
    deployment,
    outcome,
    cause,
  }: {
    readonly steps: readonly RedemptionStep[]
    readonly deployment: Deployment
    readonly outcome: Outcome
    readonly cause?: unknown
  },
): BardoError {
  const known = managerRefusals[refusal.name]
  const isSpending = refusal.name === 'SpendLimitExceeded'
  return new BardoError(`The chain refuses the redemption: ${wordsOf(refusal)}.`, {
    code: known?.code ?? (isSpending ? 'SPEND_LIMIT_EXCEEDED' : 'REDEMPTION_REFUSED'),
    details: blame(refusal, steps, deployment),
    remedy: known?.remedy ?? remedyFor(refusal),
    docsPath: 'caveats.md',
    outcome,
    cause,
  })
}

function wordsOf({ name, args }: Refusal): string {
  return name === 'Error' ? `${args[0]}` : `${name}(${args.join(', ')})`
}

/** The caveats that can have said this. Often that is one; where it is several, all of them are named. */
function blame(
  refusal: Refusal,
  steps: readonly RedemptionStep[],
  { framework, contracts }: Deployment,
): readonly string[] {
  const names = new Map<string, string>()
  const add = ([name, address]: readonly [string, Address]) => names.set(address.toLowerCase(), name)
  // A stock enforcer begins its reasons with its own name; ours share their errors.
  const speaker = refusal.name === 'Error' ? `${refusal.args[0]}`.split(':')[0] : undefined
  if (speaker)
    for (const entry of Object.entries(framework.caveatEnforcers)) entry[0] === speaker && add(entry)
  else for (const entry of Object.entries(contracts)) add(entry)
  return steps.flatMap(({ links }, step) =>
    links.flatMap((link, place) =>
      link.caveats.flatMap(({ enforcer }, caveat) => {
        const name = names.get(enforcer.toLowerCase())
        return name
          ? [`step ${step}, link ${place} (${hashDelegation(link)}), caveat ${caveat}: ${name}`]
          : []
      }),
    ),
  )
}
