import { homedir } from 'node:os'
import { join, resolve } from 'node:path'
import { BardoError } from '@bardo/core'
import type { CommandInput } from '../terminal/command.ts'

/** The settings from flags and the environment. A flag wins. */
export type Settings = {
  /** The data folder, as a full path. */
  readonly home: string
  /** The RPC node. Undefined: the local chain of the data folder. */
  readonly rpcUrl: string | undefined
  readonly databaseUrl: string | undefined
  readonly env: NodeJS.ProcessEnv
  /** Tells the user that --rpc has no effect; undefined if it was not given. */
  readonly noteUnusedRpc?: () => void
  /** Receives what the operator must know about a Golem that this process opens. Default: nothing is shown. */
  readonly warn?: (message: string) => void
}

/**
 * Reads the settings. Throws before anything is opened.
 *
 * @param configRpc - the node that golem.toml names, for a command without --rpc
 */
export function readSettings(
  { options, env, terminal }: Pick<CommandInput, 'options' | 'env'> & Partial<Pick<CommandInput, 'terminal'>>,
  configRpc?: string,
): Settings {
  if (env['GOLEM_DATA'])
    throw new BardoError('GOLEM_DATA is not a setting of Bardo: nothing is written there.', {
      code: 'CONFIG_INVALID',
      remedy: 'Unset it. Bardo keeps all data in one folder: set BARDO_HOME, or use --home.',
      docsPath: 'golem.md#configuration',
    })
  const home = text(options['home']) ?? (env['BARDO_HOME'] || join(homedir(), '.bardo'))
  const rpcUrl = text(options['rpc']) ?? (env['BARDO_RPC_URL'] || configRpc)
  if (rpcUrl !== undefined && !isHttp(rpcUrl))
    throw new BardoError('The RPC URL must start with http:// or https://.', {
      code: 'CONFIG_INVALID',
      remedy: 'Example: --rpc http://127.0.0.1:8545, or set BARDO_RPC_URL.',
    })
  const noteUnusedRpc = () =>
    terminal?.note(
      `${text(options['rpc']) === undefined ? 'rpc in golem.toml' : '--rpc'} has no effect: a running Bardo process holds this data folder and uses its own node.`,
    )
  return {
    home: resolve(home),
    rpcUrl,
    databaseUrl: env['DATABASE_URL'] || undefined,
    env,
    ...((text(options['rpc']) ?? configRpc) !== undefined && { noteUnusedRpc }),
  }
}

function text(value: string | boolean | undefined): string | undefined {
  return typeof value === 'string' && value !== '' ? value : undefined
}

function isHttp(url: string): boolean {
  return URL.canParse(url) && /^https?:$/.test(new URL(url).protocol)
}
