import type { AddressBook, PermissionPlan } from '@bardo/core'
import type { Store } from '@bardo/store'
import { activeKey } from '@bardo/wallets'
import { type Address, isAddress } from 'viem'

/** The most Golems of one owner that can be named. */
const mostGolems = 10_000

/**
 * The address book with the active keys of an owner's living Golems, so that a strategy can name them as co-signers.
 *
 * @param owner - Default: all owners
 */
export async function withMembers(
  store: Pick<Store, 'golems' | 'sessionKeys'>,
  book: AddressBook,
  owner?: Address,
): Promise<AddressBook> {
  const golems = await store.golems.list({ ...(owner && { owner }), limit: mostGolems })
  const living = golems.filter(({ status }) => status !== 'dead')
  const keys = await Promise.all(
    living.map(async ({ id, name }) => {
      const key = await activeKey(store, id)
      return key ? [[name.toLowerCase(), key.address] as const] : []
    }),
  )
  const named = keys.flat()
  // A name that two Golems have names neither.
  const isUnique = ([name]: (typeof named)[number]) => named.filter(([other]) => other === name).length === 1
  return { ...book, members: new Map(named.filter(isUnique)) }
}

/** The keys of the Golems that a plan names as co-signers, by name in lower case. Two halves sign the same keys with it. */
export async function namedMembers(
  store: Pick<Store, 'golems' | 'sessionKeys'>,
  { sections }: Pick<PermissionPlan, 'sections'>,
  book: AddressBook,
  owner: Address,
): Promise<ReadonlyMap<string, Address>> {
  const names = (sections.coSigners?.members ?? []).filter((member) => !isAddress(member, { strict: false }))
  if (names.length === 0) return new Map()
  const { members } = await withMembers(store, book, owner)
  return new Map(
    names.flatMap((name) => {
      const key = members?.get(name.toLowerCase())
      return key ? [[name.toLowerCase(), key] as const] : []
    }),
  )
}
