import { homedir } from 'node:os'
import { BardoError } from '@bardo/core'
import { type GolemConfig, type GolemSettings, readFamily, readGolemConfig, settingsFrom } from '@bardo/golem'
import type { Store } from '@bardo/store'
import type { Address, Hash } from 'viem'
import { z } from 'zod'

/** How a Golem lives, as its owner wrote it. Kept with the Golem, so that every worker sees the same. */
export type GolemTexts = {
  /** golem.toml; left out: the defaults. */
  readonly config: string | null
  /** HEARTBEAT.md; left out: the default schedule. */
  readonly heartbeat: string | null
}

const key = 'settings'
const schema = z.object({ config: z.string().nullable(), heartbeat: z.string().nullable() })

/** Keeps a Golem's texts. */
export function keepTexts(
  { grimoire }: Pick<Store, 'grimoire'>,
  golem: Hash,
  texts: GolemTexts,
): Promise<void> {
  return grimoire.put({ golem, key, kind: 'settings', body: { ...texts } })
}

/** Refuses other texts for a Golem that has some: summoning it a second time changes nothing. */
export async function requireSameTexts(
  { golems, grimoire }: Pick<Store, 'golems' | 'grimoire'>,
  whose: { readonly owner: Address; readonly name: string },
  texts: GolemTexts,
): Promise<void> {
  const golem = (await golems.list(whose)).find(({ status }) => status !== 'dead')
  const entry = golem && (await grimoire.get(golem.id, key))
  if (!entry) return
  const kept = schema.parse(entry.body)
  const [other] = (['config', 'heartbeat'] as const).filter((name) => kept[name] !== texts[name])
  if (other === undefined) return
  throw new BardoError('There is a Golem of this name already, and it differs.', {
    code: 'STEP_OUT_OF_ORDER',
    details: [`its ${other === 'config' ? 'golem.toml' : 'HEARTBEAT.md'} is another one`],
    remedy: 'Give the new one another name. What was chosen for a Golem stays.',
    docsPath: 'golem.md#the-runtime',
  })
}

/** A Golem's settings by its texts; a child lives by its parent's. */
export async function golemSettings(
  store: Pick<Store, 'grimoire' | 'golems'>,
  golem: Hash,
  chainId: number,
  env: NodeJS.ProcessEnv,
): Promise<GolemSettings> {
  const { birth } = await readFamily(store, golem)
  const [entry, row] = await Promise.all([
    store.grimoire.get(birth?.parent ?? golem, key),
    store.golems.find(golem),
  ])
  const texts = entry ? schema.parse(entry.body) : { config: null, heartbeat: null }
  return settingsOf(texts, row?.strategy?.text ?? '', chainId, env)
}

/** Settings out of texts; what cannot be used is said with its line. */
export function settingsOf(
  { config, heartbeat }: GolemTexts,
  strategy: string,
  chainId: number,
  env: NodeJS.ProcessEnv,
): GolemSettings {
  const read = configOf(config, chainId, env)
  const settings = settingsFrom(read, { strategy, heartbeat: heartbeat ?? undefined })
  return { ...settings, rotation: read.rotation }
}

/** golem.toml as it is read, for this chain and no other. */
export function configOf(config: string | null, chainId: number, env: NodeJS.ProcessEnv): GolemConfig {
  const read = readGolemConfig({ toml: config ?? defaultConfig(chainId), env, home: homedir() })
  if (read.chain === chainId) return read
  throw new BardoError('golem.toml is for another chain.', {
    code: 'CHAIN_MISMATCH',
    details: [`it names ${read.chain}`, `this is ${chainId}`],
  })
}

function defaultConfig(chainId: number): string {
  return `id = "golem"\nchain = ${chainId}\n\n[custody]\nmode = "delegation"\n`
}
