import { decodeRevert, readState } from '@bardo/chain'
import { policyCage } from '@bardo/contracts'
import { BardoError, type ErrorCode, type Read, remedyFor } from '@bardo/core'
import { encodeErrorResult, encodeFunctionData, type Hash, type Hex, hexToBigInt } from 'viem'
import type { Action } from '../capability/action.ts'
import type { Intention } from '../strategies/strategy.ts'
import type { Charter } from './charter.ts'
import type { GolemParts } from './golemParts.ts'
import { type Projection, projectAction } from './projectAction.ts'

type Place = Pick<GolemParts, 'client' | 'deployment'>
const { abi } = policyCage

/** Refusals that speak of an amount. */
const codes: Readonly<Record<string, ErrorCode>> = {
  TransactionLimitExceeded: 'SPEND_LIMIT_EXCEEDED',
  SessionLimitExceeded: 'SPEND_LIMIT_EXCEEDED',
  DayLimitExceeded: 'SPEND_LIMIT_EXCEEDED',
}

/** One of the four checks, with its numbers, as PolicyCage is asked it. */
type Check = {
  readonly name: string
  readonly read: Read
  /** What an answer refuses, as the contract would say it; a check that is not reverted passes. */
  readonly refusal?: (answer: Hex) => Hex | undefined
}

/**
 * Asks the owner's constitution about an action before anything else is: approved assets, concentration, spending
 * limits, drawdown. The contract itself answers, about the numbers that the action would come to at the feeds' prices.
 * Throws what refuses it. Without a signed constitution there is nobody to ask.
 */
export async function askConstitution(
  place: Place,
  charter: Charter,
  intention: Intention,
  action: Action,
): Promise<void> {
  const { constitution } = charter.terms
  if (constitution === undefined) return
  const checks = checksOf(place, constitution, await projectAction(place, charter, intention, action))
  const state = await readState(
    place.client,
    place.deployment,
    checks.map(({ read }) => read),
  )
  for (const { name, read, refusal } of checks) {
    const { ok, data } = state.answer(read) ?? { ok: false, data: '0x' as const }
    const said = ok ? refusal?.(data) : data
    if (said !== undefined) throw refused(name, constitution, said)
  }
}

/** In the order of the Cage, so that the first refusal is the one that the chain would give. */
function checksOf({ deployment }: Place, hash: Hash, { moved, spent, portfolio }: Projection): Check[] {
  const to = deployment.contracts.policyCage
  const checks = moved.map(
    (asset): Check => ({
      name: 'isApprovedAsset',
      read: { to, data: encodeFunctionData({ abi, functionName: 'isApprovedAsset', args: [hash, asset] }) },
      refusal: (answer) =>
        answer !== '0x' && hexToBigInt(answer) !== 0n
          ? undefined
          : encodeErrorResult({ abi, errorName: 'AssetNotApproved', args: [hash, asset] }),
    }),
  )
  const add = (name: string, data: Hex) => checks.push({ name, read: { to, data } })
  if (spent) {
    const args = [hash, spent.tx, spent.session, spent.day] as const
    add('checkSpendingLimit', encodeFunctionData({ abi, functionName: 'checkSpendingLimit', args }))
  }
  if (portfolio) {
    const args = [hash, portfolio.highestCents, portfolio.nowCents] as const
    add('checkDrawdown', encodeFunctionData({ abi, functionName: 'checkDrawdown', args }))
  }
  if (portfolio?.grown) {
    const { token, cents } = portfolio.grown
    const args = [hash, token, cents, portfolio.nowCents] as const
    add('checkConcentration', encodeFunctionData({ abi, functionName: 'checkConcentration', args }))
  }
  return checks
}

function refused(check: string, constitution: Hash, data: Hex): BardoError {
  const { name, args, text } = decodeRevert(data)
  return new BardoError(`The constitution refuses the action: ${text}.`, {
    code: codes[name] ?? 'ACTION_NOT_ALLOWED',
    details: [`${check} of PolicyCage`, `constitution ${constitution}`],
    remedy: remedyFor({ name, args, data }),
    docsPath: 'golem.md#the-heartbeat',
  })
}
