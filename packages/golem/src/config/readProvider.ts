import type { DelegationBounds } from '@bardo/wallets'
import { type Address, isAddress } from 'viem'
import type { Provider } from './golemConfig.ts'
import type { GolemToml } from './golemToml.ts'
import { secret } from './secret.ts'

/** Environment variables by name. */
export type Environment = Readonly<Record<string, string | undefined>>

/** The environment variables of each provider. */
export const providerVariables = {
  localKey: ['BARDO_WALLET_PRIVATE_KEY'],
  privy: ['BARDO_PRIVY_APP_ID', 'BARDO_PRIVY_APP_SECRET'],
  safe: ['BARDO_SAFE_ADDRESS', 'BARDO_SAFE_SIGNER_KEY'],
  zeroDev: ['BARDO_ZERODEV_PROJECT_ID'],
  lit: ['BARDO_LIT_AUTH_TOKEN'],
  bardoWallet: ['BARDO_WALLET_ID'],
} as const

/** The variables of all providers. */
export const providerNames: readonly string[] = Object.values(providerVariables).flat()

/**
 * Splits the variables of a provider from the rest. They belong to the Golem that is being summoned, which
 * seals what it
 * needs: a process that ticks Golems ignores them.
 */
export function splitProvider(env: Environment): {
  readonly provider: Readonly<Record<string, string>>
  readonly rest: Environment
} {
  const isProvider = ([name]: readonly [string, unknown]) => providerNames.includes(name)
  const entries = Object.entries(env)
  const providerEntries = entries.flatMap(([name, value]) =>
    value && isProvider([name, value]) ? [[name, value]] : [],
  )
  return {
    provider: Object.fromEntries(providerEntries),
    rest: Object.fromEntries(entries.filter((entry) => !isProvider(entry))),
  }
}

type Configured = keyof typeof providerVariables

/** The provider that file and environment configure, or the reasons why there is none. */
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
  if (named.length > 1)
    problems.push(`two providers are configured: ${named.join(' and ')}; keep one of them`)
  if (named.length === 0)
    problems.push('custody.mode is embedded, and the environment names no provider (BARDO_PRIVY_APP_ID, …)')
  for (const name of configured) {
    const missing = providerVariables[name].filter((variable) => !env[variable])
    if (missing.length > 0) problems.push(`${name} also needs ${missing.join(', ')}`)
  }
  if (custody.mode === 'localKey' && !custody.bounds)
    problems.push('custody.bounds is missing: a local key needs the limits of its on-chain delegation')
  if (custody.mode !== 'localKey' && custody.bounds)
    problems.push('custody.bounds is allowed only with custody.mode "localKey"')
  const safe = env['BARDO_SAFE_ADDRESS']
  if (safe && !isAddress(safe))
    problems.push('BARDO_SAFE_ADDRESS is not an address, or its checksum is wrong')
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
      return { type: 'localKey', key: key ? secret(key) : undefined, bounds: toBounds(custody.bounds) }
    }
    case 'privy':
      return {
        type: 'privy',
        appId: value('BARDO_PRIVY_APP_ID'),
        appSecret: secret(value('BARDO_PRIVY_APP_SECRET')),
      }
    case 'safe':
      return {
        type: 'safe',
        address: value('BARDO_SAFE_ADDRESS') as Address,
        signerKey: secret(value('BARDO_SAFE_SIGNER_KEY')),
      }
    case 'zeroDev':
      return { type: 'zeroDev', projectId: value('BARDO_ZERODEV_PROJECT_ID') }
    case 'lit':
      return { type: 'lit', authToken: secret(value('BARDO_LIT_AUTH_TOKEN')) }
    case 'bardoWallet':
      return { type: 'bardoWallet', walletId: value('BARDO_WALLET_ID') }
    default:
      return { type: 'delegation' }
  }
}

function toBounds(bounds: GolemToml['custody']['bounds']): DelegationBounds {
  return {
    // Round down, against the spender.
    maxDailySpendCents: BigInt(Math.floor((bounds?.max_daily_spend_usd ?? 0) * 100 + 1e-6)),
    maxTotalCalls: bounds?.max_total_calls ?? 0,
    expiresAt: BigInt(bounds?.expires_at ?? 0),
    allowedTargets: (bounds?.allowed_targets ?? []) as Address[],
  }
}
