import { BardoError } from '@bardo/core'
import { describe, expect, it } from 'vitest'
import { readModelList } from './modelList.ts'
import { readGolemConfig } from './readGolemConfig.ts'
import { splitProvider } from './readProvider.ts'

const tiers = 't0 = "a"\nt1 = "b"\nt2 = "c"\n'
const golem = (model: string) => `chain = 1\n[custody]\nmode = "delegation"\n[model]\n${model}\n${tiers}`
const toml =
  '[local]\nendpoint = "http://localhost:11434/v1"\n[hosted]\nendpoint = "https://api.example/v1"\nkey_variable = "HOSTED_KEY"\n'
const env = { HOSTED_KEY: 'sk-hosted-0123456789', BARDO_MODEL_KEY: 'sk-operator-0123456789' }

function modelOf(text: string, changes: Partial<Parameters<typeof readModelList>[0]> = {}) {
  const models = readModelList({ toml, env, allowsOthers: true, ...changes })
  return readGolemConfig({ toml: golem(text), env, models }).model
}
const keyOf = (model: ReturnType<typeof modelOf>) =>
  model?.endpoint === undefined ? 'no endpoint' : model.key?.reveal()

describe('the operator’s model list', () => {
  it('gives a Golem that names an entry its endpoint and its key', () => {
    expect(modelOf('use = "local"')).toMatchObject({ endpoint: 'http://localhost:11434/v1', key: undefined })
    const hosted = modelOf('use = "hosted"')
    expect(hosted?.endpoint).toBe('https://api.example/v1')
    expect(keyOf(hosted)).toBe(env.HOSTED_KEY)
  })

  it('gives no key of the operator to an endpoint that a Golem names', () => {
    for (const endpoint of [
      'https://thief.example/v1',
      'https://api.example.thief.example/v1',
      'https://api.example:8443/v1',
      'http://api.example/v1',
      'https://user@api.example/v1',
      'https://api.example/v1/../v2',
    ])
      expect(keyOf(modelOf(`endpoint = "${endpoint}"`))).toBeUndefined()
    // Also without any list, as in version 0.1.
    const old = readGolemConfig({ toml: golem('endpoint = "https://thief.example/v1"'), env })
    expect(keyOf(old.model)).toBeUndefined()
  })

  it('supports an older golem.toml: an endpoint of the list gets that entry’s key', () => {
    expect(keyOf(modelOf('endpoint = "https://API.example/v1/"'))).toBe(env.HOSTED_KEY)
    const beside = { ...env, BARDO_MODEL_ENDPOINT: 'https://beside.example/v1' }
    const model = modelOf('endpoint = "https://beside.example/v1"', { env: beside })
    expect(keyOf(model)).toBe(env.BARDO_MODEL_KEY)
    expect(keyOf(modelOf('use = "default"', { env: beside }))).toBe(env.BARDO_MODEL_KEY)
  })

  it('is exclusive where strangers summon Golems: another endpoint is not called, and rules decide', () => {
    const closed = { allowsOthers: false }
    for (const text of ['endpoint = "http://169.254.169.254/v1"', 'use = "unknown"'])
      expect(modelOf(text, closed)).toMatchObject({ endpoint: undefined, problem: expect.any(String) })
    expect(modelOf('endpoint = "http://localhost:11434/v1"', closed)?.endpoint).toBeDefined()
  })

  it('does not require a second model, and requires exactly one of use and endpoint', () => {
    expect(modelOf('use = "local"')?.second).toBeUndefined()
    for (const text of ['', 'use = "local"\nendpoint = "http://m"'])
      expect(() => modelOf(text)).toThrow('The configuration is invalid.')
  })

  it.each([
    '[a]\nkey = "sk-canary-0123456789"\n',
    '[a]\nendpoint = "ftp://x"\nkey = "sk-canary-0123456789"\n',
    '[a]\nendpoint = "http://x"\nkey = "sk-canary-0123456789"\nkey_variable = "Y"\n',
    '[a]\nendpoint = "http://x"\nkey_variable = "NOT_SET"\n',
    '[a]\nkey = "sk-canary-0123456789\n',
  ])('is refused with the position of the error and without the key: %j', (text) => {
    const attempt = () => readModelList({ toml: text, env, allowsOthers: true })
    expect(attempt).toThrow(BardoError)
    expect(attempt).not.toThrow('canary')
  })
})

it('splits a provider’s variables from the rest', () => {
  const { provider, rest } = splitProvider({
    BARDO_WALLET_PRIVATE_KEY: '0x11',
    BARDO_LIT_AUTH_TOKEN: '',
    BARDO_HOME: '/x',
  })
  expect(provider).toEqual({ BARDO_WALLET_PRIVATE_KEY: '0x11' })
  expect(rest).toEqual({ BARDO_HOME: '/x' })
})
