import { createHash } from 'node:crypto'
import {
  type Balance,
  BardoError,
  type DaySum,
  type JournalRecord,
  type LedgerKind,
  type LedgerSummary,
  type LedgerTransaction,
  requireBalanced,
} from '@bardo/core'
import type { Hash } from 'viem'
import { z } from 'zod'
import { amount, document, hex, integer, optional, parseRow } from '../database/columns.ts'
import type { Query } from '../database/database.ts'
import { rowsByGolem } from '../database/rowsByGolem.ts'
import type { NewEvent } from '../events/storedEvent.ts'
import { journalColumns } from '../journal/journal.ts'
import { journalRow } from '../journal/journalRecord.ts'
import { encodeJson } from '../json/json.ts'

/** A stored transaction of the ledger. */
export type PostedTransaction = LedgerTransaction & {
  /** Numbers the transactions of a Golem from 1, without gaps. */
  readonly number: number
  /** SHA-256 of the content. The audit event `ledger.posted` has it too. */
  readonly hash: Hash
}

/** Transactions to add to a ledger. */
export type LedgerPosting = {
  /** The number of the last transaction that the new ones were computed from. */
  readonly after: number
  readonly transactions: readonly LedgerTransaction[]
  /** The journal records whose outcomes they contain. */
  readonly records: readonly Pick<JournalRecord, 'intent' | 'settlement'>[]
}

/** What a tick needs of a ledger. */
export type LedgerState = LedgerSummary & {
  /** The number of the last transaction; 0 without one. */
  readonly number: number
  /** The source of the last allotment. */
  readonly allotment: string | undefined
  /** Whether a transaction of the Golem's keys has ended and is not in the ledger. */
  readonly hasUnposted: boolean
}

/** The result of a verification of the ledger against the audit events. */
export type LedgerReport =
  | { readonly type: 'intact'; readonly transactions: number }
  | {
      readonly type: 'broken'
      readonly golem: Hash
      readonly number: number
      /** `sums`: the running sums do not match the entries. */
      readonly why: 'altered' | 'missing' | 'inserted' | 'sums'
    }

/** The ledgers of all Golems, read only. {@link postLedger} is the only way to add to them. */
export type Ledger = {
  state(golem: Hash): Promise<LedgerState>
  /** Newest first. */
  list(selection: {
    readonly golem: Hash
    /** The number of the last one of the previous page. */
    readonly before?: number
    readonly limit?: number
  }): Promise<readonly PostedTransaction[]>
  /** The balance of each account and asset, without those that are zero. */
  balances(golem: Hash): Promise<readonly Balance[]>
  /** The sums in dollars by account, from a time on and before another one, in Unix seconds. */
  totals(golem: Hash, from: number, to: number): Promise<readonly DaySum[]>
  /** The amounts without a price by account and asset. */
  unpriced(golem: Hash): Promise<readonly Balance[]>
  /** The oldest outcomes of the Golem's keys that are not in the ledger. */
  unposted(golem: Hash, limit: number): Promise<readonly JournalRecord[]>
  /** The transactions of an intent. */
  ofIntent(golem: Hash, intent: string): Promise<readonly PostedTransaction[]>
  /** Compares every transaction with the audit event that names its hash, and the running sums with the entries. */
  verify(golem?: Hash): Promise<LedgerReport>
}

/** The name of the audit event that names the hashes of posted transactions. */
const ledgerEvent = 'ledger.posted'

/** All days together, in the table of sums. */
const allDays = -1
const daySeconds = 86_400
const page = 500

const kinds = [
  'allotment',
  'runwayDraw',
  'payment',
  'gas',
  'inference',
  'compute',
  'data',
  'swap',
  'deposit',
  'withdrawal',
  'transfer',
  'undone',
] as const satisfies readonly LedgerKind[]

const transactionRow = z.object({
  golem: hex,
  number: integer,
  source: z.string(),
  kind: z.enum(kinds),
  at: integer,
  details: document.pipe(z.record(z.string(), z.string())),
  hash: z.string().transform((text): Hash => `0x${text}`),
})
const entryRow = z
  .object({
    golem: hex,
    number: integer,
    account: z.string(),
    asset: z.string(),
    amount,
    micros: optional(amount),
    price: optional(amount),
    block: optional(z.union([z.string(), z.number(), z.bigint()]).transform(BigInt)),
  })
  .transform(({ micros, price, block, ...entry }) => ({
    ...entry,
    ...(price !== undefined && block !== undefined && { value: { micros: micros ?? 0n, price, block } }),
  }))
