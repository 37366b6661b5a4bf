import { execFileSync } from 'node:child_process'
import { chmodSync, mkdirSync, symlinkSync, truncateSync } from 'node:fs'
import { join } from 'node:path'
import { generatePrivateKey } from 'viem/accounts'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openWorld, type TestWorld } from '../testing/openWorld.ts'

const strategy = 'Every hour, swap $3 of USDC into WETH.\nbudget: $30/day\nlifespan: 10 days\n'
const long = 'x'.repeat(10_000)

describe('hostile input: odd arguments, foreign keys, concurrent commands', { timeout: 60_000 }, () => {
  let here: TestWorld
  let file: string
  let golem: string
  let stranger: string

  beforeAll(async () => {
    here = await openWorld()
    file = here.write('STRATEGY.md', strategy)
    stranger = here.write('stranger.key', generatePrivateKey())
    ;({ golem } = await here.json('summon', file, '--name', 'beta', '--yes'))
  })
  afterAll(() => here?.[Symbol.asyncDispose]())

  const keyAndRequests = async () => {
    const { sessionKeys, ownerRequests, status } = await here.json('status', golem)
    return { keys: sessionKeys.map(({ address }: { address: string }) => address), ownerRequests, status }
  }

  it.each([
    ['status', long],
    ['kill', long, '--yes'],
    ['requests', long, 'yes'],
    ['explain', long],
    ['explain', 'swap', long, 'USDC', 'to', 'WETH'],
    ['audit', 'export', '--golem', long],
    ['replicate', 'beta', long],
    ['summon', 'STRATEGY', '--name', long, '--yes'],
    ['summon', 'STRATEGY', '--name', '\u202eevil', '--yes'],
    ['summon', 'STRATEGY', '--name', ' ', '--yes'],
    ['summon', long, '--name', 'a', '--yes'],
    ['status', '\u001b[31mred'],
    ['status', ''],
    ['feed', '__proto__'],
  ])('refuses odd arguments and prints no control characters (%#)', async (...words) => {
    const before = await keyAndRequests()
    const ran = await here.bardo(...words.map((word) => (word === 'STRATEGY' ? file : word)))
    expect(ran).toMatchObject({ exit: 64, stdout: '' })
    expect(ran.stderr.length).toBeLessThan(2_000)
    expect(ran.stderr).not.toMatch(/^\s+at /m)
    for (const sign of ['\u001b', '\u202e']) expect(ran.stderr).not.toContain(sign)
    expect(await keyAndRequests()).toEqual(before)
  })

  it.each([
    ['feed', 'beta'],
    ['adjust', 'beta', 'STRATEGY', '--yes'],
    ['kill', 'beta', '--yes'],
    ['revoke', 'beta', '--yes'],
    ['revoke', 'beta', '--presign'],
    ['revoke', 'beta', '--print'],
    ['rotate', 'beta', '--suspected'],
  ])('refuses to %s with a key that does not own the Golem, and changes nothing', async (...words) => {
    const before = await keyAndRequests()
    const all = words.map((word) => (word === 'STRATEGY' ? file : word))
    const ran = await here.bardo(...all, '--owner-key', stranger)
    expect(ran).toMatchObject({ exit: 65, stdout: '' })
    expect(ran.stderr).toContain('The key does not own this Golem.')
    expect(await keyAndRequests()).toEqual(before)
  })

  it('reads a key only from a small, private, regular file', async () => {
    const open = here.write('open.key', generatePrivateKey())
    chmodSync(open, 0o644)
    const link = join(here.home, 'link.key')
    symlinkSync(open, link)
    const pipe = join(here.home, 'pipe.key')
    execFileSync('sh', ['-c', 'mkfifo -m 600 "$0"', pipe])
    const folder = join(here.home, 'folder.key')
    mkdirSync(folder, { mode: 0o700 })
    const huge = here.write('huge.key', '')
    truncateSync(huge, 2 ** 32)
    const words = here.write('words.key', 'correct horse battery staple')
    for (const [key, why] of [
      [open, 'other users may read it'],
      [link, 'other users may read it'],
      [pipe, 'it is not a regular file'],
      [folder, 'it is not a regular file'],
      [huge, 'the file is larger than'],
      [join(here.home, 'nothing.key'), 'the file does not exist'],
      [words, '64 hexadecimal digits'],
    ] as const) {
      const ran = await here.bardo('feed', 'beta', '--owner-key', key)
      expect(ran).toMatchObject({ exit: 64, stdout: '' })
      expect(ran.stderr).toContain(why)
      expect(ran.stderr).not.toContain('horse')
    }
    expect(await keyAndRequests()).toMatchObject({ status: 'alive' })
  })

  it('summons a name once when three processes summon it at the same time', async () => {
    const asked = await Promise.all([1, 2, 3].map(() => here.json('summon', file, '--name', 'twin', '--yes')))
    const born = asked.filter(({ exit }) => exit === 0)
    expect(new Set(born.map((one) => one.golem)).size).toBe(1)
    for (const { exit, error } of asked)
      if (exit !== 0) expect(error).toMatchObject({ message: 'Another process is changing this Golem.' })
    const all = JSON.parse((await here.bardo('status', '--json')).stdout)
    expect(all.filter(({ name }: { name: string }) => name === 'twin')).toHaveLength(1)
  })

  it('feeds once when three processes feed at the same time, and leaves one active root', async () => {
    const fed = await Promise.all([1, 2, 3].map(() => here.json('feed', 'twin')))
    for (const one of fed) expect(one.exit).toBe(0)
    const { tree } = await here.json('tree', 'twin')
    expect(JSON.stringify(tree).match(/"active"/g)).toHaveLength(1)
    // Every other signed root is already disabled on the chain.
    const { revoked } = await here.json('revoke', 'twin', '--yes')
    expect(revoked.length).toBeGreaterThan(1)
    expect(revoked.filter(({ type }: { type: string }) => type === 'revoked')).toHaveLength(1)
  })

  it('kills a Golem while its key is being rotated', async () => {
    const [rotated, killed] = await Promise.all([
      here.json('rotate', 'beta'),
      here.json('kill', 'beta', '--yes'),
    ])
    expect([0, 65]).toContain(rotated.exit)
    expect(killed, JSON.stringify(killed)).toMatchObject({ exit: 0 })
    const again = await here.json('kill', killed.golem, '--yes')
    expect(again).toMatchObject({ exit: 0, sessionAccountInvalidated: true, disabledOnChain: true })
    expect(await here.json('status', killed.golem)).toMatchObject({ status: 'dead', ownerRequests: [] })
  })
})
