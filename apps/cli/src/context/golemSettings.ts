import { BardoError } from '@bardo/core'
import {
  type GolemConfig,
  type GolemSettings,
  type ModelList,
  readFamily,
  readGolemConfig,
  settingsFrom,
  splitProvider,
} from '@bardo/golem'
import { readRoute } from '@bardo/golem/config'
import { type GolemTexts, textsKey } from '@bardo/operations'
import type { Store } from '@bardo/store'
import type { Address, Hash } from 'viem'
import { z } from 'zod'

/** What parsing needs beside the texts. */
export type Surroundings = {
  readonly chainId: number
  /** Wallet provider variables in it are ignored here; see `provider`. */
  readonly env: NodeJS.ProcessEnv
  readonly models: ModelList
  /** Wallet provider variables of the process that summons. Default: none, as for every existing Golem. */
  readonly provider?: Readonly<Record<string, string>>
  /** Whether the texts are those of an existing Golem. */
  readonly isStored?: boolean
}

const schema = z.object({ config: z.string().nullable(), heartbeat: z.string().nullable() })

/** Refuses different texts for a Golem that has some: a second `summon` must not change it silently. */
export async function requireSameTexts(
  { golems, grimoire }: Pick<Store, 'golems' | 'grimoire'>,
  whose: { readonly owner: Address; readonly name: string },
  texts: GolemTexts,
): Promise<void> {
  const golem = (await golems.list(whose)).find(({ status }) => status !== 'dead')
  const entry = golem && (await grimoire.get(golem.id, textsKey))
  if (!entry) return
  const stored = schema.parse(entry.body)
  const [other] = (['config', 'heartbeat'] as const).filter((name) => stored[name] !== texts[name])
  if (other === undefined) return
  throw new BardoError('A Golem with this name already exists, with another configuration.', {
    code: 'STEP_OUT_OF_ORDER',
    details: [`its ${other === 'config' ? 'golem.toml' : 'HEARTBEAT.md'} is different`],
    remedy: 'Choose another name. The configuration of an existing Golem cannot be changed.',
    docsPath: 'golem.md#the-runtime',
  })
}

/** A Golem's settings from its texts. A child uses its parent's. */
export async function golemSettings(
  store: Pick<Store, 'grimoire' | 'golems'>,
  golem: Hash,
  around: Surroundings,
): Promise<GolemSettings> {
  const { birth } = await readFamily(store, golem)
  const [entry, row] = await Promise.all([
    store.grimoire.get(birth?.parent ?? golem, textsKey),
    store.golems.find(golem),
  ])
  const texts = entry ? schema.parse(entry.body) : { config: null, heartbeat: null }
  return settingsOf(texts, row?.strategy?.text ?? '', { ...around, isStored: true })
}

/** Parses the texts. Errors name the line. */
export function settingsOf(
  { config, heartbeat }: GolemTexts,
  strategy: string,
  around: Surroundings,
): GolemSettings {
  const read = configOf(config, around)
  const { isStored = false } = around
  const settings = settingsFrom(read, { strategy, heartbeat: heartbeat ?? undefined, isStored })
  return { ...settings, rotation: read.rotation }
}

/** Parses golem.toml, and refuses one for another chain. */
export function configOf(
  config: string | null,
  { chainId, env, models, provider = {}, isStored = false }: Surroundings,
): GolemConfig {
  const read = readGolemConfig({
    toml: config ?? defaultConfig(chainId),
    env: { ...splitProvider(env).rest, ...provider },
    models,
    isStored,
  })
  if (read.chain === chainId) return read
  throw new BardoError(`golem.toml is for chain ${read.chain}; this is chain ${chainId}.`, {
    code: 'CHAIN_MISMATCH',
    remedy: 'Change "chain" in golem.toml, or use another node with --rpc.',
  })
}

/** The golem.toml of a Golem that was summoned without one. */
export function defaultConfig(chainId: number): string {
  return `chain = ${chainId}\n\n[custody]\nmode = "delegation"\n`
}

/** How the calls of a new Golem reach the chain, as options. */
export type RouteOptions = {
  readonly type: 'direct' | 'userOperation'
  readonly bundler?: string
  readonly paymaster?: string
}

/** A golem.toml with a route. Refuses one that has another: neither may silently win. */
export function withRoute(
  config: string,
  { type, bundler, paymaster }: { readonly [Name in keyof RouteOptions]: RouteOptions[Name] | undefined },
): string {
  if (/^\s*\[\s*submission\s*\]|^\s*submission\s*[.=]/m.test(config)) {
    const isSame = readRoute(config, {}).route.type === type
    if (isSame && bundler === undefined && paymaster === undefined) return config
    throw new BardoError('Two routes are given.', {
      code: 'CONFIG_INVALID',
      details: [`--route ${type}`, 'golem.toml has [submission]'],
      remedy: 'Change [submission] in golem.toml, or leave out --route, --bundler and --paymaster.',
      docsPath: 'golem.md#routes',
    })
  }
  const lines = [
    `route = "${type}"`,
    ...(bundler === undefined ? [] : [`bundler = ${JSON.stringify(bundler)}`]),
    ...(paymaster === undefined ? [] : [`paymaster = ${JSON.stringify(paymaster)}`]),
  ]
  return `${config.trimEnd()}\n\n[submission]\n${lines.join('\n')}\n`
}
