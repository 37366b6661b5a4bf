import { type Address, concat } from 'viem'
import { boundKind } from './boundKind.ts'
import type { ChainState, Frame } from './caveatKind.ts'
import { classBits } from './execution/actionClass.ts'
import { type Digits, digitsOf, packedAddressAt, smallAt } from './execution/digits.ts'
import { planBefore } from './measure/flows.ts'
import { framesIn, lineageKey } from './measure/frames.ts'
import { balanceReads, enforcerOf, planReads, readable, type Unlooked, unique } from './measure/gather.ts'
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
import { callWords } from './verdict/ask.ts'
import { judge } from './verdict/judge.ts'
import { balanceRead } from './verdict/questions.ts'
import { refuse } from './verdict/refuse.ts'

export type KnowledgeRoyaltyTerms = Share & { readonly mandate: Mandate }

const name = 'KnowledgeRoyalty'
const head = 22

/** Of every asset that a sale brings in, the author gets the signed share in the same execution. */
export const knowledgeRoyalty = boundKind<KnowledgeRoyaltyTerms>({
  name,
  encode: ({ author, bps, mandate }) =>
    checkedTerms(name, concat([packed([20, author], [2, bps]), encodeMandate(mandate)]), read),
  decode: (terms) => decodedTerms(name, terms, read),
  covers: (parent, child) =>
    coverage(
      smallerShare(child, parent),
      // What a sale brings of an asset that only the parent knows would go unpaid.
      widerMandate(child.mandate, parent.mandate, { priced: false }),
      child.mandate.assets.length !== parent.mandate.assets.length &&
        'assets: the parent wants a share of more',
    ),
  describe: ({ author, bps }, names) => `of every sale ${nameOf(author, names)} gets ${percentOf(bps)}`,
  account: ({ mandate }) => mandate.account,
  reads: (terms, context) => {
    const known = readable(terms, read)
    return known ? unique([...planReads(context, known.mandate), ...balanceReads(known.mandate)]) : []
  },
  evaluate: (terms, context) =>
    judge(context, (before) => {
      const { author, bps, mandate } = read(digitsOf(terms))
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
    const { mandate } = read(digitsOf(terms))
    const { classes } = planBefore(context, context.before, mandate, noSettlement)
    return (classes & classBits.sale) === 0 ? {} : { frames: [saleFrame(context)] }
  },
})

/** A sale is under way in its delegation's own book. */
function saleFrame(context: Unlooked): Frame {
  const key = lineageKey(context, context.delegationHash)
  return { enforcer: enforcerOf(context), book: key, key }
}

/** Another author, or a smaller share. */
export function smallerShare(child: Share, parent: Share): Excess {
  return (
    (child.author.toLowerCase() !== parent.author.toLowerCase() &&
      `author: ${child.author} is not ${parent.author}`) ||
    below('share in basis points', child.bps, parent.bps)
  )
}

/** Asked by Solidity's own call: what reverts is handed on. */
function balanceOf(chain: ChainState, token: Address, account: Address): bigint {
  const [balance = 0n] = callWords(chain, balanceRead(token, account), 1)
  return balance
}

function read(terms: Digits): KnowledgeRoyaltyTerms {
  const mandate = readTrailingMandate(terms, head)
  const author = packedAddressAt(terms, 0)
  if (BigInt(author) === 0n) refuse('TermsUnknown', 0n)
  const bps = smallAt(terms, 20, 2)
  requireBps(bps)
  return { author, bps, mandate }
}
