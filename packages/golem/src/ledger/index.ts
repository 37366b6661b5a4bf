export {
  type AssetNames,
  assetNames,
  balanceJson,
  type LedgerJson,
  ledgerFields,
  readLedgerJson,
  transactionJson,
} from './ledgerReport.ts'
