import { formatDollars, readRequest } from '@bardo/core'
import type { OwnerRequest } from '@bardo/store'
import { readFunding } from '../funding/readFunding.ts'
import { readRunway } from '../funding/readRunway.ts'
import type { GolemParts } from '../permission/golemParts.ts'
import { loadPermission } from '../permission/signedPermission.ts'
import { readSnapshot } from '../snapshot/readSnapshot.ts'
import { type NarrowedRequest, narrowRequest } from './narrowRequest.ts'
import { readOwnerAsk } from './ownerRequest.ts'

/** The effect of an approved runway on a Golem's lifetime. */
export type RunwayEffect = {
  /** The Golem's remaining budget now, and the runway's total from now to its end. */
  readonly nowCents: bigint
  readonly runwayCents: bigint
  readonly dailyCostCents: bigint
  readonly lengthensLife: boolean
  /** The same as a sentence, for the owner to read before approval. */
  readonly sentence: string
}

const daySeconds = 86_400
const usdcDecimals = 6
/** USDC has six decimals. */
const unitsPerCent = 10_000n

/**
 * The effect of approving a runway, or a part of it, on the Golem. Undefined if there is none: the request is
 * of another
 * kind or for another Golem, or the Golem has no daily costs.
 *
 * @example
 * const effect = await runwayEffect(parts, request, { amount: '1', days: 3 })
 */
export async function runwayEffect(
  parts: GolemParts,
  request: OwnerRequest,
  less: NarrowedRequest = {},
): Promise<RunwayEffect | undefined> {
  if (request.kind !== 'runway') return undefined
  const { timestamp: now } = await parts.client.getBlock()
  const ask = narrowRequest(readOwnerAsk(request), less, { now, decimals: usdcDecimals })
  if (ask.type !== 'runway') return undefined
  const index = ask.golems.findIndex(({ golem }) => golem === parts.id)
  if (index < 0) return undefined
  const { data, expiry = 0 } = readRequest(ask.requests[index])
  const daily = (data.periodAmount ?? 0n) / unitsPerCent
  const days = Math.max(0, Math.ceil((expiry - Number(now)) / daySeconds))
  const runwayCents = daily * BigInt(days)

  const permission = await loadPermission(parts)
  const [snapshot, granted] = await Promise.all([
    readSnapshot(parts, permission),
    readRunway(parts, permission),
  ])
  const { economy } = await readFunding(parts, permission, snapshot, granted)
  const { inference, gas, compute, data: reading } = economy.costs
  const dailyCostCents = inference + gas + compute + reading
  if (dailyCostCents === 0n) return undefined
  const nowCents = economy.remainingCents
  const lengthensLife = runwayCents > nowCents
  const lasts = (cents: bigint) => `${Number((cents * 10n) / dailyCostCents) / 10} days`
  const sentence = [
    `The Golem costs ${formatDollars(dailyCostCents)} a day and has funds for ${lasts(nowCents)}.`,
    `${formatDollars(daily)} a day for ${days} days covers ${lasts(runwayCents)}.`,
    lengthensLife
      ? `It can then live for ${lasts(runwayCents)}.`
      : 'That is not more than it has: its lifetime and its phase do not change.',
  ].join(' ')
  return { nowCents, runwayCents, dailyCostCents, lengthensLife, sentence }
}
