import { type Address, zeroAddress } from 'viem'
import type { Read } from '../caveatKind.ts'
import { addressWord, wordOf } from '../execution/digits.ts'
import { question } from './ask.ts'

/** Everything that an evaluation may want to know of the chain. */
export const questions = {
  // Tokens.
  balanceOf: question('balanceOf(address)'),
  allowance: question('allowance(address,address)'),
  permit2Allowance: question('allowance(address,address,address)'),

  // ERC-4626 vaults.
  asset: question('asset()'),
  previewMint: question('previewMint(uint256)'),
  totalAssets: question('totalAssets()'),

  // Uniswap V3.
  slot0: question('slot0()'),
  token0: question('token0()'),
  token1: question('token1()'),
  factory: question('factory()'),
  getPool: question('getPool(address,address,uint24)'),
  ownerOf: question('ownerOf(uint256)'),
  positions: question('positions(uint256)'),

  // Bardo's own.
  vitals: question('vitals()'),
  policyCage: question('policyCage()'),
  vitalsOf: question('vitalsOf(bytes32)'),
  constitutionOf: question('constitutionOf(bytes32)'),
  lineageState: question('lineageState(address,address,bytes32,bytes32)'),
  budget: question('budget(address,address,bytes32)'),
  session: question('session(address,address,bytes32)'),
  highWaterCents: question('highWaterCents(address,address,bytes32,bytes32)'),
  lastExecution: question('lastExecution(address,address,bytes32)'),
  spentCents: question('spentCents(address,address,bytes32)'),
  isNonceUsed: question('isNonceUsed(address,address,bytes32,uint256)'),
} as const

// The same at every chain that Bardo knows; an `eth_call` has no other way to learn a balance of native currency.
const multicall3: Address = '0xca11bde05977b3631167028862be2a173976ca11'
const ethBalance = question('getEthBalance(address)')

/** How much an account holds of a token, or of native currency where the token is zero. */
export function balanceRead(token: Address, account: Address): Read {
  return token === zeroAddress
    ? ethBalance(multicall3, addressWord(account))
    : questions.balanceOf(token, addressWord(account))
}

const latestRoundData = question('latestRoundData()')

/** A feed's last round. The word behind is what the enforcers send along, and a feed has no use for. */
export function feedRead(feed: Address): Read {
  return latestRoundData(feed, wordOf(0))
}
