import { operations } from '@bardo/operations'
import { formatUnits } from 'viem'
import type { CommandInput, CommandResult, Run } from '../terminal/command.ts'
import { UsageError } from '../terminal/UsageError.ts'
import { askOffice } from './askOffice.ts'
import { callText } from './callText.ts'
import { confirm } from './confirm.ts'
import { printed, signedElsewhere } from './signedElsewhere.ts'
import { ownerKeyOption } from './words.ts'

/** `bardo deposit`. */
export const deposit: Run = (call) => moveMoney(call, 'deposit')

/** `bardo withdraw`. */
export const withdraw: Run = (call) => moveMoney(call, 'withdraw')

async function moveMoney(call: CommandInput, kind: 'deposit' | 'withdraw'): Promise<CommandResult> {
  const continued = await signedElsewhere(call, movedText)
  if (continued) return continued
  const { AMOUNT: amount, TOKEN: token } = call.arguments
  if (amount === undefined || token === undefined)
    throw new UsageError(`"${kind}" needs an amount and a token.`, `Example: bardo ${kind} 100 USDC`)
  const input = { amount, token }
  if (call.options['print'] === true) return printed(call, kind, input)
  const operation = { kind, input, ...ownerKeyOption(call) }
  if (call.options['presign'] === true) {
    const done = await askOffice(call, 'presignWithdraw', { ...input, ...ownerKeyOption(call) })
    const calls = done.calls.map(callText).join('\n\n')
    const said = `Send ${done.calls.length === 1 ? 'this' : 'these, in this order,'} from ${done.owner}: it moves ${amount} ${token} from ${done.account} to ${done.owner}. No other key can send it.`
    return { data: done, text: `${said}\n\n${calls}` }
  }
  if (call.options['yes'] !== true && call.terminal.isInteractive) {
    const { sentences } = await askOffice(call, 'prepare', operation)
    await confirm(call, sentences.join(' '), 'yes')
  } else await confirm(call, `${kind} ${amount} ${token}`, 'yes')
  const done = await askOffice(call, 'perform', operation)
  return { data: done, text: movedText(done.result) }
}

function movedText(result: unknown): string {
  const { transaction, to, money } = operations.deposit.result.parse(result)
  return `${formatUnits(BigInt(money.amount), money.decimals)} ${money.symbol} moved to ${to} in ${transaction}.`
}
