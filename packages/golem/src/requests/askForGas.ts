import type { Json } from '@bardo/store'
import { type Address, formatEther, getAddress, type Hash, zeroAddress } from 'viem'
import { fileRequest } from '../events/fileRequest.ts'
import type { GolemParts } from '../permission/golemParts.ts'
import { patienceSeconds } from './askOwner.ts'
import { gasForADay } from './gasForADay.ts'
import { type OwnerAsk, readOwnerAsk } from './ownerRequest.ts'

/** Requests a day of gas from the owner, unless such a request is pending. */
export async function askForGas(
  { id, store, client, clock }: Pick<GolemParts, 'id' | 'store' | 'client' | 'clock'>,
  { request, owner, key: held }: { readonly request: string; readonly owner: Address; readonly key: Address },
): Promise<void> {
  if (await isAsked({ store }, id)) return
  const key = getAddress(held)
  const amount = await gasForADay(client)
  const ask: OwnerAsk = {
    type: 'fund',
    sentence: `Send ${formatEther(amount)} ETH to ${key}, the Golem’s key, for gas. The key is out of gas.`,
    from: owner,
    to: key,
    token: zeroAddress,
    amount,
    sinceBlock: await client.getBlockNumber({ cacheTime: 0 }),
  }
  const expiresAt = clock.now() + patienceSeconds * 1_000
  const body = ask as unknown as Json
  const filed = { id: request, golem: id, kind: ask.type, body, expiresAt }
  await store.transaction((transaction) => fileRequest(transaction, filed))
}

async function isAsked({ store }: Pick<GolemParts, 'store'>, id: Hash): Promise<boolean> {
  const pending = await store.ownerRequests.pending(id)
  return pending.some((request) => {
    if (request.kind !== 'fund') return false
    const ask = readOwnerAsk(request)
    return ask.type === 'fund' && ask.token === zeroAddress
  })
}
