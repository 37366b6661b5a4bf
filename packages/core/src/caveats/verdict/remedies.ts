import { formatDuration } from '../../format/duration.ts'
import { formatAmount, formatShortDollars } from '../../format/money.ts'
import { isoTime } from '../../format/time.ts'
import { phaseNames } from '../../phase/phase.ts'
import type { Refusal } from '../caveatKind.ts'
import { selectorOf } from '../execution/digits.ts'
import { periodOf } from '../terms/words.ts'
import type { RefusalName } from './refusalTypes.ts'

type Args = readonly unknown[]

const cents = (value: unknown) => formatShortDollars(value as bigint)
const micros = (value: unknown) => formatShortDollars((value as bigint) / 10_000n)
const micro = (value: unknown) => formatAmount(value as bigint, 6)
const time = (value: unknown) => isoTime(value as bigint)

/** Methods that common SDKs add to a batch and that no caveat can limit. */
const commonMethods = [
  'selfPermit(address,uint256,uint256,uint8,bytes32,bytes32)',
  'selfPermitAllowed(address,uint256,uint256,uint8,bytes32,bytes32)',
  'unwrapWETH9(uint256)',
  'unwrapWETH9(uint256,address)',
  'refundETH()',
  'sweepToken(address,uint256)',
  'sweepToken(address,uint256,address)',
  'swapExactTokensForTokens(uint256,uint256,address[],address)',
  'swapTokensForExactTokens(uint256,uint256,address[],address)',
  'multicall(bytes32,bytes[])',
]
const namesBySelector = new Map(
  commonMethods.map((signature) => [selectorOf(signature), signature.split('(')[0]] as const),
)

function methodName(selector: unknown): string {
  const name = [...namesBySelector].find(([known]) => known === selector)?.[1]
  return name === undefined ? `${selector}` : `${name} (${selector})`
}

function navRemedy([out, limit]: Args): string {
  return `Spend at most ${micros(limit)} per action, not ${micros(out)}.`
}

/** A total's window drops an amount when its seventh bucket (of a sixth of the period each) has passed. */
function freeAgain(period: unknown): string {
  const seconds = Number(period)
  return seconds === 0
    ? 'This budget does not renew: have the owner sign a larger total.'
    : `Free again: within ${formatDuration((seconds / 6) * 7)}.`
}

