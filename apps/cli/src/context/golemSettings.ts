import { homedir } from 'node:os'
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
import type { Store } from '@bardo/store'
import type { Address, Hash } from 'viem'
import { z } from 'zod'

/** A Golem's configuration files. Stored with the Golem, so that every worker reads the same. */
export type GolemTexts = {
  /** golem.toml; null: the defaults. */
  readonly config: string | null
  /** HEARTBEAT.md; null: the default schedule. */
  readonly heartbeat: string | null
}

/** What parsing needs beside the texts. */
export type Surroundings = {
  readonly chainId: number
  /** Wallet provider variables in it are ignored here; see `provider`. */
  readonly env: NodeJS.ProcessEnv
  readonly models: ModelList
  /** Wallet provider variables of the process that summons. Default: none, as for every existing Golem. */
  readonly provider?: Readonly<Record<string, string>>
}

const key = 'settings'
const schema = z.object({ config: z.string().nullable(), heartbeat: z.string().nullable() })

/** Stores a Golem's texts. */
export function keepTexts(
  { grimoire }: Pick<Store, 'grimoire'>,
  golem: Hash,
  texts: GolemTexts,
): Promise<void> {
  return grimoire.put({ golem, key, kind: 'settings', body: { ...texts } })
}

/** Refuses different texts for a Golem that has some: a second `summon` must not change it silently. */
export async function requireSameTexts(
  { golems, grimoire }: Pick<Store, 'golems' | 'grimoire'>,
  whose: { readonly owner: Address; readonly name: string },
  texts: GolemTexts,
): Promise<void> {
  const golem = (await golems.list(whose)).find(({ status }) => status !== 'dead')
  const entry = golem && (await grimoire.get(golem.id, key))
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
    store.grimoire.get(birth?.parent ?? golem, key),
    store.golems.find(golem),
  ])
  const texts = entry ? schema.parse(entry.body) : { config: null, heartbeat: null }
  return settingsOf(texts, row?.strategy?.text ?? '', around)
}

/** Parses the texts. Errors name the line. */
export function settingsOf(
  { config, heartbeat }: GolemTexts,
  strategy: string,
  around: Surroundings,
): GolemSettings {
  const read = configOf(config, around)
  const settings = settingsFrom(read, { strategy, heartbeat: heartbeat ?? undefined })
  return { ...settings, rotation: read.rotation }
}

/** Parses golem.toml, and refuses one for another chain. */
export function configOf(
  config: string | null,
  { chainId, env, models, provider = {} }: Surroundings,
): GolemConfig {
  const read = readGolemConfig({
    toml: config ?? defaultConfig(chainId),
    env: { ...splitProvider(env).rest, ...provider },
    home: homedir(),
    models,
  })
  if (read.chain === chainId) return read
  throw new BardoError(`golem.toml is for chain ${read.chain}; this is chain ${chainId}.`, {
    code: 'CHAIN_MISMATCH',
    remedy: 'Change "chain" in golem.toml, or use another node with --rpc.',
  })
}

function defaultConfig(chainId: number): string {
  return `id = "golem"\nchain = ${chainId}\n\n[custody]\nmode = "delegation"\n`
}
