import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openWorld, type TestWorld } from '../testing/openWorld.ts'
import { runBardo } from '../testing/runBardo.ts'
import { isEvent } from '../testing/startUp.ts'

const strategy = 'Every minute, swap $2 of USDC into WETH.\nbudget: $500/day\nlifespan: 30 days\n'

describe('a local key with four limits', { timeout: 60_000 }, () => {
  let here: TestWorld
  let file: string
  let golem: string
  const end = Math.floor(Date.now() / 1_000) + 10 * 86_400

  /** A golem.toml with these limits, and valid ones for the rest. */
  const config = (bounds: Readonly<Record<string, string>> = {}) => {
    const { swapRouter02 } = here.description.addresses
    const all = {
      max_daily_spend_usd: '10',
      max_total_calls: '20',
      expires_at: `${end}`,
      allowed_targets: `["${swapRouter02}"]`,
      ...bounds,
    }
    const lines = Object.entries(all).map(([name, value]) => `${name} = ${value}`)
    const heading = 'chain = 31337\n[custody]\nmode = "localKey"\n[custody.bounds]'
    return here.write('golem.toml', `${heading}\n${lines.join('\n')}\n`)
  }
  const summon = () => here.bardo('summon', file, '--name', 'local', '--config', config(), '--yes')

  beforeAll(async () => {
    here = await openWorld()
    file = here.write('STRATEGY.md', strategy)
  })
  afterAll(() => here?.[Symbol.asyncDispose]())

  it.each([
    [{ max_daily_spend_usd: '-5' }, 'golem.toml:5: custody.bounds.max_daily_spend_usd must be above 0'],
    [{ max_daily_spend_usd: '"ten"' }, 'golem.toml:5: custody.bounds.max_daily_spend_usd'],
    [{ max_total_calls: '0' }, 'golem.toml:6: custody.bounds.max_total_calls must be above 0'],
    [{ expires_at: '1000' }, 'These limits have already expired.'],
    [{ allowed_targets: '["0x1234"]' }, 'golem.toml:8: custody.bounds.allowed_targets.0 is not an address'],
    [{ allowed_targets: '[]' }, 'golem.toml:8: custody.bounds.allowed_targets'],
    [
      { allowed_targets: '["0x000000000000000000000000000000000000dEaD"]' },
      'Bardo does not support this contract as an allowed target.',
    ],
  ])('refuses %j, and changes nothing', async (bounds, message) => {
    const words = ['summon', file, '--name', 'bad', '--config', config(bounds), '--yes']
    const ran = await here.bardo(...words)
    expect(ran).toMatchObject({ exit: 64, stdout: '' })
    expect(ran.stderr).toContain(message)
    expect(ran.stderr).not.toContain('Deploying the owner’s account if needed')
    expect((await here.bardo('status')).stdout).toContain('There is no Golem yet.')
  })

  it('shows which limits the chain enforces and which it does not, and warns about the local key', async () => {
    const { exit, stdout, stderr } = await summon()
    expect(exit).toBe(0)
    const [signed = '', held = ''] = stderr.split(
      'Limits that the Golem keeps itself, without a check on the chain:',
    )
    expect(signed).toContain('At most $10.00 leaves your account in any 24 hours.')
    expect(signed).toContain('It acts at most 20 times in total.')
    expect(signed).toContain(here.description.addresses.swapRouter02)
    expect(signed).not.toContain('$500.00')
    expect(signed).toContain('A swap loses at most 1 % against the price feeds.')
    expect(held).toContain('It acts at most once every minute.')
    expect(stdout).toContain('is stored on this machine')
    golem = stdout.match(/0x[0-9a-f]{64}/)?.[0] ?? ''
  })

  it('trades within its limits', async () => {
    expect((await here.up.until(isEvent('action.landed', golem)))['body']).toMatchObject({
      spentCents: '200',
    })
    expect(await here.json('status', 'local')).toMatchObject({
      exit: 0,
      status: 'alive',
      custody: 'localKey',
      day: { spentCents: '200', limitCents: '1000' },
      endsAt: end,
    })
    const { stdout } = await here.bardo('tree', 'local')
    expect(stdout).toContain('at most $10 in any 24 hours ($2.00 of $10.00 used')
    expect(stdout).toContain('at most 20 times in total (1 of 20 executions used)')
    expect(await here.json('explain', 'swap', '9', 'USDC', 'to', 'WETH')).toMatchObject({
      verdict: 'refused',
      caveat: 'DailySpendLimit',
    })
  })

  it('uses the key from the environment of the summoning process, not of the process that holds the folder', async () => {
    const key = generatePrivateKey()
    const words = ['summon', file, '--name', 'given', '--yes', '--home', here.home]
    const env = { BARDO_WALLET_PRIVATE_KEY: key }
    // A delegation and a local key are two providers, which the command reports.
    const both = await runBardo(words, env)
    expect(both).toMatchObject({ exit: 64, stderr: expect.stringContaining('two providers are configured') })
    const ran = await runBardo([...words, '--config', config()], env)
    expect(ran).toMatchObject({ exit: 0 })
    expect(`${ran.stdout}${ran.stderr}`).not.toContain(key.slice(2))
    const { sessionKeys } = await here.json('status', 'given')
    expect(sessionKeys).toMatchObject([{ address: privateKeyToAccount(key).address, status: 'active' }])
  })

  it('refuses a second summon with other limits', async () => {
    const again = await summon()
    expect(again).toMatchObject({ exit: 0, stdout: expect.stringContaining(golem) })
    const words = ['summon', file, '--name', 'local', '--yes', '--config']
    const other = await here.bardo(...words, config({ max_daily_spend_usd: '9999' }))
    expect(other.exit).toBe(64)
    expect(other.stderr).toContain('its golem.toml is different')
    expect(await here.json('status', 'local')).toMatchObject({ day: { limitCents: '1000' } })
  })

  it('is fed and adjusted within its limits', async () => {
    const fed = await here.json('feed', 'local')
    expect(fed).toMatchObject({ exit: 0, order: 'disable-first' })
    const { endsAt, day } = await here.json('status', 'local')
    expect(endsAt).toBeGreaterThan(end)
    expect(day).toMatchObject({ limitCents: '1000' })
    const smaller = here.write('SMALLER.md', strategy.replace('$2', '$1'))
    expect(await here.json('adjust', 'local', smaller, '--yes')).toMatchObject({ exit: 0 })
    expect((await here.bardo('tree', 'local')).stdout).toContain('at most $10 in any 24 hours')
    const coSigners = 'co-signers: 1 of 0x90F79bf6EB2c4f870365E785982E1f101E93b906'
    const council = here.write('COUNCIL.md', `${strategy}\n\n${coSigners}`)
    expect(await here.bardo('adjust', 'local', council, '--yes')).toMatchObject({
      exit: 64,
      stderr: expect.stringContaining('A local key cannot have co-signers'),
    })
  })

  it('rotates its key, and after kill nothing is left to close or to sign', async () => {
    expect(await here.json('rotate', 'local')).toMatchObject({ exit: 0, isRotated: true })
    expect(await here.json('kill', 'local', '--yes')).toMatchObject({
      exit: 0,
      sessionAccountInvalidated: true,
      disabledOnChain: true,
      ownerRequests: [],
    })
    expect(await here.json('status', golem)).toMatchObject({ status: 'dead' })
    expect((await here.bardo('requests')).stdout).toBe('No request is waiting for you.\n')
  })

  it('is warned of by the process that ticks it, once for each key', async () => {
    here.up.signal('SIGINT')
    const { stderr } = await here.up.ended
    const warned = [...stderr.matchAll(/Warning: The key of (0x\w{40}) is stored on this machine/g)]
    const keys = warned.map(([, key]) => key)
    expect(keys.length).toBeGreaterThan(1)
    expect(new Set(keys).size).toBe(keys.length)
  })
})
