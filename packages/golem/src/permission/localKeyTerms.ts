import {
  type AddressBook,
  type BoundKind,
  type CageTerms,
  compileStrategy,
  type Delegation,
  type Deployment,
  dailySpendLimit,
  maxSlippage,
  metamaskKinds,
  mortalityTimeWindow,
  readTerms,
  signedBook,
  toCageTerms,
} from '@bardo/core'
import { boundPlan } from './boundPlan.ts'

/**
 * The root of a local key as terms: the strategy's plan within the signed limits. The chain enforces the
 * limits; the
 * Golem itself enforces the rest of the plan (interval, phases, sizes). Undefined if the root has other
 * caveats.
 */
export function localKeyTerms(
  root: Delegation,
  strategy: string,
  deployment: Deployment,
  names: AddressBook,
): { readonly terms: CageTerms } | undefined {
  const termsOf = <Terms>(kind: BoundKind<Terms>): Terms | undefined =>
    root.caveats.flatMap((caveat) => readTerms(deployment, kind, caveat) ?? [])[0]
  const limit = termsOf(dailySpendLimit)
  const window = termsOf(mortalityTimeWindow)
  const calls = termsOf(metamaskKinds.LimitedCalls)
  if (!limit || !window || !calls) return undefined
  const { lineage, limitCents: dayCents, mandate } = limit
  const { start, end } = window
  const book = signedBook(mandate, names)
  const compiled = compileStrategy(strategy, { now: BigInt(start), symbols: [...book.assets.keys()] })
  const plan = boundPlan(compiled.plan, {
    book,
    end: BigInt(end),
    dayCents,
    calls: calls.limit,
    slippageBps: termsOf(maxSlippage)?.slippageBps,
  })
  // These roots have no dead-man's switch: none of their caveats reads the heartbeat.
  const subject = { golem: lineage, account: mandate.account, graceSeconds: 0 }
  return { terms: { ...toCageTerms(plan, book, subject), mandate } }
}
