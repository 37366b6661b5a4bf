import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { inspect } from 'node:util'
import { BardoError } from '@bardo/core'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { assertNoSecret } from '../testing/assertNoSecret.ts'
import { readGolemConfig } from './readGolemConfig.ts'
import { secret } from './secret.ts'

const plain = 'chain = 8453\n\n[custody]\nmode = "delegation"\n'
const router = '0x2626664c2603336E57B271c5C0b26F421741e481'
const local = `chain = 31337
[custody]
mode = "localKey"
[custody.bounds]
max_daily_spend_usd = 20.5
max_total_calls = 100
expires_at = 1900000000
allowed_targets = ["${router}"]
`
const read = (toml: string, env: Record<string, string> = {}) => readGolemConfig({ toml, env })

function problemsOf(toml: string, env: Record<string, string> = {}): readonly string[] {
  try {
    read(toml, env)
  } catch (error) {
    if (error instanceof BardoError && error.code === 'CONFIG_INVALID') return error.details
    throw error
  }
  return []
}

describe('a configuration', () => {
  it('reads a constitution, rounded down, with the line that states it', () => {
    const table = '[constitution]\nmax_share_percent = { WETH = 30.005 }\nmax_day_usd = 0.29\n'
    expect(read(`${plain}\n${table}`).constitution).toMatchObject({
      from: { line: 6 },
      rules: { shareBps: { WETH: 3_000 }, perDayCents: 29n },
    })
    expect(read(plain).constitution).toBeUndefined()
    expect(problemsOf(`${plain}\n[constitution]\nmax_drawdown_percent = 101\nshare = 1\n`)).toEqual([
      'golem.toml:7: constitution.max_drawdown_percent must be at most 100',
      'golem.toml:8: constitution.share is not a setting',
    ])
  })

  it('reads the route of UserOperations, and refuses what would have no effect', () => {
    const operations = `${plain}\n[submission]\nroute = "userOperation"\n`
    const bundler = 'bundler = "https://bundler.example/key"\n'
    const { submission } = read(`${operations}${bundler}[keys]\ncurve = "p256"\n`)
    if (submission.route !== 'userOperation') throw new Error(submission.route)
    expect(submission.bundler?.reveal()).toBe('https://bundler.example/key')
    expect(inspect(submission)).not.toContain('bundler.example')
    const other = read(`${operations}${bundler}`, { BARDO_BUNDLER_URL: 'http://127.0.0.1:3000' }).submission
    expect(other.route === 'userOperation' && other.bundler?.reveal()).toBe('http://127.0.0.1:3000')
    expect(problemsOf(operations)).toEqual([
      'submission.bundler is missing (or set BARDO_BUNDLER_URL): UserOperations need a bundler',
    ])
    expect(problemsOf(operations, { BARDO_BUNDLER_URL: 'ftp://x' })).toContain(
      'BARDO_BUNDLER_URL must start with http:// or https://',
    )
    expect(problemsOf(`${plain}\n[submission]\n${bundler}`)).toEqual([
      'golem.toml:7: submission.bundler has no effect with submission.route "direct"',
    ])
    expect(problemsOf(`${plain}\n[keys]\ncurve = "p256"\n`)).toEqual([
      'golem.toml:7: keys.curve "p256" needs submission.route "userOperation"',
    ])
    expect(problemsOf(`${local}[submission]\nroute = "userOperation"\n${bundler}`)).toEqual([
      'golem.toml:10: submission.route "userOperation" needs custody.mode "delegation"',
    ])
    // A process without the variable still shows the Golem.
    expect(readGolemConfig({ toml: operations, env: {}, isStored: true }).submission).toEqual({
      route: 'userOperation',
      bundler: undefined,
      paymaster: undefined,
    })
  })

  it('fills in the defaults', () => {
    expect(read(plain)).toEqual({
      chain: 8453,
      rpc: undefined,
      strategyFile: undefined,
      heartbeatFile: undefined,
      provider: { type: 'delegation' },
      submission: { route: 'direct' },
      keys: { curve: 'secp256k1' },
      rotation: { maxOperations: 10_000, maxAgeSeconds: 604_800n, budgetFloorBps: 1_000n },
      model: undefined,
      economy: {
        runwayCents: 3_000n,
        dayPrices: { compute: 50n, data: 0n },
      },
      poolFee: 500,
      capabilityExpiryTicks: 3,
      unknownVariables: [],
    })
  })

  it('accepts the example of docs/golem.md', () => {
    const page = readFileSync(join(import.meta.dirname, '../../../../docs/golem.md'), 'utf8')
    const config = read(page.match(/```toml\n([^`]*)```/)?.[1] ?? '')
    expect(config).toMatchObject({
      strategyFile: 'STRATEGY.md',
      model: { tiers: { T1: 'middle' } },
      economy: { runwayCents: 3_000n, dayPrices: { compute: 50n } },
    })
  })

  it('prefers the environment to the file', () => {
    const env = {
      BARDO_HOME: '/srv/bardo',
      BARDO_CHAIN: '84532',
      BARDO_RPC_URL: 'https://rpc.example/key',
      BARDO_CAP_EXPIRY_TICKS: '9',
      BARDO_RPCURL: 'a slip',
      BARDO_MCP_TOKEN: 'a-token-of-our-own',
    }
    const config = read(`rpc = "http://localhost:8545"\n${plain}`, env)
    expect(config.chain).toBe(84_532)
    expect(config.rpc?.reveal()).toBe('https://rpc.example/key')
    expect(config.capabilityExpiryTicks).toBe(9)
    expect(config.unknownVariables).toEqual(['BARDO_RPCURL'])
  })

  it('reads a local key’s four limits, in cents rounded down', () => {
    const { provider } = read(local, { BARDO_WALLET_PRIVATE_KEY: `0x${'11'.repeat(32)}` })
    expect(provider).toMatchObject({
      type: 'localKey',
      bounds: {
        maxDailySpendCents: 2_050n,
        maxTotalCalls: 100,
        expiresAt: 1_900_000_000n,
        allowedTargets: [router],
      },
    })
    const odd = local.replace('20.5', '0.295')
    expect(read(odd).provider).toMatchObject({ bounds: { maxDailySpendCents: 29n } })
  })

  it('reads every embedded provider', () => {
    const embedded = plain.replace('delegation', 'embedded')
    const is = (env: Record<string, string>) => read(embedded, env).provider.type
    expect(is({ BARDO_PRIVY_APP_ID: 'a', BARDO_PRIVY_APP_SECRET: 'b' })).toBe('privy')
    expect(is({ BARDO_SAFE_ADDRESS: router, BARDO_SAFE_SIGNER_KEY: 'b' })).toBe('safe')
    expect(is({ BARDO_ZERODEV_PROJECT_ID: 'a' })).toBe('zeroDev')
    expect(is({ BARDO_LIT_AUTH_TOKEN: 'a' })).toBe('lit')
    expect(is({ BARDO_WALLET_ID: 'a' })).toBe('bardoWallet')
  })

  it('shows no secret when printed or serialized', () => {
    const secrets = { BARDO_RPC_URL: 'https://rpc.example/abcdefgh1234', BARDO_MODEL_KEY: 'sk-abcdefgh' }
    const model = '[model]\nendpoint = "http://m"\nt0 = "a"\nt1 = "b"\nt2 = "c"\nsecond = "d"\n'
    const config = read(plain + model, { ...secrets, BARDO_MODEL_ENDPOINT: 'http://m/' })
    expect(config.model?.endpoint !== undefined && config.model.key?.reveal()).toBe('sk-abcdefgh')
    const canaries = Object.values(secrets).map(secret)
    const shown = JSON.stringify(config, (_, value) => (typeof value === 'bigint' ? `${value}` : value))
    assertNoSecret([inspect(config, { depth: 9 }), shown], canaries)
  })
})

describe('an invalid configuration', () => {
  it('reports every problem with its line', () => {
    const toml = `id = "alpha"
chain = "base"
colour = "red"

[custody]
mode = "trust me"
moode = 1

[rotation]
max_operations = -1
`
    expect(problemsOf(toml, { BARDO_CAP_EXPIRY_TICKS: '-1' })).toEqual([
      'golem.toml:2: chain must be of type number',
      'golem.toml:6: custody.mode must be one of delegation, embedded, localKey',
      'golem.toml:7: custody.moode is not a setting',
      'golem.toml:10: rotation.max_operations must be above 0',
      'golem.toml:3: colour is not a setting',
      'BARDO_CAP_EXPIRY_TICKS must be a whole number of ticks from 1 to 999999',
    ])
  })

  it('refuses the id of a new file, and reads a stored file with it', () => {
    const old = `id = "alpha"\n${plain}`
    expect(problemsOf(old)).toEqual([
      'golem.toml:1: id has no effect; remove it, and name the Golem with --name',
    ])
    expect(readGolemConfig({ toml: old, env: {}, isStored: true })).toEqual(read(plain))
  })

  it('names missing settings', () => {
    expect(problemsOf('')).toHaveLength(2)
    expect(problemsOf('')[0]).toContain('chain is missing')
  })

  it.each([
    ['two in the environment', 'embedded', { BARDO_ZERODEV_PROJECT_ID: 'a', BARDO_WALLET_ID: 'b' }],
    ['one beside the owner’s delegation', 'delegation', { BARDO_WALLET_PRIVATE_KEY: '0x11' }],
  ])('refuses two providers: %s', (_, mode, env) => {
    expect(problemsOf(plain.replace('delegation', mode), env).join()).toContain(
      'two providers are configured',
    )
  })

  it('refuses an incomplete provider, and a missing one', () => {
    const embedded = plain.replace('delegation', 'embedded')
    expect(problemsOf(embedded, { BARDO_PRIVY_APP_ID: 'a' })).toEqual([
      'privy also needs BARDO_PRIVY_APP_SECRET',
    ])
    expect(problemsOf(embedded)[0]).toContain('names no provider')
    expect(problemsOf(embedded, { BARDO_SAFE_ADDRESS: '0x12', BARDO_SAFE_SIGNER_KEY: 'k' })[0]).toContain(
      'checksum',
    )
  })

  it('refuses a local key without limits, and limits without a local key', () => {
    expect(problemsOf(plain.replace('delegation', 'localKey'))[0]).toContain('custody.bounds is missing')
    expect(problemsOf(local.replace('localKey', 'delegation'))[0]).toContain('allowed only with')
  })

  it('refuses an address with a wrong checksum, and a URL of another protocol', () => {
    expect(problemsOf(local.replace(router, router.replace('E', 'e')))[0]).toContain('golem.toml:8')
    expect(problemsOf(`rpc = "file:///etc/passwd"\n${plain}`)).toEqual([
      'golem.toml:1: rpc must start with http:// or https://',
    ])
    expect(problemsOf(plain, { BARDO_RPC_URL: 'nonsense' })).toEqual([
      'BARDO_RPC_URL must start with http:// or https://',
    ])
  })

  it('reports where the TOML is invalid, without quoting it', () => {
    const [problem = ''] = problemsOf('chain = 1\nkey = "hunter2hunter2\n')
    expect(problem).toContain('golem.toml:2')
    expect(problem).not.toContain('hunter2')
  })

  it('never repeats a value, for any key', () => {
    const canary = 'Canary0123456789'
    const keys = [
      'id',
      'chain',
      'rpc',
      'strategy',
      'custody',
      'custody.mode',
      'custody.bounds',
      'rotation',
      'model',
      'x',
    ]
    for (const key of keys) {
      const toml = `${key} = "${canary}"\n`
      assertNoSecret(problemsOf(toml), [secret(canary)])
    }
  })

  it('is refused with one error for any text', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 200 }), (text) => {
        expect(problemsOf(text).length).toBeGreaterThan(0)
      }),
    )
    expect(problemsOf('#'.repeat(70_000))).toHaveLength(1)
  })
})
