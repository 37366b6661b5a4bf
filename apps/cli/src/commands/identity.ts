import { formatMinute } from '@bardo/core'
import { type OperationKind, operations } from '@bardo/operations'
import type { CommandResult, Run } from '../terminal/command.ts'
import { table } from '../terminal/table.ts'
import { UsageError } from '../terminal/UsageError.ts'
import { identityText } from '../text/identityText.ts'
import { askOffice } from './askOffice.ts'
import { confirm } from './confirm.ts'
import { printed, signedElsewhere } from './signedElsewhere.ts'
import { golemArgument, ownerKeyOption, textOption } from './words.ts'

const inputOptions = ['uri', 'guardian', 'to'] as const

type Action = {
  readonly kind: OperationKind
  /** The options that belong to this action, by the name of the input. */
  readonly options: readonly (typeof inputOptions)[number][]
  readonly done: (result: unknown, name: string) => string
}

const actions = {
  register: {
    kind: 'identityRegister',
    options: ['uri'],
    done(result, name) {
      const { agentId, wallet: key } = operations.identityRegister.result.parse(result)
      return `${name} is agent ${agentId} of your account${key ? `, with the wallet ${key}` : ''}.`
    },
  },
  wallet: {
    kind: 'identityWallet',
    options: [],
    done(result) {
      const { agentId, wallet: key } = operations.identityWallet.result.parse(result)
      return `Agent ${agentId} has the wallet ${key}.`
    },
  },
  attest: {
    kind: 'identityAttest',
    options: [],
    done: (_, name) => `${name} is attested. Share the attestation: bardo identity show ${name} --json`,
  },
  deposit: {
    kind: 'identityDeposit',
    options: ['guardian'],
    done: (result, name) =>
      `The guardian contract holds agent ${operations.identityDeposit.result.parse(result).agentId} of ${name}. It moves only after the delay.`,
  },
  transfer: {
    kind: 'identityTransfer',
    options: ['to'],
    done(result) {
      const { agentId, to, readyAt } = operations.identityTransfer.result.parse(result)
      return `Announced: agent ${agentId} goes to ${to}. Complete it from ${formatMinute(Number(readyAt))} UTC on.`
    },
  },
  cancel: {
    kind: 'identityCancel',
    options: [],
    done: (result) =>
      `Cancelled. Agent ${operations.identityCancel.result.parse(result).agentId} stays with the guardian contract.`,
  },
  complete: {
    kind: 'identityComplete',
    options: [],
    done(result) {
      const { agentId, to } = operations.identityComplete.result.parse(result)
      return `Agent ${agentId} belongs to ${to}.`
    },
  },
} as const satisfies Record<string, Action>

/** `bardo identity`. */
export const identity: Run = async (call) => {
  const { ACTION: name = 'show' } = call.arguments
  const action = Object.entries(actions).find(([key]) => key === name)?.[1]
  const seen = await askOffice(call, 'identity', golemArgument(call))
  if (!action) return show(seen)
  const say = (result: unknown) => action.done(result, seen.name)
  const continued = await signedElsewhere(call, say)
  if (continued) return continued
  const given = inputOptions.flatMap((option) => {
    const text = textOption(call, option)
    if (text === undefined) return []
    if (!action.options.some((one) => one === option))
      throw new UsageError(`--${option} does not belong to "identity ${name}".`, 'See bardo identity --help.')
    return [[option, text] as const]
  })
  const input = { golem: seen.golem, ...Object.fromEntries(given) }
  const operation = { kind: action.kind, input, ...ownerKeyOption(call) }
  if (call.options['print'] === true) return printed(call, action.kind, input)
  if (call.options['yes'] !== true && call.terminal.isInteractive) {
    const { sentences } = await askOffice(call, 'prepare', operation)
    await confirm(call, sentences.join(' '), 'yes')
  } else await confirm(call, `identity ${name} ${seen.name}`, 'yes')
  const done = await askOffice(call, 'perform', operation)
  return { data: done, text: say(done.result) }
}

function show(seen: Awaited<ReturnType<typeof askOffice<'identity'>>>): CommandResult {
  const { name, identity: card } = seen
  if (!card) return { data: seen, text: `${name} has no identity. Register it: bardo identity register` }
  const lines = identityText(card, seen).map(([label, text]) => [`  ${label}`, text])
  return { data: seen, text: [name, table(lines, Number.POSITIVE_INFINITY)].join('\n') }
}
