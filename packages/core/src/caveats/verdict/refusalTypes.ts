/**
 * Every error of Bardo's enforcers with its argument types. A test compares this with the contracts' ABIs.
 */
export const refusalTypes = {
  // Terms.
  TermsLength: ['uint256', 'uint256'],
  TermsUnknown: ['uint256'],
  MandateMalformed: ['uint256', 'uint256', 'uint256'],
  CageTermsMalformed: ['uint256', 'uint256', 'uint256', 'uint256'],
  TotalsMalformed: ['uint256', 'uint256', 'uint256'],
  FloorsMalformed: ['uint256', 'address', 'uint256'],
  ThresholdMalformed: ['uint256', 'uint256'],
  KeysNotAscending: ['address', 'address'],

  // The execution's shape.
  ModeNotSupported: ['bytes32'],
  ExecutionTooShort: ['uint256'],
  TooManyCalls: ['uint256', 'uint256'],
  DataMalformed: ['uint256', 'uint256'],

  // Calls.
  TargetNotAllowed: ['address'],
  TargetKindUnknown: ['uint256'],
  MethodUnknown: ['address', 'bytes4'],
  ValueNotAllowed: ['address', 'uint256'],
  PayeeNotAllowed: ['address'],
  SpenderNotAllowed: ['address'],
  AssetNotTracked: ['address'],
  NothingToDo: [],
  MoreThanOneClass: ['uint256'],
  MoreThanOneVault: ['address'],
  TooManyApprovals: ['uint256'],
  AmountNotSupported: ['uint256'],
  RecipientNotAccount: ['address'],
  ZeroInput: [],
  PathMalformed: ['uint256'],
  CommandNotSupported: ['bytes'],
  NestedTooDeep: ['address'],
  PoolNotAllowed: ['address'],
  PositionNotOwned: ['uint256', 'address'],

  // What the owner signed.
  ClassNotAllowedInPhase: ['uint256', 'uint256'],
  ClassNotAllowed: ['uint256', 'uint256'],
  MethodNotAllowed: ['uint256', 'uint256'],
  PairNotAllowed: ['uint256', 'uint256'],

  // Time and state.
  OutsideWindow: ['uint256', 'uint256', 'uint256'],
  TooSoon: ['uint256', 'uint256'],
  CallsUsedUp: ['uint256'],
  GolemNotAlive: ['bytes32'],
  GolemDreaming: ['bytes32'],
  MoodOutOfBounds: ['int8', 'int8', 'int8'],

  // Money.
  AssetTwice: ['address'],
  BalanceNotSupported: ['address', 'uint256'],
  ApprovalLeft: ['address', 'address', 'uint256'],
  SpendLimitExceeded: ['uint256', 'uint256', 'uint256'],
  TotalExceeded: ['uint256', 'uint256', 'uint256', 'uint256'],
  GasLimitExceeded: ['uint256', 'uint256', 'uint256'],
  BelowFloor: ['address', 'uint256', 'uint256'],
  AllowanceExceeded: ['uint256', 'uint256', 'uint256'],
  SizeExceeded: ['uint256', 'uint256', 'uint256'],
  NAVExceeded: ['uint256', 'uint256'],
  /** The name in version 1. */
  NavExceeded: ['uint256', 'uint256'],
  SlippageExceeded: ['uint256', 'uint256', 'uint256'],
  SpotUnfair: ['address', 'uint256', 'uint256'],
  RoyaltyUnpaid: ['address', 'uint256', 'uint256', 'uint256'],

  // Feeds and other contracts.
  NoAnswer: ['address', 'bytes4'],
  FeedUnavailable: ['address'],
  FeedStale: ['address', 'uint256', 'uint256'],
  FeedNotPositive: ['address', 'int256'],
  PriceNotSupported: ['uint256', 'uint256'],
  SequencerDown: ['address', 'int256', 'uint256'],

  // A constitution.
  ConstitutionNotFound: ['bytes32'],
  AssetNotApproved: ['bytes32', 'address'],
  ConcentrationExceeded: ['address', 'uint256', 'uint256', 'uint256'],
  TransactionLimitExceeded: ['uint256', 'uint256'],
  SessionLimitExceeded: ['uint256', 'uint256'],
  DayLimitExceeded: ['uint256', 'uint256'],
  DrawdownExceeded: ['uint256', 'uint256', 'uint256'],

  // Co-signers.
  SignerUnknown: ['uint256', 'uint256'],
  TooFewSigners: ['uint256', 'uint256'],
  SignatureCount: ['uint256', 'uint256'],
  SignatureInvalid: ['address', 'bytes32'],
  NonceUsed: ['bytes32', 'uint256'],

  // Other executions in the same transaction. A caveat that is evaluated alone never meets one.
  LineageBusy: ['bytes32'],
  AccountBusy: ['address'],
  NotOpened: ['bytes32'],
  SaleBusy: ['bytes32'],

  // A caller that is not the canonical manager.
  NotDelegationManager: ['address'],

  // Not raised in a hook.
  FunctionUnknown: ['bytes4'],

  // Solidity's own: arithmetic overflow.
  Panic: ['uint256'],
} as const satisfies Record<string, readonly string[]>

export type RefusalName = keyof typeof refusalTypes
