import { BardoError } from '@bardo/core'
import { type OperationKind, type PreparedOperationJson, signedOperationSchema } from '@bardo/operations'
import type { CommandInput, CommandResult } from '../terminal/command.ts'
import type { ExposureJson } from '../text/exposureJson.ts'
import { exposureText } from '../text/exposureText.ts'
import { readText } from '../text/readText.ts'
import { askOffice } from './askOffice.ts'
import { readSignedExposure } from './signedExposure.ts'
import { ownerKeyOption, textOption } from './words.ts'

/** `--print`: prepares an operation, and prints what the owner has to sign or send. */
export async function printed(
  call: CommandInput,
  kind: OperationKind,
  input: Readonly<Record<string, unknown>>,
  exposure: ExposureJson | null = null,
): Promise<CommandResult> {
  const owner = textOption(call, 'owner')
  const question = { kind, input, ...ownerKeyOption(call), ...(owner !== undefined && { owner }) }
  return toSign(call, await askOffice(call, 'prepare', question), exposure)
}

/**
 * `--signed FILE`: continues a printed operation with the owner's answers. Undefined without that option.
 *
 * @param say - the result in words
 * @param signedFor - the Golem for which the owner signed new limits: the output ends with what can leave under them
 */
export async function signedElsewhere(
  call: CommandInput,
  say: (result: unknown) => string,
  signedFor?: (result: unknown) => string,
): Promise<CommandResult | undefined> {
  const file = textOption(call, 'signed')
  if (file === undefined) return undefined
  const outcome = await askOffice(call, 'complete', readSigned(file))
  if (outcome.type === 'prepared') return toSign(call, outcome)
  const text = say(outcome.result)
  if (!signedFor) return { data: outcome, text }
  const ask = (question: { golem: string }) => askOffice(call, 'exposure', question)
  const { signedExposure, lines } = await readSignedExposure(ask, signedFor(outcome.result))
  return { data: { ...outcome, signedExposure }, text: [text, ...lines].join('\n') }
}

const verbs = { signature: 'sign', transaction: 'send', permissions: 'grant with a wallet' } as const

/**
 * The file to sign.
 *
 * @param exposure - what can leave once it is signed
 */
export function toSign(
  { terminal }: CommandInput,
  prepared: PreparedOperationJson,
  exposure: ExposureJson | null = null,
): CommandResult {
  const steps = prepared.steps.map(({ type }) => verbs[type]).join(', then ')
  const notes = [
    ...prepared.sentences,
    `The owner’s key must do: ${steps}.`,
    ...(exposure ? ['Once it is signed:', ...exposureText(exposure, 'one').map((line) => `  ${line}`)] : []),
  ]
  terminal.note(notes.join('\n'))
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
