import { BardoError, type Curve, type StatedRules } from '@bardo/core'
import type { Route } from '@bardo/wallets'
import { parse, TomlError } from 'smol-toml'
import { z } from 'zod'
import { constitutionToml, rulesFrom } from './constitutionToml.ts'
import type { GolemConfig, ModelConfig, SubmissionConfig } from './golemConfig.ts'
import { type GolemToml, golemToml } from './golemToml.ts'
import { findModel, type ModelList, readModelList } from './modelList.ts'
import { defaultPrices, readPrices } from './modelPrices.ts'
import { type Environment, providerVariables, readProvider } from './readProvider.ts'
import { routeFrom } from './routeFrom.ts'
import { secret } from './secret.ts'

/** The sources of a configuration. */
export type ConfigSources = {
  /** The text of golem.toml. */
  readonly toml: string
  readonly env: Environment
  /** The file of an existing Golem: a setting that is no longer supported is ignored instead of refused. */
  readonly isStored?: boolean
  /** The operator's models. Default: the model that the environment names. */
  readonly models?: ModelList
}

/** The default validity of a capability in ticks. A preview is normally committed at once. */
const defaultExpiryTicks = 3
/** The maximum length of the file. */
const mostChars = 65_536
/** Variables that other parts of Bardo use. */
const ownVariables = new Set<string>([
  ...Object.values(providerVariables).flat(),
  ...['BARDO_HOME', 'BARDO_CHAIN', 'BARDO_RPC_URL', 'BARDO_CAP_EXPIRY_TICKS', 'BARDO_KEY_SECRET'],
  ...['BARDO_MODEL_ENDPOINT', 'BARDO_MODEL_KEY', 'BARDO_MCP_TOKEN', 'BARDO_PORTAL_URL'],
  ...['BARDO_BUNDLER_URL', 'BARDO_PAYMASTER_URL'],
  ...['BARDO_DEPLOYER_KEY', 'BARDO_FORGE', 'BARDO_ANVIL', 'BARDO_TEST', 'BARDO_PICTURE_AT'],
])

/**
 * Reads a Golem's configuration from golem.toml and the environment, which takes precedence. Reports all
 * problems at once,
 * with their lines; never repeats a value, which may be a secret.
 *
 * @example
 * readGolemConfig({ toml: 'chain = 8453\n[custody]\nmode = "delegation"', env: {} })
 */
export function readGolemConfig({ toml, env, models, isStored = false }: ConfigSources): GolemConfig {
  const problems: string[] = []
  const file = readToml(toml, env, problems)
  if (file?.id !== undefined && !isStored)
    problems.push(
      `golem.toml:${lineOfKey(toml, ['id'])}: id has no effect; remove it, and name the Golem with --name`,
    )
  if (file && !isStored) problems.push(...withoutEffect(toml, file))
  const expiryTicks = readExpiryTicks(env, problems)
  const custody = file && readProvider(file.custody, env)
  if (custody && 'problems' in custody) problems.push(...custody.problems)
  const submission = file && readSubmission(file, env, { isStored, toml, problems })
  if (!file || !custody || 'problems' in custody || !submission || problems.length > 0)
    throw invalid(problems)
  const { rpc, strategy, heartbeat } = file
  return {
    chain: file.chain,
    rpc: rpc === undefined ? undefined : secret(rpc),
    strategyFile: strategy,
    heartbeatFile: heartbeat,
    provider: custody.provider,
    submission,
    keys: file.keys,
    constitution: file.constitution && rulesFrom(file.constitution, lineOfKey(toml, ['constitution']) ?? 1),
    rotation: {
      maxOperations: file.rotation.max_operations,
      maxAgeSeconds: BigInt(file.rotation.max_age_seconds),
      budgetFloorBps: BigInt(file.rotation.budget_floor_bps),
    },
    model: file.model && toModel(file.model, models ?? readModelList({ env, allowsOthers: true })),
    economy: toEconomy(file),
    poolFee: file.trading.pool_fee,
    capabilityExpiryTicks: expiryTicks,
    unknownVariables: unknownVariables(env),
  }
}

