import { concat, type Hex, numberToHex } from 'viem'
import type { Call } from '../../redemption/encodeExecution.ts'

/**
 * `isValidSignature` accepts everything; `executeFromExecutor` makes the calls that follow the code, whatever
 * its arguments are. Each call is a word for the target, the value and the length, and then the calldata.
 * Every other call does nothing.
 */
const code: Hex =
  '0x5f3560e01c80631626ba7e14605d5763d691c96414601957005b607038038060705f395f5b818110156050575f5f826040015183606001846020015185515af115606c578060400151016060016024565b60205f525f60205260405ff35b631626ba7e60e01b5f5260205ff35b5f5ffd'

/** The code of an account that accepts every signature, and whose every execution makes these calls. */
export function stubAccount(calls: readonly Call[]): Hex {
  const script = calls.map(({ to, value = 0n, data = '0x' }) =>
    concat([
      numberToHex(BigInt(to), { size: 32 }),
      numberToHex(value, { size: 32 }),
      numberToHex((data.length - 2) / 2, { size: 32 }),
      data,
    ]),
  )
  return concat([code, ...script])
}
