import { BardoError, deathTriggers } from '@bardo/core'
import type { Store } from '@bardo/store'
import { type Address, type Hash, isAddressEqual } from 'viem'
import { z } from 'zod'
import { writeFamily } from '../state/storedFamily.ts'
import { inherit, knowledgeKinds, type Testament } from './testament.ts'

/** The grimoire key of a testament. */
export const testamentKey = 'testament'

/** The schema of a stored testament. */
export const testamentSchema: z.ZodType<Testament> = z.object({
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
 * Reads the testament of a dead Golem of this owner, and returns a function that passes it to a successor:
 * knowledge with its
 * authors, one generation on. Nothing else is read, so that no wallet, key, identity or permission can be
 * inherited.
 * Throws if the ancestor is living, dying or another owner's. Without an ancestor the function does nothing.
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
      for (const [index, { kind, text, confidence, authors }] of knowledge.entries()) {
        const key = `inherited.${ancestor}.${String(index).padStart(4, '0')}`
        const body = { text, confidence, authors }
        await grimoire.put({ golem: successor, key, kind, source: 'testament', body })
      }
    })
}

/** The same error for another owner's Golem and for an unknown one. */
function refuse(ancestor: Hash): BardoError {
  return new BardoError('Only a dead Golem of the same owner has a testament to inherit.', {
    code: 'ACTION_NOT_ALLOWED',
    details: [`requested: ${ancestor}`],
    remedy: 'Wait until its death is over, or summon without an ancestor.',
    docsPath: 'golem.md#death',
  })
}
