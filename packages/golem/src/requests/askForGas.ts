import type { Json } from '@bardo/store'
import { type Address, formatEther, getAddress, type Hash, zeroAddress } from 'viem'
import type { GolemEvent } from '../events/golemEvent.ts'
import type { GolemParts } from '../permission/golemParts.ts'
import { patienceSeconds } from './askOwner.ts'
import { gasForADay } from './gasForADay.ts'
import { type OwnerAsk, readOwnerAsk } from './ownerRequest.ts'

/** Requests a day of gas from the owner, unless such a request is pending. Returns the events to record. */
export async function askForGas(
  { id, store, client, clock }: Pick<GolemParts, 'id' | 'store' | 'client' | 'clock'>,
  { request, owner, key: held }: { readonly request: string; readonly owner: Address; readonly key: Address },
): Promise<readonly GolemEvent[]> {
  if (await isAsked({ store }, id)) return []
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
  const isNew = await store.ownerRequests.file({ id: request, golem: id, kind: ask.type, body, expiresAt })
  return isNew ? [{ name: 'owner.requestFiled', request, kind: ask.type }] : []
}

async function isAsked({ store }: Pick<GolemParts, 'store'>, id: Hash): Promise<boolean> {
  const pending = await store.ownerRequests.pending(id)
  return pending.some((request) => {
    if (request.kind !== 'fund') return false
    const ask = readOwnerAsk(request)
    return ask.type === 'fund' && ask.token === zeroAddress
  })
}
