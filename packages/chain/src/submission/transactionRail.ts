import type { PublicClient } from 'viem'
import { broadcast } from './broadcast.ts'
import type { Wish } from './createSubmitter.ts'
import { look } from './look.ts'
import type { Rail } from './rail.ts'
import { unestimated } from './refusals.ts'
import { sameText } from './sameText.ts'
import { signAttempt, type TransactionSigner } from './signAttempt.ts'

/** Plain transactions of one key. */
export function transactionRail({
  client,
  chainId,
  signer,
}: {
  readonly client: PublicClient
  readonly chainId: number
  readonly signer: TransactionSigner
}): Rail {
  const from = signer.address

  async function estimate({ to, value = 0n, data = '0x' }: Wish): Promise<bigint> {
    try {
      const gas = await client.estimateGas({ account: from, to, value, data })
      return gas + gas / 5n
    } catch (cause) {
      throw unestimated(cause)
    }
  }

  return {
    from,
    async draft(wish) {
      const { to, value = 0n, data = '0x' } = wish
      return { to, value, data, gas: wish.gas ?? (await estimate(wish)) }
    },
    isSame: (intent, { to, value = 0n, data = '0x' }) =>
      intent.chainId === chainId &&
      sameText(intent.from, from) &&
      sameText(intent.to, to) &&
      sameText(intent.data, data) &&
      intent.value === value,
    nextNonce: () => client.getTransactionCount({ address: from }),
    todaysFees: () => client.estimateFeesPerGas(),
    affords: async ({ value, gas }, { maxFeePerGas }) =>
      (await client.getBalance({ address: from })) >= value + gas * maxFeePerGas,
    sign: (intent, signing) => signAttempt(signer, intent, signing),
    broadcast: (raw) => broadcast(client, raw),
    look: (record, finality) => look(client, record, finality),
  }
}
