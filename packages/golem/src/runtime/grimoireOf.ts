import type { Store } from '@bardo/store'
import type { Hash } from 'viem'
import { z } from 'zod'
import type { GrimoireEntry } from '../death/testament.ts'

const page = 100
const knowledge = z.object({
  text: z.string(),
  confidence: z.number(),
  /** Of what was inherited: the Golems that it came through. */
  authors: z.array(z.string()).exactOptional(),
})

/** Everything of a Golem's grimoire that is knowledge; permissions and the like are left out. */
export async function grimoireOf(
  { grimoire }: Pick<Store, 'grimoire'>,
  golem: Hash,
): Promise<readonly GrimoireEntry[]> {
  const entries: GrimoireEntry[] = []
  for (let after = ''; ; ) {
    const found = await grimoire.list({ golem, after, limit: page })
    for (const { kind, body } of found) {
      const parsed = knowledge.safeParse(body)
      if (parsed.success) entries.push({ kind, ...parsed.data })
    }
    const last = found.at(-1)
    if (!last || found.length < page) return entries
    after = last.key
  }
}
