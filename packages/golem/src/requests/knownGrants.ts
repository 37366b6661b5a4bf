import { type Delegation, decodeContext } from '@bardo/core'
import { permissionKey, type Store } from '@bardo/store'
import type { Hash } from 'viem'
import { z } from 'zod'
import { delegationSchema } from '../permission/delegationSchema.ts'
import { grantFor } from './grantRequest.ts'
import { rootsUnderWay } from './rootExchange.ts'

/** A delegation that was signed for a Golem, and its purpose. */
export type KnownGrant = {
  /**
   * `feed` lets the key draw a runway into the account; it is a redelegation of the runway and ends with it.
   */
  readonly of: 'golem' | 'sessionKey' | 'runway' | 'feed'
  readonly delegation: Delegation
  /** False if it was replaced or has ended. */
  readonly isCurrent: boolean
}

const keyEntry = z.looseObject({ context: z.templateLiteral(['0x', z.string()]) })
const runwayEntry = z.looseObject({ grant: delegationSchema, feed: delegationSchema })
/** The maximum number of additional keys to read. */
const mostKeys = 1_000

/** The prefix of grimoire keys for the grants of additional session keys. */
export const sessionKeyPrefix = 'wallet.sessionKey.'

/**
 * Every stored delegation that was ever signed for a Golem: its own, those not in use yet, those of
 * additional keys, and its
 * runway.
 */
export async function knownGrants(
  store: Pick<Store, 'delegations' | 'grimoire' | 'ownerRequests' | 'permissions' | 'rotations'>,
  golem: Hash,
): Promise<readonly KnownGrant[]> {
  const { delegations, grimoire, permissions, rotations } = store
  const [records, keys, permission, rotation] = await Promise.all([
    delegations.list(golem),
    grimoire.list({ golem, prefix: sessionKeyPrefix, limit: mostKeys }),
    grimoire.get(golem, permissionKey(golem)),
    rotations.underWay(golem),
  ])
  // The wallet's grant of a runway that the key could not draw and that was replaced is still valid.
  const superseded = (await permissions.list(golem)).filter(({ state }) => state === 'superseded')
  const { grant: signed } = rotation ? await grantFor(store, rotation.id) : { grant: undefined }
  const replacing = await rootsUnderWay(store, golem)
  const runway = runwayEntry.safeParse(permission?.body)
  return [
    // These come first: the newest root must be last, and these are not in use yet.
    ...replacing.map((delegation) => grant('golem', delegation)),
    ...records.flatMap(({ context, state }) =>
      decodeContext(context).map((delegation) => grant('golem', delegation, state === 'active')),
    ),
    ...(signed ? [grant('golem', signed)] : []),
    ...keys.flatMap(({ body }) => {
      // An unreadable entry was never signed: it must not block a revocation.
      const entry = keyEntry.safeParse(body)
      const links = entry.success ? decodeContext(entry.data.context) : []
      return links.map((delegation) => grant('sessionKey', delegation))
    }),
    ...superseded.flatMap(({ grant: { context } }) =>
      decodeContext(context).map((delegation) => grant('runway', delegation, false)),
    ),
    ...(runway.success ? [grant('runway', runway.data.grant), grant('feed', runway.data.feed)] : []),
  ]
}

function grant(of: KnownGrant['of'], delegation: Delegation, isCurrent = true): KnownGrant {
  return { of, delegation, isCurrent }
}
