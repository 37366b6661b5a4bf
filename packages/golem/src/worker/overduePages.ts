import type { Golem, Store } from '@bardo/store'

/** The number of rows per page. */
const page = 100

/** Golems whose tick was due before a time, page by page. */
export async function* overduePages({ golems }: Pick<Store, 'golems'>, before: number) {
  for (let after: Golem | undefined; ; ) {
    const rows = await golems.overdue(before, { limit: page, ...(after && { after }) })
    if (rows.length > 0) yield rows
    if (rows.length < page) return
    after = rows.at(-1)
  }
}
