import * as kit from '@metamask/delegation-core'
import fc from 'fast-check'
import { type Hex, numberToHex } from 'viem'
import { describe, expect, it } from 'vitest'
import { decodeExecutions, encodeExecutions } from './abi.ts'
import type { Codec } from './layout.ts'
import * as ours from './metamaskTerms.ts'

const max = (1n << 256n) - 1n
const hexOf = (bytes: Uint8Array): Hex => `0x${Buffer.from(bytes).toString('hex')}`
const bytesOf = (least: number, most: number): fc.Arbitrary<Hex> =>
  fc.uint8Array({ minLength: least, maxLength: most }).map(hexOf)

/** Mostly valid values, with some that an encoder must refuse. */
const address = fc.oneof(
  { weight: 9, arbitrary: bytesOf(20, 20) },
  {
    weight: 1,
    arbitrary: fc.constantFrom<Hex>('0x', '0x12', `0x${'ab'.repeat(21)}`, `0x${'zz'.repeat(20)}`),
  },
)
const amount = fc.oneof(
  { weight: 6, arbitrary: fc.bigInt(1n, max) },
  { weight: 3, arbitrary: fc.bigInt(1n, 1_000n) },
  { weight: 1, arbitrary: fc.constantFrom(0n, -1n, max, max + 1n, 1n << 128n) },
)
const block = fc.oneof(fc.bigInt(0n, 100n), fc.constantFrom(0n, -1n, (1n << 128n) - 1n, 1n << 128n))
const seconds = fc.oneof(
  { weight: 8, arbitrary: fc.integer({ min: 1, max: 253_402_300_799 }) },
  {
    weight: 2,
    arbitrary: fc.constantFrom(0, -1, 253_402_300_799, 253_402_300_800, 2 ** 53, 1.5, Number.NaN),
  },
)
const data = fc.oneof(
  { weight: 9, arbitrary: bytesOf(0, 70) },
  { weight: 1, arbitrary: fc.constantFrom<Hex>('0x1', '0x123', '0xzz') },
)
const changeType = fc.constantFrom(0, 1, 2, -1, 255)
const call = fc.record({ target: address, value: amount, callData: data })
const period = { periodAmount: amount, periodDuration: amount, startDate: amount }
const shortPeriod = { periodAmount: amount, periodDuration: seconds, startDate: seconds }
const stream = { initialAmount: amount, maxAmount: amount, amountPerSecond: amount, startTime: seconds }

type Pair = {
  readonly codec: Codec<unknown>
  readonly kit: Codec<unknown>
  readonly terms: fc.Arbitrary<unknown>
}

/** The kit expects some times as numbers; here they are numbers if one can represent them. */
const asNumber = (value: bigint) => (value <= BigInt(Number.MAX_SAFE_INTEGER) ? Number(value) : Number.NaN)

function pair<Terms>(
  codec: Codec<Terms>,
  encode: (terms: Terms) => Hex,
  decode: (terms: Hex) => Terms,
  terms: fc.Arbitrary<Terms>,
): Pair {
  return { codec, kit: { encode, decode }, terms } as unknown as Pair
}

