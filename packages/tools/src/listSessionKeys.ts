import { caveatRegistry, type Delegation, delegationEnd, hashDelegation, readCaveats } from '@bardo/core'
import { knownGrants, namesOf, sessionKeyEntry, sessionKeyPrefix } from '@bardo/golem/requests'
import { isAddressEqual } from 'viem'
import { z } from 'zod'
import { golemField } from './fields.ts'
import { stages } from './stage.ts'
import { defineTool } from './toolDefinition.ts'

/** The public data of a Golem's session keys. */
export const listSessionKeys = defineTool({
  name: 'wallet_list_session_keys',
  title: 'Session keys',
  description:
    'Lists the session keys of a Golem with their status and use. Shows public keys and addresses, never a private key. Changes nothing.',
  category: 'wallet',
  capability: 'read',
  riskLayer: 1,
  tickBudget: 'fast',
  progressSteps: ['Reading the keys'],
  sprite: 'thinking',
  promptSnippet: 'Lists session keys with their status and use.',
  guidelines: {
    thriving: 'Check from time to time for unused keys.',
    cautious: 'Check that no key outlives the Golem.',
    declining: 'Check that only the key for the settlement is left.',
    terminal: 'Check that no key is left.',
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
        label: z.string().nullable(),
        status: z
          .enum(['made', 'granted', 'active', 'retired', 'wiped'])
          .describe(
            '“active” is the Golem’s own key; “granted” is an additional key that the owner signed a delegation for',
          ),
        permissions: z.array(z.string()).describe('The limits of its delegation, in sentences'),
        expiresAt: z.number().nullable().describe('Unix seconds; null if no delegation is signed for it'),
        usageCount: z.number(),
        createdAt: z.number().describe('Unix seconds'),
        lastUsed: z.number().nullable().describe('Unix seconds; null if never used'),
      }),
    ),
  }),
  say: ({ keys }) =>
    keys.length === 0
      ? 'There are no session keys.'
      : keys
          .map(
            ({ address, status, usageCount }) =>
              `${address}: ${status}, ${usageCount === 1 ? 'used once' : `used ${usageCount} times`}`,
          )
          .join('\n'),
  async run({ store, deployment, book }, _, { subject, progress }) {
    await progress('Reading the keys')
    const [keys, grants, entries] = await Promise.all([
      store.sessionKeys.list(subject.id),
      knownGrants(store, subject.id),
      store.grimoire.list({ golem: subject.id, prefix: sessionKeyPrefix, limit: 1_000 }),
    ])
    const registry = caveatRegistry(deployment)
    const manager = deployment.framework.DelegationManager
    return {
      keys: keys.map(({ publicKey, address, curve, status, operations, createdAt, lastUsedAt }) => {
        const grant = grants.findLast(
          ({ of, delegation }) => of !== 'feed' && isAddressEqual(delegation.delegate, address),
        )
        const entry = entries.find(({ key }) => key === sessionKeyEntry(publicKey))
        const end = grant && delegationEnd(grant.delegation, deployment)
        return {
          keyId: publicKey,
          address,
          curve,
          label: labelled.safeParse(entry?.body).data?.label ?? null,
          status: status === 'made' && grant ? ('granted' as const) : status,
          permissions: grant ? sentencesOf(grant.delegation) : [],
          expiresAt: end === undefined ? null : Number(end),
          usageCount: operations,
          createdAt: Math.floor(createdAt / 1_000),
          lastUsed: lastUsedAt === undefined ? null : Math.floor(lastUsedAt / 1_000),
        }
      }),
    }

    function sentencesOf(delegation: Delegation): string[] {
      const hash = hashDelegation(delegation)
      return readCaveats({ hash, delegation }, registry, manager).flatMap((caveat) =>
        caveat ? caveat.kind.describe(caveat.terms, namesOf(book)) : ['an unknown caveat'],
      )
    }
  },
})

const labelled = z.looseObject({ label: z.string() })
