import { phaseNames } from '../../phase/phase.ts'
import type { Refusal } from '../caveatKind.ts'
import { dollarsOf, isoTime } from '../terms/words.ts'
import type { RefusalName } from './refusalTypes.ts'

type Args = readonly unknown[]

const cents = (value: unknown) => dollarsOf(value as bigint)
const micros = (value: unknown) => dollarsOf((value as bigint) / 10_000n)
const time = (value: unknown) => isoTime(value as bigint)

/** What would make it pass, where the numbers help. */
const remedies: Partial<Record<RefusalName | 'Error', string | ((args: Args) => string)>> = {
  TermsLength: 'The terms are damaged: encode them again and have the owner sign them.',
  TermsUnknown: 'The terms hold a number without a meaning: encode them again and have the owner sign them.',
  MandateMalformed: 'The mandate needs 1 to 8 assets, and fewer than 64 targets and payees.',
  CageTermsMalformed:
    'The terms are not those of a Cage of version 1: encode them again and have the owner sign them.',
  ModeNotSupported: 'Execute one plain call or a plain batch; modes that swallow failures are refused.',
  ExecutionTooShort: 'A single execution holds a target and a value before its calldata.',
  TooManyCalls: ([, max]) => `Split the batch: at most ${max} calls fit in one execution.`,
  DataMalformed: 'Encode the calldata again: it ends too early, or holds what no encoder writes.',
  TargetNotAllowed: ([target]) =>
    `Call only contracts that the owner signed; ${target} is none of them or never allowed.`,
  MethodUnknown: ([target, selector]) => `Use a method that is known for ${target}; ${selector} is not.`,
  ValueNotAllowed: 'Send native currency to a payee only, without calldata.',
  PayeeNotAllowed: ([payee]) => `Have the owner sign ${payee} as a payee; the account itself never is one.`,
  SpenderNotAllowed: ([spender]) => `Approve a listed router, position manager or vault; ${spender} is none.`,
  AssetNotTracked: ([token]) => `Have the owner add ${token} to the assets.`,
  NothingToDo: 'Put at least one call into the execution.',
  MoreThanOneClass: 'Do it in several executions: one execution moves value in one way.',
  RecipientNotAccount: ([recipient]) => `Let the value return to the account itself, not to ${recipient}.`,
  ZeroInput: 'Name the amount that goes in: zero means "all" to the router.',
  PoolNotAllowed: ([pool]) => `Add liquidity to one signed pool; ${pool} is none.`,
  PositionNotOwned: ([id]) => `Position ${id} is not the account's: add to one that is.`,
  ClassNotAllowedInPhase: ([, phase]) =>
    `In phase ${phaseNames[Number(phase)] ?? phase} this kind of action does not run; the owner can reset the phase by a signature.`,
  ClassNotAllowed: 'Have the owner sign for this class of action.',
  MethodNotAllowed: 'Have the owner sign for this method.',
  PairNotAllowed: 'Have the owner sign for this direction of swap.',
  OutsideWindow: ([now, start, end]) =>
    (now as bigint) < (start as bigint)
      ? `Wait until ${time(start)}.`
      : `The time ended at ${time(end)}: have the owner sign a later end.`,
  TooSoon: ([last, interval]) => `Wait until ${time((last as bigint) + (interval as bigint))}.`,
  CallsUsedUp: ([calls]) => `All ${calls} executions are used up: have the owner sign for more.`,
  GolemNotAlive: 'Register the Golem; one that is dead never acts again.',
  GolemDreaming: 'Wait until the Golem is awake.',
  MoodOutOfBounds: 'Wait until the Golem is in the signed state of mind.',
  AssetTwice: ([token]) => `Sign terms in which ${token} stands once.`,
  ApprovalLeft: ([token, spender]) => `End the batch by approving ${spender} for zero of ${token}.`,
  SpendLimitExceeded: ([spent, asked, limit]) =>
    `Spend at most ${cents(room(limit, spent))} now, not ${cents(asked)}: ${cents(spent)} of ${cents(limit)} are spent, and free again within 28 hours.`,
  AllowanceExceeded: ([spent, asked, allowed]) =>
    `Spend at most ${cents(room(allowed, spent))}, not ${cents(asked)}: ${cents(spent)} of ${cents(allowed)} are spent for good.`,
  SizeExceeded: ([asked, max, phase]) =>
    `Take at most ${cents(max)} at once, not ${cents(asked)}, in phase ${phaseNames[Number(phase)] ?? phase}.`,
  NavExceeded: ([out, limit]) => `Take at most ${micros(limit)} at once, not ${micros(out)}.`,
  SlippageExceeded: ([out, came, bps]) =>
    `The swap took ${micros(out)} and brought ${micros(came)}: find one that costs at most ${bps} basis points.`,
  SpotUnfair: 'Wait until the pool trades near the feeds.',
  RoyaltyUnpaid: ([token, , paid, due]) =>
    `Pay the author ${due} of ${token} in the same batch, not ${paid}.`,
  NoAnswer: ([who]) => `Nothing can be done while ${who} does not answer.`,
  FeedUnavailable: ([feed]) => `Wait until the feed ${feed} answers.`,
  FeedStale: ([feed]) => `Wait until the feed ${feed} posts a new price.`,
  FeedNotPositive: ([feed]) => `Wait until the feed ${feed} posts a price above zero.`,
  SequencerDown: 'Wait until the rollup has been up for an hour.',
  ConstitutionNotFound: ([hash]) => `Enact the constitution ${hash} first.`,
  AssetNotApproved: ([, asset]) => `The constitution does not approve ${asset}.`,
  TransactionLimitExceeded: ([asked, limit]) => `Spend at most ${cents(limit)} at once, not ${cents(asked)}.`,
  SessionLimitExceeded: ([, limit]) => `Wait for the next session: this one is bounded by ${cents(limit)}.`,
  DayLimitExceeded: ([, limit]) => `Wait: any 24 hours are bounded by ${cents(limit)}.`,
  ConcentrationExceeded: ([asset, , , bps]) =>
    `Hold at most ${bps} basis points of the portfolio in ${asset}.`,
  DrawdownExceeded:
    'Close positions only, until the portfolio has recovered or the owner signs a new constitution.',
  TooFewSigners: ([signed, threshold]) => `Collect ${threshold} signatures; there are ${signed}.`,
  SignatureInvalid: ([key]) => `Have ${key} sign exactly this execution.`,
  NonceUsed: 'Have the keys sign again with a new nonce.',
}

/** A sentence for a person. */
export function remedyFor({ name, args }: Refusal): string {
  const remedy = remedies[name as RefusalName]
  if (typeof remedy === 'function') return args.length === 0 ? `Refused: ${name}.` : remedy(args)
  return remedy ?? `Refused: ${name}(${args.join(', ')}).`
}

function room(limit: unknown, spent: unknown): bigint {
  const left = (limit as bigint) - (spent as bigint)
  return left > 0n ? left : 0n
}