const sumText = z.tuple([z.string(), z.number(), z.string().transform(BigInt)])
const stateRow = z.object({
  number: optional(integer),
  since: optional(integer),
  allotment: optional(z.string()),
  days: optional(integer),
  sums: optional(z.string().transform((text) => z.array(sumText).parse(JSON.parse(text)))),
  has_unposted: z.boolean(),
})
const balanceRow = z.object({ account: z.string(), asset: z.string(), amount })
const eventBody = z.object({
  transactions: z.array(z.object({ number: z.number(), hash: z.templateLiteral(['0x', z.string()]) })),
})
const eventRow = z.object({ sequence: integer, golem: hex, body: document.pipe(eventBody) })

const transactionColumns = 'golem, number, source, kind, at, details, hash'
const entryColumns = 'golem, number, account, asset, amount::text, micros::text, price::text, block'

/** The ledgers of a database. */
export function createLedger(query: Query): Ledger {
  const stateRows = rowsByGolem(
    query,
    `SELECT wanted.golem, head.number, head.since, head.allotment, head.days,
       (SELECT json_agg(json_build_array(account, day, micros::text))::text FROM bardo.ledger_sums AS sums
        WHERE sums.golem = wanted.golem AND micros <> 0
          AND (day = ${allDays} OR day >= (SELECT max(day) - 6 FROM bardo.ledger_sums AS last
                                           WHERE last.golem = wanted.golem))) AS sums,
       EXISTS (SELECT 1 FROM bardo.session_keys AS key JOIN bardo.journal ON sender = lower(key.address)
               WHERE key.golem = wanted.golem AND settlement IS NOT NULL AND NOT posted) AS has_unposted
     FROM unnest($1::text[]) AS wanted (golem) LEFT JOIN bardo.ledger_heads AS head USING (golem)`,
  )

  async function withEntries(
    rows: readonly Record<string, unknown>[],
  ): Promise<readonly PostedTransaction[]> {
    const transactions = rows.map((row) => parseRow(transactionRow, row))
    const entries = await query(
      `SELECT ${entryColumns} FROM bardo.ledger_entries
       WHERE (golem, number) IN (SELECT * FROM unnest($1::text[], $2::bigint[])) ORDER BY position`,
      [transactions.map(({ golem }) => golem), transactions.map(({ number }) => number)],
    )
    const byNumber = Map.groupBy(
      entries.map((row) => parseRow(entryRow, row)),
      ({ golem, number }) => `${golem} ${number}`,
    )
    return transactions.map(({ golem, ...transaction }) => ({
      ...transaction,
      entries: (byNumber.get(`${golem} ${transaction.number}`) ?? []).map(
        ({ golem: _, number: __, ...entry }) => entry,
      ),
    }))
  }

  return {
    async state(golem) {
      const [row] = await stateRows(golem)
      const { number, since, allotment, days, sums, has_unposted } = parseRow(stateRow, row ?? {})
      const all = (sums ?? []).map(([account, day, micros]) => ({ account, day, micros }))
      return {
        number: number ?? 0,
        since,
        allotment,
        postedDays: days ?? 0,
        lifetime: all.filter(({ day }) => day === allDays),
        recent: all.filter(({ day }) => day !== allDays),
        hasUnposted: has_unposted,
      }
    },

    async list({ golem, before = Number.MAX_SAFE_INTEGER, limit = 100 }) {
      const rows = await query(
        `SELECT ${transactionColumns} FROM bardo.ledger_transactions WHERE golem = $1 AND number < $2
         ORDER BY number DESC LIMIT $3`,
        [golem.toLowerCase(), before, limit],
      )
      return withEntries(rows)
    },

    async balances(golem) {
      const rows = await query(
        `SELECT account, asset, amount::text FROM bardo.ledger_sums
         WHERE golem = $1 AND day = ${allDays} AND amount <> 0 ORDER BY account, asset`,
        [golem.toLowerCase()],
      )
      return rows.map((row) => parseRow(balanceRow, row))
    },

    async totals(golem, from, to) {
      const rows = await query(
        `SELECT account, sum(micros)::text AS amount, '' AS asset
         FROM bardo.ledger_transactions JOIN bardo.ledger_entries USING (golem, number)
         WHERE golem = $1 AND at >= $2 AND at < $3 AND micros IS NOT NULL GROUP BY account ORDER BY account`,
        [golem.toLowerCase(), from, to],
      )
      return rows.map((row) => {
        const { account, amount: micros } = parseRow(balanceRow, row)
        return { account, day: Math.floor(from / daySeconds), micros }
      })
    },

    async unpriced(golem) {
      const rows = await query(
        `SELECT account, asset, sum(amount)::text AS amount FROM bardo.ledger_entries
         WHERE golem = $1 AND micros IS NULL GROUP BY account, asset HAVING sum(amount) <> 0 ORDER BY account, asset`,
        [golem.toLowerCase()],
      )
      return rows.map((row) => parseRow(balanceRow, row))
    },

    async unposted(golem, limit) {
      const rows = await query(
        `SELECT ${journalColumns} FROM bardo.journal
         WHERE sender IN (SELECT lower(address) FROM bardo.session_keys WHERE golem = $1)
           AND settlement IS NOT NULL AND NOT posted ORDER BY added_at, id LIMIT $2`,
        [golem.toLowerCase(), limit],
      )
      return rows.map((row) => parseRow(journalRow, row))
    },

    async ofIntent(golem, intent) {
      const rows = await query(
        `SELECT ${transactionColumns} FROM bardo.ledger_transactions
         WHERE golem = $1 AND details::jsonb ->> 'intent' = $2 ORDER BY number`,
        [golem.toLowerCase(), intent],
      )
      return withEntries(rows)
    },

    async verify(golem) {
      const ofGolem = golem ? 'AND golem = $1' : ''
      const values = golem ? [golem.toLowerCase()] : []
      // Read before the events: what is posted meanwhile has its event, but is not counted here.
      const counted = await query(
        `SELECT golem, max(number) AS number, count(*) AS count FROM bardo.ledger_transactions
         WHERE true ${ofGolem} GROUP BY golem ORDER BY golem`,
        values,
      )
      let transactions = 0
      const lastNumbers = new Map<Hash, number>()
      for (let after = 0; ; ) {
        const rows = await query(
          `SELECT sequence, golem, body FROM bardo.events WHERE name = '${ledgerEvent}' AND sequence > ${after} ${ofGolem}
           ORDER BY sequence LIMIT ${page}`,
          values,
        )
        const events = rows.map((row) => parseRow(eventRow, row))
        for (const event of events) {
          const broken = await check(event.golem, event.body.transactions)
          if (broken) return broken
          transactions += event.body.transactions.length
          lastNumbers.set(event.golem, event.body.transactions.at(-1)?.number ?? 0)
        }
        const last = events.at(-1)
        if (!last) break
        after = last.sequence
      }
      for (const row of counted) {
        const stored = z.object({ golem: hex, number: integer, count: integer }).parse(row)
        const known = lastNumbers.get(stored.golem) ?? 0
        if (stored.number > known || stored.count !== stored.number)
          return { type: 'broken', golem: stored.golem, number: stored.number, why: 'inserted' }
      }
      const [wrong] = await query(
        `WITH entries AS (
           SELECT golem, day, account, asset, sum(amount) AS amount, sum(COALESCE(micros, 0)) AS micros
           FROM bardo.ledger_entries JOIN bardo.ledger_transactions USING (golem, number)
             CROSS JOIN unnest(ARRAY[${allDays}, at / ${daySeconds}]) AS day
           WHERE true ${ofGolem} GROUP BY golem, day, account, asset
         ), sums AS (
           SELECT golem, day, account, asset, amount, micros FROM bardo.ledger_sums WHERE true ${ofGolem}
         )
         SELECT golem FROM entries FULL JOIN sums USING (golem, day, account, asset)
         WHERE entries.amount IS DISTINCT FROM sums.amount OR entries.micros IS DISTINCT FROM sums.micros LIMIT 1`,
        values,
      )
      if (wrong) return { type: 'broken', golem: hex.parse(wrong['golem']), number: 0, why: 'sums' }
      return { type: 'intact', transactions }
    },
  }

  /** Compares the transactions that an event names with the stored ones. */
  async function check(
    golem: Hash,
    named: readonly { readonly number: number; readonly hash: Hash }[],
  ): Promise<LedgerReport | undefined> {
    const rows = await query(
      `SELECT ${transactionColumns} FROM bardo.ledger_transactions WHERE golem = $1 AND number = ANY($2::bigint[])`,
      [golem, named.map(({ number }) => number)],
    )
    const stored = new Map((await withEntries(rows)).map((one) => [one.number, one]))
    for (const { number, hash } of named) {
      const one = stored.get(number)
      if (!one) return { type: 'broken', golem, number, why: 'missing' }
      if (one.hash !== hash || hashOf(golem, number, one) !== hash)
        return { type: 'broken', golem, number, why: 'altered' }
    }
    return undefined
  }
}

