import { isDisabled } from '@bardo/chain'
import { BardoError, decodeContext } from '@bardo/core'
import { permissionKey } from '@bardo/store'
import { activeKey } from '@bardo/wallets'
import type { Hash } from 'viem'
import { z } from 'zod'
import { canDraw, findRunway } from '../funding/storedRunway.ts'
import type { AnswerContext } from './answerRequest.ts'

/** As written by a tool, or by `keepPermission`. */
const storedRunway = z.looseObject({
  context: z.templateLiteral(['0x', z.string()]),
  expiresAt: z.number().optional(),
  expiry: z.number().nullish(),
})

/** A runway that a new one replaces. */
export type EarlierRunway = {
  /** The signed bytes. */
  readonly context: string
  /** Whether the chain still accepts the grant, though the active key cannot draw on it. */
  readonly isStanding: boolean
}

/**
 * Throws if the Golem can draw on a runway: two would add up. Returns the earlier one, which has ended or
 * which the active
 * key cannot draw on.
 */
export async function requireNoRunway(
  { store, client, deployment }: Pick<AnswerContext, 'store' | 'client' | 'deployment'>,
  golem: Hash,
): Promise<EarlierRunway | undefined> {
  const entry = await store.grimoire.get(golem, permissionKey(golem))
  if (!entry) return undefined
  const { context, expiresAt, expiry } = storedRunway.parse(entry.body)
  const [grant] = decodeContext(context)
  const end = expiresAt ?? expiry ?? Number.MAX_SAFE_INTEGER
  const { timestamp } = await client.getBlock()
  const isOver = BigInt(end) <= timestamp || !grant || (await isDisabled({ client, deployment }, grant))
  if (!isOver && (await isDrawable())) throw runwayConflict([`it is valid until ${end}`])
  return { context, isStanding: !isOver }

  /** A grant that names a key needs no draw delegation. */
  async function isDrawable(): Promise<boolean> {
    const [runway, key] = await Promise.all([findRunway(store, golem), activeKey(store, golem)])
    return !runway || (key !== undefined && (await canDraw({ client, deployment }, runway, key.address)))
  }
}

/** The signed bytes of the stored runway; undefined if there is none. */
export function runwayIn(entry: { readonly body: unknown } | undefined): string | undefined {
  return entry && storedRunway.parse(entry.body).context
}

/** Thrown when there is a runway, or a pending request for one. */
export function runwayConflict(details: readonly string[]): BardoError {
  return new BardoError('The Golem already has a runway or a pending request for one.', {
    code: 'STEP_OUT_OF_ORDER',
    details,
    remedy: 'Wait until it ends, or have the owner revoke it first: two would add up.',
    docsPath: 'requests.md#runway',
  })
}
