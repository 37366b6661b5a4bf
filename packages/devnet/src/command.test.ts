import { type ChildProcess, spawn } from 'node:child_process'
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { afterAll, describe, expect, it } from 'vitest'
import type { WorldDescription } from './world/worldDescription.ts'

const home = mkdtempSync(join(tmpdir(), 'bardo-home-'))
afterAll(() => rmSync(home, { recursive: true }))
const bin = join(import.meta.dirname, 'bin.ts')
const env = { ...process.env, BARDO_HOME: home }
/** A supervisor gives anvil two seconds before it kills it, and a busy machine is slow. */
const patienceMs = 30_000

function run(...args: string[]) {
  const child = spawn(process.execPath, [bin, ...args], { env, stdio: ['ignore', 'pipe', 'pipe'] })
  return { child, output: firstOutput(child), exit: exitOf(child), stderr: text(child.stderr) }
}

/** The first output of a process: the devnet prints once, when it is ready. */
function firstOutput(child: ChildProcess): Promise<string> {
  return new Promise((resolve, reject) => {
    child.stdout?.setEncoding('utf8').once('data', resolve)
    child.once('exit', () => reject(new RangeError('ended without output')))
  })
}

function exitOf(child: ChildProcess): Promise<number | null> {
  return new Promise((resolve) => child.once('exit', resolve))
}

/** Whether a server listens at a URL. */
function isListening(url: string): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(Number(new URL(url).port), '127.0.0.1')
    socket.once('error', () => resolve(false)).once('connect', () => socket.end(() => resolve(true)))
  })
}

describe('npm run devnet', () => {
  it('--json --exit prints every address, stops at once and leaves no files', async () => {
    const child = spawn(process.execPath, [bin, '--json', '--exit', '--port', '0'], { env })
    const [json, errors, code] = await Promise.all([text(child.stdout), text(child.stderr), exitOf(child)])
    expect([code, errors]).toEqual([0, ''])
    const world = JSON.parse(json) as WorldDescription
    expect(world).toMatchObject({ chainId: 31337, accounts: { owner: expect.stringMatching(/^0x/) } })
    expect(Object.keys(world.addresses)).toEqual(
      expect.arrayContaining(['delegationManager', 'swapRouter02', 'usdc', 'usdcVault', 'permit2']),
    )
    expect(await isListening(world.url)).toBe(false)
    expect(existsSync(join(home, 'devnet.json'))).toBe(false)
  })

  it.each(['SIGINT', 'SIGTERM', 'SIGHUP'] as const)(
    'stops cleanly on %s and removes its file',
    async (signal) => {
      const { child, output, exit, stderr } = run('--json', '--port', '0')
      const { url } = JSON.parse(await output) as WorldDescription
      expect(JSON.parse(readFileSync(join(home, 'devnet.json'), 'utf8'))).toMatchObject({ url })
      child.kill(signal)
      expect([await exit, await stderr]).toEqual([0, ''])
      expect(await isListening(url)).toBe(false)
      expect(existsSync(join(home, 'devnet.json'))).toBe(false)
    },
  )

  it('stops anvil even when it is killed', async () => {
    const { child, output } = run('--json', '--port', '0')
    const { url } = JSON.parse(await output) as WorldDescription
    child.kill('SIGKILL')
    await expect.poll(() => isListening(url), { timeout: patienceMs }).toBe(false)
  })

  it('stops when the process that started it crashes', async () => {
    const script = `require('node:child_process').spawn(process.execPath, ${JSON.stringify([bin, '--json', '--port', '0'])}, { stdio: ['ignore', 'inherit', 'inherit'] })`
    const parent = spawn(process.execPath, ['-e', script], { env, stdio: ['ignore', 'pipe', 'inherit'] })
    const { url } = JSON.parse(await firstOutput(parent)) as WorldDescription
    expect(await isListening(url)).toBe(true)
    parent.kill('SIGKILL')
    await expect.poll(() => isListening(url), { timeout: patienceMs }).toBe(false)
  })

  it('reports that anvil has ended', async () => {
    const { child, output, exit, stderr } = run('--json', '--port', '0')
    await output
    const supervisor = await childOf(child.pid ?? 0)
    process.kill(await childOf(supervisor), 'SIGKILL')
    expect(await exit).toBe(69)
    expect(await stderr).toContain('anvil ended unexpectedly.')
  })

  it('prints a table for a person', async () => {
    const { child, output, exit } = run('--port', '0')
    const table = await output
    expect(table).toMatch(
      /^Bardo devnet at http:\/\/127\.0\.0\.1:\d+, chain 31337, (built|restored) in [\d.]+ s\. /m,
    )
    expect(table).toMatch(/^ {2}usdc +0x[0-9a-fA-F]{40}$/m)
    expect(table).toMatch(/^ {2}WETH\/USDC +3000 USDC$/m)
    child.kill()
    expect(await exit).toBe(0)
  })

  it.each([
    [['--port', 'abc'], "'abc' is not a port."],
    [['--port', '70000'], "'70000' is not a port."],
    [['--bogus'], "Unknown option '--bogus'"],
    [['warp'], "Unexpected argument 'warp'"],
  ])('prints the usage for %j', async (args, message) => {
    const child = spawn(process.execPath, [bin, ...args], { env })
    const [errors, code] = await Promise.all([text(child.stderr), exitOf(child)])
    expect(code).toBe(64)
    expect(errors).toContain(message)
    expect(errors).toContain('Usage: npm run devnet')
    expect(errors).not.toContain('    at ')
  })
})

/** The one child of a process. */
async function childOf(parent: number): Promise<number> {
  const processes = await text(spawn('ps', ['-eo', 'pid=,ppid=']).stdout)
  const pairs = processes.split('\n').map((line) => line.trim().split(/\s+/).map(Number))
  return pairs.find(([, ppid]) => ppid === parent)?.[0] ?? Number.NaN
}
