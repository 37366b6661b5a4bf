import type { Store } from '@bardo/store'
import type { Hash } from 'viem'

/**
 * Writes a Golem's row unchanged, within a transaction: other transactions that write it wait until this one
 * ends. An
 * owner's signature for a key and the start of a suspected rotation of that key are stored under it, so one
 * sees the other.
 */
export async function lockRow({ golems }: Pick<Store, 'golems'>, id: Hash): Promise<void> {
  for (;;) {
    const row = await golems.find(id)
    if (!row || (await golems.save(row))) return
  }
}
