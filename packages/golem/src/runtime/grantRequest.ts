import { BardoError, type Delegation, hashDelegation, type Rotation } from '@bardo/core'
import type { OwnerRequest, Store } from '@bardo/store'
import type { Address, Hash } from 'viem'
import { z } from 'zod'
import { delegationSchema } from '../owner/ownerRequest.ts'
import { isSigned } from '../owner/requireSigned.ts'
import { fileRequest } from './fileRequest.ts'
import type { GolemParts } from './golemParts.ts'
import { tell } from './summoning.ts'

/** What an owner is asked where a key was lost or may be stolen: end the old grant, sign the same for a new key. */
export type GrantRequest = {
  readonly rotation: string
  readonly reason: Rotation['reason']
  /** What stands for the old key, signed: the owner disables it first. */
  readonly revoke: readonly Delegation[]
  /** What to sign: the same bounds and lineage for the new key. */
  readonly root: Delegation
  /** Who writes the Golem's row from then on, and the key that it was registered with. */
  readonly writer: { readonly firstKey: Address; readonly newWriter: Address }
}

const hex = z.templateLiteral(['0x', z.string()])
const request: z.ZodType<GrantRequest> = z.object({
  rotation: z.string(),
  reason: z.enum(['operations', 'age', 'budget-floor', 'suspected', 'lost']),
  revoke: z.array(delegationSchema),
  root: delegationSchema,
  writer: z.object({ firstKey: hex, newWriter: hex }),
})
const answer = z.object({ grant: delegationSchema })

const idOf = (rotation: string) => `${rotation}:grant`

/** Asks the owner, once for each rotation. */
export function fileGrantRequest(store: Store, golem: Hash, asked: GrantRequest): Promise<void> {
  return fileRequest(store, { id: idOf(asked.rotation), golem, kind: 'grant', body: asked })
}

/** What an owner is asked for in such a request. */
export function readGrantRequest({ kind, body }: OwnerRequest): GrantRequest {
  const parsed = kind === 'grant' ? request.safeParse(body) : undefined
  if (parsed?.success) return parsed.data
  throw new BardoError('This is no request for a grant.', { code: 'INVALID_INPUT', details: [kind] })
}

/** How a rotation's request stands; the signed grant once there is one. */
export async function grantFor(
  store: Pick<Store, 'ownerRequests'>,
  rotation: string,
): Promise<{ readonly state: OwnerRequest['state'] | 'none'; readonly grant: Delegation | undefined }> {
  const found = await store.ownerRequests.find(idOf(rotation))
  const isGranted = found?.state === 'approved'
  return { state: found?.state ?? 'none', grant: isGranted ? answer.parse(found.answer).grant : undefined }
}

/**
 * The owner's answer to a request for a grant: exactly what was asked for, signed by the account. Anything else is
 * refused, and the request goes on waiting. Undefined says no.
 *
 * @example
 * await answerGrant({ store, client, deployment }, request.id, await signDelegation(account, asked.root))
 */
export async function answerGrant(
  { store, client, deployment }: Pick<GolemParts, 'store' | 'client' | 'deployment'>,
  id: string,
  grant: Delegation | undefined,
): Promise<boolean> {
  const found = await store.ownerRequests.find(id)
  if (!found) throw new BardoError('There is no such request.', { code: 'INVALID_INPUT', details: [id] })
  const { root } = readGrantRequest(found)
  if (grant) await requireAsked(grant)
  return store.transaction(async (transaction) => {
    const body = grant ? { grant: { ...grant, caveats: [...grant.caveats] } } : {}
    const isTaken = await transaction.ownerRequests.answer(id, grant ? 'approved' : 'refused', body)
    const event = { name: 'owner.requestAnswered', request: id, granted: grant !== undefined } as const
    if (isTaken) tell(transaction, found.golem, [event])
    return isTaken
  })

  async function requireAsked(signed: Delegation): Promise<void> {
    const isSame = hashDelegation(signed) === hashDelegation(root)
    if (isSame && (await isSigned({ client, deployment }, signed))) return
    throw new BardoError('This is not the grant that was asked for.', {
      code: 'GRANT_MALFORMED',
      details: [isSame ? 'the account did not sign it' : 'it is another delegation'],
      remedy: 'Sign the delegation of the request as it is.',
    })
  }
}

/** Takes a request back that nobody has answered, and returns it. Undefined if the owner was faster. */
export async function withdrawGrantRequest(
  store: Store,
  rotation: string,
): Promise<GrantRequest | undefined> {
  const found = await store.ownerRequests.find(idOf(rotation))
  const isBack = await store.ownerRequests.answer(idOf(rotation), 'refused', { withdrawn: true })
  return found && isBack ? readGrantRequest(found) : undefined
}
