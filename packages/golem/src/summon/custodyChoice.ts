import { BardoError, sessionKeyFrom } from '@bardo/core'
import { hexToBytes, isHex } from 'viem'
import type { Provider } from '../config/golemConfig.ts'
import type { Secret } from '../config/secret.ts'
import type { CustodyChoice } from './summons.ts'

/**
 * The custody that golem.toml and the environment configure. Providers that hold keys elsewhere are not
 * supported yet.
 *
 * @example
 * const { provider } = readGolemConfig({ toml, env, home })
 * await summonGolem({ ...summons, custody: custodyChoice(provider) })
 */
export function custodyChoice(provider: Provider): CustodyChoice {
  switch (provider.type) {
    case 'delegation':
      return { type: 'delegation' }
    case 'localKey': {
      const { bounds, key } = provider
      return key ? { type: 'localKey', bounds, key: openKey(key) } : { type: 'localKey', bounds }
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

function openKey(key: Secret) {
  const text = key.reveal()
  if (isHex(text) && text.length === 66) return sessionKeyFrom('secp256k1', hexToBytes(text))
  throw new BardoError('BARDO_WALLET_PRIVATE_KEY is not a private key.', {
    code: 'CONFIG_INVALID',
    remedy: 'Set it to 32 bytes in hexadecimal, with the prefix 0x.',
  })
}
