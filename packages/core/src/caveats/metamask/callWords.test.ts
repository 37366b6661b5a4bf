import { encodeFunctionData, erc20Abi, type Hex } from 'viem'
import { expect, it } from 'vitest'
import type { Names } from '../caveatKind.ts'
import { callWords } from './callWords.ts'

const usdc = '0x1111111111111111111111111111111111111111'
const stranger = '0x2222222222222222222222222222222222222222'
const names: Names = {
  token: (address) => (address === usdc ? { symbol: 'USDC', decimals: 6 } : undefined),
  label: () => undefined,
}
const tokenCall = (functionName: 'transfer' | 'approve', amount: bigint): Hex =>
  encodeFunctionData({ abi: erc20Abi, functionName, args: [stranger, amount] })
const words = (target: Hex, callData: Hex, value = 0n) => callWords({ target, value, callData }, names)

it('names the amount and the recipient of a transfer', () => {
  expect(words(usdc, tokenCall('transfer', 1_250_500_000n))).toBe(`send 1,250.5 USDC to ${stranger}`)
  expect(words(usdc, tokenCall('approve', 5_000_000n))).toBe(`let ${stranger} take 5 USDC`)
  expect(words(stranger, '0x', 10n ** 18n)).toBe(`send 1 of the native currency to ${stranger}`)
})

it.each([
  ['an unknown contract', stranger, tokenCall('transfer', 1n), 0n],
  ['another method', usdc, '0x12345678', 0n],
  ['bytes after the arguments', usdc, `${tokenCall('transfer', 1n)}00`, 0n],
  ['a recipient that is not an address', usdc, `0xa9059cbb${'ff'.repeat(64)}`, 0n],
  ['a call with value', usdc, tokenCall('transfer', 1n), 1n],
] as const)('shows the bytes of %s', (_, target, callData, value) => {
  expect(words(target, callData, value)).toContain(callData)
})