const pairs: Readonly<Record<string, Pair>> = {
  ValueLte: pair(
    ours.valueLteTerms,
    (terms) => kit.createValueLteTerms(terms),
    kit.decodeValueLteTerms,
    fc.record({ maxValue: amount }),
  ),
  Timestamp: pair(
    ours.timestampTerms,
    (terms) => kit.createTimestampTerms(terms),
    kit.decodeTimestampTerms,
    fc.record({ afterThreshold: seconds, beforeThreshold: seconds }),
  ),
  BlockNumber: pair(
    ours.blockNumberTerms,
    (terms) => kit.createBlockNumberTerms(terms),
    kit.decodeBlockNumberTerms,
    fc.record({ afterThreshold: block, beforeThreshold: block }),
  ),
  NativeTokenPeriodTransfer: pair(
    ours.nativeTokenPeriodTransferTerms,
    ({ startDate, ...terms }) =>
      kit.createNativeTokenPeriodTransferTerms({ ...terms, startDate: asNumber(startDate) }),
    (terms) => widened(kit.decodeNativeTokenPeriodTransferTerms(terms)),
    fc.record(period),
  ),
  ERC20PeriodTransfer: pair(
    ours.erc20PeriodTransferTerms,
    ({ startDate, ...terms }) =>
      kit.createERC20TokenPeriodTransferTerms({ ...terms, startDate: asNumber(startDate) }),
    (terms) => widened(kit.decodeERC20TokenPeriodTransferTerms(terms)),
    fc.record({ tokenAddress: address, ...period }),
  ),
  MultiTokenPeriod: pair(
    ours.multiTokenPeriodTerms,
    (tokenConfigs) => kit.createMultiTokenPeriodTerms({ tokenConfigs: [...tokenConfigs] }),
    (terms) =>
      kit
        .decodeMultiTokenPeriodTerms(terms)
        .tokenConfigs.map((config) => ({ ...config, periodDuration: Number(config.periodDuration) })),
    fc.array(fc.record({ token: address, ...shortPeriod }), { maxLength: 3 }),
  ),
  NativeTokenStreaming: pair(
    ours.nativeTokenStreamingTerms,
    (terms) => kit.createNativeTokenStreamingTerms(terms),
    kit.decodeNativeTokenStreamingTerms,
    fc.record(stream),
  ),
  ERC20Streaming: pair(
    ours.erc20StreamingTerms,
    (terms) => kit.createERC20StreamingTerms(terms),
    kit.decodeERC20StreamingTerms,
    fc.record({ tokenAddress: address, ...stream }),
  ),
  NativeTokenTransferAmount: pair(
    ours.nativeTokenTransferAmountTerms,
    (terms) => kit.createNativeTokenTransferAmountTerms(terms),
    kit.decodeNativeTokenTransferAmountTerms,
    fc.record({ maxAmount: amount }),
  ),
  ERC20TransferAmount: pair(
    ours.erc20TransferAmountTerms,
    (terms) => kit.createERC20TransferAmountTerms(terms),
    kit.decodeERC20TransferAmountTerms,
    fc.record({ tokenAddress: address, maxAmount: amount }),
  ),
  NativeTokenPayment: pair(
    ours.nativeTokenPaymentTerms,
    (terms) => kit.createNativeTokenPaymentTerms(terms),
    kit.decodeNativeTokenPaymentTerms,
    fc.record({ recipient: address, amount }),
  ),
  NativeBalanceChange: pair(
    ours.nativeBalanceChangeTerms,
    (terms) => kit.createNativeBalanceChangeTerms(terms),
    kit.decodeNativeBalanceChangeTerms,
    fc.record({ changeType, recipient: address, balance: amount }),
  ),
  ERC20BalanceChange: pair(
    ours.erc20BalanceChangeTerms,
    (terms) => kit.createERC20BalanceChangeTerms(terms),
    kit.decodeERC20BalanceChangeTerms,
    fc.record({ changeType, tokenAddress: address, recipient: address, balance: amount }),
  ),
  ERC721BalanceChange: pair(
    ours.erc721BalanceChangeTerms,
    (terms) => kit.createERC721BalanceChangeTerms(terms),
    kit.decodeERC721BalanceChangeTerms,
    fc.record({ changeType, tokenAddress: address, recipient: address, amount }),
  ),
  ERC1155BalanceChange: pair(
    ours.erc1155BalanceChangeTerms,
    (terms) => kit.createERC1155BalanceChangeTerms(terms),
    kit.decodeERC1155BalanceChangeTerms,
    fc.record({ changeType, tokenAddress: address, recipient: address, tokenId: amount, balance: amount }),
  ),
  ERC721Transfer: pair(
    ours.erc721TransferTerms,
    (terms) => kit.createERC721TransferTerms(terms),
    kit.decodeERC721TransferTerms,
    fc.record({ tokenAddress: address, tokenId: amount }),
  ),
  Nonce: pair(
    ours.nonceTerms,
    ({ nonce }) => kit.createNonceTerms({ nonce: numberToHex(nonce, { size: 32 }) }),
    (terms) => ({ nonce: BigInt(kit.decodeNonceTerms(terms).nonce) }),
    fc.record({ nonce: amount }),
  ),
  Id: pair(
    ours.idTerms,
    (terms) => kit.createIdTerms(terms),
    (terms) => ({ id: BigInt(kit.decodeIdTerms(terms).id) }),
    fc.record({ id: amount }),
  ),
  LimitedCalls: pair(
    ours.limitedCallsTerms,
    (terms) => kit.createLimitedCallsTerms(terms),
    kit.decodeLimitedCallsTerms,
    fc.record({ limit: seconds }),
  ),
  OwnershipTransfer: pair(
    ours.ownershipTransferTerms,
    (terms) => kit.createOwnershipTransferTerms(terms),
    kit.decodeOwnershipTransferTerms,
    fc.record({ contractAddress: address }),
  ),
  AllowedTargets: pair(
    ours.addressListTerms,
    (targets) => kit.createAllowedTargetsTerms({ targets: [...targets] }),
    (terms) => kit.decodeAllowedTargetsTerms(terms).targets as Hex[],
    fc.array(address, { maxLength: 4 }),
  ),
  Redeemer: pair(
    ours.addressListTerms,
    (redeemers) => kit.createRedeemerTerms({ redeemers: [...redeemers] }),
    (terms) => kit.decodeRedeemerTerms(terms).redeemers as Hex[],
    fc.array(address, { maxLength: 4 }),
  ),
  AllowedMethods: pair(
    ours.allowedMethodsTerms,
    (selectors) => kit.createAllowedMethodsTerms({ selectors: [...selectors] }),
    (terms) => kit.decodeAllowedMethodsTerms(terms).selectors as Hex[],
    fc.array(fc.oneof({ weight: 9, arbitrary: bytesOf(4, 4) }, { weight: 1, arbitrary: bytesOf(0, 6) }), {
      maxLength: 4,
    }),
  ),
  AllowedCalldata: pair(
    ours.allowedCalldataTerms,
    (terms) => kit.createAllowedCalldataTerms(terms),
    (terms) => kit.decodeAllowedCalldataTerms(terms),
    fc.record({ startIndex: seconds, value: data }),
  ),
  ExactCalldata: pair(
    ours.exactCalldataTerms,
    (terms) => kit.createExactCalldataTerms(terms),
    (terms) => kit.decodeExactCalldataTerms(terms),
    fc.record({ calldata: data }),
  ),
  ArgsEqualityCheck: pair(
    ours.argsEqualityCheckTerms,
    (terms) => kit.createArgsEqualityCheckTerms(terms),
    (terms) => kit.decodeArgsEqualityCheckTerms(terms),
    fc.record({ args: data }),
  ),
  ExactExecution: pair(
    ours.exactExecutionTerms,
    (execution) => kit.createExactExecutionTerms({ execution }),
    (terms) => kit.decodeExactExecutionTerms(terms).execution,
    call,
  ),
  ExactExecutionBatch: pair(
    { encode: encodeExecutions, decode: decodeExecutions },
    (executions) => kit.createExactExecutionBatchTerms({ executions: [...executions] }),
    (terms) => kit.decodeExactExecutionBatchTerms(terms).executions,
    fc.array(call, { minLength: 1, maxLength: 3 }),
  ),
  ExactCalldataBatch: pair(
    { encode: encodeExecutions, decode: decodeExecutions },
    (executions) => kit.createExactCalldataBatchTerms({ executions: [...executions] }),
    (terms) => kit.decodeExactCalldataBatchTerms(terms).executions,
    fc.array(call, { minLength: 1, maxLength: 3 }),
  ),
  Deployed: pair(
    ours.deployedTerms,
    (terms) => kit.createDeployedTerms(terms),
    (terms) => kit.decodeDeployedTerms(terms),
    fc.record({ contractAddress: address, salt: bytesOf(32, 32), bytecode: data }),
  ),
  SpecificActionERC20TransferBatch: pair(
    ours.specificActionERC20TransferBatchTerms,
    (terms) => kit.createSpecificActionERC20TransferBatchTerms(terms),
    (terms) => kit.decodeSpecificActionERC20TransferBatchTerms(terms),
    fc.record({ tokenAddress: address, recipient: address, amount, target: address, calldata: data }),
  ),
  ApprovalRevocation: pair(
    ours.approvalRevocationTerms,
    (terms) => kit.createApprovalRevocationTerms(terms),
    kit.decodeApprovalRevocationTerms,
    fc.record({
      erc20Approve: fc.boolean(),
      erc721Approve: fc.boolean(),
      erc721SetApprovalForAll: fc.boolean(),
      permit2Approve: fc.boolean(),
      permit2Lockdown: fc.boolean(),
      permit2InvalidateNonces: fc.boolean(),
    }),
  ),
}

