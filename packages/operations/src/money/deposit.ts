import { BardoError } from '@bardo/core'
import { accountOf } from '../owner/accountOf.ts'
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

/** Moves money from the owner's wallet to the owner's smart account, in one plain transaction of the wallet. */
export const deposit = defineOperation({
  input: moneyInput,
  fields: moneyFields,
  result: movedResult,
  async resolve(context, input) {
    const isAll = input.amount.toLowerCase() === 'all' && input.token.toUpperCase() === 'ETH'
    if (isAll)
      throw new BardoError('A wallet cannot send all its ETH: it pays gas from it.', {
        code: 'INVALID_INPUT',
        remedy: 'Name an amount, and keep some ETH in the wallet.',
      })
    return resolveMoney(context, input, context.owner)
  },
  describe: (context, fields) => [
    `Move ${moneyText(fields)} from your wallet ${context.owner} to your account ${accountOf(context)}.`,
    'No Golem gets more than what you signed for it.',
  ],
  async run(context, signer, fields: MoneyFields) {
    const to = signer.account.address
    const landed = await signer.submitter.submit({
      id: `deposit-${context.operation}`,
      ...moneyCall(fields, to),
    })
    await requireMoved(context, landed, fields, { from: context.owner, to })
    return { transaction: landed.hash, from: context.owner, to, money: fields }
  },
})
