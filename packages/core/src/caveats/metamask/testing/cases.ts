import {
  type Address,
  concatHex,
  encodeAbiParameters,
  encodeFunctionData,
  erc20Abi,
  erc721Abi,
  type Hex,
  numberToHex,
  zeroAddress,
} from 'viem'
import type { Call } from '../../../redemption/encodeExecution.ts'
import { encodePicked, logicalOrWrapper } from '../logicalOrWrapper.ts'
import type { Random } from './random.ts'

/** The addresses that cases use. */
export type Cast = {
  readonly usdc: Address
  readonly weth: Address
  /** Answers every call with the word in its first slot. */
  readonly collection: Address
  readonly accounts: readonly Address[]
  readonly now: bigint
  readonly block: bigint
  /** Numbers that limit amounts. Default: small ones. */
  readonly amounts?: readonly bigint[]
}

const permit2: Address = '0x000000000022d473030f116ddee9f6b43ac78ba3'
const max = (1n << 256n) - 1n
const word = (value: bigint) => numberToHex(value, { size: 32 })
const half = (value: bigint) => numberToHex(value, { size: 16 })
const inner = (digit: string) => ({ enforcer: `0x${digit.repeat(40)}` as Address, terms: '0x1234' as Hex })
const { encode: groups } = logicalOrWrapper(() => undefined)
const twoGroups = groups({ groups: [[inner('a')], [inner('b')]] })
const oneGroup = groups({ groups: [[inner('a')]] })
const smallAmounts = [0n, 1n, 9n, 10n, 11n, 20n, max]
const modes: readonly Hex[] = [
  '0x0000000000000000000000000000000000000000000000000000000000000000',
  '0x0100000000000000000000000000000000000000000000000000000000000000',
  '0x0001000000000000000000000000000000000000000000000000000000000000',
  '0x0101000000000000000000000000000000000000000000000000000000000000',
  '0x000000000000000000000000000000000000000000000000000000000000beef',
  '0xff00000000000000000000000000000000000000000000000000000000000000',
]

/** A random call, usually one that some stock enforcer accepts. */
export function randomCall(random: Random, cast: Cast): Required<Call> {
  const to = random.pick(cast.accounts)
  const amount = random.pick([1n, 9n, 10n, 11n, 5n, max])
  const transfer = encodeFunctionData({ abi: erc20Abi, functionName: 'transfer', args: [to, amount] })
  const data = random.pick<Hex>([
    '0x',
    '0xa9059c',
    '0xa9059cbb',
    transfer,
    transfer,
    transfer,
    transfer,
    `${transfer}00`,
    encodeFunctionData({ abi: erc20Abi, functionName: 'approve', args: [to, amount] }),
    `0x42842e0e${encodeFunctionData({
      abi: erc721Abi,
      functionName: 'transferFrom',
      args: [random.pick([to, zeroAddress]), random.pick([to, to, to, zeroAddress]), random.pick([7n, 8n])],
    }).slice(10)}`,
    encodeFunctionData({
      abi: erc721Abi,
      functionName: 'transferFrom',
      args: [to, to, random.pick([7n, 8n])],
    }),
    concatHex(['0xb88d4fde', word(max), word(5n), word(7n)]),
    encodeFunctionData({
      abi: erc20Abi,
      functionName: 'approve',
      args: [random.pick([to, zeroAddress]), 0n],
    }),
    concatHex(['0xa22cb465', word(BigInt(to)), word(random.pick([0n, 0n, 1n]))]),
    concatHex([
      '0x87517c45',
      word(1n),
      word(2n),
      word(random.pick([0n, 1n])),
      word(random.pick([0n, 0n, 1n])),
    ]),
    random.pick<Hex>(['0xcc53287f', '0x65d9723c']),
    concatHex(['0xf2fde38b', word(BigInt(to))]),
    concatHex(['0xf2fde38c', word(BigInt(to))]),
  ])
  const isPermit2 = ['0x87517c45', '0xcc53287f', '0x65d9723c'].includes(data.slice(0, 10))
  const target =
    isPermit2 && random.chance(0.7) ? permit2 : random.pick([cast.usdc, cast.usdc, cast.usdc, cast.weth, to])
  return { to: target, value: random.pick([0n, 0n, 1n, 9n, 10n, 11n]), data }
}

const executionsType = [
  {
    type: 'tuple[]',
    components: [
      { name: 'target', type: 'address' },
      { name: 'value', type: 'uint256' },
      { name: 'callData', type: 'bytes' },
    ],
  },
] as const

