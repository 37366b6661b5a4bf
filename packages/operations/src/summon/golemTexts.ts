import type { Store } from '@bardo/store'
import type { Hash } from 'viem'

/** A Golem's configuration files. Stored with the Golem, so that every worker reads the same. */
export type GolemTexts = {
  /** golem.toml; null: the defaults. */
  readonly config: string | null
  /** HEARTBEAT.md; null: the default schedule. */
  readonly heartbeat: string | null
}

/** The grimoire key of the texts. */
export const textsKey = 'settings'

/** Stores a Golem's texts. */
export function keepTexts(
  { grimoire }: Pick<Store, 'grimoire'>,
  golem: Hash,
  { config, heartbeat }: GolemTexts,
): Promise<void> {
  return grimoire.put({ golem, key: textsKey, kind: 'settings', body: { config, heartbeat } })
}
