import { type Address, type Hash, parseGwei } from 'viem'
import type { Desk } from './createDesk.ts'
import type { GolemParts } from './golemParts.ts'
import { submitOnce } from './submitOnce.ts'

const transferGas = 21_000n
/** So many times today's price is kept back, for fees that rise while it is on its way. Origin: ours. */
const headroom = 3n

/**
 * Sends what is left of the session key's gas to the owner's key, before the key is wiped and it would be nobody's. What
 * would not pay for its own transfer is left behind. Returns the transaction, where there was one.
 */
export async function returnGas(
  { store, client }: Pick<GolemParts, 'store' | 'client'>,
  { address, submitter }: Desk,
  owner: Address,
  intentId: string,
): Promise<Hash | undefined> {
  const [balance, { maxFeePerGas = parseGwei('1') }] = await Promise.all([
    client.getBalance({ address }),
    client.estimateFeesPerGas(),
  ])
  const value = balance - transferGas * maxFeePerGas * headroom
  const isKnown = (await store.journal.find(intentId)) !== undefined
  if (value <= 0n && !isKnown) return undefined
  const wish = { id: intentId, to: owner, value: value > 0n ? value : 0n, gas: transferGas }
  const { hash } = await submitOnce(store.journal, submitter, wish)
  return hash
}
