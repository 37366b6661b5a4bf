import { BardoError, type SessionBudget } from '@bardo/core'
import { z } from 'zod'
import { document, integer, parseRow } from '../database/columns.ts'
import type { Query } from '../database/database.ts'
import { encodeJson } from '../json/json.ts'

/** A budget, and how often it was written. */
export type StoredBudget = { readonly budget: SessionBudget; readonly version: number }

/** Session budgets, one for each lineage. */
export type SessionBudgets = {
  /** False if there is one: a lineage has one budget, and re-signing does not open a second. */
  open(id: string, budget: SessionBudget): Promise<boolean>
  load(id: string): Promise<StoredBudget | undefined>
  /** Writes if the stored version is `version`. */
  save(id: string, budget: SessionBudget, version: number): Promise<boolean>
  /**
   * Changes the current budget under concurrent writers: calls `change` again until no other write happened
   * in between. If `change` throws, nothing changes.
   */
  update(id: string, change: (budget: SessionBudget) => SessionBudget): Promise<SessionBudget>
}

const reservation = z
  .object({ amount: z.bigint(), landedIn: z.bigint().optional() })
  .transform(({ amount, landedIn }) => ({ amount, landedIn }))

const budget = z.object({
  signed: z.bigint(),
  reading: z.object({ left: z.bigint(), block: z.bigint() }),
  // As pairs, so that an id such as `__proto__` is an ordinary name.
  reservations: z.array(z.tuple([z.string(), reservation])).transform((pairs) => Object.fromEntries(pairs)),
  operations: z.int(),
}) satisfies z.ZodType<SessionBudget>

const budgetText = (budget: SessionBudget) =>
  encodeJson({ ...budget, reservations: Object.entries(budget.reservations) })

const budgetRow = z.object({ budget: document.pipe(budget), version: integer })

/** The session budgets of a database. */
export function createSessionBudgets(query: Query): SessionBudgets {
  const load: SessionBudgets['load'] = async (id) => {
    const [row] = await query('SELECT budget, version FROM bardo.session_budgets WHERE id = $1', [id])
    return row && parseRow(budgetRow, row)
  }

  const save: SessionBudgets['save'] = async (id, budget, version) => {
    const rows = await query(
      `UPDATE bardo.session_budgets SET budget = $2, version = version + 1
       WHERE id = $1 AND version = $3 RETURNING 1`,
      [id, budgetText(budget), version],
    )
    return rows.length > 0
  }

  return {
    load,
    save,

    async open(id, budget) {
      const rows = await query(
        'INSERT INTO bardo.session_budgets (id, budget, version) VALUES ($1, $2, 0) ON CONFLICT DO NOTHING RETURNING 1',
        [id, budgetText(budget)],
      )
      return rows.length > 0
    },

    async update(id, change) {
      for (;;) {
        const stored = await load(id)
        if (!stored)
          throw new BardoError('The store has no budget with this id.', {
            code: 'INVALID_INPUT',
            details: [id],
          })
        const changed = change(stored.budget)
        if (changed === stored.budget || (await save(id, changed, stored.version))) return changed
      }
    },
  }
}
