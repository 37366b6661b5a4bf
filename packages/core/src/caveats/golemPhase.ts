import { concat, type Hex } from 'viem'
import { boundKind } from './boundKind.ts'
import { requireAllowedIn } from './execution/actionClass.ts'
import { type Digits, digitsOf, hexAt, smallAt } from './execution/digits.ts'
import { planBefore } from './measure/flows.ts'
import { planReads, readable } from './measure/gather.ts'
import { effectivePhase, requireAlive } from './measure/vitalSigns.ts'
import { coverage, type Excess, laxerGrace, otherGolem, widerMandate } from './terms/coverage.ts'
import {
  encodeMandate,
  type Mandate,
  readTrailingMandate,
  requireSettlement,
  settlementToken,
} from './terms/mandate.ts'
import { checkedTerms, decodedTerms, packed } from './terms/packed.ts'
import { durationOf, nameOf, shortId } from './terms/words.ts'
import { judge } from './verdict/judge.ts'

export type GolemPhaseTerms = {
  readonly golem: Hex
  /** Dead-man's switch; 0 for none. */
  readonly graceSeconds: number
  /** The place of the asset that unwinding goes into; 255 for none. */
  readonly settlement: number
  readonly mandate: Mandate
}

const name = 'GolemPhase'
const head = 37

/** In each phase of a Golem's life, only that phase's classes of action run. */
export const golemPhase = boundKind<GolemPhaseTerms>({
  name,
  encode: ({ golem, graceSeconds, settlement, mandate }) =>
    checkedTerms(
      name,
      concat([packed([32, golem], [4, graceSeconds], [1, settlement]), encodeMandate(mandate)]),
      read,
    ),
  decode: (terms) => decodedTerms(name, terms, read),
  covers: (parent, child) =>
    coverage(
      otherGolem(child.golem, parent.golem),
      laxerGrace(child.graceSeconds, parent.graceSeconds),
      otherSettlement(parent, child),
      widerMandate(child.mandate, parent.mandate, { priced: false }),
    ),
  describe: ({ golem, graceSeconds, settlement, mandate }, names) => {
    const token = settlementToken(mandate, settlement)
    const into = token ? `, unwinding into ${nameOf(token, names)}` : ''
    const grace =
      graceSeconds === 0 ? '' : `; each ${durationOf(graceSeconds)} of silence counts as one phase further`
    return `only what the phase of the Golem ${shortId(golem)} allows${into}${grace}`
  },
  account: ({ mandate }) => mandate.account,
  reads: (terms, context) => {
    const known = readable(terms, read)
    return known ? planReads(context, known.mandate) : []
  },
  evaluate: (terms, context) =>
    judge(context, (chain) => {
      const { golem, graceSeconds, settlement, mandate } = read(digitsOf(terms))
      const { classes } = planBefore(context, chain, mandate, settlement)
      const signs = requireAlive(context, chain, golem)
      requireAllowedIn(classes, effectivePhase(signs, chain.timestamp, graceSeconds))
    }),
})

/** Unwinding runs in more phases than swapping: a child may do without it, but not call other swaps so. */
function otherSettlement(parent: GolemPhaseTerms, child: GolemPhaseTerms): Excess {
  const own = settlementToken(child.mandate, child.settlement)?.toLowerCase()
  const other = settlementToken(parent.mandate, parent.settlement)?.toLowerCase()
  return own !== undefined && own !== other && `settlement: ${own} is not ${other ?? 'none'}`
}

function read(terms: Digits): GolemPhaseTerms {
  const mandate = readTrailingMandate(terms, head)
  const settlement = smallAt(terms, 36, 1)
  requireSettlement(mandate, settlement)
  return { golem: hexAt(terms, 0, 32), graceSeconds: smallAt(terms, 32, 4), settlement, mandate }
}
