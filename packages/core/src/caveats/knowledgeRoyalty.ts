import { type Address, concat } from 'viem'
import { boundKind } from './boundKind.ts'
import type { ChainState, Frame, RulesVersion } from './caveatKind.ts'
import { classBits } from './execution/actionClass.ts'
import { type Digits, digitsOf, packedAddressAt, smallAt } from './execution/digits.ts'
import { planBefore } from './measure/flows.ts'
import { framesIn, lineageKey } from './measure/frames.ts'
import { balanceReads, enforcerOf, planReads, readable, type Unlooked, unique } from './measure/reads.ts'
import { planForAuthor, requireRoyalty, type Share } from './measure/royalty.ts'
import { below, coverage, type Excess, widerMandate } from './terms/coverage.ts'
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
import { balanceRead } from './verdict/questions.ts'
import { refuse } from './verdict/refuse.ts'
import { callWords } from './verdict/staticRead.ts'

export type KnowledgeRoyaltyTerms = Share & { readonly mandate: Mandate }

const name = 'KnowledgeRoyalty'
const head = 22

/** The author gets the signed share of every asset that a sale brings in, in the same execution. */
export const knowledgeRoyalty = boundKind<KnowledgeRoyaltyTerms>({
  name,
  encode: ({ author, bps, mandate }, rules) =>
    checkedTerms(name, concat([packed([20, author], [2, bps]), encodeMandate(mandate)]), read, rules),
  decode: (terms, rules) => decodedTerms(name, terms, read, rules),
  covers: (parent, child) =>
    coverage(
      smallerShare(child, parent),
      // Proceeds in an asset that only the parent lists would go unpaid.
      widerMandate(child.mandate, parent.mandate, { priced: false }),
      child.mandate.assets.length !== parent.mandate.assets.length &&
        'assets: the parent takes a share of more assets',
    ),
  describe: ({ author, bps }, names) => `${nameOf(author, names)} gets ${percentOf(bps)} of every sale`,
  account: ({ mandate }) => mandate.account,
  reads: (terms, context) => {
    const decoded = readable(terms, read, context.rules)
    return decoded ? unique([...planReads(context, decoded.mandate), ...balanceReads(decoded.mandate)]) : []
  },
  evaluate: (terms, context) =>
    evaluateManagedHooks(context, (before) => {
      const { author, bps, mandate } = read(digitsOf(terms), context.rules)
      const { classes } = planBefore(context, before, mandate, noSettlement)
      const { enforcer, book, key } = saleFrame(context)
      if (framesIn(context, enforcer, book).length > 0) refuse('SaleBusy', key)
      if ((classes & classBits.sale) === 0) return undefined
      const balances = mandate.assets.map(({ token }) => balanceOf(before, token, mandate.account))
      return (after) => {
        const plan = planForAuthor(context, after, mandate, author)
        for (const [place, { token }] of mandate.assets.entries()) {
          const now = balanceOf(after, token, mandate.account)
          requireRoyalty(plan, place, token, balances[place] ?? 0n, now, bps)
        }
      }
    }),
  leaves: (terms, context) => {
    const { mandate } = read(digitsOf(terms), context.rules)
    const { classes } = planBefore(context, context.before, mandate, noSettlement)
    return (classes & classBits.sale) === 0 ? {} : { frames: [saleFrame(context)] }
  },
})

/** A sale is in progress in the delegation's own row. */
function saleFrame(context: Unlooked): Frame {
  const key = lineageKey(context, context.delegationHash)
  return { enforcer: enforcerOf(context), book: key, key }
}

/** A different author, or a smaller share. */
export function smallerShare(child: Share, parent: Share): Excess {
  return (
    (child.author.toLowerCase() !== parent.author.toLowerCase() &&
      `author: ${child.author} is not ${parent.author}`) ||
    below('share in basis points', child.bps, parent.bps)
  )
}

/** A plain Solidity call: a revert is passed on. */
function balanceOf(chain: ChainState, token: Address, account: Address): bigint {
  const [balance = 0n] = callWords(chain, balanceRead(token, account), 1)
  return balance
}

function read(terms: Digits, rules?: RulesVersion): KnowledgeRoyaltyTerms {
  const mandate = readTrailingMandate(terms, head, rules)
  const author = packedAddressAt(terms, 0)
  if (BigInt(author) === 0n) refuse('TermsUnknown', 0n)
  const bps = smallAt(terms, 20, 2)
  requireBps(bps)
  return { author, bps, mandate }
}
