import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openWorld, type TestWorld } from '../testing/openWorld.ts'

const swaps = 'Swap USDC into WETH.\nbudget: $30/day\nlifespan: 10 days\n'

// Each command is a process, which is slow on a busy machine.
describe('bardo identity', { timeout: 60_000 }, () => {
  let world: TestWorld
  beforeAll(async () => {
    world = await openWorld()
    const file = world.write('alpha.md', swaps)
    await world.json('summon', file, '--name', 'alpha', '--identity', 'agent:alpha', '--yes')
  })
  afterAll(() => world?.[Symbol.asyncDispose]())

  it('shows what summon registered, and an old wallet after a rotation', async () => {
    const { account, identity, sessionKeys } = await world.json('status', 'alpha')
    expect(identity).toEqual({
      agent: {
        agentId: '0',
        owner: account,
        belongs: 'account',
        uri: 'agent:alpha',
        wallet: expect.any(String),
        walletIs: 'current',
        guarded: null,
      },
      attestedAt: null,
    })
    expect(identity.agent.wallet.toLowerCase()).toBe(sessionKeys[0].address.toLowerCase())
    await world.json('rotate', 'alpha', '--yes')
    const shown = (await world.bardo('status', 'alpha')).stdout
    expect(shown).toMatch(/identity +agent 0 of your account, not attested/)
    expect(shown).toMatch(/agent wallet +0x\w{40} is not its current key; run: bardo identity wallet alpha/)
    expect(await world.json('identity', 'wallet', 'alpha', '--yes')).toMatchObject({ type: 'done' })
    expect((await world.bardo('status', 'alpha')).stdout).toMatch(
      /agent wallet +0x\w{40} \(its current key\)/,
    )
  })

  it('shows the guardian and a pending transfer with its date, also after the death', async () => {
    const { guardian, stranger } = { guardian: `0x${'11'.repeat(20)}`, stranger: `0x${'22'.repeat(20)}` }
    await world.json('identity', 'attest', 'alpha', '--yes')
    await world.json('identity', 'deposit', 'alpha', '--guardian', guardian, '--yes')
    const announced = await world.bardo('identity', 'transfer', 'alpha', '--to', stranger, '--yes')
    expect(announced.stdout).toMatch(
      /^Announced: agent 0 goes to 0x2{40}. Complete it from [-\d]+ [\d:]+ UTC on.\n$/,
    )
    await world.json('kill', 'alpha', '--yes')
    const shown = (await world.bardo('status', 'alpha')).stdout
    expect(shown).toMatch(/alpha is dead/)
    expect(shown).toMatch(/identity +agent 0 of your account, attested [-\d]+ [\d:]+ UTC/)
    expect(shown).toMatch(/guarded +0x1{40} can cancel a transfer/)
    expect(shown).toMatch(
      /transfer +to 0x2{40}, possible from [-\d]+ [\d:]+ UTC; to stop it: bardo identity cancel alpha/,
    )
    expect(shown).not.toMatch(/agent wallet/)
    expect(await world.json('identity', 'complete', 'alpha', '--yes')).toMatchObject({
      exit: 64,
      error: { message: expect.stringContaining('The delay of this transfer is not over.') },
    })
    expect(await world.json('identity', 'cancel', 'alpha', '--yes')).toMatchObject({ type: 'done' })
  })

  it('refuses an option of another action, and an unknown action', async () => {
    expect(await world.bardo('identity', 'attest', 'alpha', '--uri', 'x', '--yes')).toMatchObject({
      exit: 2,
      stderr: expect.stringContaining('--uri does not belong to "identity attest".'),
    })
    expect(await world.bardo('identity', 'burn', 'alpha')).toMatchObject({ exit: 2 })
  })
})
