import { spawn } from 'node:child_process'
import { copyFileSync, existsSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { runBardo } from '../testing/runBardo.ts'
import { isEvent, startUp, type Up } from '../testing/startUp.ts'

const narrower = 'Every hour, swap $3 of USDC into WETH.\nbudget: $30/day\nlifespan: 10 days\n'

// Processes are started one after the other, each with a database to open: on a busy machine that takes its time.
describe('one world and all that can be done in it', { timeout: 60_000 }, () => {
  const home = mkdtempSync(join(tmpdir(), 'bardo-cli-'))
  const strategy = join(home, 'STRATEGY.md')
  let up: Up
  let alpha: string
  let trade: string

  const bardo = (...words: string[]) => runBardo([...words, '--home', home])
  const json = async (...words: string[]) => {
    const { exit, stdout } = await bardo(...words, '--json')
    return { exit, ...JSON.parse(stdout) }
  }

  beforeAll(async () => {
    writeFileSync(strategy, narrower)
    up = startUp(home)
    await up.until(({ is }) => is === 'ready')
    // The chain before most of what follows.
    copyFileSync(join(home, 'world.json'), join(home, 'old.json'))
    const { golem, body } = await up.until(isEvent('action.landed'))
    alpha = `${golem}`
    trade = (body as { transaction: string }).transaction
  })
  afterAll(async () => {
    up.signal('SIGKILL')
    await up.ended
    rmSync(home, { recursive: true, force: true })
  })

  it('shows how the Golem stands, for people and for programs', async () => {
    expect(await json('status', 'Alpha DCA')).toMatchObject({
      exit: 0,
      golem: alpha,
      status: 'alive',
      phase: 'thriving',
      day: { spentCents: '200', limitCents: '50000' },
    })
    const { stdout } = await bardo('status')
    expect(stdout).toMatch(/^Alpha DCA is alive and thriving, at tick \d+\./)
    for (const line of stdout.split('\n')) expect(line.length).toBeLessThanOrEqual(80)
    const tree = await bardo('tree')
    expect(tree.stdout).toContain('at most $500 in any 24 hours')
    for (const line of tree.stdout.split('\n')) expect(line.length).toBeLessThanOrEqual(80)
  })

  it('explains what landed, and what would be refused by which bound', async () => {
    expect(await json('explain', trade)).toMatchObject({ exit: 0, state: 'landed', verdict: 'passes' })
    expect(await json('explain', 'swap', '5000', 'usdc', 'to', 'weth')).toMatchObject({
      exit: 0,
      state: 'notSent',
      verdict: 'refused',
      caveat: 'Cage',
    })
  })

  it.each([
    [['status', 'nobody'], 64, 'There is no such Golem.'],
    [['status', `0x${'12'.repeat(32)}`], 64, 'There is no such Golem.'],
    [['explain', 'the meaning of life'], 64, 'This can be no subject.'],
    [['explain', `0x${'12'.repeat(32)}`], 64, ''],
    [['adjust', 'Alpha DCA', '/nowhere/STRATEGY.md'], 64, 'The file cannot be read.'],
    [['kill', 'Alpha DCA'], 64, 'This is for you to confirm, and nobody can be asked here.'],
    [['revoke', 'Alpha DCA'], 64, 'This is for you to confirm, and nobody can be asked here.'],
    [['summon'], 64, 'STRATEGY is missing, and nobody can be asked here.'],
    [['requests', 'nothing', 'yes'], 64, 'There is no such request.'],
    [['requests', 'nothing'], 2, 'What do you say?'],
    [['replicate', 'Alpha DCA', 'gamma', '--daily', 'lots'], 2, '--daily takes dollars'],
    [['replicate', 'Alpha DCA', '\u001b[31m'], 64, 'This cannot be meant.'],
    [['replicate', 'Alpha DCA', 'gamma', '--daily', '100000'], 65, ''],
    [['audit', 'verify', '--anchor', 'x'], 2, '--anchor takes a head'],
  ])('says to %j what is wrong, in a line or two, and does nothing', async (words, exit, message) => {
    const before = (await json('status', 'Alpha DCA')).sessionKeys
    const ran = await bardo(...words)
    expect(ran).toMatchObject({ exit, stdout: '' })
    expect(ran.stderr).toContain(message)
    expect(ran.stderr).not.toMatch(/^\s+at /m)
    expect((await json('status', 'Alpha DCA')).sessionKeys).toEqual(before)
  })

  it('gives it another strategy once that is meant, and feeds it', async () => {
    const diff = await json('compile', strategy, '--golem', 'Alpha DCA')
    expect(diff.changes).toContainEqual({
      field: 'dayCents',
      before: '50000',
      after: '3000',
      direction: 'narrower',
    })
    expect(await bardo('adjust', 'Alpha DCA', strategy)).toMatchObject({ exit: 64 })
    expect((await json('status', alpha)).day.limitCents).toBe('50000')
    expect(await json('adjust', 'Alpha DCA', strategy, '--yes')).toMatchObject({ exit: 0, dayCents: '3000' })
    expect((await json('status', alpha)).day).toMatchObject({ limitCents: '3000' })
    const fed = await json('feed')
    expect(fed).toMatchObject({ exit: 0, golem: alpha, order: expect.stringMatching(/^disable-/) })
    expect(fed.endsAt - Date.now() / 1_000).toBeGreaterThan(9.9 * 86_400)
  })

  it('exchanges its key, the suspected one too', async () => {
    const first = await json('rotate')
    expect(first).toMatchObject({ exit: 0, isRotated: true, waiting: [] })
    const second = await json('rotate', '--suspected')
    expect(second).toMatchObject({ exit: 0, isRotated: true, waiting: [], before: first.after })
  })

  it('has a child, ends that child alone, and answers what it asks for', async () => {
    const born = await json('replicate', 'Alpha DCA', 'gamma')
    expect(born).toMatchObject({ exit: 0, parent: alpha })
    expect((await bardo('status')).stdout).toMatch(/gamma .* alive/)
    expect(await json('revoke', 'gamma', '--yes')).toMatchObject({ exit: 0, child: 'disabled', revoked: [] })
    await up.until(isEvent('DeathCompleted', born.golem))
    expect(await json('status', 'Alpha DCA')).toMatchObject({ status: 'alive' })
    const { stdout } = await bardo('requests')
    expect(stdout).toContain('gamma: revoke')
    const [, id] = /bardo requests (\S+) yes/.exec(stdout) ?? []
    expect(await json('requests', id ?? '', 'yes')).toMatchObject({ exit: 0, isTaken: true })
    expect(await bardo('requests')).toMatchObject({ exit: 0, stdout: 'Nothing waits for you.\n' })
  })

  it('summons another, and finds it by its name', async () => {
    const born = await json('summon', strategy, '--name', 'beta', '--yes')
    expect(born).toMatchObject({ exit: 0, name: 'beta' })
    expect(await json('summon', strategy, '--name', 'beta', '--yes')).toMatchObject({ golem: born.golem })
    await up.until(isEvent('action.landed', born.golem))
    const names = await bardo('completion', 'golems')
    expect(names.stdout.trim().split('\n').sort()).toEqual(['Alpha DCA', 'beta', 'gamma'])
  })

  it('serves its tools to an agent', async () => {
    const words = ['mcp', 'beta', '--home', home]
    const child = spawn(process.execPath, [join(import.meta.dirname, '../../bin/bardo.js'), ...words])
    const say = (message: object) => child.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`)
    let heard = ''
    const answered = new Promise<void>((resolve) =>
      child.stdout.setEncoding('utf8').on('data', (chunk: string) => {
        heard += chunk
        if (heard.includes('"id":3')) resolve()
      }),
    )
    const clientInfo = { name: 'test', version: '1' }
    const params = { protocolVersion: '2025-06-18', capabilities: {}, clientInfo }
    say({ id: 1, method: 'initialize', params })
    say({ method: 'notifications/initialized' })
    say({ id: 2, method: 'tools/list' })
    say({ id: 3, method: 'tools/call', params: { name: 'wallet_get_status', arguments: {} } })
    await answered
    child.stdin.end()
    expect(await new Promise((resolve) => child.on('close', resolve))).toBe(0)
    const lines = heard
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line))
    expect(lines.map(({ id }) => id)).toEqual([1, 2, 3])
    expect(lines[2].result.structuredContent).toMatchObject({ name: 'beta', status: 'alive' })
  })

  it('keeps a record that holds, and finds nothing wrong', async () => {
    const verified = await json('audit', 'verify')
    expect(verified).toMatchObject({ exit: 0, is: 'intact' })
    const { head } = verified
    expect(await json('audit', 'verify', '--anchor', `${head.sequence}:${head.hash}`)).toMatchObject({
      is: 'intact',
    })
    expect(await bardo('audit', 'verify', '--anchor', `${head.sequence}:0x${'00'.repeat(32)}`)).toMatchObject(
      { exit: 1 },
    )
    const exported = await bardo('audit', 'export', '--golem', 'beta')
    const events = exported.stdout
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line))
    expect(events[0]).toMatchObject({ number: 1 })
    expect(await json('doctor')).toMatchObject({ exit: 0, ok: true })
  })

  it('does not start a second world in the same folder, nor on a taken port', async () => {
    const { url } = await up.until(({ is }) => is === 'ready')
    const second = await bardo('up', '--port', '0')
    expect(second).toMatchObject({ exit: 69 })
    expect(second.stderr).toContain('A world runs in this folder already.')
    const { port } = new URL(`${url}`)
    const other = mkdtempSync(join(tmpdir(), 'bardo-cli-'))
    const taken = await runBardo(['up', '--port', port, '--home', other])
    expect(taken).toMatchObject({ exit: 69 })
    expect(taken.stderr).toContain(`Port ${port} is taken.`)
    rmSync(other, { recursive: true })
  })

  it('kills it: nothing is left to sweep', async () => {
    expect(await json('kill', 'Alpha DCA', '--yes')).toMatchObject({
      exit: 0,
      sessionAccountInvalidated: true,
      disabledOnChain: true,
    })
    expect(await json('status', alpha)).toMatchObject({ status: 'dead' })
    const { stdout } = await bardo('status', alpha)
    expect(stdout).toMatch(/^Alpha DCA is dead, after tick \d+\./)
    expect(stdout).not.toMatch(/✗|signed for|vitality/)
    expect(await bardo('feed', alpha)).toMatchObject({ exit: 65, stderr: expect.stringContaining('dying') })
  })

  it('ends by Ctrl-C with nothing left, and goes on where it was', async () => {
    up.signal('SIGINT')
    expect(await up.ended).toMatchObject({ exit: 0 })
    for (const left of ['devnet.json', 'office.sock', 'db.lock'])
      expect(existsSync(join(home, left))).toBe(false)
    expect(await bardo('status')).toMatchObject({
      exit: 75,
      stderr: expect.stringContaining('No chain is running'),
    })

    up = startUp(home)
    expect(await up.until(({ is }) => is === 'ready')).toMatchObject({
      before: { is: 'kept' },
      golems: ['beta'],
    })
    expect(await json('status', 'beta')).toMatchObject({
      exit: 0,
      status: 'alive',
      day: { spentCents: '300' },
    })
  })

  it('takes over after a hard end: a clear word first, and then the same lives', async () => {
    const { url } = await up.until(({ is }) => is === 'ready')
    up.signal('SIGKILL')
    await up.ended
    // The chain ends by itself a moment after whoever started it.
    const answers = () =>
      fetch(`${url}`).then(
        () => true,
        () => false,
      )
    while (await answers());
    expect(existsSync(join(home, 'office.sock'))).toBe(true)
    const orphan = await bardo('status')
    expect(orphan.exit).toBe(75)
    expect(orphan.stderr).toContain('The node does not answer.')
    up = startUp(home)
    expect(await up.until(({ is }) => is === 'ready')).toMatchObject({
      before: { is: 'kept' },
      golems: ['beta'],
    })
    expect(await json('audit', 'verify')).toMatchObject({ is: 'intact' })
  })

  it('sets a world aside that does not know what the journal has seen land, and begins anew', async () => {
    up.signal('SIGKILL')
    await up.ended
    copyFileSync(join(home, 'old.json'), join(home, 'world.json'))
    up = startUp(home)
    expect(await up.until(({ is }) => is === 'ready')).toMatchObject({
      before: { is: 'aside', because: 'it ended before its last trades were kept' },
      golems: ['Alpha DCA'],
    })
    const [aside = ''] = readdirSync(home).filter((name) => name.startsWith('aside-'))
    expect(readdirSync(join(home, aside)).sort()).toEqual(['db', 'world.json'])
    expect((await json('status')).golem).not.toBe(alpha)
  })
})
