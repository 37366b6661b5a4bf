import type { Golem, Store } from '@bardo/store'
import type { Hash } from 'viem'

const page = 1_000

/** All Golems of a store, read page by page. */
export async function everyGolem({ golems }: Pick<Store, 'golems'>): Promise<readonly Golem[]> {
  const all: Golem[] = []
  for (let after: Hash | undefined; ; ) {
    const rows = await golems.list({ limit: page, ...(after && { after }) })
    all.push(...rows)
    if (rows.length < page) return all
    after = rows.at(-1)?.id
  }
}
