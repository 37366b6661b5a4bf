import type { Hex } from 'viem'
import {
  address,
  type Codec,
  type Field,
  fixedBytes,
  LayoutError,
  packedFields,
  packedListOf,
  restOfBytes,
  safeUint,
  uint,
} from './layout.ts'

/**
 * The term layouts of the enforcers of Delegation Framework 1.3.0: packed, big-endian, in this order.
 *
 * Encoders refuse what the enforcer refuses at every use (an amount of zero, an end before the start).
 * Decoders accept all terms of the right size, because the chain does.
 */

/** The last second of the year 9999, the latest moment that MetaMask's wallets accept. */
const lastSecond = 253_402_300_799n

export const valueLteTerms = packedFields({ maxValue: uint(32) })

export const timestampTerms = packedFields(
  { afterThreshold: safeUint(16, 0n, lastSecond), beforeThreshold: safeUint(16, 0n, lastSecond) },
  requireOrder,
)

export const blockNumberTerms = packedFields(
  { afterThreshold: uint(16), beforeThreshold: uint(16) },
  (terms) => {
    if (terms.afterThreshold === 0n && terms.beforeThreshold === 0n) {
      throw new LayoutError('the first and the last block are both missing')
    }
    requireOrder(terms)
  },
)

const period = { periodAmount: uint(32, 1n), periodDuration: uint(32, 1n), startDate: uint(32, 1n) }

export const nativeTokenPeriodTransferTerms = packedFields(period)

export const erc20PeriodTransferTerms = packedFields({ tokenAddress: address, ...period })

export const multiTokenPeriodTerms = packedListOf(
  packedFields({
    token: address,
    periodAmount: uint(32, 1n),
    periodDuration: safeUint(32, 1n),
    startDate: safeUint(32, 1n),
  }),
)

const stream = {
  initialAmount: uint(32),
  maxAmount: uint(32, 1n),
  amountPerSecond: uint(32, 1n),
  startTime: safeUint(32, 1n, lastSecond),
}

export const nativeTokenStreamingTerms = packedFields(stream, requireRoom)

export const erc20StreamingTerms = packedFields({ tokenAddress: address, ...stream }, requireRoom)

export const nativeTokenTransferAmountTerms = packedFields({ maxAmount: uint(32) })

export const erc20TransferAmountTerms = packedFields({ tokenAddress: address, maxAmount: uint(32, 1n) })

export const nativeTokenPaymentTerms = packedFields({ recipient: address, amount: uint(32, 1n) })

/** 0 increase, 1 decrease; the enforcers read every other byte as decrease. */
const changeType = safeUint(1)

export const nativeBalanceChangeTerms = packedFields(
  { changeType, recipient: address, balance: uint(32, 1n) },
  requireDirection,
)

export const erc20BalanceChangeTerms = packedFields(
  { changeType, tokenAddress: address, recipient: address, balance: uint(32, 1n) },
  requireDirection,
)

export const erc721BalanceChangeTerms = packedFields(
  { changeType, tokenAddress: address, recipient: address, amount: uint(32, 1n) },
  requireDirection,
)

export const erc1155BalanceChangeTerms = packedFields(
  { changeType, tokenAddress: address, recipient: address, tokenId: uint(32), balance: uint(32, 1n) },
  requireDirection,
)

export const erc721TransferTerms = packedFields({ tokenAddress: address, tokenId: uint(32) })

export const nonceTerms = packedFields({ nonce: uint(32) })

export const idTerms = packedFields({ id: uint(32) })

export const limitedCallsTerms = packedFields({ limit: safeUint(32, 1n) })

export const ownershipTransferTerms = packedFields({ contractAddress: address })

/** Used by AllowedTargets and Redeemer. */
export const addressListTerms = packedListOf(address)

export const allowedMethodsTerms = packedListOf(fixedBytes(4))

export const allowedCalldataTerms = packedFields({ startIndex: safeUint(32), value: restOfBytes })

export const exactCalldataTerms = packedFields({ calldata: restOfBytes })

export const argsEqualityCheckTerms = packedFields({ args: restOfBytes })

export const exactExecutionTerms = packedFields({ target: address, value: uint(32), callData: restOfBytes })

/** A salt of at most 32 bytes, right-aligned in its word. */
const paddedSalt: Field<Hex> = {
  ...fixedBytes(32),
  write(salt) {
    if (!/^0x[0-9a-f]{1,64}$/i.test(salt)) throw new LayoutError(`${salt} is not a salt of 1 to 32 bytes`)
    return salt.slice(2).toLowerCase().padStart(64, '0')
  },
}

export const deployedTerms = packedFields(
  { contractAddress: address, salt: paddedSalt, bytecode: restOfBytes },
  ({ bytecode }) => {
    if (bytecode === '0x') throw new LayoutError('there is no bytecode to deploy')
  },
)

export const specificActionERC20TransferBatchTerms = packedFields({
  tokenAddress: address,
  recipient: address,
  amount: uint(32, 1n),
  target: address,
  calldata: restOfBytes,
})

/** The methods to revoke an approval, from the lowest bit of the byte. */
const revocations = [
  'erc20Approve',
  'erc721Approve',
  'erc721SetApprovalForAll',
  'permit2Approve',
  'permit2Lockdown',
  'permit2InvalidateNonces',
] as const

/** The methods to revoke an approval that are allowed. */
export type ApprovalRevocationTerms = Readonly<Record<(typeof revocations)[number], boolean>>

const flagsByte = packedFields({ flags: safeUint(1, 1n, 63n) })

export const approvalRevocationTerms: Codec<ApprovalRevocationTerms> = {
  encode: (terms) =>
    flagsByte.encode({
      flags: revocations.reduce((flags, way, bit) => flags | (terms[way] ? 1 << bit : 0), 0),
    }),
  decode(terms) {
    const { flags } = flagsByte.decode(terms)
    if (flags === 0 || flags > 63) throw new LayoutError(`${flags} is not between 1 and 63`)
    const has = (way: (typeof revocations)[number]) => (flags & (1 << revocations.indexOf(way))) !== 0
    return {
      erc20Approve: has('erc20Approve'),
      erc721Approve: has('erc721Approve'),
      erc721SetApprovalForAll: has('erc721SetApprovalForAll'),
      permit2Approve: has('permit2Approve'),
      permit2Lockdown: has('permit2Lockdown'),
      permit2InvalidateNonces: has('permit2InvalidateNonces'),
    }
  },
}

function requireOrder(terms: {
  readonly afterThreshold: number | bigint
  readonly beforeThreshold: number | bigint
}): void {
  const { afterThreshold: after, beforeThreshold: before } = terms
  if (BigInt(before) !== 0n && after >= before) throw new LayoutError(`${after} is not before ${before}`)
}

function requireRoom({ initialAmount, maxAmount }: { initialAmount: bigint; maxAmount: bigint }): void {
  if (maxAmount < initialAmount) throw new LayoutError(`the maximum ${maxAmount} is below ${initialAmount}`)
}

function requireDirection({ changeType }: { readonly changeType: number }): void {
  if (changeType !== 0 && changeType !== 1) throw new LayoutError(`${changeType} is not a direction`)
}
