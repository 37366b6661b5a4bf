import { type Journal, leastOf } from '@bardo/core'
import type { Address, PublicClient } from 'viem'
import type { Landed, Submitter } from '../submission/createSubmitter.ts'

/** So many times today's price is offered, for fees that rise while it is on its way. Origin: ours. */
const headroom = 3n
/** Where rollups of the OP kind tell what they charge for data, beside the gas. */
const dataFeeOracle = '0x420000000000000000000000000000000000000F'

/** Whose gas goes, and where it is written down. */
export type GasHolder = {
  readonly client: PublicClient
  readonly journal: Pick<Journal, 'find'>
  readonly address: Address
  readonly submitter: Submitter
}

/**
 * Sends all that a key has, before it is wiped and what it had would be nobody's. What is held back for fees is offered
 * whole as the price, so that to a plain key or an upgraded one nothing stays, not a wei. Where a rollup takes a fee for
 * data beside the gas, nobody knows the cost beforehand and a little stays. Undefined where it would not pay for itself.
 *
 * @example
 * await sendAllGas({ client, journal, address: key.address, submitter }, { id: 'farewell', to: owner })
 */
export async function sendAllGas(
  { client, journal, address, submitter }: GasHolder,
  { id, to }: { readonly id: string; readonly to: Address },
): Promise<Landed | undefined> {
  const [known, balance, { maxFeePerGas }, oracle] = await Promise.all([
    journal.find(id),
    client.getBalance({ address }),
    client.estimateFeesPerGas(),
    client.getCode({ address: dataFeeOracle }),
  ])
  if (!known && balance === 0n) return undefined
  const most = maxFeePerGas * headroom
  const gas = known?.intent.gas ?? (await client.estimateGas({ account: address, to, value: 1n }))
  // The amount is decided once: asked again, the balance would be another.
  const value = known?.intent.value ?? balance - gas * most
  if (value <= 0n) return undefined
  const price = leastOf((balance - value) / gas, most)
  return submitter.submit({ id, to, value, gas, ...(oracle === undefined && price > 0n && { price }) })
}
