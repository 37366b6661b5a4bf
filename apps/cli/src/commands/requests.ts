import { BardoError, formatMinute } from '@bardo/core'
import { proposalFileSchema, signatureFileSchema } from '@bardo/golem'
import { answeredResult } from '@bardo/operations'
import type { z } from 'zod'
import type { Answer } from '../rpc/office.ts'
import type { CommandInput, CommandResult, Run } from '../terminal/command.ts'
import { shown } from '../terminal/shown.ts'
import { UsageError } from '../terminal/UsageError.ts'
import { readText } from '../text/readText.ts'
import { askOffice } from './askOffice.ts'
import { confirm } from './confirm.ts'
import { printed, signedElsewhere } from './signedElsewhere.ts'
import { numberOption, ownerKeyOption, textOption } from './words.ts'

/** `bardo requests`. */
export const requests: Run = async (call) => {
  const { ANSWER: says } = call.arguments
  const request = await requestId(call)
  // --print and --signed have two uses: the owner's answer, and the signatures of co-signers.
  if (request !== undefined && says === 'cosign') return coSignElsewhere(call, request)
  const continued = await signedElsewhere(call, answeredText)
  if (continued) return continued
  if (request === undefined) {
    const waiting = await askOffice(call, 'requests', {})
    const lines = waiting.flatMap((one) => [
      `${call.terminal.stress('bold', `${one.number}  ${one.name}`)}: ${one.kind}`,
      `  ${one.sentence}`,
      `  ${one.deadline} ${one.withoutAnswer}`,
      ...(one.coSigning ? coSigningLines(one.coSigning, one.expiresAt) : []),
      `  bardo requests ${one.number} ${one.coSigning ? 'cosign --print' : 'yes'}   or no; its id: ${one.id}`,
    ])
    return { data: waiting, text: lines.length > 0 ? lines.join('\n') : 'No request is waiting for you.' }
  }
  if (says !== 'yes' && says !== 'no')
    throw new UsageError(
      'Missing argument ANSWER (yes or no; cosign for a proposal).',
      `Example: bardo requests ${shown(request, 20)} yes.`,
    )
  const override = call.options['override'] === true
  const less = lessOption(call)
  if (says === 'yes' && call.options['print'] !== true) await confirmAnswer(call, request)
  const effects = says === 'yes' ? await showEffects(call, request, less) : []
  if (call.options['print'] === true)
    return printed(call, 'answer', { request, says, override, ...less.less })
  const answered = await askOffice(call, 'answer', {
    request,
    says,
    ...less,
    override,
    ...ownerKeyOption(call),
  })
  return {
    data: { ...answered, effects },
    text: answeredText(answered),
    exit: answered.isTaken ? 0 : 1,
  }
}

/** The id of the named request. A number is resolved to its request. */
async function requestId(call: CommandInput): Promise<string | undefined> {
  const { REQUEST: given } = call.arguments
  const [, number] = /^#?([1-9]\d{0,14})$/.exec(given ?? '') ?? []
  if (given === undefined || number === undefined) return given
  const { id } = await askOffice(call, 'requestOfNumber', { number: Number(number) })
  if (id !== null) return id
  throw new BardoError(`There is no request ${number}.`, {
    code: 'INVALID_INPUT',
    remedy: 'See bardo requests. A number always names the same request, also after its answer.',
    docsPath: 'requests.md',
  })
}

/** Shows what a yes does before it asks. Without a terminal, the yes in the command is the confirmation. */
async function confirmAnswer(call: CommandInput, request: string): Promise<void> {
  if (!call.terminal.isInteractive || call.options['yes'] === true) return
  const one = (await askOffice(call, 'requests', {})).find(({ id }) => id === request)
  if (!one) return
  await confirm(call, `${one.name}: ${one.sentence} ${one.deadline}`, 'yes')
}