/** The rules of `[constitution]` in a golem.toml; undefined without that table. The rest of the file is not checked. */
export function readRules(toml: string): StatedRules | undefined {
  const { constitution } = z.looseObject({ constitution: constitutionToml.optional() }).parse(parse(toml))
  return constitution && rulesFrom(constitution, lineOfKey(toml, ['constitution']) ?? 1)
}

/**
 * The route and the curve of a golem.toml. The rest of the file is not checked, and a bundler may be missing: without one
 * a Golem can be summoned, and only observes.
 */
export function readRoute(toml: string, env: Environment): { readonly route: Route; readonly curve: Curve } {
  const { submission, keys } = golemToml.shape
  const file = z.looseObject({ submission, keys }).parse(parse(toml))
  const { route } = file.submission
  const [bundler, paymaster] = [
    env['BARDO_BUNDLER_URL'] || file.submission.bundler,
    env['BARDO_PAYMASTER_URL'] || file.submission.paymaster,
  ].map((url) => (url === undefined ? undefined : secret(url)))
  const config = route === 'direct' ? { route } : { route, bundler, paymaster }
  return { route: routeFrom(config), curve: file.keys.curve }
}

/** Environment variables that start with BARDO_ and are unknown: usually a typing error. */
export function unknownVariables(env: Environment): readonly string[] {
  return Object.keys(env).filter((name) => name.startsWith('BARDO_') && !ownVariables.has(name))
}

/** Settings of release 0.1 whose place the ledger has taken. */
function withoutEffect(toml: string, { economy }: GolemToml): readonly string[] {
  const replacements = {
    gas_usd: 'remove it: the ledger counts the gas of every transaction',
    inference_usd:
      'remove it, and set the prices of tokens in [model.prices]: the ledger counts what the model uses',
  } as const
  return (['gas_usd', 'inference_usd'] as const).flatMap((name) =>
    economy[name] === undefined
      ? []
      : [
          `golem.toml:${lineOfKey(toml, ['economy', name])}: economy.${name} has no effect; ${replacements[name]}`,
        ],
  )
}

