import { isDisabled } from '@bardo/chain'
import { BardoError, decodeContext } from '@bardo/core'
import { permissionKey } from '@bardo/store'
import type { Hash } from 'viem'
import { z } from 'zod'
import type { AnswerContext } from './answerRequest.ts'

/** As a tool wrote it, or `keepPermission`. */
const kept = z.looseObject({
  context: z.templateLiteral(['0x', z.string()]),
  expiresAt: z.number().optional(),
  expiry: z.number().nullish(),
})

/**
 * Refuses a second runway for a Golem while one runs: two would add up. Returns the signed bytes of
 * the one before it, which has ended.
 */
export async function requireNoRunway(
  { store, client, deployment }: Pick<AnswerContext, 'store' | 'client' | 'deployment'>,
  golem: Hash,
): Promise<string | undefined> {
  const entry = await store.grimoire.get(golem, permissionKey(golem))
  if (!entry) return undefined
  const { context, expiresAt, expiry } = kept.parse(entry.body)
  const [grant] = decodeContext(context)
  const end = expiresAt ?? expiry ?? Number.MAX_SAFE_INTEGER
  const { timestamp } = await client.getBlock()
  const isOver = BigInt(end) <= timestamp || !grant || (await isDisabled({ client, deployment }, grant))
  if (!isOver) throw runwayConflict([`it runs until ${end}`])
  return context
}

/** The signed bytes of the runway that is written down; undefined for none. */
export function runwayIn(entry: { readonly body: unknown } | undefined): string | undefined {
  return entry && kept.parse(entry.body).context
}

/** There is one already, or it was asked for. */
export function runwayConflict(details: readonly string[]): BardoError {
  return new BardoError('There is a runway for this Golem already.', {
    code: 'STEP_OUT_OF_ORDER',
    details,
    remedy: 'Wait for it, or have the owner revoke it first: two would add up.',
    docsPath: 'requests.md#runway',
  })
}
