import { BardoError } from '@bardo/core'
import type { Store } from '@bardo/store'
import { type Address, type Hash, isAddressEqual } from 'viem'
import { z } from 'zod'
import { deathTriggers } from '../death/deathTrigger.ts'
import { inherit, knowledgeKinds, type Testament } from '../death/testament.ts'
import { writeFamily } from './storedFamily.ts'

/** Where a successor looks for what its ancestor left. */
export const testamentKey = 'testament'

const testamentSchema: z.ZodType<Testament> = z.object({
  golem: z.string(),
  generation: z.int(),
  cause: z.enum(deathTriggers),
  ticks: z.int(),
  knowledge: z.array(
    z.object({
      kind: z.enum(knowledgeKinds),
      text: z.string(),
      confidence: z.number(),
      authors: z.array(z.string()),
    }),
  ),
})

/**
 * Reads what a dead Golem of this owner left, and returns the way to hand it to a successor: knowledge with its authors,
 * one generation on. Nothing else is read, so that no wallet, key, identity or permission can come along. Whoever lives,
 * is dying or is another owner's leaves nothing. Without an ancestor there is nothing to hand on.
 */
export async function inheritTestament(
  store: Pick<Store, 'golems' | 'grimoire' | 'transaction'>,
  owner: Address,
  ancestor: Hash | undefined,
): Promise<(successor: Hash) => Promise<void>> {
  if (ancestor === undefined) return async () => {}
  const golem = await store.golems.find(ancestor)
  if (!golem || !isAddressEqual(golem.owner, owner) || golem.status !== 'dead') throw refuse(ancestor)
  const entry = await store.grimoire.get(ancestor, testamentKey)
  const testament = testamentSchema.safeParse(entry?.body)
  if (!testament.success) throw refuse(ancestor)
  const { generation, knowledge } = inherit(testament.data)

  return (successor) =>
    store.transaction(async ({ grimoire }) => {
      await writeFamily({ grimoire }, successor, { generation, ancestor, replicants: [] })
      for (const [place, { kind, text, confidence, authors }] of knowledge.entries()) {
        const key = `inherited.${ancestor}.${String(place).padStart(4, '0')}`
        const body = { text, confidence, authors }
        await grimoire.put({ golem: successor, key, kind, source: 'testament', body })
      }
    })
}

/** The same words for a stranger's Golem and for none at all. */
function refuse(ancestor: Hash): BardoError {
  return new BardoError('Only a dead Golem of the same owner leaves a testament.', {
    code: 'ACTION_NOT_ALLOWED',
    details: [`asked for ${ancestor}`],
    remedy: 'Wait until its death is over, or summon without an ancestor.',
    docsPath: 'golem.md#death',
  })
}