/** The route of `[submission]`. The environment's URLs win, and count only for UserOperations. */
function readSubmission(
  { submission, custody, keys }: GolemToml,
  env: Environment,
  {
    isStored,
    toml,
    problems,
  }: { readonly isStored: boolean; readonly toml: string; readonly problems: string[] },
): SubmissionConfig {
  const { route } = submission
  const at = (key: string) => `golem.toml:${lineOfKey(toml, key.split('.')) ?? 1}: ${key}`
  if (route === 'direct') {
    for (const key of ['bundler', 'paymaster'] as const)
      if (submission[key] !== undefined)
        problems.push(`${at(`submission.${key}`)} has no effect with submission.route "direct"`)
    if (keys.curve === 'p256')
      problems.push(`${at('keys.curve')} "p256" needs submission.route "userOperation"`)
    return { route }
  }
  const bundler = urlOf('BARDO_BUNDLER_URL') ?? submission.bundler
  const paymaster = urlOf('BARDO_PAYMASTER_URL') ?? submission.paymaster
  if (custody.mode !== 'delegation')
    problems.push(`${at('submission.route')} "userOperation" needs custody.mode "delegation"`)
  if (bundler === undefined && !isStored)
    problems.push('submission.bundler is missing (or set BARDO_BUNDLER_URL): UserOperations need a bundler')
  const closed = (url: string | undefined) => (url === undefined ? undefined : secret(url))
  return { route, bundler: closed(bundler), paymaster: closed(paymaster) }

  function urlOf(name: string): string | undefined {
    const url = env[name]
    if (url && !/^https?:\/\/./.test(url)) problems.push(`${name} must start with http:// or https://`)
    return url ? url : undefined
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
    // The parser's message quotes the file, which may contain a secret.
    problems.push(`golem.toml:${error.line}: invalid TOML at column ${error.column}`)
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
    return issue.keys.map((key) => `${at([...issue.path, key])} is not a setting`)
  const missing = issue.code === 'invalid_type' && issue.input === undefined
  return [`${at(issue.path)} ${missing ? 'is missing' : reason(issue)}`]
}

/** Our own wording: the parser's message would repeat the value. */
function reason(issue: z.core.$ZodIssue): string {
  switch (issue.code) {
    case 'invalid_type':
      return `must be of type ${issue.expected}`
    case 'invalid_value':
      return `must be one of ${issue.values.map(String).join(', ')}`
    case 'too_small':
      return issue.inclusive === false
        ? `must be above ${issue.minimum}`
        : `must be at least ${issue.minimum}`
    case 'too_big':
      return `must be at most ${issue.maximum}`
    default:
      return issue.message
  }
}

function readExpiryTicks(env: Environment, problems: string[]): number {
  const text = env['BARDO_CAP_EXPIRY_TICKS']
  if (!text) return defaultExpiryTicks
  if (/^[1-9]\d{0,5}$/.test(text)) return Number(text)
  problems.push('BARDO_CAP_EXPIRY_TICKS must be a whole number of ticks from 1 to 999999')
  return defaultExpiryTicks
}

function toModel(
  { use, endpoint, t0, t1, t2, second, prices }: NonNullable<GolemToml['model']>,
  models: ModelList,
): ModelConfig {
  const tiers = { T0: t0, T1: t1, T2: t2 }
  const model = findModel(models, { use, endpoint })
  const own = readPrices(prices)
  if ('problem' in model)
    return {
      tiers,
      second,
      prices: { ...defaultPrices, ...own },
      endpoint: undefined,
      problem: model.problem,
    }
  return {
    tiers,
    second,
    // The operator is owed the costs of its endpoint, and sets its prices.
    prices: { ...defaultPrices, ...own, ...model.prices },
    endpoint: model.endpoint,
    key: model.key,
  }
}

function toEconomy({ economy: { runway_usd, compute_usd, data_usd } }: GolemToml): GolemConfig['economy'] {
  return {
    runwayCents: cents(runway_usd),
    dayPrices: { compute: cents(compute_usd), data: cents(data_usd) },
  }
}

function cents(dollars: number): bigint {
  return BigInt(Math.round(dollars * 100))
}

function invalid(problems: readonly string[]): BardoError {
  return new BardoError('The configuration is invalid.', {
    code: 'CONFIG_INVALID',
    details: problems,
    remedy: 'Correct these settings and start again. Nothing was started.',
    docsPath: 'golem.md#configuration',
  })
}

/** The line, from 1, on which a TOML text sets a key or opens its table; undefined if it does neither. */
function lineOfKey(text: string, path: readonly PropertyKey[]): number | undefined {
  const parts = path.map(String).filter((part) => !/^\d+$/.test(part))
  for (let length = parts.length; length > 0; length -= 1) {
    const key = parts.slice(0, length).join('.')
    const line = linesOf(text).get(key)
    if (line !== undefined) return line
  }
  return undefined
}

function linesOf(text: string): ReadonlyMap<string, number> {
  const lines = new Map<string, number>()
  let table = ''
  text.split('\n').forEach((line, index) => {
    const header = line.match(/^\s*\[\[?([^\]]+)\]/)?.[1]
    if (header !== undefined) table = plain(header)
    const key = line.match(/^\s*([\w"'-]+(?:\s*\.\s*[\w"'-]+)*)\s*=/)?.[1]
    const name = header !== undefined ? table : key && [table, plain(key)].filter(Boolean).join('.')
    if (name && !lines.has(name)) lines.set(name, index + 1)
  })
  return lines
}

function plain(key: string): string {
  return key.replaceAll(/["'\s]/g, '')
}
