import { z } from 'zod'
import { golemField } from './fields.ts'
import { stages } from './stage.ts'
import { defineTool } from './toolDefinition.ts'

/** A Golem's session keys, as far as anybody may see them. */
export const listSessionKeys = defineTool({
  name: 'wallet_list_session_keys',
  title: 'Session keys',
  description:
    'Lists the session keys of a Golem with their state and use. Shows public keys and addresses, never a key itself. Changes nothing.',
  category: 'wallet',
  capability: 'read',
  riskLayer: 1,
  tickBudget: 'fast',
  progressSteps: ['Reading the keys'],
  sprite: 'thinking',
  promptSnippet: 'Lists session keys with their state and use.',
  guidelines: {
    thriving: 'Look now and then for keys that nobody uses.',
    cautious: 'See that no key outlives the life that is left.',
    declining: 'See that only the key that settles is left.',
    terminal: 'See that none is left.',
  },
  stages,
  destructive: false,
  idempotent: true,
  input: z.strictObject({ golem: golemField.optional() }),
  subject: ({ golem }) => golem,
  output: z.strictObject({
    keys: z.array(
      z.strictObject({
        keyId: z.string().describe('The public key'),
        address: z.string(),
        curve: z.enum(['secp256k1', 'p256']),
        status: z.enum(['made', 'active', 'retired', 'wiped']),
        usageCount: z.number(),
        createdAt: z.number().describe('Unix seconds'),
        lastUsed: z.number().nullable().describe('Unix seconds; null for never'),
      }),
    ),
  }),
  told: {
    start: () => ({}),
    end: ({ keys }) => ({ activeKeyCount: keys.filter(({ status }) => status === 'active').length }),
  },
  say: ({ keys }) =>
    keys.length === 0
      ? 'There are no session keys.'
      : keys
          .map(({ address, status, usageCount }) => `${address}: ${status}, used ${usageCount} times`)
          .join('\n'),
  async run({ store }, _, { subject, progress }) {
    await progress('Reading the keys')
    const keys = await store.sessionKeys.list(subject.id)
    return {
      keys: keys.map(({ publicKey, address, curve, status, operations, createdAt, lastUsedAt }) => ({
        keyId: publicKey,
        address,
        curve,
        status,
        usageCount: operations,
        createdAt: Math.floor(createdAt / 1_000),
        lastUsed: lastUsedAt === undefined ? null : Math.floor(lastUsedAt / 1_000),
      })),
    }
  },
})
