import { dirname, resolve } from 'node:path'
import { BardoError } from '@bardo/core'
import { type GolemConfig, readGolemConfig } from '@bardo/golem'
import type { CommandInput } from '../terminal/command.ts'
import { UsageError } from '../terminal/UsageError.ts'
import { readText } from '../text/readText.ts'
import { answered } from './answered.ts'
import { textOption } from './words.ts'

/** The inputs of `bardo summon`: files, names and choices. */
export type SummonInputs = {
  readonly strategyFile: string
  readonly heartbeatFile: string | undefined
  /** The parsed golem.toml, if there is one. */
  readonly config: GolemConfig | undefined
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
    name: textOption(call, 'name'),
    ownerKeyFile: textOption(call, 'owner-key'),
    identity: textOption(call, 'identity'),
  }
  const { terminal } = call
  const asksAll = terminal.isInteractive && call.options['yes'] !== true
  const { configFile, custody } = await chooseCustody(call, asksAll)
  const config = configFile === undefined ? undefined : readConfig(call, configFile)
  requireChosen(custody, config, configFile)
  const strategy = call.arguments['STRATEGY'] ?? besides(configFile, config?.strategyFile)
  const heartbeatFile = textOption(call, 'heartbeat') ?? besides(configFile, config?.heartbeatFile)
  const files = { heartbeatFile, config, configFile }
  if (!terminal.isInteractive)
    return {
      ...given,
      ...files,
      strategyFile: strategy ?? missing('STRATEGY'),
      name: given.name ?? missing('--name'),
    }
  const ownerKeyFile = given.ownerKeyFile ?? (asksAll ? await askWallet() : undefined)
  const strategyFile = strategy ?? (await askText('Strategy file:', 'STRATEGY.md'))
  const name = given.name ?? (await askText('Name of the Golem:', 'beta'))
  const identity = given.identity ?? (asksAll ? await askIdentity() : undefined)
  return { ...files, strategyFile, name, ownerKeyFile, identity }
}

type Custody = 'delegation' | 'localKey'

/** The custody mode that the owner chose, by option or by prompt, and the golem.toml. */
async function chooseCustody(
  call: CommandInput,
  asksAll: boolean,
): Promise<{ readonly custody: Custody | undefined; readonly configFile: string | undefined }> {
  const configFile = textOption(call, 'config')
  const option = textOption(call, 'custody')
  if (option !== undefined && option !== 'delegation' && option !== 'localKey')
    throw new UsageError('--custody takes delegation or localKey.', 'Default: what golem.toml says.')
  const custody = option ?? (asksAll && configFile === undefined ? await askCustody() : undefined)
  if (custody !== 'localKey' || configFile !== undefined) return { custody, configFile }
  return {
    custody,
    configFile: asksAll ? await askText('golem.toml with the limits:', 'golem.toml') : missing('--config'),
  }
}

async function askCustody(): Promise<Custody> {
  const { select } = await import('@clack/prompts')
  return answered(
    select<Custody>({
      message: 'How is it limited? (Your money stays in your account.)',
      options: [
        {
          value: 'delegation',
          label: 'Delegation: all limits on chain (recommended)',
          hint: 'one signature, compiled from your strategy',
        },
        {
          value: 'localKey',
          label: 'Local key: four limits on chain (for development)',
          hint: 'daily spend, calls, expiry and contracts, from golem.toml',
        },
      ],
    }),
  )
}

function readConfig({ env }: CommandInput, file: string): GolemConfig {
  return readGolemConfig({ toml: readText(file), env })
}

/** A golem.toml must not undo what the owner chose: the two custody modes trust different things. */
function requireChosen(
  chosen: Custody | undefined,
  config: GolemConfig | undefined,
  file: string | undefined,
): void {
  const mode = config?.provider.type ?? 'delegation'
  if (chosen === undefined || chosen === mode) return
  throw new BardoError('Two custody modes are given.', {
    code: 'CONFIG_INVALID',
    details: [`your choice: ${chosen}`, `custody.mode in ${file}: ${mode}`],
    remedy: 'Change custody.mode in golem.toml, or choose the mode that it names.',
    docsPath: 'golem.md#configuration',
  })
}

/** A path that golem.toml names, relative to it. */
function besides(configFile: string | undefined, path: string | undefined): string | undefined {
  return configFile === undefined || path === undefined ? undefined : resolve(dirname(configFile), path)
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
