import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { type ModelList, readModelList } from '@bardo/golem'
import { requirePrivate } from './sealingSecret.ts'
import type { Settings } from './settings.ts'

/**
 * The operator's models: from `models.toml` in the data folder (mode 600) and from the environment. With a database server,
 * Golems may belong to other people: then a Golem can only use an endpoint that is on the list.
 */
export function operatorModels({
  home,
  env,
  databaseUrl,
}: Pick<Settings, 'home' | 'env' | 'databaseUrl'>): ModelList {
  const file = join(home, 'models.toml')
  const allowsOthers = databaseUrl === undefined
  if (!existsSync(file)) return readModelList({ env, allowsOthers })
  requirePrivate(file)
  return readModelList({ toml: readFileSync(file, 'utf8'), env, allowsOthers })
}
