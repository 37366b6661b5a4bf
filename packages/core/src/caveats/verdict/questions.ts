import { type Address, type Hex, zeroAddress } from 'viem'
import type { Row } from '../boundKind.ts'
import type { Read } from '../caveatKind.ts'
import { addressWord, type Digits, digitsOf, plainAddress, zeroWord } from '../execution/digits.ts'
import { question } from './staticRead.ts'

/** The key of a lineage's row. */
export type RowKey = Pick<Row, 'manager' | 'enforcer' | 'delegator' | 'rules'>

/** Every read that an evaluation may need. */
export const questions = {
  // Tokens.
  balanceOf: question('balanceOf(address)'),
  allowance: question('allowance(address,address)'),
  permit2Allowance: question('allowance(address,address,address)'),

  // ERC-4626 vaults.
  asset: question('asset()'),
  previewMint: question('previewMint(uint256)'),
  totalAssets: question('totalAssets()'),
  convertToAssets: question('convertToAssets(uint256)'),

  // Uniswap V3.
  slot0: question('slot0()'),
  token0: question('token0()'),
  token1: question('token1()'),
  factory: question('factory()'),
  getPool: question('getPool(address,address,uint24)'),
  ownerOf: question('ownerOf(uint256)'),
  positions: question('positions(uint256)'),

  // Bardo's own.
  dependencies: question('dependencies()'),
  delegationManager: question('delegationManager()'),
  vitals: question('vitals()'),
  policyCage: question('policyCage()'),
  vitalsOf: question('vitalsOf(bytes32)'),
  constitutionOf: question('constitutionOf(bytes32)'),
} as const

/** The read of a lineage's row in each version. In version 1 the manager is the first word of the key. */
const rowQuestions = {
  1: {
    lineageState: question('lineageState(address,address,bytes32,bytes32)'),
    budget: question('budget(address,address,bytes32)'),
    session: question('session(address,address,bytes32)'),
    highWaterCents: question('highWaterCents(address,address,bytes32,bytes32)'),
    lastExecution: question('lastExecution(address,address,bytes32)'),
    spentCents: question('spentCents(address,address,bytes32)'),
    isNonceUsed: question('isNonceUsed(address,address,bytes32,uint256)'),
  },
  2: {
    lineageState: question('lineageState(address,bytes32,bytes32,uint256)'),
    budget: question('budget(address,bytes32)'),
    session: question('session(address,bytes32)'),
    highWaterCents: question('highWaterCents(address,bytes32,bytes32)'),
    lastExecution: question('lastExecution(address,bytes32)'),
    spentCents: question('spentCents(address,bytes32)'),
    isNonceUsed: question('isNonceUsed(address,bytes32,uint256)'),
  },
} as const

/**
 * A read of a lineage's row.
 *
 * @param words - the arguments after the row's key
 */
export function rowQuestion(
  { manager, enforcer, delegator, rules = 2 }: RowKey,
  name: keyof (typeof rowQuestions)[2],
  lineage: Hex,
  ...words: readonly Digits[]
): Read {
  const [to, account, id] = [plainAddress(enforcer), addressWord(delegator), digitsOf(lineage)]
  return rules === 1
    ? rowQuestions[1][name](to, addressWord(manager), account, id, ...words)
    : rowQuestions[2][name](to, account, id, ...words)
}

// The same address on every supported chain; an `eth_call` cannot read a native balance in another way.
const multicall3: Address = '0xca11bde05977b3631167028862be2a173976ca11'
const ethBalance = question('getEthBalance(address)')

/**
 * An account's balance of a token, or of native currency if the token is zero.
 *
 * @example
 * const state = await readState(client, deployment, [balanceRead(usdc, account)])
 */
export function balanceRead(token: Address, account: Address): Read {
  return token === zeroAddress
    ? ethBalance(multicall3, addressWord(account))
    : questions.balanceOf(token, addressWord(account))
}

const latestRoundData = question('latestRoundData()')

/** A feed's latest round. The enforcers append one extra word, which a feed ignores. */
export function feedRead(feed: Address): Read {
  return latestRoundData(feed, zeroWord)
}
