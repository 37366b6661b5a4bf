import { concat } from 'viem'
import { boundKind } from './boundKind.ts'
import { bigAt, type Digits, digitsOf, packedAddressAt, smallAt } from './execution/digits.ts'
import { close, open, planBefore } from './measure/flows.ts'
import { frameOf } from './measure/frames.ts'
import { meteredReads, readable, unique } from './measure/gather.ts'
import { type NavBound, navLimitMicros, requireWithinNav, smaller } from './measure/vaultNav.ts'
import { above, coverage, type Excess, widerMandate } from './terms/coverage.ts'
import {
  encodeMandate,
  type Mandate,
  noSettlement,
  readTrailingMandate,
  requireBps,
} from './terms/mandate.ts'
import { checkedTerms, decodedTerms, packed } from './terms/packed.ts'
import { dollarsOf, nameOf, percentOf } from './terms/words.ts'
import { judge } from './verdict/judge.ts'
import { questions } from './verdict/questions.ts'

export type VaultNAVTerms = NavBound & { readonly mandate: Mandate }

const name = 'VaultNAV'
const head = 27

/** No execution takes more than a share of what a vault holds, and never more than a cap. */
export const vaultNAV = boundKind<VaultNAVTerms>({
  name,
  encode: ({ vault, bps, capCents, mandate }) =>
    checkedTerms(name, concat([packed([20, vault], [2, bps], [5, capCents]), encodeMandate(mandate)]), read),
  decode: (terms) => decodedTerms(name, terms, read),
  covers: (parent, child) =>
    coverage(widerNav(child, parent), widerMandate(child.mandate, parent.mandate, { priced: true })),
  describe: ({ vault, bps, capCents }, names) =>
    `one execution takes at most ${dollarsOf(capCents)}, and at most ${percentOf(bps)} of what ${nameOf(vault, names)} holds`,
  account: ({ mandate }) => mandate.account,
  reads: (terms, context) => {
    const known = readable(terms, read)
    return known ? unique([...meteredReads(context, known.mandate), ...navReads(known)]) : []
  },
  evaluate: (terms, context) =>
    judge(context, (before) => {
      const bound = read(digitsOf(terms))
      const { mandate } = bound
      const plan = planBefore(context, before, mandate, noSettlement)
      const limitBefore = navLimitMicros(before, mandate, bound)
      const opened = open(context, before, context.delegationHash, mandate, plan)
      return (after) => {
        const { outMicros } = close(after, mandate, opened)
        requireWithinNav(outMicros, smaller(limitBefore, navLimitMicros(after, mandate, bound)))
      }
    }),
  leaves: (terms, context) => ({
    frames: [frameOf(context, read(digitsOf(terms)).mandate, context.delegationHash)],
  }),
})

/** What a vault is asked about its size. */
export function navReads({ vault }: NavBound) {
  return [questions.asset(vault), questions.totalAssets(vault)]
}

/** A share or cap that lets through more than the parent's. */
export function widerNav(child: NavBound, parent: NavBound): Excess {
  return (
    (child.vault.toLowerCase() !== parent.vault.toLowerCase() &&
      `vault: ${child.vault} is not ${parent.vault}`) ||
    above('basis points of the vault', child.bps, parent.bps) ||
    above('cents at once', child.capCents, parent.capCents)
  )
}

function read(terms: Digits): VaultNAVTerms {
  const mandate = readTrailingMandate(terms, head)
  const bps = smallAt(terms, 20, 2)
  requireBps(bps)
  return { vault: packedAddressAt(terms, 0), bps, capCents: bigAt(terms, 22, 5), mandate }
}
