import type { Json } from '@bardo/store'
import { type Address, formatEther, getAddress, type Hash, zeroAddress } from 'viem'
import type { GolemEvent } from '../events/golemEvent.ts'
import { patienceSeconds } from '../owner/askOwner.ts'
import { dayOfGas } from '../owner/dayOfGas.ts'
import { type OwnerAsk, readOwnerAsk } from '../owner/ownerRequest.ts'
import type { GolemParts } from './golemParts.ts'

/** Asks the owner for a day of gas, unless they are asked for some already. Returns what there is to tell. */
export async function askForGas(
  { id, store, client, clock }: Pick<GolemParts, 'id' | 'store' | 'client' | 'clock'>,
  { request, owner, key: held }: { readonly request: string; readonly owner: Address; readonly key: Address },
): Promise<readonly GolemEvent[]> {
  if (await isAsked({ store }, id)) return []
  const key = getAddress(held)
  const ask: OwnerAsk = {
    is: 'fund',
    sentence: `Send ${formatEther(dayOfGas)} ETH to ${key}, the Golem’s key, for gas. It has run out.`,
    from: owner,
    to: key,
    token: zeroAddress,
    amount: dayOfGas,
    sinceBlock: await client.getBlockNumber({ cacheTime: 0 }),
  }
  const expiresAt = clock.now() + patienceSeconds * 1_000
  const body = ask as unknown as Json
  const isNew = await store.ownerRequests.file({ id: request, golem: id, kind: ask.is, body, expiresAt })
  return isNew ? [{ name: 'owner.requestFiled', request, kind: ask.is }] : []
}

async function isAsked({ store }: Pick<GolemParts, 'store'>, id: Hash): Promise<boolean> {
  const waiting = await store.ownerRequests.pending(id)
  return waiting.some((request) => {
    if (request.kind !== 'fund') return false
    const ask = readOwnerAsk(request)
    return ask.is === 'fund' && ask.token === zeroAddress
  })
}
