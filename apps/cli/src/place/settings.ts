import { homedir } from 'node:os'
import { join, resolve } from 'node:path'
import { BardoError } from '@bardo/core'
import type { Call } from '../shell/command.ts'

/** Where everything is, as flags and the environment say. A flag wins. */
export type Settings = {
  /** The data folder, as a full path. */
  readonly home: string
  /** A node; without one it is the local world's. */
  readonly rpcUrl: string | undefined
  readonly databaseUrl: string | undefined
  readonly env: NodeJS.ProcessEnv
}

/** Reads them. What cannot be used is said before anything is opened. */
export function readSettings({ options, env }: Pick<Call, 'options' | 'env'>): Settings {
  const home = text(options['home']) ?? (env['BARDO_HOME'] || join(homedir(), '.bardo'))
  const rpcUrl = text(options['rpc']) ?? (env['BARDO_RPC_URL'] || undefined)
  if (rpcUrl !== undefined && !isHttp(rpcUrl))
    throw new BardoError('The node’s address is no http(s) address.', {
      code: 'CONFIG_INVALID',
      remedy: 'Give it as in --rpc http://127.0.0.1:8545, or by BARDO_RPC_URL.',
    })
  return { home: resolve(home), rpcUrl, databaseUrl: env['DATABASE_URL'] || undefined, env }
}

function text(value: string | boolean | undefined): string | undefined {
  return typeof value === 'string' && value !== '' ? value : undefined
}

function isHttp(url: string): boolean {
  return URL.canParse(url) && /^https?:$/.test(new URL(url).protocol)
}