function widened<Terms extends { periodDuration: number | bigint; startDate: number }>(terms: Terms) {
  return { ...terms, periodDuration: BigInt(terms.periodDuration), startDate: BigInt(terms.startDate) }
}

/** The result, or undefined if it throws. */
function attempt<Result>(run: () => Result): Result | undefined {
  try {
    return run()
  } catch {
    return undefined
  }
}

/** Bytes as written, cut, extended, with one byte changed, or of any length. */
function arriving(written: fc.Arbitrary<Hex | undefined>): fc.Arbitrary<Hex> {
  return fc
    .tuple(written, fc.constantFrom('whole', 'cut', 'longer', 'changed', 'any'), fc.nat(), bytesOf(1, 33))
    .map(([terms = '0x', damage, place, other]): Hex => {
      const at = 2 + 2 * (place % (terms.length / 2))
      switch (damage) {
        case 'cut':
          return terms.slice(0, at) as Hex
        case 'longer':
          return `${terms}${other.slice(2)}`
        case 'changed':
          return `${terms.slice(0, at)}${other.slice(2, 4)}${terms.slice(at + 2)}`.slice(
            0,
            terms.length,
          ) as Hex
        case 'any':
          return other
        default:
          return terms
      }
    })
}

/**
 * Refused only by these codecs: the kit reads a batch in any layout, these codecs only in the canonical one.
 * The kit is not called for the others: a length or an offset that leads nowhere makes it fill the memory.
 */
