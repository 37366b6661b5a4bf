import { concat, type Hex } from 'viem'
import { formatDuration } from '../format/duration.ts'
import { boundKind } from './boundKind.ts'
import type { RulesVersion } from './caveatKind.ts'
import { requireAllowedIn } from './execution/actionClass.ts'
import { type Digits, digitsOf, hexAt, smallAt } from './execution/digits.ts'
import { planBefore } from './measure/flows.ts'
import { planReads, readable } from './measure/reads.ts'
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
import { nameOf, shortId } from './terms/words.ts'
import { dependencyOf } from './verdict/dependencies.ts'
import { evaluateManagedHooks } from './verdict/evaluateHooks.ts'

export type GolemPhaseTerms = {
  readonly golem: Hex
  /** Dead-man's switch in seconds; 0 for none. */
  readonly graceSeconds: number
  /** Index of the asset that unwinding swaps into; 255 for none. */
  readonly settlement: number
  readonly mandate: Mandate
}

const name = 'GolemPhase'
const head = 37

/** Allows only the action classes of the Golem's current phase. */
export const golemPhase = boundKind<GolemPhaseTerms>({
  name,
  encode: ({ golem, graceSeconds, settlement, mandate }, rules) =>
    checkedTerms(
      name,
      concat([packed([32, golem], [4, graceSeconds], [1, settlement]), encodeMandate(mandate)]),
      read,
      rules,
    ),
  decode: (terms, rules) => decodedTerms(name, terms, read, rules),
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
      graceSeconds === 0
        ? ''
        : `; after every ${formatDuration(graceSeconds)} without a heartbeat, the next stricter phase applies`
    return `only what the phase of the Golem ${shortId(golem)} allows${into}${grace}`
  },
  account: ({ mandate }) => mandate.account,
  reads: (terms, context) => {
    const decoded = readable(terms, read, context.rules)
    return decoded ? planReads(context, decoded.mandate) : []
  },
  evaluate: (terms, context) =>
    evaluateManagedHooks(context, (chain) => {
      const { golem, graceSeconds, settlement, mandate } = read(digitsOf(terms), context.rules)
      const { classes } = planBefore(context, chain, mandate, settlement)
      const signs = requireAlive(chain, dependencyOf(context, chain, 'vitals'), golem)
      requireAllowedIn(classes, effectivePhase(signs, chain.timestamp, graceSeconds))
    }),
})

/**
 * Unwinding is allowed in more phases than swapping: a child may drop it, but must not count other swaps as
 * unwinding.
 */
function otherSettlement(parent: GolemPhaseTerms, child: GolemPhaseTerms): Excess {
  const own = settlementToken(child.mandate, child.settlement)?.toLowerCase()
  const other = settlementToken(parent.mandate, parent.settlement)?.toLowerCase()
  return own !== undefined && own !== other && `settlement: ${own} is not ${other ?? 'none'}`
}

function read(terms: Digits, rules?: RulesVersion): GolemPhaseTerms {
  const mandate = readTrailingMandate(terms, head, rules)
  const settlement = smallAt(terms, 36, 1)
  requireSettlement(mandate, settlement)
  return { golem: hexAt(terms, 0, 32), graceSeconds: smallAt(terms, 32, 4), settlement, mandate }
}
