import type { Store } from '@bardo/store'
import type { Hash } from 'viem'
import { z } from 'zod'
import type { GrimoireEntry } from './testament.ts'

const page = 100
const knowledge = z.object({
  text: z.string(),
  confidence: z.number(),
  /** For inherited knowledge: the Golems that it came through. */
  authors: z.array(z.string()).exactOptional(),
})

/** The knowledge in a Golem's grimoire; permissions and other entries are omitted. */
export async function grimoireOf(
  { grimoire }: Pick<Store, 'grimoire'>,
  golem: Hash,
): Promise<readonly GrimoireEntry[]> {
  const entries: GrimoireEntry[] = []
  for (let after = ''; ; ) {
    const entriesPage = await grimoire.list({ golem, after, limit: page })
    for (const { kind, body } of entriesPage) {
      const parsed = knowledge.safeParse(body)
      if (parsed.success) entries.push({ kind, ...parsed.data })
    }
    const last = entriesPage.at(-1)
    if (!last || entriesPage.length < page) return entries
    after = last.key
  }
}
