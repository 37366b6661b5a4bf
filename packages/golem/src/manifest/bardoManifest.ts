import { BardoError } from '@bardo/core'
import type { Store } from '@bardo/store'
import type { Hash } from 'viem'
import { z } from 'zod'
import { identityFields } from '../identity/identityJson.ts'
import { positionFields } from '../positions/positionJson.ts'

/** The grimoire key of the manifest that a death writes. */
const manifestKey = 'manifest'
/** The version of the schema. A reader of this version refuses any other. */
const version = 1

const cents = z.string().nullable().describe('US cents; null if it cannot be priced')
const call = z
  .strictObject({ to: z.string(), data: z.string() })
  .describe('What the owner’s account has to call to close it')

/** A manifest: where everything is that a Golem was responsible for, at one block. */
export const manifestFields = z.strictObject({
  type: z.literal('BardoManifest'),
  version: z.literal(version),
  golem: z.string(),
  name: z.string(),
  owner: z.string(),
  account: z.string().describe('The owner’s account. It holds the tokens, the vault shares and the NFTs'),
  chainId: z.number(),
  custody: z.enum(['delegation', 'localKey', 'embedded']),
  status: z.enum(['onboarding', 'alive', 'observing', 'dying', 'dead']),
  phase: z.string(),
  block: z.string(),
  at: z.number().describe('Unix seconds: the time of the block'),
  settlementAsset: z.string().nullable().describe('The token into which it sells; null if none is signed'),
  tokens: z.array(
    z.strictObject({
      symbol: z.string(),
      token: z.string(),
      amount: z.string().describe('Base units'),
      decimals: z.number(),
      priceMicros: z.string().nullable().describe('Millionths of a dollar for one whole token'),
      cents,
    }),
  ),
  positions: z.array(
    positionFields.extend({
      openedBy: z
        .enum(['golem', 'other'])
        .describe('Whether this Golem opened it, by the receipts of its own transactions'),
    }),
  ),
  closed: z.array(z.strictObject({ id: z.string(), cents: z.string(), transaction: z.string() })),
  deferred: z.array(z.strictObject({ id: z.string(), reason: z.string(), call: call.nullable() })),
  delegations: z
    .array(
      z.strictObject({
        hash: z.string(),
        of: z.enum(['golem', 'sessionKey']),
        delegator: z.string(),
        delegate: z.string(),
      }),
    )
    .describe('Roots that the chain does not show as revoked'),
  runways: z
    .array(
      z.strictObject({
        hash: z.string(),
        from: z.string(),
        to: z.string(),
        expiresAt: z.number().nullable().describe('Unix seconds; null if unknown'),
      }),
    )
    .describe('Grants of the owner’s wallet that the chain does not show as revoked'),
  runwayCents: cents.describe('What the runways can still pay; null without a runway'),
  gas: z.array(z.strictObject({ address: z.string(), wei: z.string() })).describe('In its keys'),
  identity: identityFields.nullable(),
  death: z
    .strictObject({
      because: z.string(),
      begunAt: z.number().describe('Unix seconds'),
      slippageCents: z.string().describe('What closing cost against the price feeds'),
      impossible: z.array(z.strictObject({ step: z.string(), because: z.string() })),
    })
    .nullable(),
})

/** Where everything is that a Golem was responsible for. */
export type BardoManifest = z.output<typeof manifestFields>

/** Stores the manifest of a death. A repeated step writes the newer one. */
export async function storeManifest(
  { grimoire }: Pick<Store, 'grimoire'>,
  golem: Hash,
  manifest: BardoManifest,
): Promise<void> {
  await grimoire.put({ golem, key: manifestKey, kind: 'manifest', body: manifest })
}

/** The manifest that a death wrote; undefined for a Golem that did not die yet, or died before version 0.2. */
export async function storedManifest(
  { grimoire }: Pick<Store, 'grimoire'>,
  golem: Hash,
): Promise<BardoManifest | undefined> {
  const entry = await grimoire.get(golem, manifestKey)
  if (!entry) return undefined
  const parsed = manifestFields.safeParse(entry.body)
  if (parsed.success) return parsed.data
  throw new BardoError('The stored manifest cannot be read.', {
    code: 'STORE_CORRUPT',
    details: [`this version of Bardo reads version ${version} of the schema`],
    remedy: 'Use the version of Bardo that wrote it, or a newer one.',
    docsPath: 'golem.md#the-manifest',
  })
}
