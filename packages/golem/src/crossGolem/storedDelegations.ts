import { BardoError, type Delegation, decodeContext, hashDelegation } from '@bardo/core'
import type { Store } from '@bardo/store'
import type { Address, Hash, Hex } from 'viem'
import { z } from 'zod'

/** What the receiver may do: act, publish only, or nothing. */
export type GivenType = 'act' | 'observer' | 'readOnly'

/** A delegation from one Golem's key to another Golem, as both of them store it. */
export type SharedDelegation = {
  readonly hash: Hash
  readonly type: GivenType
  /** The other Golem's name, or the address of its key. */
  readonly peer: string
  /** The key that redeems it. */
  readonly delegate: Address
  /** Leaf first. */
  readonly links: readonly [Delegation, ...Delegation[]]
  /** Unix seconds. */
  readonly endsAt: number
  /** Whether the giver disabled it. The chain is authoritative. */
  readonly isEnded: boolean
}

const prefixes = { given: 'given.', received: 'received.' } as const
/** The maximum number of delegations in one direction. */
const most = 1_000
const hex = z.templateLiteral(['0x', z.string()])
const schema = z.object({
  type: z.enum(['act', 'observer', 'readOnly']),
  peer: z.string(),
  context: hex,
  endsAt: z.int(),
  isEnded: z.boolean(),
})

type Side = keyof typeof prefixes
type Row = z.infer<typeof schema>

/**
 * The delegations that a Golem gave to others, or received. A row whose bytes do not belong to its key is left
 * out: its hash would name another delegation.
 */
export async function readShared(
  { grimoire }: Pick<Store, 'grimoire'>,
  golem: Hash,
  side: Side,
): Promise<readonly SharedDelegation[]> {
  const prefix = prefixes[side]
  const rows = await grimoire.list({ golem, prefix, limit: most })
  return rows.flatMap(({ key, body }) => {
    const parsed = schema.safeParse(body)
    const shared = parsed.success ? sharedFrom(parsed.data) : undefined
    return shared && `${prefix}${shared.hash}` === key ? [shared] : []
  })
}

/** Finds a received delegation by its hash. */
export async function findReceived(
  store: Pick<Store, 'grimoire'>,
  golem: Hash,
  hash: string,
): Promise<SharedDelegation> {
  const received = await readShared(store, golem, 'received')
  const found = received.find((one) => one.hash.toLowerCase() === hash.toLowerCase())
  if (found) return found
  throw new BardoError('The Golem has not received this delegation.', {
    code: 'INVALID_INPUT',
    details: [hash, `received: ${received.map((one) => one.hash).join(', ') || 'none'}`],
    remedy: 'Take a hash from `bardo status` of the receiving Golem.',
    docsPath: 'golem.md#another-golem',
  })
}

/** Stores a delegation on one side. A second call with the same delegation changes its end mark only. */
export async function writeShared(
  { grimoire }: Pick<Store, 'grimoire'>,
  golem: Hash,
  side: Side,
  { context, ...row }: Omit<Row, 'context'> & { readonly context: Hex },
): Promise<void> {
  const [leaf] = decodeContext(context)
  if (!leaf) throw new BardoError('The permission context is empty.', { code: 'DELEGATION_MALFORMED' })
  const key = `${prefixes[side]}${hashDelegation(leaf)}`
  await grimoire.put({ golem, key, kind: side, body: { ...row, context } })
}

function sharedFrom({ context, ...row }: Row): SharedDelegation | undefined {
  try {
    const [leaf, ...above] = decodeContext(context)
    if (!leaf) return undefined
    return { ...row, hash: hashDelegation(leaf), delegate: leaf.delegate, links: [leaf, ...above] }
  } catch (error) {
    if (error instanceof BardoError) return undefined
    throw error
  }
}
