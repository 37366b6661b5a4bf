import type { Intent } from '@bardo/core'
import { type PublicClient, serializeTransaction } from 'viem'
import { broadcast } from './broadcast.ts'
import type { TransactionRequest } from './createSubmitter.ts'
import { readDataFee } from './dataFee.ts'
import { exactFees, type Fees } from './fees.ts'
import { findAttempts, isCanonical } from './findAttempts.ts'
import { isUsedUpTo } from './findNonceUser.ts'
import { feesFrom, readGasMarket } from './gasMarket.ts'
import { unestimated, unpayable } from './refusals.ts'
import { sameText } from './sameText.ts'
import { signAttempt, type TransactionSigner } from './signAttempt.ts'
import type { SubmissionBackend } from './submissionBackend.ts'

/** A backend for transactions of one key. */
export function transactionBackend({
  client,
  chainId,
  signer,
}: {
  readonly client: PublicClient
  readonly chainId: number
  readonly signer: TransactionSigner
}): SubmissionBackend {
  const from = signer.address

  async function estimate({ to, value = 0n, data = '0x', sweep }: TransactionRequest): Promise<bigint> {
    try {
      const gas = await client.estimateGas({ account: from, to, value: sweep ? 1n : value, data })
      // A sweep holds back its estimate: a margin would be left on the key.
      return sweep ? gas : gas + gas / 5n
    } catch (cause) {
      throw unestimated(cause)
    }
  }

  /** The whole amount that the key can send at this price; below 0 if it cannot pay. */
  async function sweepable({ to, value, gas }: Pick<Intent, 'to' | 'value' | 'gas'>, fees: Fees) {
    const cost = gas * fees.maxFeePerGas
    const unsigned = serializeTransaction({ type: 'eip1559', chainId, to, value, gas, ...fees })
    const [balance, dataFee] = await Promise.all([
      client.getBalance({ address: from }),
      readDataFee(client, unsigned, cost),
    ])
    return balance - cost - dataFee
  }

  const todaysFees = async (isSweep = false) => {
    const market = await readGasMarket(client)
    return isSweep ? exactFees(market.baseFee + market.tip) : feesFrom(market)
  }

  return {
    from,
    async draft(request) {
      const { to, value = 0n, data = '0x' } = request
      const gas = request.gas ?? (await estimate(request))
      if (!request.sweep) return { to, value, data, gas }
      const whole = await sweepable({ to, value, gas }, await todaysFees(true))
      if (whole <= 0n) throw unpayable()
      return { to, value: whole, data, gas, sweep: true }
    },
    isSame: (intent, { to, value = 0n, data = '0x', sweep }) =>
      intent.chainId === chainId &&
      sameText(intent.from, from) &&
      sameText(intent.to, to) &&
      sameText(intent.data, data) &&
      (intent.sweep ? sweep === true : intent.value === value),
    nextNonce: () => client.getTransactionCount({ address: from }),
    isUsedUpTo: (nonce) => isUsedUpTo(client, from, nonce),
    isPending: async (nonce) =>
      (await client.getTransactionCount({ address: from, blockTag: 'pending' })) > nonce,
    isCanonical: (mined) => isCanonical(client, mined),
    todaysFees: ({ sweep }) => todaysFees(sweep),
    async affords(intent, fees) {
      if (intent.sweep) return (await sweepable(intent, fees)) > 0n
      return (await client.getBalance({ address: from })) >= intent.value + intent.gas * fees.maxFeePerGas
    },
    async sign(intent, signing) {
      if (!intent.sweep || signing.purpose === 'close') return signAttempt(signer, intent, signing)
      const value = await sweepable(intent, signing.fees)
      if (value <= 0n) throw unpayable()
      return signAttempt(signer, { ...intent, value }, signing)
    },
    broadcast: (raw) => broadcast(client, raw),
    find: (record, finality) => findAttempts(client, record, finality),
  }
}
