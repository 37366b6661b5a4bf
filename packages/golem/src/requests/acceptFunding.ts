import {
  decodeFunctionData,
  erc20Abi,
  type Hex,
  isAddressEqual,
  keccak256,
  TransactionNotFoundError,
  TransactionReceiptNotFoundError,
  zeroAddress,
} from 'viem'
import type { Accepted } from './accepted.ts'
import type { AnswerContext } from './answerRequest.ts'
import type { OwnerAnswer, OwnerAsk } from './ownerRequest.ts'
import { otherGrant } from './requireSigned.ts'

type FundAsk = Extract<OwnerAsk, { type: 'fund' }>
type Sent = Extract<OwnerAnswer, { type: 'sent' }>

/**
 * Accepts a transfer: the owner's own mined transaction to the requested address, with at most the requested
 * amount.
 */
export async function acceptFunding(
  { client }: AnswerContext,
  ask: FundAsk,
  { transaction: hash }: Sent,
): Promise<Accepted> {
  const [sent, receipt] = await Promise.all([
    client.getTransaction({ hash }),
    client.getTransactionReceipt({ hash }),
  ]).catch((error: unknown) => {
    const isUnknown =
      error instanceof TransactionNotFoundError || error instanceof TransactionReceiptNotFoundError
    throw isUnknown ? otherGrant(['the transaction is not on the chain (yet)']) : error
  })
  const moved = sent.to && movedBy(ask, { to: sent.to, value: sent.value, data: sent.input })
  if (receipt.blockNumber <= ask.sinceBlock) throw otherGrant(['the transfer is older than the request'])
  const isOwners = isAddressEqual(sent.from, ask.from) && receipt.status === 'success'
  if (!isOwners || !moved || moved > ask.amount)
    throw otherGrant([
      receipt.status === 'success'
        ? 'the transaction is not the requested transfer'
        : 'the transaction reverted',
    ])
  return {
    state: moved < ask.amount ? 'adjusted' : 'approved',
    body: { transaction: hash, moved },
    async apply({ idempotencyKeys }) {
      // A transfer can answer only one request.
      const claim = `fund:${hash.toLowerCase()}`
      const claimed = await idempotencyKeys.claim(claim, keccak256(hash), Number.MAX_SAFE_INTEGER)
      if (claimed.type !== 'new') throw otherGrant(['the transaction already answered another request'])
      await idempotencyKeys.finish(claim, {})
    },
  }
}

/**
 * The amount of the requested token that a transaction moves to the requested address; undefined if it is
 * another call.
 */
function movedBy(
  { token, to }: FundAsk,
  call: { readonly to: Hex; readonly value: bigint; readonly data: Hex },
): bigint | undefined {
  if (token === zeroAddress) return isAddressEqual(call.to, to) && call.data === '0x' ? call.value : undefined
  if (!isAddressEqual(call.to, token)) return undefined
  try {
    const { functionName, args } = decodeFunctionData({ abi: erc20Abi, data: call.data })
    return functionName === 'transfer' && isAddressEqual(args[0], to) ? args[1] : undefined
  } catch {
    return undefined
  }
}
