import { BardoError, type Delegation, hashDelegation, type Rotation } from '@bardo/core'
import type { OwnerRequest, Store } from '@bardo/store'
import type { Address, Hash } from 'viem'
import { z } from 'zod'
import { fileRequest } from '../events/fileRequest.ts'
import { recordEvents } from '../events/recordEvents.ts'
import { delegationSchema } from '../permission/delegationSchema.ts'
import type { GolemParts } from '../permission/golemParts.ts'
import { requireLiving } from './requireLiving.ts'
import { isSigned } from './requireSigned.ts'

/**
 * A request after a key was lost or may be stolen: revoke the old grant, sign the same limits for a new key.
 */
export type GrantRequest = {
  readonly rotation: string
  readonly reason: Rotation['reason']
  /** The valid delegations of the old key: the owner disables them first. */
  readonly revoke: readonly Delegation[]
  /** What to sign: the same limits and lineage for the new key. */
  readonly root: Delegation
  /** The new writer of the Golem's row, and the key that it was registered with. */
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

/** Files the request, once per rotation. */
export async function fileGrantRequest(store: Store, golem: Hash, grantRequest: GrantRequest): Promise<void> {
  const filed = { id: idOf(grantRequest.rotation), golem, kind: 'grant', body: grantRequest } as const
  await store.transaction((transaction) => fileRequest(transaction, filed))
}

/** Parses a stored grant request. */
export function readGrantRequest({ kind, body }: OwnerRequest): GrantRequest {
  const parsed = kind === 'grant' ? request.safeParse(body) : undefined
  if (parsed?.success) return parsed.data
  throw new BardoError('This is not a grant request.', { code: 'INVALID_INPUT', details: [kind] })
}

/** The state of a rotation's request, and the signed grant if there is one. */
export async function grantFor(
  store: Pick<Store, 'ownerRequests'>,
  rotation: string,
): Promise<{ readonly state: OwnerRequest['state'] | 'none'; readonly grant: Delegation | undefined }> {
  const stored = await store.ownerRequests.find(idOf(rotation))
  const isGranted = stored?.state === 'approved'
  return { state: stored?.state ?? 'none', grant: isGranted ? answer.parse(stored.answer).grant : undefined }
}

/**
 * Answers a grant request as the owner: with exactly the requested delegation, signed by the account.
 * Anything else throws,
 * and the request stays pending. Undefined refuses.
 *
 * @example
 * await answerGrant({ store, client, deployment }, request.id, await signDelegation(account, requested.root))
 */
export async function answerGrant(
  { store, client, deployment }: Pick<GolemParts, 'store' | 'client' | 'deployment'>,
  id: string,
  grant: Delegation | undefined,
): Promise<boolean> {
  const stored = await store.ownerRequests.find(id)
  if (!stored) throw new BardoError('Unknown request.', { code: 'INVALID_INPUT', details: [id] })
  const { root } = readGrantRequest(stored)
  if (grant) await requireRequested(grant)
  return store.transaction(async (transaction) => {
    if (grant) await requireLiving(transaction, stored.golem)
    const body = grant ? { grant: { ...grant, caveats: [...grant.caveats] } } : {}
    const isTaken = await transaction.ownerRequests.answer(id, grant ? 'approved' : 'refused', body)
    const event = { name: 'owner.requestAnswered', request: id, granted: grant !== undefined } as const
    if (isTaken) recordEvents(transaction, stored.golem, [event])
    return isTaken
  })

  async function requireRequested(signed: Delegation): Promise<void> {
    const isSame = hashDelegation(signed) === hashDelegation(root)
    if (isSame && (await isSigned({ client, deployment }, signed))) return
    throw new BardoError('The grant differs from the requested one.', {
      code: 'GRANT_MALFORMED',
      details: [isSame ? 'the account did not sign it' : 'the delegation differs'],
      remedy: 'Sign the delegation of the request unchanged.',
    })
  }
}

/** Withdraws a request that is not answered yet, and returns it. Undefined if the owner has answered. */
export async function withdrawGrantRequest(
  store: Store,
  rotation: string,
): Promise<GrantRequest | undefined> {
  const stored = await store.ownerRequests.find(idOf(rotation))
  const isWithdrawn = await store.ownerRequests.answer(idOf(rotation), 'refused', { withdrawn: true })
  return stored && isWithdrawn ? readGrantRequest(stored) : undefined
}
