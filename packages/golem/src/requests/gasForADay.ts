import { type Landed, readGasPrice, type Submitter } from '@bardo/chain'
import { type Journal, leastOf, mostOf } from '@bardo/core'
import { type Address, type PublicClient, parseEther } from 'viem'

/** The gas that a key uses in a day: about 200 redemptions of 250,000 gas. */
const gasPerDay = 50_000_000n
/** The maximum per transfer, whatever the gas price: a node could report any price. */
export const mostGasWei = parseEther('0.5')
/** The lower bound of the limit: the price may have fallen since the request. */
const leastLimitWei = parseEther('0.05')

/** The gas that a key gets at the start and when it runs out: one day at the current price. */
export async function gasForADay(client: PublicClient): Promise<bigint> {
  return leastOf(gasPerDay * (await readGasPrice(client)), mostGasWei)
}

/** The maximum that an owner's signer sends to a key for gas: two days at the current price. */
export async function mostGas(client: PublicClient): Promise<bigint> {
  return leastOf(mostOf(2n * (await gasForADay(client)), leastLimitWei), mostGasWei)
}

/**
 * Sends a day of gas to a key, once per id: a second call sends the amount that the first one decided.
 *
 * @param least - the minimum, on a chain where gas is free
 */
export async function dripGas(
  {
    client,
    journal,
    submitter,
  }: {
    readonly client: PublicClient
    readonly journal: Pick<Journal, 'find'>
    readonly submitter: Submitter
  },
  { id, to, least = 0n }: { readonly id: string; readonly to: Address; readonly least?: bigint },
): Promise<Landed> {
  const value = (await journal.find(id))?.intent.value ?? mostOf(await gasForADay(client), least)
  return submitter.submit({ id, to, value })
}
