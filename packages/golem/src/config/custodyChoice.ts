import { BardoError, sessionKeyFrom } from '@bardo/core'
import { hexToBytes, isHex } from 'viem'
import type { CustodyChoice } from '../runtime/summons.ts'
import type { Secret } from '../secret/secret.ts'
import type { Provider } from './golemConfig.ts'

/**
 * The custody that golem.toml and the environment ask for. Providers that keep keys elsewhere are not built yet.
 *
 * @example
 * const { provider } = readGolemConfig({ toml, env, home })
 * await summonGolem({ ...summons, custody: custodyChoice(provider) })
 */
export function custodyChoice(provider: Provider): CustodyChoice {
  switch (provider.is) {
    case 'delegation':
      return { is: 'delegation' }
    case 'localKey': {
      const { bounds, key } = provider
      return key ? { is: 'localKey', bounds, key: openKey(key) } : { is: 'localKey', bounds }
    }
    default:
      throw new BardoError('This wallet provider is not supported yet.', {
        code: 'CONFIG_INVALID',
        details: [provider.is],
        remedy: 'Use custody.mode "delegation" or "localKey".',
        docsPath: 'golem.md#wallets',
      })
  }
}

function openKey(key: Secret) {
  const text = key.reveal()
  if (isHex(text) && text.length === 66) return sessionKeyFrom('secp256k1', hexToBytes(text))
  throw new BardoError('BARDO_WALLET_PRIVATE_KEY is no private key.', {
    code: 'CONFIG_INVALID',
    remedy: 'Give 32 bytes in hex, with 0x in front.',
  })
}
