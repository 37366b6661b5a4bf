import { BardoError, formatMinute } from '@bardo/core'
import { offerSchema } from '../rpc/handlers/delegate.ts'
import type { CommandInput, CommandResult, Run } from '../terminal/command.ts'
import { UsageError } from '../terminal/UsageError.ts'
import { exposureText } from '../text/exposureText.ts'
import { readText } from '../text/readText.ts'
import { askOffice } from './askOffice.ts'
import { confirm } from './confirm.ts'
import { methodsOption } from './methodsOption.ts'
import { centsOption, numberOption, textOption } from './words.ts'

/** `bardo delegate`. */
export const delegate: Run = async (call) => {
  const { GOLEM: golem = '' } = call.arguments
  const [to, revoked] = [textOption(call, 'to'), textOption(call, 'revoke')]
  if (revoked !== undefined && to === undefined) return end(call, golem, revoked)
  if (to === undefined || revoked !== undefined)
    throw new UsageError(
      '"delegate" needs either --to or --revoke.',
      `Example: bardo delegate ${golem || 'ALPHA'} --to BETA`,
    )
  const days = numberOption(call, 'days', { least: 1, most: 365, otherwise: 7 })
  const type = typeOption(call)
  const methods = methodsOption(call)
  const [targets, coSigners] = [textOption(call, 'targets'), textOption(call, 'co-signers')]
  await confirm(
    call,
    `Let ${to} use a part of ${golem}’s permission for ${days === 1 ? '1 day' : `${days} days`}?`,
    'yes',
  )
  const given = await askOffice(call, 'delegate', {
    golem,
    to,
    type,
    budgetCents: centsOption(call, 'budget', '10'),
    lifespanSeconds: days * 86_400,
    calls: numberOption(call, 'calls', { least: 1, most: 1_000, otherwise: 100 }),
    ...(methods && { methods }),
    ...(targets !== undefined && { targets: targets.split(',').map((target) => target.trim()) }),
    ...(coSigners !== undefined && { coSigners }),
  })
  if (call.options['print'] === true)
    return { data: given.offer, text: JSON.stringify(given.offer, undefined, 2) }
  const { exposure } = given
  return {
    data: given,
    text: [
      `${given.name} delegated to ${given.to} until ${formatMinute(given.endsAt)} UTC: ${given.delegation}`,
      given.isAccepted
        ? `${given.to} uses it with preview_action and this delegation.`
        : 'Its owner accepts it with the file of --print: bardo accept GOLEM FILE',
      `With the key of ${given.to}:`,
      ...exposureText(exposure.receiver, 'one').map((line) => `  ${line}`),
      'All Golems of this owner together:',
      ...exposureText(exposure.owner, 'all').map((line) => `  ${line}`),
    ].join('\n'),
  }
}

/** `bardo accept`. */
export const accept: Run = async (call) => {
  const { GOLEM: golem = '', FILE: file = '' } = call.arguments
  const accepted = await askOffice(call, 'accept', { golem, offer: readOffer(file) })
  return {
    data: accepted,
    text: `${accepted.name} received a delegation from ${accepted.from} until ${formatMinute(accepted.endsAt)} UTC: ${accepted.delegation}`,
  }
}

async function end(call: CommandInput, golem: string, to: string): Promise<CommandResult> {
  await confirm(call, `End what ${golem} delegated to ${to}?`, 'yes')
  const { name, ended, ...rest } = await askOffice(call, 'endDelegate', { golem, to })
  return {
    data: { name, ended, ...rest },
    text: [
      ...ended.map((hash) => `${name} ended the delegation ${hash}.`),
      'All Golems of this owner together:',
      ...exposureText(rest.exposure, 'all').map((line) => `  ${line}`),
    ].join('\n'),
  }
}

function typeOption({ options }: CommandInput): 'act' | 'observer' | 'readOnly' {
  const [isReadOnly, isObserver] = [options['read-only'] === true, options['observer'] === true]
  if (isReadOnly && isObserver)
    throw new UsageError('--read-only and --observer exclude each other.', 'Leave one of them out.')
  return isReadOnly ? 'readOnly' : isObserver ? 'observer' : 'act'
}

function readOffer(file: string) {
  try {
    return offerSchema.parse(JSON.parse(readText(file)))
  } catch (cause) {
    if (cause instanceof BardoError) throw cause
    throw new BardoError('The file does not contain a delegation.', {
      code: 'INVALID_INPUT',
      details: ['expected: the output of bardo delegate … --print'],
      docsPath: 'golem.md#another-golem',
      cause,
    })
  }
}
