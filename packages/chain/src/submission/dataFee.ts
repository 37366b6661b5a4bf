import { type Hex, type PublicClient, parseAbi } from 'viem'

/**
 * The contract in which OP-stack rollups report the data fee of a transaction, which they charge besides the
 * gas.
 */
const dataFeeOracle = '0x420000000000000000000000000000000000000F'
const oracleAbi = parseAbi(['function getL1Fee(bytes unsigned) view returns (uint256)'])
/** Reserve for 100 wei of the fee: it can rise before the transaction lands. */
const reservePercent = 104n

/**
 * How much to hold back for a rollup's data fee: 0 on chains without one. If the oracle does not answer, as
 * much as the gas itself costs.
 */
export async function readDataFee(client: PublicClient, unsigned: Hex, gasCost: bigint): Promise<bigint> {
  if ((await client.getCode({ address: dataFeeOracle })) === undefined) return 0n
  try {
    const call = { address: dataFeeOracle, abi: oracleAbi, functionName: 'getL1Fee' } as const
    return ((await client.readContract({ ...call, args: [unsigned] })) * reservePercent) / 100n
  } catch {
    return gasCost
  }
}
