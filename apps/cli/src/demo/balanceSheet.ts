import { type Address, erc20Abi, getAbiItem, type Hash, isAddressEqual } from 'viem'
import type { Stage } from './openStage.ts'

/** An account whose balances are compared. */
export type Holder = { readonly name: string; readonly address: Address }

/** One holder's balance of one asset, in base units: opening, received, sent, gas and closing. */
export type Line = Holder & {
  readonly asset: 'USDC' | 'WETH' | 'ETH'
  readonly opening: bigint
  readonly received: bigint
  readonly sent: bigint
  /** Gas fees, from the receipts. */
  readonly gas: bigint
  readonly closing: bigint
}

/** All movements between two blocks. */
export type BalanceSheet = {
  readonly lines: readonly Line[]
  /** What outside accounts received from all holders together, minus what they gave. */
  readonly outside: readonly (Holder & { readonly asset: Line['asset']; readonly net: bigint })[]
  readonly blocks: { readonly first: bigint; readonly last: bigint }
  /** Whether every closing balance is explained to the last unit, and all lines together explain what went outside. */
  readonly addsUp: boolean
}

/** One movement of an asset. */
type Move = {
  readonly asset: Line['asset']
  readonly from: Address
  readonly to: Address
  readonly amount: bigint
}

/**
 * The balance sheet of some holders after a block. Balances are read from the chain at both ends. The movements in between
 * come from independent data: every transfer's log, every transaction's value and every receipt's gas.
 */
export async function balanceSheet(
  stage: Stage,
  holders: readonly Holder[],
  outsiders: readonly Holder[],
  first: bigint,
): Promise<BalanceSheet> {
  const last = await stage.client.getBlockNumber()
  const [moves, fees, opening, closing] = await Promise.all([
    readMoves(stage, first, last),
    readFees(stage, holders, first, last),
    readBalances(stage, holders, first),
    readBalances(stage, holders, last),
  ])
  const lines = assets.flatMap((asset, position) =>
    holders.map((holder, index): Line => {
      const among = (side: 'from' | 'to') =>
        sum(moves.filter((move) => move.asset === asset && isAddressEqual(move[side], holder.address)))
      return {
        ...holder,
        asset,
        opening: opening[index]?.[position] ?? 0n,
        received: among('to'),
        sent: among('from'),
        gas: asset === 'ETH' ? (fees[index] ?? 0n) : 0n,
        closing: closing[index]?.[position] ?? 0n,
      }
    }),
  )
  const isHolder = (address: Address) => holders.some((one) => isAddressEqual(one.address, address))
  const outside = outsiders.flatMap((outsider) =>
    assets.flatMap((asset) => {
      const own = moves.filter((move) => move.asset === asset)
      const got = sum(own.filter(({ from, to }) => isHolder(from) && isAddressEqual(to, outsider.address)))
      const gave = sum(own.filter(({ from, to }) => isHolder(to) && isAddressEqual(from, outsider.address)))
      return got === gave ? [] : [{ ...outsider, asset, net: got - gave }]
    }),
  )
  return { lines, outside, blocks: { first, last }, addsUp: addsUp(lines, outside) }
}

const assets = ['USDC', 'WETH', 'ETH'] as const

function addsUp(lines: readonly Line[], outside: BalanceSheet['outside']): boolean {
  const isExplained = lines.every(
    ({ opening, received, sent, gas, closing }) => opening + received - sent - gas === closing,
  )
  const isWhole = assets.every((asset) => {
    const gone = lines
      .filter((line) => line.asset === asset)
      .reduce((total, { opening, gas, closing }) => total + opening - gas - closing, 0n)
    return gone === sum(outside.filter((one) => one.asset === asset).map(({ net }) => ({ amount: net })))
  })
  return isExplained && isWhole
}

function sum(moves: readonly { readonly amount: bigint }[]): bigint {
  return moves.reduce((total, { amount }) => total + amount, 0n)
}

/** Token transfers from logs, ether from transaction values. No contract in the demo sends ether inside a call. */
async function readMoves({ client, world }: Stage, first: bigint, last: bigint): Promise<readonly Move[]> {
  const { usdc, weth } = world.addresses
  const logs = await client.getLogs({
    address: [usdc, weth],
    event: getAbiItem({ abi: erc20Abi, name: 'Transfer' }),
    fromBlock: first + 1n,
    toBlock: last,
    strict: true,
  })
  const tokens = logs.map(({ address, args: { from, to, value } }): Move => {
    return { asset: isAddressEqual(address, usdc) ? 'USDC' : 'WETH', from, to, amount: value }
  })
  const ether = (await readTransactions(client, first, last)).flatMap(
    ({ from, to, value, isDone }): Move[] =>
      to && value > 0n && isDone ? [{ asset: 'ETH', from, to, amount: value }] : [],
  )
  return [...tokens, ...ether]
}

async function readFees(
  { client }: Stage,
  holders: readonly Holder[],
  first: bigint,
  last: bigint,
): Promise<readonly bigint[]> {
  const transactions = await readTransactions(client, first, last)
  return holders.map(({ address }) =>
    sum(
      transactions.filter(({ from }) => isAddressEqual(from, address)).map(({ fee: amount }) => ({ amount })),
    ),
  )
}

async function readTransactions(client: Stage['client'], first: bigint, last: bigint) {
  const numbers = Array.from({ length: Number(last - first) }, (_, index) => first + 1n + BigInt(index))
  const blocks = await Promise.all(
    numbers.map((blockNumber) => client.getBlock({ blockNumber, includeTransactions: true })),
  )
  return Promise.all(
    blocks
      .flatMap(({ transactions }) => transactions)
      .map(async ({ hash, from, to, value }) => ({ from, to, value, ...(await paidFor(client, hash)) })),
  )
}

async function paidFor(client: Stage['client'], hash: Hash) {
  const { status, gasUsed, effectiveGasPrice } = await client.getTransactionReceipt({ hash })
  return { isDone: status === 'success', fee: gasUsed * effectiveGasPrice }
}

/** USDC, WETH and ether of each holder at a block. */
function readBalances(
  { client, world }: Stage,
  holders: readonly Holder[],
  blockNumber: bigint,
): Promise<readonly (readonly bigint[])[]> {
  const { usdc, weth } = world.addresses
  return Promise.all(
    holders.map(({ address }) =>
      Promise.all([
        ...[usdc, weth].map((token) =>
          client.readContract({
            address: token,
            abi: erc20Abi,
            functionName: 'balanceOf',
            args: [address],
            blockNumber,
          }),
        ),
        client.getBalance({ address, blockNumber }),
      ]),
    ),
  )
}