/** What would make the execution pass, with the numbers where they help. */
const remedies: Partial<Record<RefusalName | 'Error', string | ((args: Args) => string)>> = {
  TermsLength: 'The terms are damaged: encode them again and have the owner sign them.',
  TermsUnknown: 'The terms contain an undefined value: encode them again and have the owner sign them.',
  MandateMalformed:
    'The mandate holds at most 8 assets (in version 1 at least one), and fewer than 64 targets and payees.',
  CageTermsMalformed: ([version, , length, expected]) =>
    `The terms are not those of this Cage (version ${version}, ${length} bytes, ${expected} expected): encode them again for the version of its enforcer and have the owner sign them.`,
  TotalsMalformed: ([count, period, cents]) =>
    `Sign 1 to 4 totals by ascending period, each 0 or a multiple of 6 seconds of at least a day, and from 1 cent to 2^28 − 1; these are ${count}, one of them ${cents} cents in ${period} seconds.`,
  FloorsMalformed: ([count, vault, floor]) =>
    `Sign 1 to 8 floors by ascending vault, none of them zero; these are ${count}, one of them ${floor} for ${vault}.`,
  ModeNotSupported: 'Execute one plain call or a plain batch; modes that swallow failures are refused.',
  ExecutionTooShort: 'A single execution holds a target and a value before its calldata.',
  TooManyCalls: ([, max]) => `Split the batch: at most ${max} calls fit in one execution.`,
  DataMalformed: 'Encode the calldata again: it is too short or malformed.',
  TargetNotAllowed: ([target]) =>
    `Call only contracts that the owner signed; ${target} is not one of them, or can never be a target.`,
  MethodUnknown: ([target, selector]) =>
    `Use a method that Bardo can limit on ${target}: exact-input swaps of Uniswap V3, approvals, ERC-4626 deposits and withdrawals. ${methodName(selector)} cannot be limited.`,
  CommandNotSupported: ([commands]) =>
    `Send the universal router one command, 0x00 (V3_SWAP_EXACT_IN), that the account itself pays; ${commands} is not that.`,
  ValueNotAllowed: 'Send native currency to a payee only, without calldata.',
  PayeeNotAllowed: ([payee]) => `Have the owner sign ${payee} as a payee; the account itself never is one.`,
  SpenderNotAllowed: ([spender]) =>
    `Approve a listed router, position manager or vault; ${spender} is not one.`,
  AssetNotTracked: ([token]) => `Have the owner add ${token} to the assets.`,
  NothingToDo: 'Put at least one call into the execution.',
  MoreThanOneClass: 'Do it in several executions: one execution moves value in one way.',
  MoreThanOneVault: ([vault]) => `Withdraw from one vault per execution, and from ${vault} in another one.`,
  AmountNotSupported: ([amount]) => `Use an amount that fits in 127 bits; ${amount} does not.`,
  RecipientNotAccount: ([recipient]) => `Send the output to the account itself, not to ${recipient}.`,
  ZeroInput: 'Set the input amount: the router reads zero as "all".',
  PoolNotAllowed: ([pool]) => `Add liquidity to one signed pool; ${pool} is not one.`,
  PositionNotOwned: ([id]) => `Position ${id} does not belong to the account: use one that does.`,
  ClassNotAllowedInPhase: ([, phase]) =>
    `This kind of action is not allowed in phase ${phaseNames[Number(phase)] ?? phase}; the owner can reset the phase by a signature.`,
  ClassNotAllowed: 'Have the owner sign for this class of action.',
  MethodNotAllowed: 'Have the owner sign for this method.',
  PairNotAllowed: 'Have the owner sign for this direction of swap.',
  OutsideWindow: ([now, start, end]) =>
    (now as bigint) < (start as bigint)
      ? `Wait until ${time(start)}.`
      : `The permission ended at ${time(end)}: have the owner sign a later end.`,
  TooSoon: ([last, interval]) => `Wait until ${time((last as bigint) + (interval as bigint))}.`,
  CallsUsedUp: ([calls]) => `All ${calls} executions are used up: have the owner sign for more.`,
  GolemNotAlive: 'Register the Golem. A dead Golem cannot act again.',
  GolemDreaming: 'Wait until the Golem is awake.',
  MoodOutOfBounds: ([pleasure, arousal, dominance]) =>
    `Wait until the Golem is in the signed emotional state: it has pleasure ${pleasure}, arousal ${arousal} and dominance ${dominance}, which halve every 6 hours. Closing positions does not depend on it.`,
  AssetTwice: ([token]) => `Sign terms that list ${token} once.`,
  ApprovalLeft: ([token, spender]) => `End the batch by approving ${spender} for zero of ${token}.`,
  SpendLimitExceeded: ([spent, asked, limit]) =>
    `Spend at most ${cents(room(limit, spent))} now, not ${cents(asked)}: ${cents(spent)} of ${cents(limit)} are spent, and free again within 28 hours.`,
  TotalExceeded: ([period, spent, asked, limit]) =>
    `Spend at most ${cents(room(limit, spent))} now, not ${cents(asked)}: ${cents(spent)} of ${cents(limit)} are spent in ${periodOf(Number(period))}. ${freeAgain(period)}`,
  GasLimitExceeded: ([spent, asked, limit]) =>
    `Draw at most ${micro(room(limit, spent))} of the native currency for gas now, not ${micro(asked)}: ${micro(spent)} of ${micro(limit)} are drawn. Free again: within 28 hours.`,
  BelowFloor: ([vault, came, owed]) =>
    `${vault} returned ${came} base units of its asset; the signed floor requires ${owed}, and the day's limit does not cover the difference: withdraw fewer shares, wait until the vault returns more, or let the owner close the position.`,
  NotDelegationManager: ([caller]) =>
    `Redeem through the DelegationManager that the enforcer was deployed for, with the caveat outside of any LogicalOrWrapper; ${caller} called.`,
  AllowanceExceeded: ([spent, asked, allowed]) =>
    `Spend at most ${cents(room(allowed, spent))}, not ${cents(asked)}: ${cents(spent)} of ${cents(allowed)} are spent, and this budget does not renew.`,
  SizeExceeded: ([asked, max, phase]) =>
    `Spend at most ${cents(max)} per action in phase ${phaseNames[Number(phase)] ?? phase}, not ${cents(asked)}.`,
  NAVExceeded: navRemedy,
  NavExceeded: navRemedy,
  SlippageExceeded: ([out, came, bps]) =>
    `The swap took ${micros(out)} and returned ${micros(came)}: find one that costs at most ${bps} basis points.`,
  SpotUnfair: 'Wait until the pool trades near the price feeds.',
  RoyaltyUnpaid: ([token, , paid, due]) =>
    `Pay the author ${due} of ${token} in the same batch, not ${paid}.`,
  NoAnswer: ([who]) => `Wait until the contract ${who} answers.`,
  FeedUnavailable: ([feed]) => `Wait until the price feed ${feed} answers.`,
  FeedStale: ([feed]) => `Wait until the price feed ${feed} posts a new price.`,
  FeedNotPositive: ([feed]) => `Wait until the price feed ${feed} posts a price above zero.`,
  SequencerDown: 'Wait until the rollup has been up for an hour.',
  ConstitutionNotFound: ([hash]) => `Enact the constitution ${hash} first.`,
  AssetNotApproved: ([, asset]) => `The constitution does not approve ${asset}.`,
  TransactionLimitExceeded: ([asked, limit]) =>
    `Spend at most ${cents(limit)} per action, not ${cents(asked)}.`,
  SessionLimitExceeded: ([, limit]) => `Wait for the next session: the limit of this one is ${cents(limit)}.`,
  DayLimitExceeded: ([, limit]) => `Wait: the limit for any 24 hours is ${cents(limit)}.`,
  ConcentrationExceeded: ([asset, , , bps]) =>
    `Hold at most ${bps} basis points of the portfolio in ${asset}.`,
  DrawdownExceeded:
    'Close positions only, until the portfolio has recovered or the owner signs a new constitution.',
  TooFewSigners: ([signed, threshold]) => `Collect ${threshold} signatures; there are ${signed}.`,
  SignatureInvalid: ([key]) => `Have ${key} sign exactly this execution.`,
  NonceUsed: 'Have the keys sign again with a new nonce.',
}

/**
 * One sentence for a person that says what would make the execution pass.
 *
 * @example
 * remedyFor({ name: 'TooFewSigners', args: [1n, 2n], data: '0x' }) // 'Collect 2 signatures; there are 1.'
 */
export function remedyFor({ name, args }: Refusal): string {
  const remedy = remedies[name as RefusalName]
  if (typeof remedy === 'function') return args.length === 0 ? `Refused: ${name}.` : remedy(args)
  return remedy ?? `Refused: ${name}(${args.join(', ')}).`
}

function room(limit: unknown, spent: unknown): bigint {
  const left = (limit as bigint) - (spent as bigint)
  return left > 0n ? left : 0n
}
