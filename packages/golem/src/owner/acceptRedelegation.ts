import { decodeVitals } from '@bardo/chain'
import { golemVitals } from '@bardo/contracts'
import { BardoError } from '@bardo/core'
import type { OwnerRequest } from '@bardo/store'
import { isAddressEqual } from 'viem'
import { activeKey } from '../runtime/activeKey.ts'
import type { Accepted } from './accepted.ts'
import type { AnswerContext } from './answerRequest.ts'

/** A key that the chain had refused is back once the Golem's row names it. */
export async function acceptRedelegation(
  { store, client, deployment }: AnswerContext,
  { golem }: Pick<OwnerRequest, 'golem'>,
): Promise<Accepted> {
  const key = await activeKey(store, golem)
  const word = await client.readContract({
    address: deployment.contracts.golemVitals,
    abi: golemVitals.abi,
    functionName: 'vitalsOf',
    args: [golem],
  })
  const { writer } = decodeVitals(word)
  if (key && isAddressEqual(writer, key.address)) return { state: 'approved', body: {} }
  throw new BardoError('The chain names another key.', {
    code: 'STEP_OUT_OF_ORDER',
    details: [`the row names ${writer}`, `the key in use is ${key?.address ?? 'gone'}`],
    remedy: 'Name the key in use with the owner’s wallet first.',
    docsPath: 'requests.md#kinds',
  })
}
