import type { Deployment } from '@bardo/chain'
import {
  type AddressBook,
  type CageTerms,
  compileStrategy,
  type Delegation,
  dailySpendLimit,
  mortalityTimeWindow,
  type PermissionPlan,
  stockKinds,
  toCageTerms,
} from '@bardo/core'
import { type Address, type Hash, type Hex, isAddressEqual } from 'viem'
import { boundPlan } from './boundPlan.ts'
import { strategySalt } from './prepareRoot.ts'

/**
 * What a local key's root says, as the plan of the strategy within its four bounds. Undefined where it is no such root,
 * or one for another Golem, account or strategy.
 */
export function localKeyTerms(
  root: Delegation,
  strategy: string,
  {
    id,
    deployment,
    book,
  }: { readonly id: Hash; readonly deployment: Deployment; readonly book: AddressBook },
): { readonly terms: CageTerms; readonly plan: PermissionPlan } | undefined {
  const { contracts, framework } = deployment
  const limit = termsOf(root, contracts.dailySpendLimitEnforcer)
  const window = termsOf(root, contracts.mortalityTimeWindowEnforcer)
  const calls = termsOf(root, framework.caveatEnforcers['LimitedCallsEnforcer'])
  if (!limit || !window || !calls || root.salt !== strategySalt(strategy)) return undefined
  const { lineage, limitCents: dayCents, mandate } = dailySpendLimit.decode(limit)
  if (lineage !== id || !isAddressEqual(mandate.account, root.delegator)) return undefined
  const { start, end } = mortalityTimeWindow.decode(window)
  const compiled = compileStrategy(strategy, { now: BigInt(start), symbols: [...book.assets.keys()] })
  const plan = boundPlan(compiled.plan, book, {
    targets: mandate.targets.map(({ address }) => address),
    end: BigInt(end),
    dayCents,
    calls: stockKinds.LimitedCalls.decode(calls).limit,
  })
  // Nothing on the chain waits for its heartbeat: there is no dead-man's switch among the four.
  const subject = { golem: id, account: mandate.account, graceSeconds: 0 }
  return { plan, terms: { ...toCageTerms(plan, book, subject), mandate } }
}

function termsOf({ caveats }: Delegation, enforcer: Address | undefined): Hex | undefined {
  return caveats.find((caveat) => enforcer && isAddressEqual(caveat.enforcer, enforcer))?.terms
}
