import type { DelegationBounds } from '@bardo/wallets'
import { type Address, isAddress } from 'viem'
import { secret } from '../secret/secret.ts'
import type { Provider } from './golemConfig.ts'
import type { GolemToml } from './golemToml.ts'

/** Variables by name. */
export type Environment = Readonly<Record<string, string | undefined>>

/** What each provider is configured by. Origin: spec 004. */
export const providerVariables = {
  localKey: ['BARDO_WALLET_PRIVATE_KEY'],
  privy: ['BARDO_PRIVY_APP_ID', 'BARDO_PRIVY_APP_SECRET'],
  safe: ['BARDO_SAFE_ADDRESS', 'BARDO_SAFE_SIGNER_KEY'],
  zeroDev: ['BARDO_ZERODEV_PROJECT_ID'],
  lit: ['BARDO_LIT_AUTH_TOKEN'],
  bardoWallet: ['BARDO_WALLET_ID'],
} as const

type Configured = keyof typeof providerVariables

/** The one provider that file and environment name together, or why there is none. */
export function readProvider(
  custody: GolemToml['custody'],
  env: Environment,
): { readonly provider: Provider } | { readonly problems: readonly string[] } {
  const configured = (Object.keys(providerVariables) as Configured[]).filter((name) =>
    providerVariables[name].some((variable) => env[variable]),
  )
  const fromFile = custody.mode === 'embedded' ? [] : [custody.mode]
  const named = [...new Set<string>([...fromFile, ...configured])]
  const problems: string[] = []
  if (named.length > 1) problems.push(`two providers are configured: ${named.join(' and ')}; keep one`)
  if (named.length === 0)
    problems.push('custody.mode is embedded, and the environment names no provider (BARDO_PRIVY_APP_ID, …)')
  for (const name of configured) {
    const missing = providerVariables[name].filter((variable) => !env[variable])
    if (missing.length > 0) problems.push(`${name} also needs ${missing.join(', ')}`)
  }
  if (custody.mode === 'localKey' && !custody.bounds)
    problems.push('custody.bounds is missing: a local key lives within an on-chain delegation')
  if (custody.mode !== 'localKey' && custody.bounds)
    problems.push('custody.bounds is for custody.mode "localKey" alone')
  const safe = env['BARDO_SAFE_ADDRESS']
  if (safe && !isAddress(safe)) problems.push('BARDO_SAFE_ADDRESS is no address, or its checksum is wrong')
  if (problems.length > 0) return { problems }
  return { provider: build(named[0], custody, (variable) => env[variable] ?? '') }
}

function build(
  name: string | undefined,
  custody: GolemToml['custody'],
  value: (variable: string) => string,
): Provider {
  switch (name) {
    case 'localKey': {
      const key = value('BARDO_WALLET_PRIVATE_KEY')
      return { is: 'localKey', key: key ? secret(key) : undefined, bounds: toBounds(custody.bounds) }
    }
    case 'privy':
      return {
        is: 'privy',
        appId: value('BARDO_PRIVY_APP_ID'),
        appSecret: secret(value('BARDO_PRIVY_APP_SECRET')),
      }
    case 'safe':
      return {
        is: 'safe',
        address: value('BARDO_SAFE_ADDRESS') as Address,
        signerKey: secret(value('BARDO_SAFE_SIGNER_KEY')),
      }
    case 'zeroDev':
      return { is: 'zeroDev', projectId: value('BARDO_ZERODEV_PROJECT_ID') }
    case 'lit':
      return { is: 'lit', authToken: secret(value('BARDO_LIT_AUTH_TOKEN')) }
    case 'bardoWallet':
      return { is: 'bardoWallet', walletId: value('BARDO_WALLET_ID') }
    default:
      return { is: 'delegation' }
  }
}

function toBounds(bounds: GolemToml['custody']['bounds']): DelegationBounds {
  return {
    // Rounded down, against the spender.
    maxDailySpendCents: BigInt(Math.floor((bounds?.max_daily_spend_usd ?? 0) * 100 + 1e-6)),
    maxTotalCalls: bounds?.max_total_calls ?? 0,
    expiresAt: BigInt(bounds?.expires_at ?? 0),
    allowedTargets: (bounds?.allowed_targets ?? []) as Address[],
  }
}
