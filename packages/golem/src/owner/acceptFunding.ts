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

type Asked = Extract<OwnerAsk, { is: 'fund' }>
type Sent = Extract<OwnerAnswer, { is: 'sent' }>

/** Money that arrived: the owner's own transaction, landed, to the one that was named, with no more than was asked for. */
export async function acceptFunding(
  { client }: AnswerContext,
  asked: Asked,
  { transaction: hash }: Sent,
): Promise<Accepted> {
  const [sent, receipt] = await Promise.all([
    client.getTransaction({ hash }),
    client.getTransactionReceipt({ hash }),
  ]).catch((error: unknown) => {
    const isUnknown =
      error instanceof TransactionNotFoundError || error instanceof TransactionReceiptNotFoundError
    throw isUnknown ? otherGrant(['the chain knows no such transaction, or not yet']) : error
  })
  const moved = sent.to && movedBy(asked, { to: sent.to, value: sent.value, data: sent.input })
  if (receipt.blockNumber <= asked.sinceBlock) throw otherGrant(['it was sent before it was asked for'])
  const isOwners = isAddressEqual(sent.from, asked.from) && receipt.status === 'success'
  if (!isOwners || !moved || moved > asked.amount)
    throw otherGrant([
      receipt.status === 'success' ? 'it is another transfer' : 'the transaction was reverted',
    ])
  return {
    state: moved < asked.amount ? 'adjusted' : 'approved',
    body: { transaction: hash, moved },
    async apply({ idempotencyKeys }) {
      // One transfer answers one request.
      const claim = `fund:${hash.toLowerCase()}`
      const known = await idempotencyKeys.claim(claim, keccak256(hash), Number.MAX_SAFE_INTEGER)
      if (known.is !== 'new') throw otherGrant(['that transaction has answered another request'])
      await idempotencyKeys.finish(claim, {})
    },
  }
}

/** How much of the token that was asked for a transaction moves to whom it was asked for; undefined for another one. */
function movedBy(
  { token, to }: Asked,
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
