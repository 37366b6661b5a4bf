import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { runBardo } from '../testing/runBardo.ts'

/**
 * No node answers at this port: a run that gets as far as the node has accepted everything before, and says
 * which node it asked.
 */
const node = 'http://127.0.0.1:1'
let home: string
let config: string

beforeAll(() => {
  home = mkdtempSync(join(tmpdir(), 'bardo-summon-'))
  mkdirSync(join(home, 'files'))
  config = join(home, 'files', 'golem.toml')
  writeFileSync(join(home, 'files', 'plan.md'), 'Every day, swap $5 of USDC into WETH.')
  writeFileSync(join(home, 'files', 'heart.md'), '## Checks\n- wallet')
})
afterAll(() => rmSync(home, { recursive: true, force: true }))

const delegation = 'chain = 31337\n[custody]\nmode = "delegation"\n'
function summon(toml: string, words: readonly string[] = [], env: NodeJS.ProcessEnv = {}) {
  writeFileSync(config, toml)
  const folder = ['--home', join(home, 'data'), '--yes', '--name', 'beta', '--config', config]
  return runBardo(['summon', ...words, ...folder], env)
}

it('refuses a golem.toml with another custody mode than the chosen one, and names both', async () => {
  const { exit, stderr } = await summon(delegation, ['--custody', 'localKey'])
  expect(exit).not.toBe(0)
  expect(stderr).toContain('your choice: localKey')
  expect(stderr).toContain(`custody.mode in ${config}: delegation`)
  const same = await summon(`rpc = "${node}"\nstrategy = "plan.md"\n${delegation}`, [
    '--custody',
    'delegation',
  ])
  expect(same.stderr).toContain('The RPC node does not answer.\n  127.0.0.1:1\n')
})

it('needs the limits of a local key, and refuses another mode', async () => {
  const alone = await runBardo(['summon', 'plan.md', '--name', 'beta', '--custody', 'localKey'], {})
  expect(alone.stderr).toContain('Missing --config')
  expect((await summon(delegation, ['--custody', 'trust'])).stderr).toContain('--custody takes')
})

it('reads strategy, heartbeat and node from golem.toml, relative to it', async () => {
  const missing = await summon(delegation)
  expect(missing.stderr).toContain('Missing STRATEGY')
  const other = await summon(`strategy = "other.md"\n${delegation}`)
  expect(other.stderr).toContain(join(home, 'files', 'other.md'))
  const heart = await summon(`strategy = "plan.md"\nheartbeat = "none.md"\n${delegation}`)
  expect(heart.stderr).toContain(join(home, 'files', 'none.md'))
  const asked = await summon(`rpc = "${node}"\nstrategy = "plan.md"\n${delegation}`)
  expect(asked.stderr).toContain('The RPC node does not answer.\n  127.0.0.1:1\n')
  const flag = await summon(`rpc = "${node}"\nstrategy = "plan.md"\n${delegation}`, [
    '--rpc',
    'http://127.0.0.1:2',
  ])
  expect(flag.stderr).toContain('127.0.0.1:2')
})

it('refuses settings without effect', async () => {
  const id = await summon(`id = "alpha"\n${delegation}`)
  expect(id.stderr).toContain('id has no effect')
  const data = await summon(`strategy = "plan.md"\n${delegation}`, [], { GOLEM_DATA: '/data' })
  expect(data.stderr).toContain('GOLEM_DATA is not a setting of Bardo')
})
