import { isDisabled } from '@bardo/chain'
import { type Delegation, hashDelegation } from '@bardo/core'
import { permissionKey, type Store } from '@bardo/store'
import { type Address, getAddress, type Hash, isAddressEqual } from 'viem'
import { z } from 'zod'
import { delegationSchema } from '../permission/delegationSchema.ts'
import type { GolemParts } from '../permission/golemParts.ts'

const hex = z.templateLiteral(['0x', z.string()])
const entrySchema = z.looseObject({
  permissionId: z.string(),
  token: hex.transform((text) => getAddress(text)),
  startsAt: z.number(),
  expiresAt: z.number().optional(),
  /** The wallet's grant to the account. */
  grant: delegationSchema,
  /** The account's delegation to a key, which can only draw into the account. */
  feed: delegationSchema,
})
const handedOnSchema = z.strictObject({ permissionId: z.string(), links: z.array(delegationSchema) })

/** The grimoire key of the redelegations from each key to the next. */
const handedOnKey = 'runway.handedOn'

/**
 * The grimoire key of a child's share. It is not the key of a runway: the wallet's grant belongs to the parent, and
 * must not be revoked with the child.
 */
const shareKey = 'runway.share'

/** A stored runway. */
export type StoredRunway = z.output<typeof entrySchema> & {
  /** The redelegations from each key to the next, oldest first. */
  readonly handedOn: readonly Delegation[]
}

/** The runway that the owner granted last; undefined if there is none. */
export async function findRunway(
  { grimoire }: Pick<Store, 'grimoire'>,
  golem: Hash,
): Promise<StoredRunway | undefined> {
  const [entry, shared, handedOn] = await Promise.all([
    grimoire.get(golem, permissionKey(golem)),
    grimoire.get(golem, shareKey),
    grimoire.get(golem, handedOnKey),
  ])
  const runway = entrySchema.safeParse(entry?.body ?? shared?.body)
  if (!runway.success) return undefined
  const stored = handedOn && handedOnSchema.parse(handedOn.body)
  const links = stored?.permissionId === runway.data.permissionId ? stored.links : []
  return { ...runway.data, handedOn: links }
}

/** The delegations that a key draws by, leaf first, without the grant above. Empty if it cannot draw. */
export function drawLinks(
  { feed, handedOn }: Pick<StoredRunway, 'feed' | 'handedOn'>,
  key: Address,
): readonly [] | readonly [Delegation, ...Delegation[]] {
  const links = [feed, ...handedOn]
  const last = links.findLastIndex(({ delegate }) => isAddressEqual(delegate, key))
  const [leaf, ...above] = links.slice(0, last + 1).toReversed()
  return leaf ? [leaf, ...above] : []
}

/** Whether the chain lets a key draw: it has a delegation, and no link above is disabled. */
export async function canDraw(
  context: Pick<GolemParts, 'client' | 'deployment'>,
  runway: StoredRunway,
  key: Address,
): Promise<boolean> {
  const links = drawLinks(runway, key)
  if (links.length === 0) return false
  const off = await Promise.all([...links, runway.grant].map((link) => isDisabled(context, link)))
  return !off.includes(true)
}

/** The draw delegation of a runway that has not ended, which the owner revokes for a suspected key. */
export async function runningFeed(
  {
    store,
    client,
    deployment,
  }: { readonly store: Pick<Store, 'grimoire'> } & Pick<GolemParts, 'client' | 'deployment'>,
  golem: Hash,
): Promise<readonly Delegation[]> {
  const runway = await findRunway(store, golem)
  if (!runway || (await isDisabled({ client, deployment }, runway.grant))) return []
  const { timestamp } = await client.getBlock()
  return runway.expiresAt !== undefined && BigInt(runway.expiresAt) <= timestamp ? [] : [runway.feed]
}

/** Stores a child's share of its parent's runway, as a part of its birth. */
export async function keepShare(
  { grimoire }: Pick<Store, 'grimoire'>,
  child: Hash,
  { permissionId, token, startsAt, expiresAt, grant, feed }: StoredRunway,
  links: readonly Delegation[],
): Promise<void> {
  const runway = {
    permissionId,
    token,
    startsAt,
    ...(expiresAt !== undefined && { expiresAt }),
    grant: plain(grant),
    feed: plain(feed),
  }
  await grimoire.put({ golem: child, key: shareKey, kind: 'permission', body: runway })
  const body = { permissionId, links: links.map(plain) }
  await grimoire.put({ golem: child, key: handedOnKey, kind: 'permission', body })
}

/** A delegation as the grimoire stores it. */
function plain(link: Delegation) {
  return { ...link, caveats: link.caveats.map((caveat) => ({ ...caveat })) }
}

/** Stores the redelegation of the draw from a key to the next. A second call changes nothing. */
export function keepHandedOn(
  store: Pick<Store, 'transaction'>,
  golem: Hash,
  link: Delegation,
): Promise<void> {
  return store.transaction(async ({ grimoire }) => {
    const runway = await findRunway({ grimoire }, golem)
    if (!runway) return
    const links = [runway.feed, ...runway.handedOn]
    const hashes = links.map((one) => hashDelegation(one))
    const above = hashes.indexOf(link.authority)
    if (above < 0 || hashes.includes(hashDelegation(link))) return
    // A redelegation of a failed rotation has the same parent link, for a wiped key: it is dropped.
    const chain = [...links.slice(1, above + 1), link]
    const body = { permissionId: runway.permissionId, links: chain.map(plain) }
    await grimoire.put({ golem, key: handedOnKey, kind: 'permission', body })
  })
}