/** The bytes of a single execution. */
export const packed = ({ to, value, data }: Required<Call>): Hex => concatHex([to, word(value), data])
/** The bytes of a batch. */
export const batched = (calls: readonly Required<Call>[]): Hex =>
  encodeAbiParameters(executionsType, [
    calls.map(({ to, value, data }) => ({ target: to, value, callData: data })),
  ])

/** Damaged bytes: cut, extended, or with one byte changed. */
function damaged(bytes: Hex, random: Random): Hex {
  const length = (bytes.length - 2) / 2
  const at = random.below(length + 1)
  const other = random.pick(['00', '01', 'ff'])
  switch (random.below(4)) {
    case 0:
      return `0x${bytes.slice(2, 2 + at * 2)}`
    case 1:
      return `${bytes}${other}`
    case 2:
      return `0x${bytes.slice(2, -2)}`
    default:
      return length === 0
        ? bytes
        : (`0x${bytes.slice(2, 2 + at * 2)}${other}${bytes.slice(4 + at * 2)}`.slice(0, bytes.length) as Hex)
  }
}

/** One call of one enforcer. */
export type Case = { readonly terms: Hex; readonly mode: Hex; readonly calldata: Hex; readonly args: Hex }

/** Enforcers that accept only a few methods. */
const caps = new Set([
  'ERC20PeriodTransfer',
  'ERC20TransferAmount',
  'ERC20Streaming',
  'MultiTokenPeriod',
  'SpecificActionERC20TransferBatch',
  'ApprovalRevocation',
  'ERC721Transfer',
])

function fittingCall(name: string, random: Random, cast: Cast): Required<Call> {
  const to = random.pick(cast.accounts)
  const value = random.pick([1n, 2n, 5n, 9n, 10n, 11n])
  if (name === 'ApprovalRevocation') {
    const data = encodeFunctionData({ abi: erc20Abi, functionName: 'approve', args: [to, 0n] })
    return { to: cast.usdc, value: 0n, data }
  }
  if (name === 'ERC721Transfer') {
    const data = concatHex(['0x23b872dd', word(BigInt(to)), word(BigInt(to)), word(7n)])
    return { to: cast.usdc, value: 0n, data }
  }
  if (name === 'MultiTokenPeriod' && random.chance(0.3)) return { to, value, data: '0x' }
  const data = encodeFunctionData({ abi: erc20Abi, functionName: 'transfer', args: [to, value] })
  return { to: cast.usdc, value: 0n, data }
}

/** A random case for the enforcer with this name, near its limits. */
export function randomCase(name: string, random: Random, cast: Cast): Case {
  const count = name.startsWith('SpecificAction') && random.chance(0.8) ? 2 : 1 + random.below(3)
  const calls = Array.from({ length: count }, () =>
    caps.has(name) && random.chance(0.7) ? fittingCall(name, random, cast) : randomCall(random, cast),
  )
  const call = calls[0] ?? randomCall(random, cast)
  const { terms, batch = false, args = '0x' } = termsFor(name, random, cast, call, calls)
  const wanted = batch ? modes[1] : modes[0]
  const mode = random.chance(0.85) && wanted ? wanted : random.pick(modes)
  const calldata = batch ? batched(calls) : packed(call)
  return {
    terms: random.chance(0.1) ? damaged(terms, random) : terms,
    mode,
    calldata: random.chance(0.1) ? damaged(calldata, random) : calldata,
    args: random.chance(0.1) ? damaged(args, random) : args,
  }
}

