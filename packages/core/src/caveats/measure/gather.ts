import type { Address } from 'viem'
import type { Row } from '../boundKind.ts'
import type { ChainState, HookContext, Read } from '../caveatKind.ts'
import { classBits } from '../execution/actionClass.ts'
import { planOf } from '../execution/actions.ts'
import { addressWord, type Digits, digitsOf, plainAddress } from '../execution/digits.ts'
import { emptyPlan, forbiddenTargetsAfterwards } from '../execution/plan.ts'
import { type Mandate, noSettlement, targetKinds } from '../terms/mandate.ts'
import { balanceRead, feedRead, questions } from '../verdict/questions.ts'
import { Missing, Refused } from '../verdict/refuse.ts'
import { permit2Read } from './flows.ts'
import { isAtPar } from './prices.ts'

/** What is known before anybody looked at the chain. */
export type Unlooked = Omit<HookContext, 'before' | 'after'>

/** What a lineage's row is found by. */
export type RowKey = Pick<Row, 'manager' | 'enforcer' | 'delegator'>

/** What a reader of terms found, or undefined where the enforcer refuses them and so asks nothing. */
export function readable<Terms>(terms: `0x${string}`, read: (terms: Digits) => Terms): Terms | undefined {
  try {
    return read(digitsOf(terms))
  } catch (reason) {
    if (reason instanceof Refused) return undefined
    throw reason
  }
}

/** The questions about an execution's calls: they stop where one answer is needed to ask the next. */
export function planReads(context: Unlooked, mandate: Mandate): readonly Read[] {
  return gathered(context, mandate).reads
}

/** The questions of an enforcer that measures. */
export function meteredReads(context: Unlooked, mandate: Mandate): readonly Read[] {
  const { account, assets, targets } = mandate
  const { reads, plan } = gathered(context, mandate)
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
    ...assets.filter((asset) => !isAtPar(asset)).map(({ feed }) => feedRead(feed)),
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

/** The words that a lineage's row is asked by. */
export function rowWords({ manager, delegator }: RowKey, lineage: Digits): readonly Digits[] {
  return [addressWord(manager), addressWord(delegator), lineage]
}

export function enforcerOf({ enforcer }: Pick<Row, 'enforcer'>): Address {
  return plainAddress(enforcer)
}

/** Each question once. */
export function unique(reads: readonly Read[]): readonly Read[] {
  return [...new Map(reads.map((read) => [`${read.to}${read.data}`, read])).values()]
}

function gathered(context: Unlooked, mandate: Mandate) {
  const enforcer = enforcerOf(context)
  const reads: Read[] = [questions.vitals(enforcer), questions.policyCage(enforcer)]
  const plan = emptyPlan()
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
      { chain, account, settlement: noSettlement, author: undefined, isForbidden },
      plan,
    )
  } catch (reason) {
    if (!(reason instanceof Refused || reason instanceof Missing)) throw reason
  }
  return { reads, plan }
}
