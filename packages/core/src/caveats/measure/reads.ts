import type { Address } from 'viem'
import type { Row } from '../boundKind.ts'
import type { ChainState, HookContext, Read, RulesVersion } from '../caveatKind.ts'
import { classBits } from '../execution/actionClass.ts'
import { planOf } from '../execution/actions.ts'
import { addressWord, digitsOf, plainAddress } from '../execution/digits.ts'
import { emptyPlan, forbiddenTargetsAfterwards } from '../execution/plan.ts'
import { type Mandate, noSettlement, targetKinds } from '../terms/mandate.ts'
import type { TermsReader } from '../terms/packed.ts'
import { dependencyReads } from '../verdict/dependencies.ts'
import { balanceRead, questions } from '../verdict/questions.ts'
import { Missing, Refused } from '../verdict/refuse.ts'
import { permit2Read } from './flows.ts'
import { priceReads } from './prices.ts'

/** The state before any read was made. */
export type Unlooked = Omit<HookContext, 'before' | 'after'>

/** The parsed terms, or undefined if the enforcer refuses them and makes no read. */
export function readable<Terms>(
  terms: `0x${string}`,
  read: TermsReader<Terms>,
  rules?: RulesVersion,
): Terms | undefined {
  try {
    return read(digitsOf(terms), rules)
  } catch (reason) {
    if (reason instanceof Refused) return undefined
    throw reason
  }
}

/** The reads for an execution's calls; they stop where one answer is needed to build the next read. */
export function planReads(context: Unlooked, mandate: Mandate): readonly Read[] {
  return gathered(context, mandate).reads
}

/**
 * The reads of an enforcer that measures balances.
 *
 * @param gasTo - the address that may draw gas, if the owner signed a gas cap
 */
export function meteredReads(context: Unlooked, mandate: Mandate, gasTo?: Address): readonly Read[] {
  const { account, assets, targets } = mandate
  const { reads, plan } = gathered(context, mandate, gasTo)
  const allowances = plan.approvals.flatMap(({ spender, asset, inPermit2 }) => {
    const token = assets[asset]?.token
    if (!token) return []
    return inPermit2
      ? [permit2Read(account, token, spender)]
      : [questions.allowance(token, addressWord(account), addressWord(spender))]
  })
  const addsLiquidity = (plan.classes & classBits.addLiquidity) !== 0
  const pools = addsLiquidity ? targets.filter(({ kind }) => kind === targetKinds.pool) : []
  return unique([
    ...reads,
    ...balanceReads(mandate),
    ...priceReads(assets),
    ...allowances,
    ...pools.flatMap(({ address }) => [
      questions.slot0(address),
      questions.token0(address),
      questions.token1(address),
    ]),
  ])
}

export function balanceReads({ account, assets }: Mandate): readonly Read[] {
  return assets.map(({ token }) => balanceRead(token, account))
}

export function enforcerOf({ enforcer }: Pick<Row, 'enforcer'>): Address {
  return plainAddress(enforcer)
}

/** Removes duplicates. */
export function unique(reads: readonly Read[]): readonly Read[] {
  return [...new Map(reads.map((read) => [`${read.to}${read.data}`, read])).values()]
}

/** The manager that an enforcer without a mandate accepts; version 1 enforcers accept any. */
export function managerReads(context: Unlooked): readonly Read[] {
  return context.rules === 1 ? [] : [questions.delegationManager(enforcerOf(context))]
}

function gathered(context: Unlooked, mandate: Mandate, gasTo?: Address) {
  const reads: Read[] = [...dependencyReads(context)]
  const { rules } = context
  const plan = emptyPlan(rules)
  const chain: ChainState = {
    timestamp: 0n,
    blockNumber: 0n,
    answer: (read) => {
      reads.push(read)
      return undefined
    },
  }
  const { account } = mandate
  const isForbidden = forbiddenTargetsAfterwards(context, account)
  try {
    planOf(
      context.execution,
      mandate,
      { chain, rules, account, settlement: noSettlement, author: undefined, gasTo, isForbidden },
      plan,
    )
  } catch (reason) {
    if (!(reason instanceof Refused || reason instanceof Missing)) throw reason
  }
  return { reads, plan }
}
