import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openWorld, type TestWorld } from '../testing/openWorld.ts'

const swaps = 'Swap USDC into WETH.\nbudget: $30/day\nlifespan: 10 days\n'

const strategyOf = (name: string) => (name === 'beta' ? `Publish to ORACLE.\n${swaps}` : swaps)

// Each command is a process, which is slow on a busy machine.
describe('bardo delegate', { timeout: 60_000 }, () => {
  let world: TestWorld
  beforeAll(async () => {
    world = await openWorld()
    for (const name of ['alpha', 'beta'])
      await world.json('summon', world.write(`${name}.md`, strategyOf(name)), '--name', name, '--yes')
  })
  afterAll(() => world?.[Symbol.asyncDispose]())

  it('gives, shows on both sides, counts in the sums, and ends', async () => {
    const options = [
      '--budget',
      '12',
      '--days',
      '2',
      '--methods',
      'exactInputSingle',
      '--calls',
      '5',
      '--yes',
    ]
    const given = await world.json('delegate', 'alpha', '--to', 'beta', ...options)
    expect(given).toMatchObject({
      exit: 0,
      isAccepted: true,
      // The key of beta can use its own $30 and these $12; all of it is within the $60 of both.
      exposure: { receiver: { nextDay: { cents: '4200' } }, owner: { nextDay: { cents: '6000' } } },
    })
    const row = { delegation: given.delegation, type: 'act', endsAt: given.endsAt }
    expect(await world.json('status', 'alpha')).toMatchObject({ given: [{ ...row, golem: 'beta' }] })
    expect(await world.json('status', 'beta')).toMatchObject({ received: [{ ...row, golem: 'alpha' }] })
    expect((await world.bardo('status', 'beta')).stdout).toContain(given.delegation)
    expect((await world.bardo('tree', 'alpha')).stdout).toMatch(/to beta/)
    expect((await world.bardo('tree', 'beta')).stdout).toMatch(/from alpha/)
    const fed = await world.bardo('feed', 'alpha')
    expect(fed).toMatchObject({ exit: 64 })
    expect(fed.stderr).toContain('What it delegated to beta ends too.')
    const strategy = world.write('wider.md', swaps.replace('$30', '$31'))
    for (const words of [
      ['adjust', 'alpha', strategy],
      ['rotate', 'alpha', '--suspected'],
    ])
      expect((await world.bardo(...words)).stderr).toContain('What it delegated to beta ends too.')
    const ended = await world.bardo('delegate', 'alpha', '--revoke', 'beta', '--yes')
    expect(ended).toMatchObject({
      exit: 0,
      stdout: expect.stringContaining(`ended the delegation ${given.delegation}`),
    })
    expect(await world.json('status', 'alpha')).toMatchObject({ given: [] })
    expect((await world.bardo('tree', 'beta')).stdout).toMatch(/revoked|disabled/)
  })

  it('takes the key of a Golem elsewhere, and accept refuses a changed or misdirected file', async () => {
    const { sessionKeys } = await world.json('status', 'beta')
    const to = sessionKeys[0].address
    const printed = await world.bardo('delegate', 'alpha', '--to', to, '--read-only', '--print', '--yes')
    expect(printed.exit).toBe(0)
    const offer = JSON.parse(printed.stdout)
    expect(offer).toMatchObject({ type: 'bardo.delegation', from: 'alpha', to })
    const file = (change: object) => world.write('offer.json', JSON.stringify({ ...offer, ...change }))
    const accepted = await world.json('accept', 'beta', file({}))
    expect(accepted).toMatchObject({ exit: 0, type: 'readOnly', from: 'alpha' })
    const refused = async (golem: string, change: object, words: string) =>
      expect(await world.bardo('accept', golem, file(change))).toMatchObject({
        exit: expect.not.toBeOneOf([0]),
        stderr: expect.stringContaining(words),
      })
    await refused('alpha', {}, 'it is for the key')
    await refused('beta', { chainId: 1 }, 'for another chain')
    await refused('beta', { context: offer.context.replace(/a/, 'b') }, '')
    await refused('beta', { type: 'other' }, 'does not contain a delegation')
    expect((await world.bardo('delegate', 'alpha', '--to', 'beta', '--methods', 'steal')).stderr).toContain(
      'Unknown method "steal"',
    )
    expect((await world.bardo('delegate', 'alpha')).stderr).toContain('needs either --to or --revoke')
    const refusal = async (...words: string[]) => (await world.bardo('delegate', 'alpha', ...words)).stderr
    expect(await refusal('--to', 'beta', '--budget', '0', '--yes')).toContain('budget of $0 allows no action')
    expect(await refusal('--to', 'alpha', '--yes')).toContain('cannot delegate to itself')
    expect(await refusal('--to', 'beta', '--days', '1')).toContain('permission for 1 day?')
    const observer = await world.bardo('delegate', 'alpha', '--to', 'beta', '--observer', '--yes')
    expect(observer.stderr).toContain('publishes to a contract that the owner signed')
    expect(await world.json('delegate', 'beta', '--to', 'alpha', '--observer', '--yes')).toMatchObject({
      exit: 0,
      isAccepted: true,
    })
    expect((await world.bardo('tree', 'alpha')).stdout).toContain('only publish')
  })

  it('is not shown any more after the owner replaced the giver’s root', async () => {
    const given = await world.json('delegate', 'alpha', '--to', 'beta', '--budget', '5', '--yes')
    expect((await world.bardo('status', 'beta')).stdout).toContain(given.delegation)
    expect(await world.json('feed', 'alpha', '--yes')).toMatchObject({ exit: 0 })
    expect((await world.bardo('status', 'beta')).stdout).not.toContain(given.delegation)
    expect(await world.json('status', 'alpha')).toMatchObject({ given: [] })
  })
})
