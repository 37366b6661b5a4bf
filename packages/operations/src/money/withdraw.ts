import { deployAccount } from '@bardo/chain'
import { ownerCall } from '@bardo/core'
import { accountOf } from '../owner/accountOf.ts'
import { askInOrder } from '../owner/askInOrder.ts'
import { defineOperation } from '../owner/ownerOperation.ts'
import { moneyCall, requireMoved } from './moneyCall.ts'
import {
  type MoneyFields,
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
