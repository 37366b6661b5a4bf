import { caveatRegistry, comparePolicies, encodeContext, hashDelegation } from '@bardo/core'
import type { OwnerRequest } from '@bardo/store'
import type { Accepted } from './accepted.ts'
import type { AnswerContext } from './answerRequest.ts'
import { sessionKeyPrefix } from './knownGrants.ts'
import { namesOf } from './namesOf.ts'
import type { OwnerAnswer, OwnerAsk } from './ownerRequest.ts'
import { otherGrant, requireSigned } from './requireSigned.ts'

type SessionKeyAsk = Extract<OwnerAsk, { type: 'sessionKey' }>
type Delegated = Extract<OwnerAnswer, { type: 'delegated' }>

/** The grimoire key of an additional session key's grant. */
export const sessionKeyEntry = (publicKey: string) => `${sessionKeyPrefix}${publicKey.toLowerCase()}`

/** Accepts a delegation for a new key: as requested, or narrower, signed by the account. */
export async function acceptSessionKey(
  context: AnswerContext,
  { id, golem }: Pick<OwnerRequest, 'id' | 'golem'>,
  { root, publicKey, label }: SessionKeyAsk,
  { delegation }: Delegated,
): Promise<Accepted> {
  const { changes } = comparePolicies(
    root,
    delegation,
    caveatRegistry(context.deployment),
    namesOf(context.book),
  )
  const wider = changes.filter(({ direction }) => direction !== 'narrower')
  if (wider.length > 0) throw otherGrant(wider.map(({ sentence }) => sentence))
  await requireSigned(context, delegation)
  const body = {
    publicKey,
    label,
    request: id,
    hash: hashDelegation(delegation),
    context: encodeContext([delegation]),
  }
  return {
    state: changes.length > 0 ? 'adjusted' : 'approved',
    body,
    apply: ({ grimoire }) =>
      grimoire.put({ golem, key: sessionKeyEntry(publicKey), kind: 'sessionKey', body }),
  }
}