const strict = ['ExactExecutionBatch', 'ExactCalldataBatch']
/** Read only by these codecs: a length above 2^53, which MetaMask's own wallet signs. */
const wide = ['NativeTokenPeriodTransfer', 'ERC20PeriodTransfer']

describe.each(Object.entries(pairs))('the terms of %s', (name, { codec, kit, terms }) => {
  it('are written as MetaMask’s kit writes them, or refused', () => {
    let written = 0
    fc.assert(
      fc.property(terms, (value) => {
        const mine = attempt(() => codec.encode(value))
        const theirs = attempt(() => kit.encode(value))?.toLowerCase()
        // The kit writes a number that is too large, half a byte or other letters as bytes with another
        // meaning.
        const readBack = theirs && attempt(() => kit.encode(kit.decode(theirs as Hex)))?.toLowerCase()
        const isFaithful =
          theirs !== undefined &&
          /^0x(?:[0-9a-f]{2})*$/.test(theirs) &&
          readBack === theirs &&
          fc.stringify(kit.decode(theirs as Hex)) === fc.stringify(value)
        if (mine !== undefined) {
          written += 1
          expect(codec.decode(mine)).toEqual(value)
        }
        if (mine !== undefined && !wide.includes(name)) expect(mine).toBe(theirs)
        if (isFaithful) expect(mine).toBe(theirs)
      }),
    )
    expect(written).toBeGreaterThan(50)
  })

  it('are read as MetaMask’s kit reads them, or refused', () => {
    let read = 0
    fc.assert(
      fc.property(arriving(terms.map((value) => attempt(() => codec.encode(value)))), (bytes) => {
        const mine = attempt(() => codec.decode(bytes))
        if (mine !== undefined) read += 1
        else if (strict.includes(name)) return
        const theirs = attempt(() => kit.decode(bytes))
        if (mine !== undefined && theirs !== undefined) expect(mine).toEqual(theirs)
        if (mine === undefined) expect(theirs).toBeUndefined()
        if (theirs === undefined && !wide.includes(name)) expect(mine).toBeUndefined()
      }),
    )
    expect(read).toBeGreaterThan(50)
  })
})

it.each<Hex>(['0x1', '0x12', '0xABCDEF', `0x${'ff'.repeat(32)}`])(
  'pads the salt %s of Deployed as the kit does',
  (salt) => {
    const terms = { contractAddress: `0x${'11'.repeat(20)}`, salt, bytecode: '0x6001' } as const
    expect(ours.deployedTerms.encode(terms)).toBe(kit.createDeployedTerms(terms).toLowerCase())
  },
)

it.each<Hex>(['0x', `0x${'ff'.repeat(33)}`, '0xzz'])('refuses the salt %s of Deployed', (salt) => {
  const terms = { contractAddress: `0x${'11'.repeat(20)}`, salt, bytecode: '0x6001' } as const
  expect(() => ours.deployedTerms.encode(terms)).toThrow()
  expect(() => kit.createDeployedTerms(terms)).toThrow()
})
