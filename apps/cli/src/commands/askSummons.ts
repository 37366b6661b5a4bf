import { BardoError } from '@bardo/core'
import type { Call } from '../shell/command.ts'
import { answered } from './answered.ts'
import { textOption } from './words.ts'

/** What a person brings to a summoning: files, names and choices. */
export type SummonsAsked = {
  readonly strategyFile: string
  readonly name: string
  readonly configFile: string | undefined
  readonly ownerKeyFile: string | undefined
  readonly identity: string | undefined
}

/**
 * Gathers it from the command line, and asks for the rest where somebody is there: custody, wallet, strategy, name and
 * identity. With --yes only what is indispensable is asked for.
 */
export async function askSummons(call: Call): Promise<SummonsAsked> {
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
  const strategyFile = given.strategyFile ?? (await askText('Which file is the strategy in?', 'STRATEGY.md'))
  const name = given.name ?? (await askText('What is it called?', 'beta'))
  const identity = given.identity ?? (asksAll ? await askIdentity() : undefined)
  return { strategyFile, name, configFile, ownerKeyFile, identity }
}

async function askCustody(): Promise<string | undefined> {
  const { select } = await import('@clack/prompts')
  const custody = await answered(
    select({
      message: 'Who holds the money?',
      options: [
        { value: 'delegation', label: 'You do', hint: 'a delegation: the money never leaves your account' },
        {
          value: 'localKey',
          label: 'You do, by four plain bounds',
          hint: 'a local key: golem.toml names them',
        },
      ],
    }),
  )
  return custody === 'delegation' ? undefined : askText('Which golem.toml has the bounds?', 'golem.toml')
}

async function askWallet(): Promise<string | undefined> {
  const { select } = await import('@clack/prompts')
  const wallet = await answered(
    select({
      message: 'Which wallet signs?',
      options: [
        { value: 'local', label: 'The local world’s owner', hint: 'there only' },
        { value: 'file', label: 'A key in a file' },
      ],
    }),
  )
  return wallet === 'local' ? undefined : askText('Which file?', 'owner.key')
}

async function askIdentity(): Promise<string | undefined> {
  const { confirm } = await import('@clack/prompts')
  const isWanted = await answered(
    confirm({ message: 'Register it in the identity registry (ERC-8004)?', initialValue: false }),
  )
  return isWanted ? askText('Under which address?', 'https://example.org/agent.json') : undefined
}

async function askText(message: string, placeholder: string): Promise<string> {
  const { text } = await import('@clack/prompts')
  const validate = (value: string | undefined) => (value?.trim() ? undefined : 'Say something.')
  return (await answered(text({ message, placeholder, validate }))).trim()
}

function missing(flag: string): never {
  throw new BardoError(`${flag} is missing, and nobody can be asked here.`, {
    code: 'INVALID_INPUT',
    remedy: 'Give everything in one line: bardo summon STRATEGY.md --name beta --yes.',
  })
}
