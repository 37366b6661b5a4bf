import { type Address, concat, type Hex, numberToHex } from 'viem'

/** A call that a puppet account makes. */
export type PuppetCall = { readonly to: Address; readonly value: bigint; readonly data: Hex }

/**
 * `isValidSignature` says yes; `executeFromExecutor` makes the calls written behind the code, whatever it is asked to do.
 * Each one is a word for the target, the value and the length, and then the calldata. Everything else does nothing.
 */
const code: Hex =
  '0x5f3560e01c80631626ba7e14605d5763d691c96414601957005b607038038060705f395f5b818110156050575f5f826040015183606001846020015185515af115606c578060400151016060016024565b60205f525f60205260405ff35b631626ba7e60e01b5f5260205ff35b5f5ffd'

/** The code of an account that agrees to every signature, and whose every execution makes these calls. */
export function puppetAccount(calls: readonly PuppetCall[]): Hex {
  const script = calls.map(({ to, value, data }) =>
    concat([
      numberToHex(BigInt(to), { size: 32 }),
      numberToHex(value, { size: 32 }),
      numberToHex((data.length - 2) / 2, { size: 32 }),
      data,
    ]),
  )
  return concat([code, ...script])
}
