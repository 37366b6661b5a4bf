import { decodeVitals, type Vitals } from '@bardo/chain'
import { golemVitals } from '@bardo/contracts'
import {
  type Delegation,
  decodeContext,
  delegationEnd,
  hashDelegation,
  type JournalRecord,
  leastOf,
} from '@bardo/core'
import { knownGrants } from '@bardo/golem'
import type { SessionKeyRecord, StoredEvent } from '@bardo/store'
import { type Address, type Hash, parseAbi } from 'viem'
import { z } from 'zod'
import type { Ledger, Subject } from './ledger.ts'
import type { BooksWorld } from './openBooksWorld.ts'

/** The state of one Golem from the store and the chain, read without the screens. */
export type Facts = {
  readonly subject: Subject
  readonly status: string
  /** Why its shutdown began; undefined while it lives. */
  readonly trigger: string | undefined
  /** Its registry entry on the chain. */
  readonly vitals: Vitals
  readonly keys: readonly (SessionKeyRecord & {
    readonly wei: bigint
    readonly nonce: number
    readonly records: readonly JournalRecord[]
  })[]
  /** The current delegations, leaf first. */
  readonly links: readonly Delegation[]
  /** The chain no longer accepts one of them. */
  readonly isOff: boolean
  /** The last second of the signed time; undefined if nothing is signed. */
  readonly endsAt: number | undefined
  /** Every root that was ever signed for it, and whether the chain still accepts it. */
  readonly roots: readonly { readonly root: Delegation; readonly hash: Hash; readonly isDisabled: boolean }[]
  readonly events: readonly StoredEvent[]
  /** Chain time, Unix seconds. */
  readonly now: number
}

const managerAbi = parseAbi(['function disabledDelegations(bytes32) view returns (bool)'])
const deathSchema = z.looseObject({ trigger: z.string() })

/** Reads the facts of a Golem of a sequence. */
export async function readFacts(here: BooksWorld, ledger: Ledger, subject: Subject): Promise<Facts> {
  const { store, world, context } = here
  const { client, chainId } = world
  const { id } = subject
  const { deployment } = context.chain
  const [row, life, keys, records, events, block, word] = await Promise.all([
    store.golems.find(id),
    store.golemStates.find(id),
    store.sessionKeys.list(id),
    store.delegations.list(id),
    store.events.read({ after: 0, golem: id, limit: 10_000 }),
    client.getBlock(),
    client.readContract({
      address: deployment.contracts.golemVitals,
      abi: golemVitals.abi,
      functionName: 'vitalsOf',
      args: [id],
    }),
  ])
  const active = records.find(({ state }) => state === 'active')
  const links = active ? decodeContext(active.context) : []
  await keepRoots(here, ledger, subject)
  const [leaf] = links
  return {
    subject,
    status: row?.status ?? 'missing',
    trigger: life?.death === undefined ? undefined : deathSchema.parse(life.death).trigger,
    vitals: decodeVitals(word),
    keys: await Promise.all(
      keys.map(async (key) => ({
        ...key,
        wei: await client.getBalance({ address: key.address }),
        nonce: await client.getTransactionCount({ address: key.address }),
        records: await store.journal.from({ chainId, from: key.address }, 0),
      })),
    ),
    links,
    isOff: (await Promise.all(links.map((link) => isDisabled(here, hashDelegation(link))))).includes(true),
    endsAt: leaf && Number(endOf(links, deployment)),
    roots: await Promise.all(
      [...ledger.roots]
        .filter(([, { golem }]) => golem === id)
        .map(async ([hash, { root }]) => ({ root, hash, isDisabled: await isDisabled(here, hash) })),
    ),
    events,
    now: Number(block.timestamp),
  }
}

/** Records every stored root: the store may delete one later, but the chain still accepts it. */
async function keepRoots({ store }: BooksWorld, { roots }: Ledger, { id, parent }: Subject): Promise<void> {
  // The delegations above a child belong to its parent.
  if (parent) return
  const grants = (await knownGrants(store, id)).filter(({ of }) => of === 'golem')
  const records = await store.delegations.list(id)
  const all = [
    ...grants.map(({ delegation }) => delegation),
    ...records.flatMap(({ context }) => decodeContext(context).slice(-1)),
  ]
  for (const root of all)
    if (/^0xf{64}$/i.test(root.authority)) roots.set(hashDelegation(root), { root, golem: id })
}

/** Reads it from the DelegationManager. */
function isDisabled({ world, context }: BooksWorld, hash: Hash): Promise<boolean> {
  const address: Address = context.chain.deployment.framework.DelegationManager
  return world.client.readContract({
    address,
    abi: managerAbi,
    functionName: 'disabledDelegations',
    args: [hash],
  })
}

/** The earliest end of a delegation chain. */
function endOf(links: readonly Delegation[], deployment: Parameters<typeof delegationEnd>[1]): bigint {
  const ends = links.flatMap((link) => delegationEnd(link, deployment) ?? [])
  return ends.reduce((least, end) => leastOf(least, end), ends[0] ?? 0n)
}
