import { operations } from '@bardo/operations'
import type { CommandInput, CommandResult, Run } from '../terminal/command.ts'
import { UsageError } from '../terminal/UsageError.ts'
import { wrapLines } from '../terminal/wrapLines.ts'
import { askOffice } from './askOffice.ts'
import { confirm } from './confirm.ts'
import { printed, signedElsewhere } from './signedElsewhere.ts'
import { golemArgument, ownerKeyOption, textOption } from './words.ts'

/** The options that state a rule, and the setting of golem.toml that each stands for. */
const amounts = {
  'per-transaction': 'max_transaction_usd',
  'per-session': 'max_session_usd',
  'per-day': 'max_day_usd',
  drawdown: 'max_drawdown_percent',
  'session-seconds': 'session_seconds',
} as const

/** `bardo constitution`: shows, sets or removes the constitution of a Golem. */
export const constitution: Run = async (call) => {
  const continued = await signedElsewhere(call, setText)
  if (continued) return continued
  const rules = readRules(call)
  const isRemoved = call.options['remove'] === true
  if (rules && isRemoved)
    throw new UsageError('--remove cannot be combined with a limit.', 'Give the limits, or --remove.')
  if (!rules && !isRemoved) return show(call)
  const { GOLEM: golem } = call.arguments
  if (golem === undefined)
    throw new UsageError('"constitution" needs a Golem.', 'Example: bardo constitution alpha --drawdown 15')
  const { golem: id } = await askOffice(call, 'constitution', { golem })
  const input = { golem: id, rules: rules ?? null }
  if (call.options['print'] === true) return printed(call, 'constitution', input)
  const operation = { kind: 'constitution', input, ...ownerKeyOption(call) } as const
  const { sentences } = await askOffice(call, 'prepare', operation)
  call.terminal.note(sentences.join('\n'))
  await confirm(call, `Sign this and revoke the current delegation of ${golem}?`, 'yes')
  const done = await askOffice(call, 'perform', operation)
  return { data: done, text: setText(done.result) }
}

async function show(call: CommandInput): Promise<CommandResult> {
  const { text, ...data } = await askOffice(call, 'constitution', golemArgument(call))
  return {
    data,
    text: wrapLines(
      text === '' ? `${data.name} is signed without a constitution.` : text,
      call.terminal.width,
    ),
  }
}

function setText(result: unknown): string {
  const { name, constitution: hash, sentences } = operations.constitution.result.parse(result)
  const first =
    hash === null
      ? `${name} is signed without a constitution. The old delegation is revoked.`
      : `${name} is signed for the constitution ${hash}. The old delegation is revoked.`
  return [first, ...sentences.map((sentence) => `  ${sentence}`)].join('\n')
}

/** The stated limits as settings of golem.toml; undefined if none is stated. */
function readRules(call: CommandInput): Readonly<Record<string, unknown>> | undefined {
  const assets = textOption(call, 'assets')
  const shares = textOption(call, 'share')
  const numbers = Object.entries(amounts).flatMap(([option, setting]) => {
    const text = textOption(call, option)
    return text === undefined ? [] : [[setting, numberOf(option, text)] as const]
  })
  const rules = {
    ...(assets !== undefined && { approved_assets: assets.split(',').map((name) => name.trim()) }),
    ...(shares !== undefined && { max_share_percent: Object.fromEntries(shares.split(',').map(shareOf)) }),
    ...Object.fromEntries(numbers),
  }
  return Object.keys(rules).length === 0 ? undefined : rules
}

function shareOf(text: string): readonly [string, number] {
  const [, name, percent] = /^\s*([^=\s]+)\s*=\s*([\d.]+)\s*%?\s*$/.exec(text) ?? []
  if (name === undefined || percent === undefined)
    throw new UsageError('--share takes assets with percentages.', 'Example: --share WETH=30,WBTC=10')
  return [name, numberOf('share', percent)]
}

function numberOf(option: string, text: string): number {
  if (/^\$?\d{1,12}(\.\d{1,4})?%?$/.test(text)) return Number(text.replace(/[$%]/g, ''))
  throw new UsageError(`--${option} takes a number.`, `Example: --${option} 15`)
}