/** Terms for the enforcer with this name, near what these calls do. */
export function termsFor(
  name: string,
  random: Random,
  cast: Cast,
  call: Required<Call>,
  calls: readonly Required<Call>[],
): { terms: Hex; batch?: boolean; args?: Hex } {
  const { usdc, weth, collection, accounts, now, block, amounts = smallAmounts } = cast
  const one = random.pick(accounts)
  const amount = random.pick(amounts)
  const start = random.pick([0n, 1n, now - 1n, now, now + 1n, now - 100n, now - 1000n, now - 1000n, max])
  const length = random.pick([0n, 1n, 60n, 86_400n, max])
  const near = (value: bigint) => random.pick([0n, value - 1n, value, value + 1n])
  const stream = [
    word(random.pick(cast.amounts ?? [0n, 1n, 10n, 20n])),
    word(random.pick(cast.amounts ? [...cast.amounts, max, max] : [0n, 10n, 11n, 20n, max])),
    word(random.pick([0n, 1n, max])),
    word(start),
  ]
  const period = [word(random.pick(amounts)), word(length), word(start)]
  const change = random.pick<Hex>(['0x00', '0x01', '0x02'])
  switch (name) {
    case 'AllowedTargets':
      return { terms: concatHex(random.pick([[usdc], [usdc, weth], [weth], [one, usdc]])) }
    case 'AllowedMethods':
      return { terms: random.pick<Hex>(['0xa9059cbb', '0xa9059cbb095ea7b3', '0x095ea7b3', '0x']) }
    case 'AllowedCalldata': {
      const at = random.pick([0, 4, 36])
      const part: Hex = `0x${call.data.slice(2 + at * 2, 2 + at * 2 + 2 * random.pick([1, 4, 32, 33]))}`
      return { terms: concatHex([word(random.chance(0.9) ? BigInt(at) : max), part]) }
    }
    case 'Timestamp':
      return { terms: concatHex([half(near(now)), half(near(now))]) }
    case 'BlockNumber':
      return { terms: concatHex([half(near(block)), half(near(block))]) }
    case 'LimitedCalls':
      return { terms: word(random.pick([0n, 1n, 2n, 3n, max])) }
    case 'ERC20PeriodTransfer':
      return { terms: concatHex([random.pick([usdc, usdc, usdc, weth]), ...period]) }
    case 'NativeTokenPeriodTransfer':
      return { terms: concatHex(period) }
    case 'MultiTokenPeriod':
      return {
        terms: concatHex([
          usdc,
          ...period,
          zeroAddress,
          word(10n),
          word(60n),
          word(now - 60n),
          usdc,
          word(10n),
          word(60n),
          word(now - 60n),
        ]),
        args: word(random.pick([0n, 1n, 2n, 2n, 3n])),
      }
    case 'ERC20TransferAmount':
      return { terms: concatHex([random.pick([usdc, usdc, usdc, weth]), word(amount)]) }
    case 'NativeTokenTransferAmount':
    case 'ValueLte':
      return { terms: word(amount) }
    case 'Redeemer':
      return { terms: concatHex(random.pick([[one], accounts, [usdc]])) }
    case 'Nonce':
      return { terms: word(random.pick([0n, 1n])) }
    case 'Id':
      return { terms: word(random.pick([0n, 1n, 2n, 255n, 256n, max])) }
    case 'ApprovalRevocation':
      return { terms: random.pick<Hex>(['0x3f', '0x01', '0x07', '0x38', '0x00', '0x40']) }
    case 'Deployed':
      return { terms: concatHex([usdc, word(random.pick([1n, 2n])), '0x6001']) }
    case 'NativeTokenPayment':
      return { terms: concatHex([one, word(random.pick([1n, 2n]))]) }
    case 'LogicalOrWrapper':
      return { terms: random.pick([twoGroups, oneGroup]), args: encodePicked(random.pick([0n, 1n]), ['0x']) }
    case 'ArgsEqualityCheck':
      return { terms: '0x1234', args: random.pick<Hex>(['0x1234', '0x', '0x123400', '0x1235']) }
    case 'ExactCalldata':
      return { terms: random.chance(0.6) ? call.data : '0xa9059cbb' }
    case 'ExactExecution':
      return { terms: random.chance(0.6) ? packed(call) : packed({ ...call, value: call.value + 1n }) }
    case 'ExactExecutionBatch':
    case 'ExactCalldataBatch': {
      const signed = random.pick([
        calls,
        calls,
        calls.slice(1),
        calls.map((each) => ({ ...each, value: each.value + 1n })),
        calls.map((each) => ({ ...each, data: `${each.data}00` as Hex })),
      ])
      return { terms: batched(signed), batch: true }
    }
    case 'SpecificActionERC20TransferBatch': {
      const [first = call, second = call] = calls
      const [to, sent] =
        second.data.length === 138
          ? [`0x${second.data.slice(34, 74)}` as Hex, BigInt(`0x${second.data.slice(74)}`)]
          : [one, 1n]
      return { terms: concatHex([second.to, to, word(sent), first.to, first.data]), batch: true }
    }
    case 'ERC20Streaming':
      return { terms: concatHex([random.pick([usdc, usdc, usdc, weth]), ...stream]) }
    case 'NativeTokenStreaming':
      return { terms: concatHex(stream) }
    case 'ERC721Transfer':
      return { terms: concatHex([usdc, word(7n)]) }
    case 'OwnershipTransfer':
      return { terms: usdc }
    case 'ERC20BalanceChange':
    case 'ERC721BalanceChange':
      return {
        terms: concatHex([change, random.pick([usdc, usdc, usdc, one]), one, word(random.pick(amounts))]),
      }
    case 'ERC1155BalanceChange':
      return {
        terms: concatHex([
          change,
          random.pick([collection, collection, one]),
          one,
          word(1n),
          word(random.pick(amounts)),
        ]),
      }
    case 'NativeBalanceChange':
      return { terms: concatHex([change, one, word(random.pick(amounts))]) }
    default:
      return { terms: '0x' }
  }
}
