import { concat } from 'viem'
import { formatShortDollars } from '../format/money.ts'
import { boundKind } from './boundKind.ts'
import type { RulesVersion } from './caveatKind.ts'
import { bigAt, type Digits, digitsOf, packedAddressAt, smallAt } from './execution/digits.ts'
import { close, open, planBefore } from './measure/flows.ts'
import { frameOf } from './measure/frames.ts'
import { meteredReads, readable, unique } from './measure/reads.ts'
import {
  isMoreThanClosing,
  type NavBound,
  navLimitMicros,
  requireWithinNav,
  smaller,
} from './measure/vaultNav.ts'
import { above, coverage, type Excess, widerMandate } from './terms/coverage.ts'
import {
  encodeMandate,
  type Mandate,
  noSettlement,
  readTrailingMandate,
  requireBps,
} from './terms/mandate.ts'
import { checkedTerms, decodedTerms, packed } from './terms/packed.ts'
import { nameOf, percentOf } from './terms/words.ts'
import { evaluateManagedHooks } from './verdict/evaluateHooks.ts'
import { questions } from './verdict/questions.ts'

export type VaultNAVTerms = NavBound & { readonly mandate: Mandate }

const name = 'VaultNAV'
const head = 27

/** An execution takes at most a share of a vault's assets, and at most an absolute cap. */
export const vaultNAV = boundKind<VaultNAVTerms>({
  name,
  encode: ({ vault, bps, capCents, mandate }, rules) =>
    checkedTerms(
      name,
      concat([packed([20, vault], [2, bps], [5, capCents]), encodeMandate(mandate)]),
      read,
      rules,
    ),
  decode: (terms, rules) => decodedTerms(name, terms, read, rules),
  covers: (parent, child) =>
    coverage(widerNav(child, parent), widerMandate(child.mandate, parent.mandate, { priced: true })),
  describe: ({ vault, bps, capCents }, names) =>
    `one execution takes at most ${formatShortDollars(capCents)}, and at most ${percentOf(bps)} of the assets in ${nameOf(vault, names)}`,
  account: ({ mandate }) => mandate.account,
  reads: (terms, context) => {
    const decoded = readable(terms, read, context.rules)
    return decoded ? unique([...meteredReads(context, decoded.mandate), ...navReads(decoded)]) : []
  },
  evaluate: (terms, context) =>
    evaluateManagedHooks(context, (before) => {
      const bound = read(digitsOf(terms), context.rules)
      const { mandate } = bound
      const plan = planBefore(context, before, mandate, noSettlement)
      const isBound = isMoreThanClosing(context, plan)
      const limitBefore = isBound ? navLimitMicros(before, mandate, bound) : 0n
      const opened = open(context, before, context.delegationHash, mandate, plan)
      return (after) => {
        const { outMicros } = close(after, mandate, opened)
        if (isBound)
          requireWithinNav(context, outMicros, smaller(limitBefore, navLimitMicros(after, mandate, bound)))
      }
    }),
  leaves: (terms, context) => ({
    frames: [frameOf(context, read(digitsOf(terms), context.rules).mandate, context.delegationHash)],
  }),
})

/** The reads for the size of a vault. */
export function navReads({ vault }: NavBound) {
  return [questions.asset(vault), questions.totalAssets(vault)]
}

/** Why a child's share or cap allows more than the parent's. */
export function widerNav(child: NavBound, parent: NavBound): Excess {
  return (
    (child.vault.toLowerCase() !== parent.vault.toLowerCase() &&
      `vault: ${child.vault} is not ${parent.vault}`) ||
    above('basis points of the vault', child.bps, parent.bps) ||
    above('cents per action', child.capCents, parent.capCents)
  )
}

function read(terms: Digits, rules?: RulesVersion): VaultNAVTerms {
  const mandate = readTrailingMandate(terms, head, rules)
  const bps = smallAt(terms, 20, 2)
  requireBps(bps)
  return { vault: packedAddressAt(terms, 0), bps, capCents: bigAt(terms, 22, 5), mandate }
}
