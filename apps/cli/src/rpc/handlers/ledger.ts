import { assetNames, balanceJson, readLedgerJson, transactionJson } from '@bardo/golem/ledger'
import { z } from 'zod'
import { printable } from '../../terminal/printable.ts'
import { findGolem } from '../findGolem.ts'
import { defineTask } from '../task.ts'
import { golemField } from './fields.ts'

/** The ledger of a Golem: its figures, the balances, and the newest transactions. It reads the store only. */
export const ledger = defineTask({
  input: z.strictObject({
    golem: golemField.optional(),
    limit: z.int().min(1).max(1_000).default(20),
    before: z.int().min(1).optional(),
  }),
  async run(context, { golem: named, limit, before }) {
    const { id, name } = await findGolem(context, named)
    const { store, chain } = context
    const names = assetNames(chain.book)
    const [figures, balances, transactions] = await Promise.all([
      readLedgerJson(store, id, chain.book),
      store.ledger.balances(id),
      store.ledger.list({ golem: id, limit, ...(before !== undefined && { before }) }),
    ])
    return {
      golem: id,
      name: printable(name),
      figures,
      balances: balances.map((balance) => balanceJson(balance, names)),
      transactions: transactions.map((transaction) => transactionJson(transaction, names)),
    }
  },
})