/**
 * Adds transactions to the ledgers of Golems, in the caller's database transaction, and returns the audit events that
 * the caller records in it. A transaction whose source is stored already adds nothing. Of a Golem whose ledger has
 * grown since `after`, nothing is added: its entries were computed from an outdated ledger.
 */
export async function postLedger(
  query: Query,
  postings: readonly (LedgerPosting & { readonly golem: Hash })[],
): Promise<PostedLedger> {
  const wanted = postings.filter(({ transactions, records }) => transactions.length + records.length > 0)
  if (wanted.length === 0) return { events: [], isStale: false }
  for (const { transactions } of wanted) transactions.forEach(requireBalanced)
  const golems = wanted.map(({ golem }) => golem.toLowerCase()).toSorted()
  await query(
    'INSERT INTO bardo.ledger_heads (golem, number) SELECT golem, 0 FROM unnest($1::text[]) AS t (golem) ON CONFLICT DO NOTHING',
    [golems],
  )
  const heads = await query(
    'SELECT golem, number FROM bardo.ledger_heads WHERE golem = ANY($1) ORDER BY golem FOR UPDATE',
    [golems],
  )
  const headOf = new Map(heads.map((row) => [String(row['golem']), Number(row['number'])]))
  const ours = wanted.filter(({ golem, after }) => headOf.get(golem.toLowerCase()) === after)
  const sources = ours.flatMap(({ golem, transactions }) =>
    transactions.map(({ source }) => ({ golem: golem.toLowerCase(), source })),
  )
  const stored = await query(
    `SELECT golem, source FROM bardo.ledger_transactions
     WHERE (golem, source) IN (SELECT * FROM unnest($1::text[], $2::text[]))`,
    [sources.map(({ golem }) => golem), sources.map(({ source }) => source)],
  )
  const seen = new Set(stored.map((row) => `${row['golem']} ${row['source']}`))
  const rows = ours.flatMap(({ golem: given, after, transactions }) => {
    const golem = hex.parse(given.toLowerCase())
    const added = transactions.filter(({ source }) => {
      const key = `${golem} ${source}`
      return !seen.has(key) && seen.add(key)
    })
    return added.map((transaction, index) => {
      const number = after + index + 1
      return { ...transaction, golem, number, hash: hashOf(golem, number, transaction) }
    })
  })
  if (rows.length > 0) await insert(query, rows)
  await markPosted(query, ours)
  const events = [...Map.groupBy(rows, ({ golem }) => golem)].map(([golem, added]) => ({
    golem,
    name: ledgerEvent,
    body: { transactions: added.map(({ number, source, hash }) => ({ number, source, hash })) },
  }))
  return { events, isStale: ours.length < wanted.length }
}

