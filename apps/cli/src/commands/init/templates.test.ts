import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { type CompiledStrategy, compileStrategy } from '@bardo/core'
import { readGolemConfig, settingsFrom } from '@bardo/golem'
import { describe, expect, it } from 'vitest'
import { configText, templates } from './templates.ts'

const compile = (text: string) => compileStrategy(text, { now: 1_800_000_000n })
const complaints = ({ ambiguities, setNothing, capabilities }: CompiledStrategy) => ({
  ambiguities: ambiguities.map(({ question }) => question),
  setNothing: setNothing.map(({ sentence }) => sentence),
  notGranted: capabilities.filter(({ status }) => status !== 'granted').map(({ capability }) => capability),
})
const none = { ambiguities: [], setNothing: [], notGranted: [] }

describe('the templates of bardo init', () => {
  it.each(Object.entries(templates))(
    '%s compiles without a question, and its files are valid',
    (_, template) => {
      const compiled = compile(template.strategy)
      expect(complaints(compiled)).toEqual(none)
      expect(compiled.plan.classes.length).toBeGreaterThan(0)
      const config = readGolemConfig({ toml: configText(template, 31_337), env: {} })
      const files = { strategy: template.strategy, heartbeat: template.heartbeat }
      expect(settingsFrom(config, files).schedule.intervalSeconds).toBeGreaterThan(0)
    },
  )

  it('grant no spending to the observer, and no trade by rules to the rebalancer and the model', () => {
    expect(compile(templates.observer.strategy).plan).toMatchObject({ dayCents: 0n, classes: ['withdraw'] })
    for (const name of ['rebalancer', 'model-driven'] as const)
      expect(compile(templates[name].strategy).plan.cadenceSeconds).toBe(0)
  })
})

describe('docs/strategy.md', () => {
  const page = readFileSync(join(import.meta.dirname, '../../../../../docs/strategy.md'), 'utf8')
  const examples = [...page.matchAll(/^\| [^|]+ \| `([^`]+)` \|$/gm)].map(([, text = '']) => text)
  const swap = 'Swap USDC into WETH.'
  const besides = (text: string) =>
    /^replicant/i.test(text)
      ? `${swap} Spawn replicants.\n${text}`
      : /vault floor|of the vault/.test(text)
        ? `Deposit USDC in the vault, and withdraw it from the vault.\n${text}`
        : /^(Swap|Buy|Every|Deposit|Withdraw)/.test(text)
          ? text
          : `${swap}\n${text}`

  it('has an example of each kind', () => expect(examples.length).toBeGreaterThan(25))

  it.each(examples)('compiles its example without a question, and it has an effect: %s', (text) => {
    const compiled = compile(`${besides(text)}\n`)
    expect(complaints(compiled)).toEqual(none)
    const without = besides(text).split('\n').slice(0, -1).join('\n')
    expect(JSON.stringify(compiled, bigints)).not.toBe(JSON.stringify(compile(without), bigints))
  })
})

const bigints = (_: string, value: unknown) => (typeof value === 'bigint' ? `${value}` : value)
