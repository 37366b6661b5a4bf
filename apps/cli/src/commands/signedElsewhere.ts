import { BardoError } from '@bardo/core'
import { type OperationKind, type PreparedOperationJson, signedOperationSchema } from '@bardo/operations'
import type { CommandInput, CommandResult } from '../terminal/command.ts'
import { readText } from '../text/readText.ts'
import { askOffice } from './askOffice.ts'
import { ownerKeyOption, textOption } from './words.ts'

/** `--print`: prepares an operation, and prints what the owner has to sign or send. */
export async function printed(
  call: CommandInput,
  kind: OperationKind,
  input: Readonly<Record<string, unknown>>,
): Promise<CommandResult> {
  const owner = textOption(call, 'owner')
  const question = { kind, input, ...ownerKeyOption(call), ...(owner !== undefined && { owner }) }
  return toSign(call, await askOffice(call, 'prepare', question))
}

/**
 * `--signed FILE`: continues a printed operation with the owner's answers. Undefined without that option.
 *
 * @param say - the result in words
 */
export async function signedElsewhere(
  call: CommandInput,
  say: (result: unknown) => string,
): Promise<CommandResult | undefined> {
  const file = textOption(call, 'signed')
  if (file === undefined) return undefined
  const outcome = await askOffice(call, 'complete', readSigned(file))
  return outcome.type === 'prepared' ? toSign(call, outcome) : { data: outcome, text: say(outcome.result) }
}

const verbs = { signature: 'sign', transaction: 'send', permissions: 'grant with a wallet' } as const

/** The file to sign. */
export function toSign({ terminal }: CommandInput, prepared: PreparedOperationJson): CommandResult {
  const steps = prepared.steps.map(({ type }) => verbs[type]).join(', then ')
  terminal.note([...prepared.sentences, `The owner’s key must do: ${steps}.`].join('\n'))
  return { data: prepared, text: JSON.stringify(prepared, undefined, 2) }
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
