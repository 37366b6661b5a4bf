import { readState } from '@bardo/chain'
import { policyCage } from '@bardo/contracts'
import { BardoError, decodeRevert, type ErrorCode, type Read, remedyFor } from '@bardo/core'
import { encodeErrorResult, encodeFunctionData, type Hash, type Hex, hexToBigInt } from 'viem'
import type { GolemParts } from '../permission/golemParts.ts'
import type { SignedPermission } from '../permission/signedPermission.ts'
import type { Intention } from '../strategy/strategy.ts'
import type { Action } from './action.ts'
import { type Flows, flowsOf, type Projection, projectFlows } from './projectAction.ts'
import { requireConstitution } from './requireConstitution.ts'

type Context = Pick<GolemParts, 'client' | 'deployment'>
const { abi } = policyCage

/** Contract errors about an amount. */
const codes: Readonly<Record<string, ErrorCode>> = {
  TransactionLimitExceeded: 'SPEND_LIMIT_EXCEEDED',
  SessionLimitExceeded: 'SPEND_LIMIT_EXCEEDED',
  DayLimitExceeded: 'SPEND_LIMIT_EXCEEDED',
}

/** One of the four PolicyCage checks, with its arguments encoded. */
type Check = {
  readonly name: string
  readonly read: Read
  /**
   * The contract error that a successful answer stands for, if it means a refusal. Without this function, a
   * check that does not revert passes.
   */
  readonly refusal?: (answer: Hex) => Hex | undefined
}

/**
 * Checks an action against the owner's constitution before any other check: approved assets, spending limits,
 * drawdown, concentration. The PolicyCage contract itself answers, for the amounts that the action would
 * reach at the prices of the price feeds. Throws the first refusal. Without a signed constitution there is
 * nothing to check.
 */
export async function checkConstitution(
  context: Context,
  permission: SignedPermission,
  intention: Intention,
  action: Action,
): Promise<void> {
  if (permission.terms.constitution !== undefined)
    await checkFlows(context, permission, flowsOf(permission, intention, action))
}

/**
 * The same checks for a write that is not an action of the strategy: a draw on the runway, a Replicant. First, the
 * constitution must still be the one that the owner adopted.
 */
export async function checkFlows(
  context: Context,
  permission: SignedPermission,
  flows: Flows,
): Promise<void> {
  const { constitution } = permission.terms
  if (constitution === undefined) return
  await requireConstitution(context, permission)
  const checks = checksOf(context, constitution, await projectFlows(context, permission, flows))
  const state = await readState(
    context.client,
    context.deployment,
    checks.map(({ read }) => read),
  )
  for (const { name, read, refusal } of checks) {
    const { ok, data } = state.answer(read) ?? { ok: false, data: '0x' as const }
    const said = ok ? refusal?.(data) : data
    if (said !== undefined) throw refused(name, constitution, said)
  }
}

/** In the order of the Cage, so that the first refusal is the one that the chain would give. */
function checksOf({ deployment }: Context, hash: Hash, { moved, spent, portfolio }: Projection): Check[] {
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
    const { token, held, total } = portfolio.grown
    const args = [hash, token, held, total] as const
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
