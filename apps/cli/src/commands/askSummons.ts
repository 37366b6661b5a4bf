import { BardoError } from '@bardo/core'
import type { CommandInput } from '../terminal/command.ts'
import { answered } from './answered.ts'
import { textOption } from './words.ts'

/** The inputs of `bardo summon`: files, names and choices. */
export type SummonInputs = {
  readonly strategyFile: string
  readonly name: string
  readonly configFile: string | undefined
  readonly ownerKeyFile: string | undefined
  readonly identity: string | undefined
}

/**
 * Reads the inputs from the command line and, in a terminal, prompts for the missing ones: custody, wallet, strategy, name
 * and identity. With --yes, it prompts only for the strategy and the name.
 */
export async function askSummons(call: CommandInput): Promise<SummonInputs> {
  const given = {
    strategyFile: call.arguments['STRATEGY'],
    name: textOption(call, 'name'),
    configFile: textOption(call, 'config'),
    ownerKeyFile: textOption(call, 'owner-key'),
    identity: textOption(call, 'identity'),
  }
  if (!call.terminal.isInteractive) {
    const { strategyFile, name, ...rest } = given
    return { ...rest, strategyFile: strategyFile ?? missing('STRATEGY'), name: name ?? missing('--name') }
  }
  const asksAll = call.options['yes'] !== true
  const configFile = given.configFile ?? (asksAll ? await askCustody() : undefined)
  const ownerKeyFile = given.ownerKeyFile ?? (asksAll ? await askWallet() : undefined)
  const strategyFile = given.strategyFile ?? (await askText('Strategy file:', 'STRATEGY.md'))
  const name = given.name ?? (await askText('Name of the Golem:', 'beta'))
  const identity = given.identity ?? (asksAll ? await askIdentity() : undefined)
  return { strategyFile, name, configFile, ownerKeyFile, identity }
}

async function askCustody(): Promise<string | undefined> {
  const { select } = await import('@clack/prompts')
  const custody = await answered(
    select({
      message: 'How is it limited? (Your money stays in your account.)',
      options: [
        {
          value: 'delegation',
          label: 'All limits on chain (recommended)',
          hint: 'compiled from your strategy',
        },
        {
          value: 'localKey',
          label: 'Four simple limits on chain',
          hint: 'daily spend, calls, expiry and contracts, from golem.toml',
        },
      ],
    }),
  )
  return custody === 'delegation' ? undefined : askText('golem.toml with the limits:', 'golem.toml')
}

async function askWallet(): Promise<string | undefined> {
  const { select } = await import('@clack/prompts')
  const wallet = await answered(
    select({
      message: 'Which wallet signs?',
      options: [
        { value: 'local', label: 'Built-in test owner', hint: 'local chain only' },
        { value: 'file', label: 'Private key in a file' },
      ],
    }),
  )
  return wallet === 'local' ? undefined : askText('Key file:', 'owner.key')
}

async function askIdentity(): Promise<string | undefined> {
  const { confirm } = await import('@clack/prompts')
  const isRegistered = await answered(
    confirm({ message: 'Register it in the ERC-8004 identity registry?', initialValue: false }),
  )
  return isRegistered ? askText('Agent URI:', 'https://example.org/agent.json') : undefined
}

async function askText(message: string, placeholder: string): Promise<string> {
  const { text } = await import('@clack/prompts')
  const validate = (value: string | undefined) => (value?.trim() ? undefined : 'Required.')
  return (await answered(text({ message, placeholder, validate }))).trim()
}

function missing(flag: string): never {
  throw new BardoError(`Missing ${flag}, and this is not an interactive terminal.`, {
    code: 'INVALID_INPUT',
    remedy: 'Give all arguments: bardo summon STRATEGY.md --name beta --yes.',
  })
}
