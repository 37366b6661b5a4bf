import { BardoError } from '@bardo/core'
import { type OperationKind, type PreparedOperationJson, signedOperationSchema } from '@bardo/operations'
import { formatUnits } from 'viem'
import { z } from 'zod'
import type { CommandInput, CommandResult, Run } from '../terminal/command.ts'
import { UsageError } from '../terminal/UsageError.ts'
import { readText } from '../text/readText.ts'
import { askOffice } from './askOffice.ts'
import { confirm } from './confirm.ts'
import { ownerKeyOption, textOption } from './words.ts'

/** `bardo deposit`. */
export const deposit: Run = (call) => moveMoney(call, 'deposit')

/** `bardo withdraw`. */
export const withdraw: Run = (call) => moveMoney(call, 'withdraw')

const movedSchema = z.looseObject({
  transaction: z.string(),
  to: z.string(),
  money: z.looseObject({ amount: z.string(), decimals: z.number(), symbol: z.string() }),
})

async function moveMoney(call: CommandInput, kind: OperationKind): Promise<CommandResult> {
  const file = textOption(call, 'signed')
  if (file !== undefined) return shown(call, await askOffice(call, 'complete', readSigned(file)))
  const { AMOUNT: amount, TOKEN: token } = call.arguments
  if (amount === undefined || token === undefined)
    throw new UsageError(`"${kind}" needs an amount and a token.`, `Example: bardo ${kind} 100 USDC`)
  const operation = { kind, input: { amount, token }, ...ownerKeyOption(call) }
  const owner = textOption(call, 'owner')
  const question = { ...operation, ...(owner !== undefined && { owner }) }
  if (call.options['print'] === true) return shown(call, await askOffice(call, 'prepare', question))
  if (call.options['yes'] !== true && call.terminal.isInteractive) {
    const { sentences } = await askOffice(call, 'prepare', operation)
    await confirm(call, sentences.join(' '), 'yes')
  } else await confirm(call, `${kind} ${amount} ${token}`, 'yes')
  return shown(call, await askOffice(call, 'perform', operation))
}

/** A prepared operation as the file to sign; a finished one as a sentence. */
function shown(
  { terminal }: CommandInput,
  outcome: PreparedOperationJson | { readonly type: 'done'; readonly result: unknown },
): CommandResult {
  if (outcome.type === 'prepared') {
    const steps = outcome.steps.map(({ type }) => (type === 'signature' ? 'sign' : 'send')).join(', then ')
    terminal.note([...outcome.sentences, `To do with the owner’s key: ${steps}.`].join('\n'))
    return { data: outcome, text: JSON.stringify(outcome, undefined, 2) }
  }
  const { transaction, to, money } = movedSchema.parse(outcome.result)
  const amount = `${formatUnits(BigInt(money.amount), money.decimals)} ${money.symbol}`
  return { data: outcome, text: `${amount} moved to ${to} in ${transaction}.` }
}

function readSigned(file: string) {
  try {
    return signedOperationSchema.parse(JSON.parse(readText(file)))
  } catch (cause) {
    if (cause instanceof BardoError) throw cause
    throw new BardoError('The file does not contain answers to an operation.', {
      code: 'INVALID_INPUT',
      details: [
        'expected: {"operation": "0x…", "answers": [{"digest": "0x…", "signature": "0x…"}]}',
        'instead of "signature": "transaction" (a hash) or "rawTransaction"',
      ],
      docsPath: 'owners.md#sign-elsewhere',
      cause,
    })
  }
}
