import { isDisabled } from '@bardo/chain'
import { type Delegation, decodeContext } from '@bardo/core'
import type { Store } from '@bardo/store'
import { type Address, type Hash, isAddressEqual } from 'viem'
import { z } from 'zod'
import { delegationSchema } from '../permission/delegationSchema.ts'
import type { GolemParts } from '../permission/golemParts.ts'

/** A replacement of a root, stored before anything is sent. */
export type RootExchange = {
  readonly old: Delegation
  readonly next: Delegation
  readonly strategy: string
}

/** The grimoire key of a replacement in progress. */
export const exchangeKey = 'regrant'

const exchangeSchema: z.ZodType<RootExchange> = z.strictObject({
  old: delegationSchema,
  next: delegationSchema,
  strategy: z.string(),
})

/** The replacement in progress of a Golem's root. */
export async function exchangeOf(
  { grimoire }: Pick<Store, 'grimoire'>,
  golem: Hash,
): Promise<RootExchange | undefined> {
  const entry = await grimoire.get(golem, exchangeKey)
  return entry && exchangeSchema.parse(entry.body)
}

/** A replacement as JSON. */
export function exchangeToJson({ old, next, strategy }: RootExchange) {
  const plain = (delegation: Delegation) => ({
    ...delegation,
    caveats: delegation.caveats.map((one) => ({ ...one })),
  })
  return { old: plain(old), next: plain(next), strategy }
}

/** Whether the owner is replacing a root of this Golem: a disabled old root does not end the Golem then. */
export async function isRegranting({ grimoire }: Pick<Store, 'grimoire'>, golem: Hash): Promise<boolean> {
  return (await grimoire.get(golem, exchangeKey)) !== undefined
}

/** The two roots of a replacement in progress. */
export async function rootsUnderWay(
  store: Pick<Store, 'grimoire'>,
  golem: Hash,
): Promise<readonly Delegation[]> {
  const exchange = await exchangeOf(store, golem)
  return exchange ? [exchange.old, exchange.next] : []
}

/** Every root that was signed for a Golem's own keys, in force or not, including a replacement in progress. */
export async function ownRoots(
  store: Pick<Store, 'grimoire' | 'delegations'>,
  golem: Hash,
): Promise<readonly Delegation[]> {
  const records = await store.delegations.list(golem)
  const roots = records.flatMap(({ context }) => decodeContext(context).slice(-1))
  return [...roots, ...(await rootsUnderWay(store, golem))]
}

/** The Golem's own roots that the chain still accepts, except those of one key. */
export async function standingRoots(
  { store, client, deployment }: Pick<GolemParts, 'store' | 'client' | 'deployment'>,
  golem: Hash,
  exceptFor: Address,
): Promise<readonly Delegation[]> {
  const others = (await ownRoots(store, golem)).filter(({ delegate }) => !isAddressEqual(delegate, exceptFor))
  const off = await Promise.all(others.map((root) => isDisabled({ client, deployment }, root)))
  return others.filter((_, at) => !off[at])
}
