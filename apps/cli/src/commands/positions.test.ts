import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { devnetAccount } from '@bardo/devnet'
import { createWalletClient, erc20Abi, http, publicActions } from 'viem'
import { foundry } from 'viem/chains'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openWorld, type TestWorld } from '../testing/openWorld.ts'
import { runBardo } from '../testing/runBardo.ts'
import { isEvent } from '../testing/startUp.ts'
import { serveStubOffice } from '../testing/stubOffice.ts'

const vaults = 'Deposit USDC in the vault, and withdraw from it.\nbudget: $10/day\nlifespan: 14 days\n'
const swaps = 'Every hour, swap $3 of USDC into WETH.\nbudget: $30/day\nlifespan: 10 days\n'

// Each command is a process, which is slow on a busy machine.
describe('open positions', { timeout: 60_000 }, () => {
  let world: TestWorld
  let strategy: string
  beforeAll(async () => {
    world = await openWorld()
    strategy = world.write('SWAPS.md', swaps)
  })
  afterAll(() => world?.[Symbol.asyncDispose]())

  /** A Golem that has deposited ten dollars into the vault. */
  async function invested(name: string, text = vaults) {
    const { golem } = await world.json('summon', world.write(`${name}.md`, text), '--name', name, '--yes')
    await world.up.until(isEvent('action.landed', golem))
    return world.json('status', name)
  }

  const wallet = () =>
    createWalletClient({
      account: devnetAccount('owner'),
      chain: foundry,
      transport: http(world.description.url),
    }).extend(publicActions)

  async function sharesOf(account: `0x${string}`): Promise<bigint> {
    const address = world.description.addresses.usdcVault
    return wallet().readContract({ address, abi: erc20Abi, functionName: 'balanceOf', args: [account] })
  }

  it('compile and summon refuse a strategy whose vault is not in the address book', async () => {
    const file = world.write('WETH.md', 'Deposit WETH in the vault, and withdraw from it.\nbudget: $10/day\n')
    expect(await world.json('compile', file)).toMatchObject({ exit: 1, missing: ['a vault WETH'] })
    const { exit, stdout } = await world.bardo('compile', file)
    expect(exit).toBe(1)
    expect(stdout).toContain('Cannot be signed: this chain’s address book does not list a vault WETH.')
    const summoned = await world.bardo('summon', file, '--name', 'never')
    expect(summoned).toMatchObject({ exit: 64, stderr: expect.stringContaining('address book') })
    expect(await world.json('compile', strategy)).toMatchObject({ exit: 0, missing: [] })
  })

  it('adjust --close-first closes a position before the new strategy is signed', async () => {
    const before = await invested('early')
    expect(before.positions).toMatchObject([{ id: 'vault-USDC', managed: 'now' }])
    const preview = await world.json('compile', strategy, '--golem', 'early')
    expect(preview.dropped).toMatchObject([{ id: 'vault-USDC', managed: 'before' }])
    const adjusted = await world.json('adjust', 'early', strategy, '--yes', '--close-first')
    expect(adjusted).toMatchObject({
      exit: 0,
      dropped: [{ id: 'vault-USDC' }],
      closed: [{ id: 'vault-USDC', recoveredCents: expect.stringMatching(/^(999|1000)$/) }],
      unmanaged: [],
    })
    expect(await sharesOf(before.account)).toBe(0n)
    expect((await world.json('status', 'early')).positions).toEqual([])
    const { stdout } = await world.bardo('kill', 'early', '--yes')
    expect(stdout).toContain('No position is left open.')
  })

  it('adjust --close-first closes with the owner’s key while the Golem must wait', async () => {
    const hourly = `Every hour, deposit $10 of USDC in the vault. Withdraw from the vault.\n${vaults.split('\n')[2]}\n`
    const { account, waits } = await invested('hourly', hourly)
    expect(waits).toMatchObject({ reason: 'rhythm' })
    const before = await sharesOf(account)
    const adjusted = await world.json('adjust', 'hourly', strategy, '--yes', '--close-first')
    expect(adjusted).toMatchObject({ exit: 0, closed: [{ id: 'vault-USDC' }], unmanaged: [] })
    expect(await sharesOf(account)).toBeLessThan(before)
    expect((await world.json('status', 'hourly')).positions).toEqual([])
  })

  it('status shows a position that the strategy dropped, and kill prints the transaction that closes it', async () => {
    const { account } = await invested('late')
    const adjusted = await world.bardo('adjust', 'late', strategy, '--yes')
    expect(adjusted.stdout).toMatch(/Still open in your account: \$\d+\.\d\d in the USDC vault/)
    const { stdout } = await world.bardo('status', 'late')
    expect(stdout).toMatch(/position +\$\d+\.\d\d in the USDC vault, no longer managed by late/)
    for (const line of stdout.split('\n')) expect(line.length).toBeLessThanOrEqual(80)

    const killed = await world.json('kill', 'late', '--yes')
    expect(killed).toMatchObject({
      exit: 0,
      sessionAccountInvalidated: true,
      left: [{ id: 'vault-USDC', reason: expect.stringContaining('current signature') }],
    })
    const again = await world.bardo('kill', 'late', '--yes')
    expect(again.stdout).toContain('Left open in your account: $')
    expect(again.stdout).toContain(killed.left[0].call.data)
    expect(again.stdout).not.toContain('No position is left open')

    const seen = await world.json('manifest', 'late')
    expect(seen).toMatchObject({
      isStored: true,
      positions: [{ id: 'vault-USDC', openedBy: 'golem' }],
      deferred: [{ id: 'vault-USDC', reason: expect.stringContaining('current signature') }],
      closing: [{ id: 'vault-USDC', call: { data: killed.left[0].call.data } }],
      legacy: { settlement: { open: [{ id: 'vault-USDC' }] }, testament: { generation: 0 } },
    })
    const shown = await world.bardo('manifest', 'late')
    expect(shown.stdout).toContain('as its death wrote it')
    expect(shown.stdout).toContain(killed.left[0].call.data)
    const dead = await world.bardo('status', 'late')
    expect(dead.stdout).toMatch(/settled +no position was closed, 1 left open/)
    expect(dead.stdout).toMatch(/testament +generation 0/)

    const { to, data } = killed.left[0].call
    // Do not wait for block numbers: no further block may come.
    expect(await wallet().sendTransactionSync({ to, data })).toMatchObject({ status: 'success' })
    expect(await sharesOf(account)).toBe(0n)
    expect((await world.json('status', 'late')).positions).toEqual([])
  })
})

it('kill prints the transaction that closes leftover liquidity, as text and as JSON', async () => {
  const home = mkdtempSync(join(tmpdir(), 'bardo-cli-'))
  const [manager, data] = [`0x${'ab'.repeat(20)}`, `0x${'cd'.repeat(40)}`]
  const position = { id: 'liquidity-7', kind: 'liquidity', contract: manager, managed: 'before' }
  const left = [
    {
      ...position,
      symbol: null,
      shares: null,
      cents: null,
      reason: 'its current delegation does not cover it',
      call: { to: manager, data },
    },
  ]
  const ended = { sessionAccountInvalidated: true, disabledOnChain: true, name: 'pool', left }
  await using _office = await serveStubOffice(home, { kill: () => ended })
  const kill = (...words: readonly string[]) => runBardo(['kill', 'pool', '--yes', '--home', home, ...words])
  const { stdout } = await kill()
  expect(stdout).toContain(`Left open in your account: liquidity 7 at ${manager}`)
  expect(stdout).toContain(`to    ${manager}\nvalue 0\ndata  ${data}`)
  expect(JSON.parse((await kill('--json')).stdout)).toMatchObject({ left: [{ call: { to: manager, data } }] })
  rmSync(home, { recursive: true, force: true })
})
