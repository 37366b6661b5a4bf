import { type Delegation, decodeContext } from '@bardo/core'
import { permissionKey, type Store } from '@bardo/store'
import type { Hash } from 'viem'
import { z } from 'zod'
import { grantFor } from '../runtime/grantRequest.ts'
import { delegationSchema } from './ownerRequest.ts'

/** A delegation that was signed for a Golem, and what for. */
export type KnownGrant = {
  /** `feed` lets the key bring a runway into the account; it hangs below the runway and ends with it. */
  readonly of: 'golem' | 'sessionKey' | 'runway' | 'feed'
  readonly delegation: Delegation
  /** False once another has come in its place, or it has ended. */
  readonly isCurrent: boolean
}

const keyEntry = z.looseObject({ context: z.templateLiteral(['0x', z.string()]) })
const runwayEntry = z.looseObject({ grant: delegationSchema, feed: delegationSchema })
/** More further keys than anybody has. */
const mostKeys = 1_000

/** Where the grants of further session keys are written. */
export const sessionKeyPrefix = 'wallet.sessionKey.'

/**
 * Everything that was ever signed for a Golem and is kept: its own delegations, the one that it has not taken up yet, those
 * of further keys, its runway.
 */
export async function knownGrants(
  store: Pick<Store, 'delegations' | 'grimoire' | 'ownerRequests' | 'rotations'>,
  golem: Hash,
): Promise<readonly KnownGrant[]> {
  const { delegations, grimoire, rotations } = store
  const [records, keys, permission, rotation] = await Promise.all([
    delegations.list(golem),
    grimoire.list({ golem, prefix: sessionKeyPrefix, limit: mostKeys }),
    grimoire.get(golem, permissionKey(golem)),
    rotations.underWay(golem),
  ])
  const { grant: signed } = rotation ? await grantFor(store, rotation.id) : { grant: undefined }
  const runway = runwayEntry.safeParse(permission?.body)
  return [
    ...records.flatMap(({ context, state }) =>
      decodeContext(context).map((delegation) => grant('golem', delegation, state === 'active')),
    ),
    ...(signed ? [grant('golem', signed)] : []),
    ...keys.flatMap(({ body }) => {
      // What cannot be read was never signed: it must not hold up a revocation.
      const entry = keyEntry.safeParse(body)
      const links = entry.success ? decodeContext(entry.data.context) : []
      return links.map((delegation) => grant('sessionKey', delegation))
    }),
    ...(runway.success ? [grant('runway', runway.data.grant), grant('feed', runway.data.feed)] : []),
  ]
}

function grant(of: KnownGrant['of'], delegation: Delegation, isCurrent = true): KnownGrant {
  return { of, delegation, isCurrent }
}
