export {
  afterTransaction,
  type Balance,
  type BookPosition,
  type Books,
  booksOf,
  positionIn,
} from './books.ts'
export {
  allotmentGranted,
  dayUsed,
  gasPaid,
  type Inference,
  inferenceUsed,
  moveEntries,
  type TokenPrice,
  undoneTransaction,
} from './costs.ts'
export {
  type DayPrices,
  type DaySum,
  economyOf,
  figuresOf,
  type LedgerEconomy,
  type LedgerFigures,
  type LedgerSummary,
} from './figures.ts'
export {
  dollarAsset,
  type LedgerEntry,
  type LedgerKind,
  type LedgerTransaction,
  ledgerAccounts,
  nativeAsset,
  requireBalanced,
  type Valuation,
} from './ledgerTransaction.ts'
export { type ExchangeKind, exchangeEntries, type Moved, transferEntries } from './moves.ts'
