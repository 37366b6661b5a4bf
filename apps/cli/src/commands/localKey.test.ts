import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openWorld, type TestWorld } from '../testing/openWorld.ts'
import { isEvent } from '../testing/startUp.ts'

const strategy = 'Every minute, swap $2 of USDC into WETH.\nbudget: $500/day\nlifespan: 30 days\n'

describe('a local key with four bounds', { timeout: 60_000 }, () => {
  let here: TestWorld
  let file: string
  let golem: string
  const end = Math.floor(Date.now() / 1_000) + 10 * 86_400

  /** A golem.toml with these bounds, and good ones for the rest. */
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
    const heading = 'id = "local"\nchain = 31337\n[custody]\nmode = "localKey"\n[custody.bounds]'
    return here.write('golem.toml', `${heading}\n${lines.join('\n')}\n`)
  }
  const summon = () => here.bardo('summon', file, '--name', 'local', '--config', config(), '--yes')

  beforeAll(async () => {
    here = await openWorld()
    file = here.write('STRATEGY.md', strategy)
  })
  afterAll(() => here?.[Symbol.asyncDispose]())

  it.each([
    [{ max_daily_spend_usd: '-5' }, 'golem.toml:6: custody.bounds.max_daily_spend_usd is not above 0'],
    [{ max_daily_spend_usd: '"ten"' }, 'golem.toml:6: custody.bounds.max_daily_spend_usd'],
    [{ max_total_calls: '0' }, 'golem.toml:7: custody.bounds.max_total_calls is not above 0'],
    [{ expires_at: '1000' }, 'These bounds have ended already.'],
    [{ allowed_targets: '["0x1234"]' }, 'golem.toml:9: custody.bounds.allowed_targets.0 is no address'],
    [{ allowed_targets: '[]' }, 'golem.toml:9: custody.bounds.allowed_targets'],
    [
      { allowed_targets: '["0x000000000000000000000000000000000000dEaD"]' },
      'Nobody here knows what stands at an allowed target.',
    ],
  ])('says what is wrong with %j, and does nothing', async (bounds, message) => {
    const words = ['summon', file, '--name', 'bad', '--config', config(bounds), '--yes']
    const ran = await here.bardo(...words)
    expect(ran).toMatchObject({ exit: 64, stdout: '' })
    expect(ran.stderr).toContain(message)
    expect(ran.stderr).not.toContain('Making sure of the owner’s account')
    expect((await here.bardo('status')).stdout).toContain('No Golem lives here yet.')
  })

  it('shows what is signed and what is not, lives, and warns', async () => {
    const { exit, stdout, stderr } = await summon()
    expect(exit).toBe(0)
    const [signed = '', held = ''] = stderr.split('What it holds itself to, and the chain does not check:')
    expect(signed).toContain('In any 24 hours at most $10.00 leave your account.')
    expect(signed).toContain('It acts at most 20 times in all.')
    expect(signed).toContain(here.description.addresses.swapRouter02)
    expect(signed).not.toContain('$500.00')
    expect(held).toContain('A swap loses at most 1 % against the price feeds.')
    expect(stdout).toContain('lies on this machine')
    golem = stdout.match(/0x[0-9a-f]{64}/)?.[0] ?? ''
  })

  it('trades within its bounds', async () => {
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
    expect(stdout).toContain('at most 20 times in all (1 of 20 executions used)')
    expect(await here.json('explain', 'swap', '9', 'USDC', 'to', 'WETH')).toMatchObject({
      verdict: 'refused',
      caveat: 'DailySpendLimit',
    })
  })

  it('is summoned once, and a second time with other bounds not at all', async () => {
    const again = await summon()
    expect(again).toMatchObject({ exit: 0, stdout: expect.stringContaining(golem) })
    const words = ['summon', file, '--name', 'local', '--yes', '--config']
    const other = await here.bardo(...words, config({ max_daily_spend_usd: '9999' }))
    expect(other.exit).toBe(64)
    expect(other.stderr).toContain('its golem.toml is another one')
    expect(await here.json('status', 'local')).toMatchObject({ day: { limitCents: '1000' } })
  })

  it('hands over to a new key, and is ended with nothing left to sweep or to sign', async () => {
    expect(await here.json('rotate', 'local')).toMatchObject({ exit: 0, isRotated: true })
    expect(await here.json('kill', 'local', '--yes')).toMatchObject({
      exit: 0,
      sessionAccountInvalidated: true,
      disabledOnChain: true,
      ownerRequests: [],
    })
    expect(await here.json('status', golem)).toMatchObject({ status: 'dead' })
    expect((await here.bardo('requests')).stdout).toBe('Nothing waits for you.\n')
  })
})
