import { BardoError, type GasEvent, type Journal } from '@bardo/core'
import { type Address, type PublicClient, parseTransaction } from 'viem'
import type { Landed, Submitter } from '../submission/createSubmitter.ts'

/** The key to empty, and its journal. */
export type GasHolder = {
  readonly client: PublicClient
  readonly journal: Pick<Journal, 'find'>
  readonly address: Address
  readonly submitter: Submitter
  readonly onEvent?: (event: GasEvent) => void
}

/** A sweep that landed: the amount sent, and the amount left on the key. */
export type SweptGas = Landed & { readonly amount: bigint; readonly left: bigint }

/**
 * Sends a key's whole balance, before the key is wiped and its balance is lost. The sweep offers the market
 * price with all of it as the tip, so it costs exactly what it holds back: to a plain or an upgraded account
 * nothing is left. On a rollup with a data fee besides the gas, up to 4 % of that fee is left; `left` reports
 * it. A replacement at a higher price sends less. Undefined if the balance would not pay for the transfer.
 *
 * @example
 * await sendAllGas({ client, journal, address: key.address, submitter }, { id: 'farewell', to: owner })
 */
export async function sendAllGas(
  { client, journal, address, submitter, onEvent }: GasHolder,
  { id, to }: { readonly id: string; readonly to: Address },
): Promise<SweptGas | undefined> {
  const record = await journal.find(id)
  if (!record && (await client.getBalance({ address })) === 0n) return undefined
  try {
    // An intent of an earlier version has a fixed amount.
    const isFixed = record && !record.intent.sweep
    const landed = await submitter.submit({
      id,
      to,
      ...(isFixed ? { value: record.intent.value } : { sweep: true }),
    })
    const swept = { ...landed, amount: await amountOf(landed), left: await balanceAfter(landed) }
    const { amount: amountWei, left: leftWei } = swept
    onEvent?.({ name: 'gas.swept', from: address, to, amountWei, leftWei, transaction: landed.hash })
    return swept
  } catch (error) {
    const isTooLittle = error instanceof BardoError && error.code === 'INSUFFICIENT_FUNDS'
    if (isTooLittle && !(await journal.find(id))) return undefined
    throw error
  }

  async function amountOf({ hash }: Landed): Promise<bigint> {
    const attempt = (await journal.find(id))?.attempts.find((one) => one.hash === hash)
    return attempt ? (parseTransaction(attempt.raw).value ?? 0n) : 0n
  }

  async function balanceAfter({ blockNumber }: Landed): Promise<bigint> {
    try {
      return await client.getBalance({ address, blockNumber })
    } catch {
      // The node no longer has the state of that block.
      return client.getBalance({ address })
    }
  }
}
