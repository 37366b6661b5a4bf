import { decideGasDraw, findCoSigned, readGasPrice, redeem } from '@bardo/chain'
import { BardoError, leastOf, mostOf, weiPerMicroEther } from '@bardo/core'
import type { Action } from '../action/action.ts'
import { callsOf, evaluateAction } from '../action/explainAction.ts'
import { readWalletPolicy } from '../action/walletPolicy.ts'
import { outageOf } from '../observeOnly/observeOnly.ts'
import type { GolemParts } from '../permission/golemParts.ts'
import type { SignedPermission } from '../permission/signedPermission.ts'
import type { GasNeed, Refuelled } from '../snapshot/tickPorts.ts'
import type { GolemSubmitter } from '../submission/openSubmitter.ts'
import { submitOnce } from '../submission/submitOnce.ts'

/** The gas of one redemption, rounded up. */
const gasPerAction = 400_000n
/** A key that can pay for fewer actions draws, up to three times as many. */
const fewActions = 6n
const manyActions = 18n
/** The margin below the limit in dollars: the price of the native currency moves. */
const marginBps = 200n

/**
 * The amount to draw now, in wei: 0 if the key has enough, if nothing may be drawn, or if the amount would not pay
 * for its own transaction.
 */
export function gasToDraw({ seen, phase, leftTodayCents }: GasNeed, price: bigint): bigint {
  const { keyWei, accountWei, nativeCents, drawn, limit } = seen
  if (nativeCents === 0n) return 0n
  const action = gasPerAction * mostOf(price, 1n)
  const wanted = decideGasDraw({
    balance: keyWei,
    floor: fewActions * action,
    ceiling: manyActions * action,
    periodCap: limit,
    drawnInPeriod: drawn,
    phase,
  })
  const affordable = (leftTodayCents * 10n ** 18n * (10_000n - marginBps)) / (nativeCents * 10_000n)
  const amount = leastOf(wanted, affordable, accountWei)
  // The chain counts whole millionths, rounded up.
  const whole = amount - (amount % weiPerMicroEther)
  return whole > 2n * action ? whole : 0n
}

/**
 * Draws gas for the session key through the Golem's own root, once for each intent id. Undefined if nothing was
 * drawn: the key has enough, the owner signed no gas, the root has co-signers, the account has no ETH, the wallet policy is
 * read-only, or a bound refuses it. A key that then runs out asks the owner.
 */
export async function refuel(
  parts: GolemParts,
  permission: SignedPermission,
  openSubmitter: () => Promise<GolemSubmitter>,
  id: string,
  need: GasNeed,
): Promise<Refuelled | undefined> {
  const { store, deployment } = parts
  const known = await store.journal.find(id)
  if (known) {
    const landed = await submitOnce(store.journal, await openSubmitter(), known.intent)
    return landed.status === 'success' ? { amountWei: 0n, transaction: landed.hash } : undefined
  }
  const { links, own, terms } = permission
  // A child's budget has no gas section: its own link refuses the draw.
  if (!terms.gas || own.length !== links.length) return undefined
  // Co-signers sign every execution. A draw that waits for them would come too late, and the chain refuses one without them.
  if (findCoSigned(deployment, links).length > 0) return undefined
  // A key with a whole day's gas needs none: the price is not even read.
  const { keyWei, accountWei, limit } = need.seen
  if (keyWei >= limit || accountWei === 0n) return undefined
  const amountWei = gasToDraw(need, await readGasPrice(parts.client))
  if (amountWei === 0n || (await readWalletPolicy(store, parts.id))?.mostPerHour === 0) return undefined
  const { account } = terms.mandate
  const calls = [{ target: links[0].delegate, value: amountWei, data: '0x' as const }]
  const action: Action = { chainId: deployment.chainId, account, calls }
  if (await evaluateAction(parts, permission, action)) return undefined
  try {
    const steps = [{ links, calls: callsOf(action) }]
    const { hash } = await redeem(await openSubmitter(), { id, steps })
    return { amountWei, transaction: hash }
  } catch (error) {
    // Refused by a bound that moved in between; an outage is not a refusal.
    if (error instanceof BardoError && !outageOf(error) && error.outcome !== 'unknown') return undefined
    throw error
  }
}