/** The audit events of a posting, and whether a ledger had grown, so that nothing was added to it. */
type PostedLedger = { readonly events: readonly NewEvent[]; readonly isStale: boolean }

type NewRow = PostedTransaction & { readonly golem: Hash }

async function insert(query: Query, rows: readonly NewRow[]): Promise<void> {
  await query(
    `INSERT INTO bardo.ledger_transactions (${transactionColumns})
     SELECT * FROM unnest($1::text[], $2::bigint[], $3::text[], $4::text[], $5::bigint[], $6::text[], $7::text[])`,
    [
      rows.map(({ golem }) => golem),
      rows.map(({ number }) => number),
      rows.map(({ source }) => source),
      rows.map(({ kind }) => kind),
      rows.map(({ at }) => Math.floor(at)),
      rows.map(({ details }) => encodeJson(details)),
      rows.map(({ hash }) => hash.slice(2)),
    ],
  )
  const entries = rows.flatMap(({ golem, number, at, entries: own }) =>
    own.map((entry, position) => ({ golem, number, at, position, ...entry, micros: microsOf(entry) })),
  )
  const text = (value: bigint | undefined) => (value === undefined ? null : `${value}`)
  const days = entries.map(({ at }) => Math.floor(at / daySeconds))
  const columns = {
    golem: entries.map(({ golem }) => golem),
    account: entries.map(({ account }) => account),
    asset: entries.map(({ asset }) => asset),
    amount: entries.map((entry) => text(entry.amount)),
    micros: entries.map((entry) => text(entry.micros)),
  }
  await query(
    `INSERT INTO bardo.ledger_entries (golem, number, position, account, asset, amount, micros, price, block)
     SELECT * FROM unnest($1::text[], $2::bigint[], $3::bigint[], $4::text[], $5::text[], $6::numeric[], $7::numeric[],
       $8::numeric[], $9::bigint[])`,
    [
      columns.golem,
      entries.map(({ number }) => number),
      entries.map(({ position }) => position),
      columns.account,
      columns.asset,
      columns.amount,
      columns.micros,
      entries.map(({ value }) => text(value?.price)),
      entries.map(({ value }) => text(value?.block)),
    ],
  )
  // In a fixed order, so that two writers lock the sums in the same order.
  await query(
    `INSERT INTO bardo.ledger_sums (golem, day, account, asset, amount, micros)
     SELECT golem, day, account, asset, sum(amount), sum(COALESCE(micros, 0)) FROM (
       SELECT * FROM unnest($1::text[], $2::bigint[], $3::text[], $4::text[], $5::numeric[], $6::numeric[])
       UNION ALL
       SELECT golem, ${allDays}, account, asset, amount, micros
       FROM unnest($1::text[], $2::bigint[], $3::text[], $4::text[], $5::numeric[], $6::numeric[])
         AS total (golem, day, account, asset, amount, micros)
     ) AS added (golem, day, account, asset, amount, micros)
     GROUP BY golem, day, account, asset ORDER BY golem, day, account, asset
     ON CONFLICT (golem, day, account, asset) DO UPDATE
       SET amount = ledger_sums.amount + excluded.amount, micros = ledger_sums.micros + excluded.micros`,
    [columns.golem, days, columns.account, columns.asset, columns.amount, columns.micros],
  )
  const golems = [...Map.groupBy(rows, ({ golem }) => golem)]
  await query(
    `UPDATE bardo.ledger_heads AS head SET number = added.number, days = head.days + added.days,
       since = COALESCE(head.since, added.since), allotment = COALESCE(added.allotment, head.allotment)
     FROM unnest($1::text[], $2::bigint[], $3::bigint[], $4::bigint[], $5::text[])
       AS added (golem, number, days, since, allotment) WHERE head.golem = added.golem`,
    [
      golems.map(([golem]) => golem),
      golems.map(([, own]) => own.at(-1)?.number ?? 0),
      golems.map(([, own]) => own.filter(({ kind }) => kind === 'compute').length),
      golems.map(([, own]) => own.find(({ kind }) => kind === 'allotment')?.at ?? null),
      golems.map(([, own]) => own.findLast(({ kind }) => kind === 'allotment')?.source ?? null),
    ],
  )
}

