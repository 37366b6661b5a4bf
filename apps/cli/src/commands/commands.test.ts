import { spawn } from 'node:child_process'
import { copyFileSync, existsSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { copyEmptyPglite } from '@bardo/store/testing/pglite'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { runBardo } from '../testing/runBardo.ts'
import { isEvent, startUp, type Up } from '../testing/startUp.ts'

const narrower =
  'Every hour, swap $3 of USDC into WETH. Spawn replicants.\nbudget: $30/day\nlifespan: 10 days\n'

// Each command is a process that opens a database, which is slow on a busy machine.
describe('all commands on one local chain', { timeout: 60_000 }, () => {
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
    await copyEmptyPglite(home)
    up = startUp(home)
    await up.until(({ type }) => type === 'ready')
    // The chain before most of the tests below.
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

  it('status and tree show the state of the Golem as text and as JSON', async () => {
    expect(await json('status', 'Alpha DCA')).toMatchObject({
      exit: 0,
      golem: alpha,
      status: 'alive',
      phase: 'thriving',
      day: { spentCents: '200', limitCents: '288000' },
    })
    const { stdout } = await bardo('status')
    expect(stdout).toMatch(/^Alpha DCA is alive and thriving, at tick \d+\./)
    for (const line of stdout.split('\n')) expect(line.length).toBeLessThanOrEqual(80)
    const elsewhere = await bardo('status', '--rpc', 'http://127.0.0.1:1')
    expect(elsewhere).toMatchObject({ exit: 0, stderr: expect.stringContaining('--rpc has no effect') })
    const tree = await bardo('tree')
    expect(tree.stdout).toContain('at most $2,880 in any 24 hours without gas')
    for (const line of tree.stdout.split('\n')) expect(line.length).toBeLessThanOrEqual(80)
    expect(tree.stdout).toMatch(/Alpha DCA: \$\d+\.00 of \$7,000\.00\n/)
    expect(tree.stdout).toContain('All Golems of this owner together:')
    const { family } = await json('tree')
    // The runway of this Golem counts twice a day, and only reaches the owner’s account.
    expect(family.exposure.nextDay.unboundedBecause).toEqual([])
    expect(BigInt(family.exposure.nextDay.cents)).toBeLessThanOrEqual(288_000n + 2n * 10_000n)
    expect(family.exposure.ifStolen.causes).toContainEqual({ type: 'slippage', bps: 100 })
    expect(family.golems).toMatchObject([{ golem: alpha, limitCents: '700000', within: null }])
    expect(family.golems[0].exposure).toEqual(family.exposure)
  })

  it('explain names the verdict of a landed transaction and the limit that would refuse an action', async () => {
    expect(await json('explain', trade)).toMatchObject({ exit: 0, state: 'landed', verdict: 'passes' })
    expect(await json('explain', 'swap', '5000', 'usdc', 'to', 'weth')).toMatchObject({
      exit: 0,
      state: 'notSent',
      verdict: 'refused',
      caveat: 'Cage',
    })
  })

  it.each([
    [['status', 'unknown'], 64, 'There is no such Golem.'],
    [['status', `0x${'12'.repeat(32)}`], 64, 'There is no such Golem.'],
    [['explain', 'the meaning of life'], 64, 'Cannot explain this.'],
    [['explain', `0x${'12'.repeat(32)}`], 64, ''],
    [['adjust', 'Alpha DCA', '/nowhere/STRATEGY.md'], 64, 'Cannot read the file.'],
    [['kill', 'Alpha DCA'], 64, 'Confirmation needed, but this is not an interactive terminal.'],
    [['revoke', 'Alpha DCA'], 64, 'Confirmation needed, but this is not an interactive terminal.'],
    [['summon'], 64, 'Missing STRATEGY, and this is not an interactive terminal.'],
    [['requests', 'nothing', 'yes'], 64, 'Unknown request.'],
    [['requests', 'nothing'], 2, 'Missing argument ANSWER (yes or no; cosign for a proposal).'],
    [['replicate', 'Alpha DCA', 'gamma', '--daily', 'lots'], 2, '--daily takes dollars'],
    [['replicate', 'Alpha DCA', '\u001b[31m'], 64, 'Invalid input for "replicate".'],
    [['replicate', 'Alpha DCA', 'gamma', '--daily', '100000'], 65, ''],
    [['audit', 'verify', '--anchor', 'x'], 2, '--anchor takes SEQUENCE:HASH'],
  ])('refuses %j with a short message, and changes nothing', async (words, exit, message) => {
    const before = (await json('status', 'Alpha DCA')).sessionKeys
    const ran = await bardo(...words)
    expect(ran).toMatchObject({ exit, stdout: '' })
    expect(ran.stderr).toContain(message)
    expect(ran.stderr).not.toMatch(/^\s+at /m)
    expect((await json('status', 'Alpha DCA')).sessionKeys).toEqual(before)
  })

  it('adjust needs --yes and replaces the strategy; feed renews it', async () => {
    const diff = await json('compile', strategy, '--golem', 'Alpha DCA')
    expect(diff.changes).toContainEqual({
      field: 'dayCents',
      before: '700000',
      after: '3000',
      direction: 'narrower',
    })
    expect(diff.day).toEqual({ beforeCents: '288000', afterCents: '3000' })
    const shown = await bardo('compile', strategy, '--golem', 'Alpha DCA')
    expect(shown.stdout).toContain('in any 24 hours: $2,880.00 → $30.00')
    expect(shown.stdout).not.toContain('$7,000')
    // What it has spent today counts.
    expect(diff.exposure.nextDay.cents).toMatch(/^\d+$/)
    expect(BigInt(diff.exposure.nextDay.cents)).toBeLessThan(3_000n)
    expect(BigInt(diff.exposure.untilTheEnd.cents)).toBeGreaterThan(9n * 2_700n)
    expect(shown.stdout).toContain('leaves your account in the next 24 hours.')
    expect(shown.stdout).toContain('If its key is stolen, you lose at most')
    const asked = await bardo('adjust', 'Alpha DCA', strategy)
    expect(asked).toMatchObject({ exit: 64 })
    expect(asked.stderr).toContain('If its key is stolen, you lose at most')
    expect((await json('status', alpha)).day.limitCents).toBe('288000')
    expect(await json('adjust', 'Alpha DCA', strategy, '--yes')).toMatchObject({
      exit: 0,
      dayCents: '3000',
      exposure: { ifStolen: { assumes: [] } },
    })
    expect((await json('status', alpha)).day).toMatchObject({ limitCents: '3000' })
    const fed = await json('feed')
    expect(fed).toMatchObject({ exit: 0, golem: alpha, order: expect.stringMatching(/^disable-/) })
    expect(fed.endsAt - Date.now() / 1_000).toBeGreaterThan(9.9 * 86_400)
  })

  it('pause and resume need no signature, are shown, and outlive a feed', async () => {
    expect(await json('pause', 'Alpha DCA')).toMatchObject({ exit: 0, paused: true, isChanged: true })
    expect((await bardo('pause', 'Alpha DCA')).stdout).toContain('was already paused')
    const { stdout } = await bardo('status', 'Alpha DCA')
    expect(stdout).toMatch(/^Alpha DCA is paused and thriving/)
    expect(stdout).toContain('bardo resume "Alpha DCA"')
    expect(await json('feed')).toMatchObject({ exit: 0 })
    expect(await json('status', 'Alpha DCA')).toMatchObject({
      pausedAt: expect.any(Number),
      waits: { reason: 'paused' },
    })
    expect(await bardo('resume', 'Alpha DCA')).toMatchObject({ exit: 64 })
    expect(await json('resume', 'Alpha DCA', '--yes')).toMatchObject({ paused: false, isChanged: true })
    expect(await json('status', 'Alpha DCA')).toMatchObject({ pausedAt: null })
    expect((await bardo('resume', 'Alpha DCA', '--yes')).stdout).toContain('is not paused')
  })

  it('rotate replaces the session key, also a suspected one', async () => {
    const first = await json('rotate')
    expect(first).toMatchObject({ exit: 0, isRotated: true, waiting: [] })
    const second = await json('rotate', '--suspected')
    expect(second).toMatchObject({ exit: 0, isRotated: true, waiting: [], before: first.after })
  })

  it('feed, adjust and rotate --suspected name the children that end, before and after', async () => {
    const first = await json('replicate', 'Alpha DCA', 'delta')
    expect(await bardo('replicate', 'Alpha DCA', 'delta')).toMatchObject({
      exit: 65,
      stderr: expect.stringContaining('Another Golem of this owner already has this name.'),
    })
    const tree = await bardo('tree', 'Alpha DCA')
    expect(tree.stdout).toMatch(/delta to\s+0x/)
    expect(tree.stdout).toMatch(/delta: \$0\.00 of \$[\d.]+, within the budget of Alpha\s+DCA/)
    const { endsAt } = await json('status', 'delta')
    expect(endsAt - Date.now() / 1_000).toBeLessThan(86_500)
    for (const words of [
      ['feed', 'Alpha DCA'],
      ['rotate', 'Alpha DCA', '--suspected'],
    ]) {
      const refused = await bardo(...words)
      expect(refused).toMatchObject({ exit: 64, stdout: '' })
      expect(refused.stderr).toContain('Its child delta ends')
    }
    expect((await json('compile', strategy, '--golem', 'Alpha DCA')).children).toEqual(['delta'])
    expect((await bardo('adjust', 'Alpha DCA', strategy)).stderr).toContain('Its child delta ends')
    const fed = await bardo('feed', 'Alpha DCA', '--yes')
    expect(fed.stdout).toContain('Its child delta has ended with the old delegation.')
    await up.until(isEvent('DeathCompleted', first.golem))
    const { stdout } = await bardo('status', first.golem)
    expect(stdout).toMatch(/^delta is dead/)
    expect(stdout).toMatch(/ended +\d{4}-\d\d-\d\d \d\d:\d\d UTC: its owner revoked/)
    const second = await json('replicate', 'Alpha DCA', 'delta')
    expect(await json('rotate', 'Alpha DCA', '--suspected', '--yes')).toMatchObject({
      exit: 0,
      endedChildren: ['delta'],
    })
    await up.until(isEvent('DeathCompleted', second.golem))
    const waiting = await bardo('requests')
    for (const [, id = ''] of waiting.stdout.matchAll(/bardo requests (\S+) yes/g))
      expect(await bardo('requests', id, 'yes')).toMatchObject({ exit: 0 })
  })

  it('replicate creates a child, revoke ends only that child, and requests answers its request', async () => {
    const born = await json('replicate', 'Alpha DCA', 'gamma')
    expect(born).toMatchObject({ exit: 0, parent: alpha })
    expect((await bardo('status')).stdout).toMatch(/gamma .* alive/)
    expect(await json('revoke', 'gamma', '--yes')).toMatchObject({ exit: 0, child: { type: 'disabled' } })
    await up.until(isEvent('DeathCompleted', born.golem))
    expect(await json('status', 'Alpha DCA')).toMatchObject({ status: 'alive' })
    const { stdout } = await bardo('requests')
    expect(stdout).toContain('gamma: revoke')
    const [, id] = /bardo requests (\S+) yes/.exec(stdout) ?? []
    expect(await json('requests', id ?? '', 'yes')).toMatchObject({ exit: 0, isTaken: true })
    expect(await bardo('requests')).toMatchObject({ exit: 0, stdout: 'No request is waiting for you.\n' })
  })

  it('revoke and kill end a child whose parent has another key since', async () => {
    const [first, second] = [
      await json('replicate', 'Alpha DCA', 'epsilon'),
      await json('replicate', 'Alpha DCA', 'zeta'),
    ]
    expect(await json('rotate', 'Alpha DCA')).toMatchObject({ exit: 0, isRotated: true })
    const revoked = await bardo('revoke', 'epsilon', '--yes')
    expect(revoked).toMatchObject({
      exit: 0,
      stdout: expect.stringContaining('epsilon ended itself with its own key'),
    })
    expect(await json('status', first.golem)).toMatchObject({ status: 'dead' })
    expect(await json('kill', 'zeta', '--yes')).toMatchObject({ exit: 0, sessionAccountInvalidated: true })
    expect(await json('status', second.golem)).toMatchObject({ status: 'dead' })
    expect(await json('status', 'Alpha DCA')).toMatchObject({ status: 'alive', children: [] })
  })

  it('replicate needs the owner’s signature for it', async () => {
    const text = 'Swap USDC into WETH. Never spawn replicants.\nbudget: $30/day\n'
    writeFileSync(join(home, 'never.md'), text)
    await json('summon', join(home, 'never.md'), '--name', 'eta', '--yes')
    expect(await bardo('replicate', 'eta', 'theta')).toMatchObject({
      exit: 65,
      stderr: expect.stringContaining('The signed strategy does not allow Replicants.'),
    })
    expect(await json('kill', 'eta', '--yes')).toMatchObject({ exit: 0 })
  })

  it('summon creates a second Golem, and completion lists its name', async () => {
    const born = await json('summon', strategy, '--name', 'beta', '--yes')
    expect(born.exposure).toMatchObject({ nextDay: { cents: '3000' } })
    // 1 % of the day, and gas for a tenth of it.
    expect(Number(born.exposure.ifStolen.cents)).toBeGreaterThan(300)
    expect(Number(born.exposure.ifStolen.cents)).toBeLessThanOrEqual(330)
    expect(born).toMatchObject({ exit: 0, name: 'beta' })
    expect(await json('summon', strategy, '--name', 'beta', '--yes')).toMatchObject({ golem: born.golem })
    await up.until(isEvent('action.landed', born.golem))
    const names = await bardo('completion', 'golems')
    expect(names.stdout.trim().split('\n').sort()).toEqual([
      'Alpha DCA',
      'beta',
      'delta',
      'epsilon',
      'eta',
      'gamma',
      'zeta',
    ])
  })

  it('mcp serves its tools over stdio', async () => {
    const words = ['mcp', 'beta', '--home', home]
    const child = spawn(process.execPath, [join(import.meta.dirname, '../../bin/bardo.js'), ...words])
    const say = (message: object) => child.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`)
    let received = ''
    const answered = new Promise<void>((resolve) =>
      child.stdout.setEncoding('utf8').on('data', (chunk: string) => {
        received += chunk
        if (received.includes('"id":3')) resolve()
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
    const lines = received
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line))
    expect(lines.map(({ id }) => id)).toEqual([1, 2, 3])
    expect(lines[2].result.structuredContent).toMatchObject({ name: 'beta', status: 'alive' })
  })

  it('audit verify finds the log intact, and doctor finds no problem', async () => {
    const verified = await json('audit', 'verify')
    expect(verified).toMatchObject({ exit: 0, type: 'intact' })
    const { head } = verified
    expect(await json('audit', 'verify', '--anchor', `${head.sequence}:${head.hash}`)).toMatchObject({
      type: 'intact',
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

  it('up refuses a folder that another process holds, and a taken port', async () => {
    const { url } = await up.until(({ type }) => type === 'ready')
    const second = await bardo('up', '--port', '0')
    expect(second).toMatchObject({ exit: 69 })
    expect(second.stderr).toContain('A Bardo process is already running for this data folder.')
    const { port } = new URL(`${url}`)
    const other = mkdtempSync(join(tmpdir(), 'bardo-cli-'))
    const taken = await runBardo(['up', '--port', port, '--home', other])
    expect(taken).toMatchObject({ exit: 69 })
    expect(taken.stderr).toContain(`Port ${port} is taken.`)
    rmSync(other, { recursive: true })
  })

  it('kill shuts the Golem down and leaves no position open', async () => {
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

  it('up stops on Ctrl-C without leftover files, and the next start continues', async () => {
    up.signal('SIGINT')
    expect(await up.ended).toMatchObject({ exit: 0 })
    for (const left of ['devnet.json', 'office.sock', 'db.lock'])
      expect(existsSync(join(home, left))).toBe(false)
    expect(await bardo('status')).toMatchObject({
      exit: 75,
      stderr: expect.stringContaining('No chain to connect to'),
    })

    up = startUp(home)
    expect(await up.until(({ type }) => type === 'ready')).toMatchObject({
      before: { type: 'kept' },
      golems: ['beta'],
    })
    expect(await json('status', 'beta')).toMatchObject({
      exit: 0,
      status: 'alive',
      day: { spentCents: '300' },
    })
  })

  it('after SIGKILL, commands report the missing node and the next start continues', async () => {
    const { url } = await up.until(({ type }) => type === 'ready')
    up.signal('SIGKILL')
    await up.ended
    // The chain ends shortly after its parent process.
    const answers = () =>
      fetch(`${url}`).then(
        () => true,
        () => false,
      )
    while (await answers());
    expect(existsSync(join(home, 'office.sock'))).toBe(true)
    const orphan = await bardo('status')
    expect(orphan.exit).toBe(75)
    expect(orphan.stderr).toContain('The RPC node does not answer.')
    up = startUp(home)
    expect(await up.until(({ type }) => type === 'ready')).toMatchObject({
      before: { type: 'kept' },
      golems: ['beta'],
    })
    expect(await json('audit', 'verify')).toMatchObject({ type: 'intact' })
  })

  it('up archives a chain that lacks landed transactions of the journal, and starts a new one', async () => {
    up.signal('SIGKILL')
    await up.ended
    copyFileSync(join(home, 'old.json'), join(home, 'world.json'))
    up = startUp(home)
    expect(await up.until(({ type }) => type === 'ready')).toMatchObject({
      before: { type: 'aside', because: 'the process ended before its last transactions were saved' },
      golems: ['Alpha DCA'],
    })
    const [aside = ''] = readdirSync(home).filter((name) => name.startsWith('aside-'))
    expect(readdirSync(join(home, aside)).sort()).toEqual(['db', 'world.json'])
    expect((await json('status')).golem).not.toBe(alpha)
  })
})
