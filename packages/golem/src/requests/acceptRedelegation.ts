import { decodeVitals } from '@bardo/chain'
import { golemVitals } from '@bardo/contracts'
import { BardoError } from '@bardo/core'
import type { OwnerRequest } from '@bardo/store'
import { activeKey } from '@bardo/wallets'
import { isAddressEqual } from 'viem'
import type { Accepted } from './accepted.ts'
import type { AnswerContext } from './answerRequest.ts'

/** Accepts once the Golem's row on the chain names the active key again. */
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
  throw new BardoError('The Golem’s row on the chain names another key.', {
    code: 'STEP_OUT_OF_ORDER',
    details: [`writer of the row: ${writer}`, `active key: ${key?.address ?? 'none'}`],
    remedy: 'Set the active key as the writer with the owner’s wallet first.',
    docsPath: 'requests.md#kinds',
  })
}
