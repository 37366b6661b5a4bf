/** Every method that Bardo can decode, with its selector if it has one, and its bit in a Cage's `methods`. */
export const selectors = {
  transfer: '0xa9059cbb',
  approve: '0x095ea7b3',
  permit2Approve: '0x87517c45',
  exactInputSingle: '0x04e45aaf',
  exactInput: '0xb858183f',
  exactOutputSingle: '0x5023b4df',
  exactOutput: '0x09b81346',
  multicall: '0xac9650d8',
  multicallDeadline: '0x5ae401dc',
  execute: '0x24856bc3',
  executeDeadline: '0x3593564c',
  mintPosition: '0x88316456',
  increaseLiquidity: '0x219f5d17',
  decreaseLiquidity: '0x0c49ccbe',
  collect: '0xfc6f7865',
  burnPosition: '0x42966c68',
  deposit: '0x6e553f65',
  mintShares: '0x94bf804d',
  withdraw: '0xb460af94',
  redeem: '0xba087652',
} as const

/** In bit order. `multicall` has no bit: the calls inside it count. */
export const methodNames = [
  'transfer',
  'approve',
  'native',
  'permit2Approve',
  'exactInputSingle',
  'exactInput',
  'exactOutputSingle',
  'exactOutput',
  'execute',
  'mintPosition',
  'increaseLiquidity',
  'decreaseLiquidity',
  'collect',
  'burnPosition',
  'deposit',
  'mintShares',
  'withdraw',
  'redeem',
  'signed',
] as const

export type Method = (typeof methodNames)[number]

/** The bit of each method. */
export const methodBits = Object.fromEntries(methodNames.map((name, bit) => [name, 1 << bit])) as Readonly<
  Record<Method, number>
>

export const allMethods = 2 ** methodNames.length - 1