/** Marks the outcomes that are in the ledger now. One that has changed meanwhile is not marked. */
async function markPosted(query: Query, postings: readonly LedgerPosting[]): Promise<void> {
  const records = postings.flatMap((posting) => posting.records)
  if (records.length === 0) return
  await query(
    `UPDATE bardo.journal SET posted = true FROM unnest($1::text[], $2::text[]) AS done (id, settlement)
     WHERE journal.id = done.id AND journal.settlement = done.settlement`,
    [records.map(({ intent }) => intent.id), records.map(({ settlement }) => encodeJson(settlement ?? null))],
  )
}

/** The value in dollars; an amount in dollars is its own value. */
function microsOf({ asset, amount: own, value }: LedgerTransaction['entries'][number]): bigint | undefined {
  return asset === 'usd' ? own : value?.micros
}

function hashOf(golem: Hash, number: number, transaction: LedgerTransaction): Hash {
  const { source, kind, at, details, entries } = transaction
  const plain = entries.map(({ account, asset, amount: own, value }) => ({
    account,
    asset,
    amount: own,
    ...(value && { value: { micros: value.micros, price: value.price, block: value.block } }),
  }))
  const text = encodeJson({ golem, number, source, kind, at: Math.floor(at), details, entries: plain })
  return `0x${createHash('sha256').update(text).digest('hex')}`
}

/** Thrown when the ledger of a Golem has grown since its entries were computed. */
export function ledgerMoved(): BardoError {
  return new BardoError('Another process has posted to this ledger.', {
    code: 'STORE_UNAVAILABLE',
    retryable: true,
  })
}
