import fc from 'fast-check'
import { encodeErrorResult, type Hex, parseAbi } from 'viem'
import { describe, expect, it } from 'vitest'
import { decodeRevert } from './decodeRevert.ts'

const abi = parseAbi([
  'error Error(string)',
  'error Panic(uint256)',
  'error SpendLimitExceeded(uint256, uint256, uint256)',
  'error FailedOp(uint256 opIndex, string reason)',
  'error CannotUseADisabledDelegation()',
  'error NotEntryPointOrSelf()',
  'error ERC20InsufficientBalance(address, uint256, uint256)',
])
const zero = '0x0000000000000000000000000000000000000000'

describe('decodeRevert', () => {
  it.each<[Hex, string, string]>([
    [encodeErrorResult({ abi, errorName: 'Error', args: ['STF'] }), 'Error', 'STF'],
    [encodeErrorResult({ abi, errorName: 'Panic', args: [17n] }), 'Panic', 'Panic(17)'],
    [
      encodeErrorResult({ abi, errorName: 'SpendLimitExceeded', args: [1n, 2n, 3n] }),
      'SpendLimitExceeded',
      'SpendLimitExceeded(1, 2, 3)',
    ],
    [encodeErrorResult({ abi, errorName: 'FailedOp', args: [0n, 'AA25'] }), 'FailedOp', 'FailedOp(0, AA25)'],
    [
      encodeErrorResult({ abi, errorName: 'CannotUseADisabledDelegation' }),
      'CannotUseADisabledDelegation',
      'CannotUseADisabledDelegation()',
    ],
    [
      encodeErrorResult({ abi, errorName: 'NotEntryPointOrSelf' }),
      'NotEntryPointOrSelf',
      'NotEntryPointOrSelf()',
    ],
    [
      encodeErrorResult({ abi, errorName: 'ERC20InsufficientBalance', args: [zero, 1n, 2n] }),
      'ERC20InsufficientBalance',
      `ERC20InsufficientBalance(${zero}, 1, 2)`,
    ],
    ['0xba597e7e', 'DecodingError', 'DecodingError()'],
    ['0x', 'Unknown', 'no reason given'],
    ['0xdeadbeef', 'Unknown', 'unknown error 0xdeadbeef'],
    // A reason string whose declared length exceeds the data.
    [`0x08c379a0${'00'.repeat(31)}20${'ff'.repeat(32)}`, 'Unknown', 'unknown error 0x08c379a0'],
  ])('decodes %s', (data, name, text) => {
    expect(decodeRevert(data)).toMatchObject({ name, text, data })
  })

  it('decodes arbitrary bytes without throwing', () => {
    fc.assert(
      fc.property(
        fc.uint8Array({ maxLength: 300 }),
        fc.constantFrom('08c379a0', '4e487b71', ''),
        (bytes, selector) => {
          const data: Hex = `0x${selector}${Buffer.from(bytes).toString('hex')}`
          expect(decodeRevert(data).data).toBe(data)
        },
      ),
    )
  })
})
