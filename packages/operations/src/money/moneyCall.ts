import { type Landed, transferCall } from '@bardo/chain'
import { BardoError, type Call } from '@bardo/core'
import { type Address, erc20Abi, isAddressEqual, parseEventLogs } from 'viem'
import type { OperationContext } from '../owner/ownerOperation.ts'
import { type MoneyFields, moneyText } from './moneyFields.ts'

/** The call that sends the money to an address. */
export function moneyCall({ token, amount }: MoneyFields, to: Address): Call {
  if (token === null) return { to, value: BigInt(amount), data: '0x' }
  return transferCall({ token, amount: BigInt(amount), account: to })
}

/** Throws unless the transaction succeeded and the token reports the transfer: some tokens fail without a revert. */
export async function requireMoved(
  { client }: Pick<OperationContext, 'client'>,
  { hash, status }: Landed,
  fields: MoneyFields,
  { from, to }: { readonly from: Address; readonly to: Address },
): Promise<void> {
  const { token, amount } = fields
  const { logs } = await client.getTransactionReceipt({ hash })
  const transfers = parseEventLogs({ abi: erc20Abi, eventName: 'Transfer', logs })
  const isMoved =
    token === null ||
    transfers.some(
      ({ address, args }) =>
        isAddressEqual(address, token) &&
        isAddressEqual(args.from, from) &&
        isAddressEqual(args.to, to) &&
        args.value === BigInt(amount),
    )
  if (status === 'success' && isMoved) return
  throw new BardoError(`The transaction landed, but ${moneyText(fields)} did not move.`, {
    code: 'TRANSACTION_REVERTED',
    outcome: 'landed',
    details: [`transaction ${hash}`, `from ${from}`, `to ${to}`],
    remedy: 'Check the balances with `bardo status`.',
  })
}