/** Prints a proposal for its co-signers, or takes their signatures. */
async function coSignElsewhere(call: CommandInput, request: string): Promise<CommandResult> {
  const file = textOption(call, 'signed')
  if (file === undefined) {
    if (call.options['print'] !== true)
      throw new UsageError(
        '"cosign" needs --print or --signed FILE.',
        `Example: bardo requests ${shown(request, 30)} cosign --print > proposal.json`,
      )
    const proposal = await askOffice(call, 'printProposal', { request })
    return { data: proposal, text: JSON.stringify(proposal, undefined, 2) }
  }
  const taken = await askOffice(call, 'takeCoSignatures', {
    request,
    file: readJson(signatureFileSchema, file, 'bardo cosign GOLEM FILE'),
  })
  const { valid, threshold } = taken
  return {
    data: taken,
    text:
      valid >= threshold
        ? `${valid} of ${threshold} co-signatures: the Golem commits at its next tick.`
        : `${valid} of ${threshold} co-signatures.`,
  }
}

/** `bardo cosign`. */
export const cosign: Run = async (call) => {
  const { GOLEM: golem = '', FILE: file = '' } = call.arguments
  const signed = await askOffice(call, 'coSign', {
    golem,
    file: readJson(proposalFileSchema, file, 'bardo requests ID cosign --print'),
  })
  call.terminal.note(
    `${signed.name} co-signed. Import it in the proposer’s data folder: bardo requests ID cosign --signed FILE`,
  )
  return { data: signed.file, text: JSON.stringify(signed.file, undefined, 2) }
}

function readJson<Value>(schema: z.ZodType<Value>, file: string, source: string): Value {
  try {
    return schema.parse(JSON.parse(readText(file)))
  } catch (cause) {
    if (cause instanceof BardoError) throw cause
    throw new BardoError('The file cannot be read.', {
      code: 'INVALID_INPUT',
      details: [`expected: the output of ${source}`],
      docsPath: 'council.md',
      cause,
    })
  }
}

type CoSigning = NonNullable<Answer<'requests'>[number]['coSigning']>

function coSigningLines({ threshold, valid, members }: CoSigning, expiresAt: number | null): string[] {
  const words = { open: 'open', signed: 'signed', refused: 'refused' } as const
  return [
    `  ${valid} of ${threshold} co-signatures${expiresAt === null ? '' : `, until ${formatMinute(Math.floor(expiresAt / 1_000))} UTC`}:`,
    ...members.map(
      ({ name, state, because }) => `    ${name}: ${words[state]}${because === '' ? '' : `: ${because}`}`,
    ),
  ]
}

function answeredText(result: unknown): string {
  const { isTaken, says, kind, name } = answeredResult.parse(result)
  return isTaken
    ? `${says === 'yes' ? 'Approved' : 'Refused'}: the ${kind} request of ${name}.`
    : 'Not changed: this request was answered by another process first.'
}

/** Shows what a runway changes before it is signed. Asks for confirmation if a partial approval does not extend the Golem's life. */
async function showEffects(call: CommandInput, request: string, { less }: ReturnType<typeof lessOption>) {
  const { terminal } = call
  const effects = await askOffice(call, 'runwayEffects', { request, ...(less && { less }) })
  if (!terminal.isJson) for (const { name, sentence } of effects) terminal.note(`${name}: ${sentence}`)
  const isLess = less?.amount !== undefined || less?.days !== undefined
  if (isLess && terminal.isInteractive && effects.some(({ lengthensLife }) => !lengthensLife))
    await confirm(call, 'This does not extend its life. Grant it anyway?', 'yes')
  return effects
}

/** A partial approval: an amount or a duration below the requested one. */
function lessOption(call: CommandInput): { readonly less?: { amount?: string; days?: number } } {
  const amount = textOption(call, 'amount')
  const days =
    textOption(call, 'days') === undefined
      ? undefined
      : numberOption(call, 'days', { least: 1, most: 3_650, otherwise: 1 })
  const less = { ...(amount !== undefined && { amount }), ...(days !== undefined && { days }) }
  if (call.arguments['ANSWER'] !== 'no') return { less }
  if (amount !== undefined || days !== undefined)
    throw new UsageError(
      '--amount and --days apply only to a yes.',
      'Leave them out to refuse the whole request.',
    )
  return {}
}
