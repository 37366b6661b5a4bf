import { deployAccount, type OwnerSigner } from '@bardo/chain'
import { type OwnerCall, ownerCall } from '@bardo/core'
import { accountOf } from '../owner/accountOf.ts'
import { askInOrder } from '../owner/askInOrder.ts'
import { defineOperation, type OperationContext } from '../owner/ownerOperation.ts'
import { moneyCall, requireMoved } from './moneyCall.ts'
import {
  type MoneyFields,
  type MoneyInput,
  moneyFields,
  moneyInput,
  moneyText,
  movedResult,
  resolveMoney,
} from './moneyFields.ts'

/**
 * Moves money from the owner's smart account to the owner's wallet, and nowhere else: one signature and one plain
 * transaction of the wallet. It needs no Golem, and no server of ours.
 */
export const withdraw = defineOperation({
  input: moneyInput,
  fields: moneyFields,
  result: movedResult,
  resolve: (context, input) => resolveMoney(context, input, accountOf(context)),
  describe: (context, fields) => [
    `Move ${moneyText(fields)} from your account ${accountOf(context)} to your wallet ${context.owner}.`,
  ],
  async run(context, signer, fields: MoneyFields) {
    const { account, submitter } = signer
    const to = context.owner
    const [call] = await askInOrder([
      () => ownerCall(signer, moneyCall(fields, to)),
      // An account that does not exist yet can hold money, but cannot send it.
      () => deployAccount({ client: context.client, submitter }, account),
    ])
    const landed = await submitter.submit({ id: `withdraw-${context.operation}`, ...call })
    await requireMoved(context, landed, fields, { from: account.address, to })
    return { transaction: landed.hash, from: account.address, to, money: fields }
  },
})

/**
 * The transactions that withdraw, signed now and sent later from the owner's wallet, also when Bardo is not running. The first
 * one deploys the account if it does not exist yet.
 *
 * @example
 * const calls = await withdrawalCalls(context, signer, { amount: '100', token: 'USDC' })
 */
export async function withdrawalCalls(
  context: OperationContext,
  signer: OwnerSigner,
  input: MoneyInput,
): Promise<readonly OwnerCall[]> {
  const fields = await resolveMoney(context, moneyInput.parse(input), accountOf(context))
  const { address, factory } = signer.account
  const isThere = (await context.client.getCode({ address })) !== undefined
  const { to, data } = await ownerCall(signer, moneyCall(fields, context.owner))
  return [...(factory && !isThere ? [factory] : []), { to, data }]
}
