import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openWorld, type TestWorld } from '../testing/openWorld.ts'
import { templates } from './init/templates.ts'

describe('bardo init', { timeout: 60_000 }, () => {
  let here: TestWorld
  beforeAll(async () => {
    here = await openWorld()
  })
  afterAll(() => here?.[Symbol.asyncDispose]())

  it.each(Object.keys(templates))(
    'writes files from %s that compile and summon as they are',
    async (template) => {
      const folder = join(here.home, 'golems', template)
      const { files } = await here.json('init', folder, '--template', template)
      expect(files).toHaveLength(3)
      expect(await here.json('compile', join(folder, 'STRATEGY.md'))).toMatchObject({
        exit: 0,
        missing: [],
        questions: [],
        setNothing: [],
      })
      const config = join(folder, 'golem.toml')
      const summoned = await here.json('summon', '--config', config, '--name', template, '--yes')
      expect(summoned).toMatchObject({ exit: 0, name: template })
      expect(await here.json('status', template)).toMatchObject({ status: 'alive' })
    },
  )

  it('never changes a file, and writes nothing if one exists', async () => {
    const folder = join(here.home, 'taken')
    mkdirSync(folder)
    writeFileSync(join(folder, 'HEARTBEAT.md'), 'mine')
    const refused = await here.bardo('init', folder, '--template', 'observer')
    expect(refused).toMatchObject({ exit: 64, stdout: '' })
    expect(refused.stderr).toContain(join(folder, 'HEARTBEAT.md'))
    expect(readFileSync(join(folder, 'HEARTBEAT.md'), 'utf8')).toBe('mine')
    expect(() => readFileSync(join(folder, 'STRATEGY.md'))).toThrow()
  })

  it('names the templates if none is given or the name is unknown', async () => {
    const missing = await here.bardo('init', join(here.home, 'none'))
    expect(missing).toMatchObject({ exit: 64 })
    expect(missing.stderr).toContain('vault-saver: deposits USDC')
    expect(await here.bardo('init', '--template', 'nothing')).toMatchObject({ exit: 2 })
  })

  it('names the line of HEARTBEAT.md that cannot be read', async () => {
    const folder = join(here.home, 'wrong')
    await here.json('init', folder, '--template', 'observer')
    writeFileSync(join(folder, 'HEARTBEAT.md'), '# Heartbeat\n\n## Schedule\n- interval: soon\n')
    const refused = await here.bardo(
      'summon',
      '--config',
      join(folder, 'golem.toml'),
      '--name',
      'wrong',
      '--yes',
    )
    expect(refused.exit).toBe(64)
    expect(refused.stderr).toContain('HEARTBEAT.md is invalid.')
    expect(refused.stderr).toContain('line 4: must be a time from 1 second to 24 hours')
  })
})
