import { connectDevnet, devnetAccount } from '@bardo/devnet'
import { createWalletClient, erc20Abi, http, isHex, parseUnits } from 'viem'
import { generatePrivateKey } from 'viem/accounts'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { callMcp } from '../testing/callMcp.ts'
import { openWorld, type TestWorld } from '../testing/openWorld.ts'
import { type RunningBardo, startBardo } from '../testing/startBardo.ts'
import { isEvent } from '../testing/startUp.ts'

const strategy = 'Every hour, swap $3 of USDC into WETH.\nbudget: $30/day\nlifespan: 10 days\n'

describe('owner requests from an agent', { timeout: 60_000 }, () => {
  let here: TestWorld
  let agent: RunningBardo
  let server: { readonly url: string; readonly token: string }
  let golem: string
  let account: string

  beforeAll(async () => {
    here = await openWorld()
    const file = here.write('STRATEGY.md', strategy)
    ;({ golem, account } = await here.json('summon', file, '--name', 'beta', '--yes'))
    agent = startBardo(['mcp', 'beta', '--http', '0', '--home', here.home])
    const { url, token } = await agent.until((line) => 'url' in line)
    server = { url: `${url}`, token: `${token}` }
    // It has bought once, so no balance moves by itself below.
    await here.up.until(isEvent('action.landed', golem))
  })
  afterAll(async () => {
    agent?.signal('SIGKILL')
    await agent?.ended
    await here?.[Symbol.asyncDispose]()
  })

  async function call(tool: string, input: object = {}) {
    const { result } = JSON.parse(await (await callMcp(server, tool, input)).text())
    return result.structuredContent
  }
  /** Files a request as the agent, and returns its id. */
  async function asks(tool: string, input: object): Promise<string> {
    const answer = await call(tool, input)
    expect(answer).toMatchObject({ status: 'pending' })
    return answer.requestId
  }
  const runway = (whose: string) =>
    asks('metamask_request_runway', { golems: [whose], dailyCapUsdc: 500, durationDays: 300 })
  const money = (amount: string) => asks('wallet_fund', { token: 'USDC', amount, chain: 31_337 })
  const world = () => connectDevnet(here.description)
  const dollarsOf = async (address: string) =>
    world().client.readContract({
      address: world().addresses.usdc,
      abi: erc20Abi,
      functionName: 'balanceOf',
      args: [isHex(address) ? address : '0x'],
    })

  it('approves a part of a funding request, once', async () => {
    const request = await money('100')
    const before = await dollarsOf(account)
    const tooMuch = await here.bardo('requests', request, 'yes', '--amount', '101')
    expect(tooMuch.exit).toBe(64)
    const days = await here.bardo('requests', request, 'yes', '--amount', '20', '--days', '2')
    expect(days).toMatchObject({ exit: 64, stderr: expect.stringContaining('a transfer has no days') })
    expect(await here.json('requests', request, 'yes', '--amount', '20')).toMatchObject({
      exit: 0,
      isTaken: true,
    })
    expect((await dollarsOf(account)) - before).toBe(parseUnits('20', 6))
    const again = await here.bardo('requests', request, 'yes')
    expect(again).toMatchObject({ exit: 64, stderr: expect.stringContaining('already answered') })
    expect((await dollarsOf(account)) - before).toBe(parseUnits('20', 6))
  })

  it('keeps its number: an answer by number cannot reach another request', async () => {
    const [first, second] = [await money('7'), await money('8')]
    const listed: readonly { id: string; number: number }[] = JSON.parse(
      (await here.bardo('requests', '--json')).stdout,
    )
    const numberOf = (id: string) => `${listed.find((one) => one.id === id)?.number}`
    const { stdout } = await here.bardo('requests')
    expect(stdout).toContain(`bardo requests ${numberOf(first)} yes   or no; its id: ${first}`)
    expect(stdout).toMatch(/Open until \d{4}-\d\d-\d\d \d\d:\d\d UTC|Open until you answer\./)
    expect(stdout).toContain('If you do nothing: nothing is sent.')
    expect(await here.json('requests', numberOf(first), 'no')).toMatchObject({ exit: 0, isTaken: true })
    // The second one does not move up.
    expect(await here.bardo('requests', numberOf(first), 'yes')).toMatchObject({
      exit: 64,
      stderr: expect.stringContaining('already answered'),
    })
    expect(await here.json('requests', `#${numberOf(second)}`, 'no')).toMatchObject({ exit: 0 })
    expect(await here.bardo('requests', '999999', 'yes')).toMatchObject({
      exit: 64,
      stderr: expect.stringContaining('There is no request 999999.'),
    })
  })

  it('status shows the whole answer command, and dollars with thousands separators', async () => {
    const request = await money('9')
    const { stdout } = await here.bardo('status', 'beta')
    expect(stdout).toContain(`bardo requests ${request} yes`)
    expect(stdout).toMatch(/USDC +\$\d{1,3},\d{3}\.\d{2}/)
    expect(await here.json('requests', request, 'no')).toMatchObject({ exit: 0 })
  })

  it('refuses --amount and --days with a no', async () => {
    const request = await money('7')
    for (const option of [
      ['--amount', '2'],
      ['--days', '3'],
    ]) {
      const ran = await here.bardo('requests', request, 'no', ...option)
      expect(ran).toMatchObject({
        exit: 2,
        stderr: expect.stringContaining('--amount and --days apply only to a yes.'),
      })
    }
    const before = await dollarsOf(account)
    expect(await here.json('requests', request, 'no')).toMatchObject({ exit: 0, says: 'no', isTaken: true })
    expect(await dollarsOf(account)).toBe(before)
  })

  it('refuses a key that does not own the Golem, and leaves the request pending', async () => {
    const request = await money('5')
    const key = here.write('stranger.key', generatePrivateKey())
    for (const says of ['yes', 'no']) {
      const ran = await here.bardo('requests', request, says, '--owner-key', key)
      expect(ran).toMatchObject({ exit: 65, stdout: '' })
      expect(ran.stderr).toContain('The key does not own this Golem.')
    }
    expect((await here.bardo('requests')).stdout).toContain(request)
    expect(await here.json('requests', request, 'no')).toMatchObject({ isTaken: true })
  })

  it('approves a large runway only with --override, or a smaller part of it', async () => {
    const file = here.write('OTHER.md', strategy)
    const { golem: other } = await here.json('summon', file, '--name', 'gamma', '--yes')
    const [first, second] = [await runway(golem), await runway(other)]
    for (const request of [first, second]) {
      const plain = await here.bardo('requests', request, 'yes')
      expect(plain).toMatchObject({ exit: 65, stderr: expect.stringContaining('--override') })
      expect((await here.bardo('requests')).stdout).toContain(request)
    }
    const words = ['--amount', '2', '--days', '7']
    const less = await here.json('requests', first, 'yes', ...words)
    expect(less).toMatchObject({
      isTaken: true,
      effects: [
        { name: 'beta', lengthensLife: false, sentence: expect.stringContaining('$2.00 a day for 7 days') },
      ],
    })
    expect(less.effects[0].sentence).toContain('That is not more than it has')
    expect(await here.json('status', 'beta')).toMatchObject({ phase: 'thriving' })
    expect(await here.json('requests', second, 'yes', '--override')).toMatchObject({ isTaken: true })
    for (const [whose, dailyCap, days] of [
      [golem, '2', 7],
      [other, '500', 300],
    ] as const) {
      const { runway: granted } = await call('metamask_check_permission_health', { golem: whose })
      expect(granted).toMatchObject({ dailyCap })
      // Whole days, including the one that has begun.
      expect([days - 1, days]).toContain(granted.daysRemaining)
    }
  })

  it('revoke --runway disables only the runway, and the Golem continues', async () => {
    const before = await here.bardo('tree', 'gamma')
    expect(before.stdout).toMatch(/runway to 0x[0-9a-f]{40}: active/)
    const printed = await here.json('revoke', 'gamma', '--runway', '--presign')
    expect(printed).toMatchObject({ exit: 0, revoked: [], calls: [{ to: expect.any(String) }] })
    const { runway: standing } = await call('metamask_check_permission_health', { golem: 'gamma' })
    expect(standing.health).not.toBe('revoked')

    const ended = await here.json('revoke', 'gamma', '--runway', '--yes')
    expect(ended).toMatchObject({ exit: 0, revoked: [{ type: 'revoked' }], child: null })
    const after = await here.bardo('tree', 'gamma')
    expect(after.stdout.replace(/\s+/g, ' ')).toContain(`in ${ended.revoked[0].transaction}`)
    const shown = await here.json('tree', 'gamma')
    expect(shown.runway.delegations).toMatchObject([
      { label: 'runway', hash: ended.revoked[0].delegation, state: { type: 'revoked' } },
    ])
    expect(shown.tree.delegations).toMatchObject([{ state: { type: 'active' } }])
    const { health, runway: over } = await call('metamask_check_permission_health', { golem: 'gamma' })
    expect([health, over.health]).toEqual(['healthy', 'revoked'])
    expect(await here.json('status', 'gamma')).toMatchObject({ status: 'alive', phase: 'thriving' })

    const again = await here.bardo('revoke', 'gamma', '--runway', '--yes')
    expect(again.stdout).toContain('was already revoked')
    expect(again.stdout).toContain('gamma continues with its other funding.')
    // A new runway can be requested.
    const request = await asks('metamask_request_runway', {
      golems: ['gamma'],
      dailyCapUsdc: 3,
      durationDays: 7,
    })
    expect(await here.json('requests', request, 'no')).toMatchObject({ isTaken: true })
  })

  it('revoke --runway refuses a Golem without a runway', async () => {
    const file = here.write('BARE.md', strategy)
    await here.json('summon', file, '--name', 'bare', '--yes')
    const ran = await here.bardo('revoke', 'bare', '--runway', '--yes')
    expect(ran).toMatchObject({ exit: 64, stderr: expect.stringContaining('no runway from this wallet') })
    expect((await here.json('tree', 'bare')).runway).toBeNull()
  })

  it('revoke --presign prints a transaction that any wallet can send; afterwards no request is paid', async () => {
    const gas = await asks('wallet_fund', { token: 'ETH', amount: '0.01', chain: 31_337 })
    const owner = devnetAccount('owner')
    const nonce = () => world().client.getTransactionCount({ address: owner.address })
    const before = await nonce()
    const printed = await here.json('revoke', 'beta', '--presign')
    expect(printed).toMatchObject({ exit: 0, revoked: [], child: null })
    const { stdout } = await here.bardo('revoke', 'beta', '--presign')
    expect(stdout).toContain('value 0\ndata  0x')
    expect(await nonce()).toBe(before)
    expect(await here.json('status', 'beta')).toMatchObject({ status: 'alive' })

    const { url, chain } = world()
    const wallet = createWalletClient({ account: owner, chain, transport: http(url) })
    for (const { to, data } of printed.calls) {
      const hash = await wallet.sendTransaction({ to, data })
      const { status } = await world().client.waitForTransactionReceipt({ hash })
      expect(status).toBe('success')
    }
    // The delegation is already revoked, and the command reports it.
    expect(await here.json('revoke', 'beta', '--yes')).toMatchObject({
      revoked: [expect.objectContaining({ type: 'already', transaction: null })],
    })
    await here.up.until(isEvent('DeathCompleted', golem))
    const after = await nonce()
    const dead = await here.bardo('requests', gas, 'yes')
    expect(dead).toMatchObject({ exit: 65, stderr: expect.stringContaining('was withdrawn') })
    expect(await nonce()).toBe(after)
    expect((await here.bardo('requests')).stdout).not.toContain(gas)
  })
})
