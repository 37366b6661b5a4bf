import { BardoError } from '@bardo/core'
import { importKey } from '@bardo/wallets'
import type { Provider } from '../config/golemConfig.ts'
import type { CustodyChoice } from './summons.ts'

/**
 * The custody that golem.toml and the environment configure. Providers that hold keys elsewhere are not
 * supported yet.
 *
 * @example
 * const { provider } = readGolemConfig({ toml, env })
 * await summonGolem({ ...summons, custody: custodyChoice(provider) })
 */
export function custodyChoice(provider: Provider): CustodyChoice {
  switch (provider.type) {
    case 'delegation':
      return { type: 'delegation' }
    case 'localKey': {
      const { bounds, key } = provider
      return key ? { type: 'localKey', bounds, key: importKey(key) } : { type: 'localKey', bounds }
    }
    default:
      throw new BardoError('This wallet provider is not supported yet.', {
        code: 'CONFIG_INVALID',
        details: [provider.type],
        remedy: 'Use custody.mode "delegation" or "localKey".',
        docsPath: 'golem.md#wallets',
      })
  }
}
