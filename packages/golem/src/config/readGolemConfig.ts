import { isAbsolute, join } from 'node:path'
import { BardoError } from '@bardo/core'
import { parse, TomlError } from 'smol-toml'
import type { z } from 'zod'
import { secret } from '../secret/secret.ts'
import type { GolemConfig, ModelConfig } from './golemConfig.ts'
import { type GolemToml, golemToml } from './golemToml.ts'
import { lineOfKey } from './lineOfKey.ts'
import { type Environment, providerVariables, readProvider } from './readProvider.ts'

/** Where a configuration comes from. */
export type ConfigSources = {
  /** The text of golem.toml. */
  readonly toml: string
  readonly env: Environment
  /** The user's home folder. */
  readonly home: string
}

/** Ticks for which a capability can be used, where nobody says. Origin: ours; a preview is committed at once or soon. */
const defaultExpiryTicks = 3
/** A bigger file is no configuration. Origin: ours. */
const mostChars = 65_536
/** Variables of other parts of Bardo; they are no slips. */
const ownVariables = new Set<string>([
  ...Object.values(providerVariables).flat(),
  ...['BARDO_HOME', 'BARDO_CHAIN', 'BARDO_RPC_URL', 'BARDO_MODEL_KEY', 'BARDO_CAP_EXPIRY_TICKS'],
  ...['BARDO_KEY_SECRET', 'BARDO_PORTAL_URL', 'BARDO_DEPLOYER_KEY', 'BARDO_FORGE', 'BARDO_TEST'],
])

/**
 * A Golem's configuration out of golem.toml and the environment, which wins. All that is wrong is said at once, with
 * its line; values are never repeated, as one may be a secret.
 *
 * @example
 * readGolemConfig({ toml: 'id = "alpha"\nchain = 8453\n[custody]\nmode = "delegation"', env: {}, home: '/home/me' })
 */
export function readGolemConfig({ toml, env, home }: ConfigSources): GolemConfig {
  const problems: string[] = []
  const file = readToml(toml, env, problems)
  const expiryTicks = readExpiryTicks(env, problems)
  const found = file && readProvider(file.custody, env)
  if (found && 'problems' in found) problems.push(...found.problems)
  if (!file || !found || 'problems' in found || problems.length > 0) throw invalid(problems)
  const golems = join(env['BARDO_HOME'] || join(home, '.bardo'), 'golems')
  const dataFolder = env['GOLEM_DATA'] || join(golems, file.id)
  const inFolder = (path: string) => (isAbsolute(path) ? path : join(dataFolder, path))
  const rpc = file.rpc
  return {
    id: file.id,
    chain: file.chain,
    rpc: rpc === undefined ? undefined : secret(rpc),
    dataFolder,
    strategyFile: inFolder(file.strategy),
    heartbeatFile: inFolder(file.heartbeat),
    provider: found.provider,
    rotation: {
      maxOperations: file.rotation.max_operations,
      maxAgeSeconds: BigInt(file.rotation.max_age_seconds),
      budgetFloorBps: BigInt(file.rotation.budget_floor_bps),
    },
    model: file.model && toModel(file.model, env),
    economy: toEconomy(file),
    poolFee: file.trading.pool_fee,
    capabilityExpiryTicks: expiryTicks,
    unknownVariables: Object.keys(env).filter((name) => name.startsWith('BARDO_') && !ownVariables.has(name)),
  }
}

function readToml(text: string, env: Environment, problems: string[]): GolemToml | undefined {
  if (text.length > mostChars) {
    problems.push(`golem.toml is longer than ${mostChars} characters`)
    return undefined
  }
  let table: Record<string, unknown>
  try {
    table = parse(text)
  } catch (error) {
    if (!(error instanceof TomlError)) throw error
    // Its message quotes the file, which may hold what must not be shown.
    problems.push(`golem.toml:${error.line}: this is no TOML, at column ${error.column}`)
    return undefined
  }
  const chain = env['BARDO_CHAIN']
  const rpc = env['BARDO_RPC_URL']
  const merged = { ...table, ...(chain && { chain: Number(chain) }), ...(rpc && { rpc }) }
  const parsed = golemToml.safeParse(merged, { reportInput: true })
  if (parsed.success) return parsed.data
  for (const issue of parsed.error.issues) problems.push(...describe(issue, text, env))
  return undefined
}

const overrides: Readonly<Record<string, string>> = { chain: 'BARDO_CHAIN', rpc: 'BARDO_RPC_URL' }

function describe(issue: z.core.$ZodIssue, text: string, env: Environment): string[] {
  const at = (path: readonly PropertyKey[]) => {
    const key = path.map(String).join('.')
    const variable = overrides[key]
    if (variable && env[variable]) return variable
    const line = lineOfKey(text, path)
    return line === undefined ? `golem.toml: ${key}` : `golem.toml:${line}: ${key}`
  }
  if (issue.code === 'unrecognized_keys')
    return issue.keys.map((key) => `${at([...issue.path, key])} is no setting`)
  const missing = issue.code === 'invalid_type' && issue.input === undefined
  return [`${at(issue.path)} ${missing ? 'is missing' : reason(issue)}`]
}

/** In our words: a parser's own would repeat the value. */
function reason(issue: z.core.$ZodIssue): string {
  switch (issue.code) {
    case 'invalid_type':
      return `is to be of type ${issue.expected}`
    case 'invalid_value':
      return `is one of ${issue.values.map(String).join(', ')}`
    case 'too_small':
      return issue.inclusive === false ? `is not above ${issue.minimum}` : `is below ${issue.minimum}`
    case 'too_big':
      return `is above ${issue.maximum}`
    default:
      return issue.message
  }
}

function readExpiryTicks(env: Environment, problems: string[]): number {
  const text = env['BARDO_CAP_EXPIRY_TICKS']
  if (!text) return defaultExpiryTicks
  if (/^[1-9]\d{0,5}$/.test(text)) return Number(text)
  problems.push('BARDO_CAP_EXPIRY_TICKS is to be a whole number of ticks, from 1 to 999999')
  return defaultExpiryTicks
}

function toModel(
  { endpoint, t0, t1, t2, second }: NonNullable<GolemToml['model']>,
  env: Environment,
): ModelConfig {
  const key = env['BARDO_MODEL_KEY']
  return { endpoint, key: key ? secret(key) : undefined, tiers: { T0: t0, T1: t1, T2: t2 }, second }
}

/** What a model costs in a day, where nobody says. Origin: spec 000 §5.2, the middle tier. */
const inferenceDollars = 2

function toEconomy({ economy, model }: GolemToml): GolemConfig['economy'] {
  const { runway_usd, inference_usd = model ? inferenceDollars : 0, gas_usd, compute_usd, data_usd } = economy
  return {
    runwayCents: cents(runway_usd),
    dailyCosts: {
      inference: cents(inference_usd),
      gas: cents(gas_usd),
      compute: cents(compute_usd),
      data: cents(data_usd),
    },
  }
}

function cents(dollars: number): bigint {
  return BigInt(Math.round(dollars * 100))
}

function invalid(problems: readonly string[]): BardoError {
  return new BardoError('The configuration cannot be used.', {
    code: 'CONFIG_INVALID',
    details: problems,
    remedy: 'Put these right; nothing was started.',
    docsPath: 'golem.md#configuration',
  })
}
