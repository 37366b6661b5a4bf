import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { runBardo } from '../testing/runBardo.ts'
import { configOf, withRoute } from './golemSettings.ts'
import { operatorModels } from './operatorModels.ts'

const home = mkdtempSync(join(tmpdir(), 'bardo-models-'))
afterAll(() => rmSync(home, { recursive: true, force: true }))

const models = { entries: new Map(), allowsOthers: true }
const key = { BARDO_WALLET_PRIVATE_KEY: `0x${'11'.repeat(32)}` }

describe('a process that ticks many Golems', () => {
  it('ignores wallet provider variables in its environment', () => {
    const env = { ...key, BARDO_PRIVY_APP_ID: 'half of a pair' }
    expect(configOf(null, { chainId: 1, env, models }).provider).toEqual({ type: 'delegation' })
    const summoning = () => configOf(null, { chainId: 1, env: {}, models, provider: key })
    expect(summoning).toThrow('The configuration is invalid.')
  })
})

describe('--route', () => {
  const base = 'chain = 1\n\n[custody]\nmode = "delegation"\n'

  it('is written into golem.toml, and read from it', () => {
    const bundler = 'https://bundler.example/?k="1"'
    const config = withRoute(base, { type: 'userOperation', bundler, paymaster: 'https://paymaster.example' })
    const { submission } = configOf(config, { chainId: 1, env: {}, models })
    if (submission.route !== 'userOperation') throw new Error(submission.route)
    expect(submission.bundler?.reveal()).toBe(bundler)
    expect(submission.paymaster?.reveal()).toBe('https://paymaster.example')
  })

  it('refuses a golem.toml with another route', () => {
    const config = withRoute(base, { type: 'userOperation', bundler: 'https://a.example' })
    expect(() => withRoute(config, { type: 'direct' })).toThrow('Two routes are given.')
    expect(() => withRoute(config, { type: 'userOperation', bundler: 'https://b.example' })).toThrow(
      'Two routes',
    )
    expect(withRoute(config, { type: 'userOperation' })).toBe(config)
    const dotted = `submission.route = "direct"\n${base}`
    expect(() => withRoute(dotted, { type: 'userOperation' })).toThrow('Two routes are given.')
  })
})

describe('the operator’s models.toml', () => {
  const file = join(home, 'models.toml')
  const text = '[hosted]\nendpoint = "https://api.example/v1"\nkey = "sk-operator-0123456789"\n'
  const read = (databaseUrl?: string) => operatorModels({ home, env: {}, databaseUrl })

  it('must be private, and is the only list of models with a database server', () => {
    expect(read().entries.size).toBe(0)
    writeFileSync(file, text, { mode: 0o644 })
    expect(() => read()).toThrow('Cannot use this secret file or variable.')
    rmSync(file)
    writeFileSync(file, text, { mode: 0o600 })
    expect(read().entries.get('hosted')?.key?.reveal()).toBe('sk-operator-0123456789')
    expect([read().allowsOthers, read('postgres://x').allowsOthers]).toEqual([true, false])
  })

  it('is shown by doctor, which also finds unknown variables and an unused model key', async () => {
    const settings = async (env: NodeJS.ProcessEnv) => {
      const { stdout } = await runBardo(['doctor', '--home', home, '--json'], env)
      const { findings } = JSON.parse(stdout)
      return findings.find(({ name }: { name: string }) => name === 'settings')
    }
    expect(await settings({ BARDO_MCP_TOKEN: 'x' })).toMatchObject({ ok: true, note: 'models: hosted' })
    const slip = await settings({ BARDO_RPCURL: 'http://x' })
    expect(slip).toMatchObject({ ok: false, note: expect.stringContaining('BARDO_RPCURL') })
    const nowhere = await settings({ BARDO_MODEL_KEY: 'sk-operator-0123456789' })
    expect(nowhere).toMatchObject({ ok: false, note: expect.stringContaining('it is not used') })
  })
})
