import { readSigningMoment } from '@bardo/chain'
import { BardoError, type PermissionPlan, type SigningMoment, settlePlan } from '@bardo/core'
import type { Address } from 'viem'
import type { GolemParts } from './golemParts.ts'

/**
 * The plan as it is signed now: shares of the portfolio in dollars, and the default gas. A constitution cannot
 * approve native currency, and would count it in its concentration and drawdown: beside one, gas is signed only if
 * the strategy states it.
 *
 * @param drawsGas - whether the default gas is signed
 */
export async function settleForSigning(
  chain: Pick<GolemParts, 'client' | 'deployment' | 'book'>,
  plan: PermissionPlan,
  account: Address,
  drawsGas: boolean,
): Promise<{ readonly plan: PermissionPlan; readonly moment: SigningMoment }> {
  const { portfolioCents, nativeCents } = await readSigningMoment(chain, plan, account)
  const moment = { portfolioCents, ...(drawsGas && { nativeCents }) }
  const settled = settlePlan(plan, moment)
  if (plan.sizeCents[0] > 0n && settled.sizeCents[0] === 0n)
    throw new BardoError('The portfolio is empty: a share of it is $0.', {
      code: 'INVALID_INPUT',
      details: [`${account} holds ${portfolioCents ?? 0n} cents in ${plan.assets.join(', ')}`],
      remedy: 'Deposit money first (bardo deposit), or state the size of one action in dollars.',
      docsPath: 'permissions.md#the-strategy',
    })
  return { plan: settled, moment }
}
