import type { InferenceTier } from '../economics/inferenceTier.ts'
import {
  dollarAsset,
  type LedgerEntry,
  type LedgerTransaction,
  ledgerAccounts,
  nativeAsset,
  type Valuation,
} from './ledgerTransaction.ts'

const daySeconds = 86_400

/**
 * Dollars that the owner allows a Golem to live on, for one signed window.
 *
 * @example
 * allotmentGranted('0xab', { micros: 30_000_000n, start: 5, at: 9 }).source // 'allotment:5'
 */
export function allotmentGranted(
  root: string,
  { micros, start, at }: { readonly micros: bigint; readonly start: number; readonly at: number },
): LedgerTransaction {
  return {
    source: `allotment:${start}`,
    kind: 'allotment',
    at,
    details: { root },
    entries: moveEntries(ledgerAccounts.owner, ledgerAccounts.allotment, dollarAsset, micros),
  }
}

/**
 * The fee of one transaction, and who paid it. A reverted transaction pays too.
 *
 * @example
 * gasPaid({ source: 'gas:0x12', at: 5, details: {}, wei: 21_000n, payer: 'key' }).kind // 'gas'
 */
export function gasPaid({
  wei,
  payer,
  value,
  ...rest
}: Pick<LedgerTransaction, 'source' | 'at' | 'details'> & {
  readonly wei: bigint
  readonly payer: string
  readonly value?: Valuation
}): LedgerTransaction {
  return {
    ...rest,
    kind: 'gas',
    entries: moveEntries(payer, ledgerAccounts.gas, nativeAsset, wei, value),
  }
}

/** The price of a model’s tokens, in millionths of a dollar for a million of them. */
export type TokenPrice = { readonly inputMicros: bigint; readonly outputMicros: bigint }

/** What one answer of a model used. */
export type Inference = {
  readonly model: string
  readonly tier: InferenceTier
  readonly inputTokens: number
  readonly outputTokens: number
}

const million = 1_000_000n

/**
 * The cost of an answer in millionths of a dollar, rounded up.
 *
 * @example
 * inferenceMicros({ inputTokens: 1_000, outputTokens: 100 }, { inputMicros: 150_000n, outputMicros: 600_000n }) // 210n
 */
export function inferenceMicros(
  { inputTokens, outputTokens }: Pick<Inference, 'inputTokens' | 'outputTokens'>,
  { inputMicros, outputMicros }: TokenPrice,
): bigint {
  const sum = BigInt(inputTokens) * inputMicros + BigInt(outputTokens) * outputMicros
  return (sum + million - 1n) / million
}

/**
 * The cost of an answer, which is owed to the model’s operator.
 *
 * @example
 * const used = { model: 'small', tier: 'T0', inputTokens: 1_000, outputTokens: 100 }
 * const price = { inputMicros: 150_000n, outputMicros: 600_000n }
 * inferenceUsed({ source: 'usage:1', at: 5, creditor: 'hosted' }, used, price).entries[1].amount // 210n
 */
export function inferenceUsed(
  { source, at, creditor }: { readonly source: string; readonly at: number; readonly creditor: string },
  inference: Inference,
  price: TokenPrice,
): LedgerTransaction {
  const { model, tier, inputTokens, outputTokens } = inference
  return {
    source,
    kind: 'inference',
    at,
    details: { model, tier, inputTokens: `${inputTokens}`, outputTokens: `${outputTokens}` },
    entries: moveEntries(
      ledgerAccounts.owed(creditor),
      ledgerAccounts.inference(tier),
      dollarAsset,
      inferenceMicros(inference, price),
    ),
  }
}

/**
 * A day of compute or data, numbered from the start of the first allotment, which is owed to the operator.
 *
 * @example
 * dayUsed('compute', 0, { since: 0, micros: 500_000n, creditor: 'operator' }).at // 86_400
 */
export function dayUsed(
  kind: 'compute' | 'data',
  day: number,
  { since, micros, creditor }: { readonly since: number; readonly micros: bigint; readonly creditor: string },
): LedgerTransaction {
  return {
    source: `${kind}:${day}`,
    kind,
    at: since + (day + 1) * daySeconds,
    details: { day: `${day}` },
    entries: moveEntries(ledgerAccounts.owed(creditor), ledgerAccounts[kind], dollarAsset, micros),
  }
}

/**
 * Takes back a transaction that a reorganisation removed from the chain.
 *
 * @example
 * undoneTransaction({ source: 'receipt:0x12', kind: 'gas', at: 5, details: {}, entries: [] }).source // 'undone:receipt:0x12'
 */
export function undoneTransaction({ source, at, details, entries }: LedgerTransaction): LedgerTransaction {
  return {
    source: `undone:${source}`,
    kind: 'undone',
    at,
    details,
    entries: entries.map(({ account, asset, amount, value }) => ({
      account,
      asset,
      amount: -amount,
      ...(value && { value: { ...value, micros: -value.micros } }),
    })),
  }
}

/**
 * An amount that goes from one account to another.
 *
 * @example
 * moveEntries('key', 'gas', 'native', 5n).map(({ amount }) => amount) // [-5n, 5n]
 */
export function moveEntries(
  from: string,
  to: string,
  asset: string,
  amount: bigint,
  value?: Valuation,
): readonly LedgerEntry[] {
  return [
    { account: from, asset, amount: -amount, ...(value && { value: { ...value, micros: -value.micros } }) },
    { account: to, asset, amount, ...(value && { value }) },
  ]
}
