import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import {
  type GrantRequest,
  inspectGrant,
  type ReadGrant,
  readGrants,
  readRequest,
  requestGrants,
  requestMethod,
  runwayRequests,
  toOlderRequest,
  toSignerRequest,
} from '@bardo/core'
import { encodeFunctionData, erc20Abi, type Hex, type LocalAccount, numberToHex, parseUnits } from 'viem'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Execution, openWalletWorld, redeem, type WalletWorld } from '../testing/walletWorld.ts'
import { cancel, grant, type Human, openSnapWallet, type SnapWallet } from './openSnapWallet.ts'

const fixture = join(import.meta.dirname, '../../../../core/src/permissions/erc7715/testing/gatorGrants.json')
const payee = '0x00000000000000000000000000000000000000aa'
const week = 604_800
const day = 86_400

let world: WalletWorld
let owner: LocalAccount
let grantee: LocalAccount
let wallet: SnapWallet
/** The Snap's real answers. `BARDO_RECORD=1` stores them for the tests that run without the Snap. */
const recorded: { name: string; request: unknown; answer: unknown }[] = []

beforeAll(async () => {
  world = await openWalletWorld()
  owner = await world.fundedAccount()
  grantee = await world.fundedAccount()
  wallet = await openSnapWallet({ world, owner })
})

afterAll(async () => {
  await wallet?.close()
  await world?.stop()
  if (process.env['BARDO_RECORD'] === '1') writeFileSync(fixture, `${JSON.stringify(recorded, null, 2)}\n`)
})

const now = async () => Number((await world.client.getBlock()).timestamp)

/** Bardo's own runway requests: 10 dollars and 0.001 ETH a day, for a week. */
async function runway() {
  const start = BigInt(await now())
  return runwayRequests(
    { usdcCentsPerDay: 1_000n, gasWeiPerDay: 10n ** 15n, expiry: start + BigInt(week), because: [] },
    {
      chainId: world.chain.id,
      from: owner.address,
      to: grantee.address,
      usdc: world.addresses.usdc,
      now: start,
    },
  )
}

async function streamOf(type: string, amounts: object, token: object = {}): Promise<GrantRequest> {
  const start = await now()
  return {
    chainId: numberToHex(world.chain.id),
    from: owner.address,
    to: grantee.address,
    permission: {
      type,
      isAdjustmentAllowed: true,
      data: { ...amounts, ...token, startTime: start, justification: 'A stream for the test.' },
    },
    rules: [{ type: 'expiry', data: { timestamp: start + week } }],
  }
}

/** Asks the Snap as Bardo does; `human` answers the dialogs. */
async function ask(name: string, requests: readonly GrantRequest[], human: Human = grant) {
  wallet.answerBy(human)
  const { answer, grants, shape } = await requestGrants(wallet, requests)
  expect(shape).toBe('signer')
  for (const [place, request] of requests.entries())
    recorded.push({
      name: requests.length > 1 ? `${name} (${request.permission.type})` : name,
      request,
      answer: Array.isArray(answer) ? [answer[place]] : answer,
    })
  return grants
}

async function inspect(request: unknown, given: ReadGrant | undefined) {
  if (!given) throw new Error('The Snap granted nothing.')
  const { DelegationManager: delegationManager, caveatEnforcers } = world.framework
  return inspectGrant(readRequest(request), given, { delegationManager, caveatEnforcers })
}

const asAsked = { differences: [], misstated: [] }
const use = (context: Hex | undefined, execution: Execution) =>
  redeem(world, grantee, context ?? '0x', execution)
const sendUsdc = (amount: bigint): Execution => ({
  target: world.addresses.usdc,
  data: encodeFunctionData({ abi: erc20Abi, functionName: 'transfer', args: [payee, amount] }),
})
const sendEther = (value: bigint): Execution => ({ target: payee, value })
const usdcOfPayee = () =>
  world.client.readContract({
    address: world.addresses.usdc,
    abi: erc20Abi,
    functionName: 'balanceOf',
    args: [payee],
  })

describe('MetaMask’s permission Snap 0.7.0 behind its kernel 0.5.0', () => {
  test('does not report what it supports, and accepts only a request with a signer and rules', async () => {
    const [usdc] = await runway()
    const request = (params: unknown) => wallet.request({ method: requestMethod, params: [params] })
    await expect(wallet.request({ method: 'wallet_getSupportedExecutionPermissions' })).rejects.toMatchObject(
      {
        code: -32601,
      },
    )
    await expect(request(usdc)).rejects.toMatchObject({
      code: -32602,
      message: expect.stringMatching(/signer/),
    })
    await expect(request(toOlderRequest(usdc))).rejects.toMatchObject({
      code: -32602,
      message: expect.stringMatching(/rules/),
    })
  })

  test('upgrades the account and grants both parts of a runway as requested', async () => {
    const requests = await runway()
    const [usdc, gas] = await ask('runway', requests)
    expect(await inspect(requests[0], usdc)).toMatchObject(asAsked)
    expect(await inspect(requests[1], gas)).toMatchObject(asAsked)
    expect(await world.client.getCode({ address: owner.address })).toMatch(/^0xef0100/)

    const before = await usdcOfPayee()
    await use(usdc?.context, sendUsdc(parseUnits('10', 6)))
    expect((await usdcOfPayee()) - before).toBe(parseUnits('10', 6))
    await expect(use(usdc?.context, sendUsdc(1n))).rejects.toThrow(/transfer-amount-exceeded/)
    await use(gas?.context, sendEther(10n ** 15n))
    await expect(use(gas?.context, sendEther(1n))).rejects.toThrow(/transfer-amount-exceeded/)
  })

  test('stores its grants in the user’s storage, and calls no other service', () => {
    const hosts = new Set(wallet.services.calls.map((call) => call.split(/[ .]/)[1]))
    expect([...hosts].sort()).toEqual(['authentication', 'oidc', 'price', 'user-storage'])
  })

  test('grants a stream of ether as requested', async () => {
    const amounts = {
      initialAmount: numberToHex(10n ** 15n),
      maxAmount: numberToHex(10n ** 18n),
      amountPerSecond: '0x64',
    }
    const request = await streamOf('native-token-stream', amounts)
    const [stream] = await ask('native stream', [request])
    expect(await inspect(request, stream)).toMatchObject(asAsked)
    await use(stream?.context, sendEther(10n ** 15n))
    await expect(use(stream?.context, sendEther(10n ** 15n))).rejects.toThrow(/allowance-exceeded/)
  })

  test('grants a stream of USDC as requested', async () => {
    const amounts = { initialAmount: '0xf4240', maxAmount: '0x989680', amountPerSecond: '0x64' }
    const request = await streamOf('erc20-token-stream', amounts, { tokenAddress: world.addresses.usdc })
    const [stream] = await ask('ERC-20 stream', [request])
    expect(await inspect(request, stream)).toMatchObject(asAsked)
    await use(stream?.context, sendUsdc(1_000_000n))
    await expect(use(stream?.context, sendUsdc(1_000_000n))).rejects.toThrow(/allowance-exceeded/)
    await world.warp(day)
    await use(stream?.context, sendUsdc(8_000_000n))
  })

  test('signs what the owner edits, and every difference is listed', async () => {
    const [usdc] = await runway()
    const asked = readRequest(usdc).expiry ?? 0
    const [edited] = await ask('edited by the owner', [usdc], async (screen) => {
      await screen.typeInField('erc20-token-periodic-period-amount', '25')
      await screen.selectInDropdown('erc20-token-periodic-period-type', 'Weekly')
      await screen.typeInField('erc20-token-periodic-expiry_date', localDate(asked + 30 * day))
      await grant(screen)
    })
    const { differences, misstated } = await inspect(usdc, edited)
    expect(differences).toEqual([
      { field: 'permission.data.periodAmount', asked: '10000000', got: '25000000', direction: 'wider' },
      { field: 'permission.data.periodDuration', asked: `${day}`, got: `${week}`, direction: 'narrower' },
      { field: 'rules.expiry', asked: `${asked}`, got: expect.stringMatching(/^\d+$/), direction: 'wider' },
    ])
    expect(misstated).toEqual([])
    await use(edited?.context, sendUsdc(parseUnits('25', 6)))
    await expect(use(edited?.context, sendUsdc(1n))).rejects.toThrow(/transfer-amount-exceeded/)
  })

  test('is asked once when the owner refuses', async () => {
    let dialogs = 0
    wallet.answerBy((screen) => {
      dialogs++
      return cancel(screen)
    })
    await expect(requestGrants(wallet, (await runway()).slice(0, 1))).rejects.toMatchObject({ code: 4001 })
    expect(dialogs).toBe(1)
  })

  test('ignores a payee rule: Bardo does not send one, and detects a missing one', async () => {
    const [usdc] = await runway()
    const rule = { type: 'payee', data: { addresses: [payee] } }
    const bounded = { ...usdc, rules: [...(usdc.rules ?? []), rule] }
    await expect(requestGrants(wallet, [bounded])).rejects.toMatchObject({ code: 'INVALID_INPUT' })

    wallet.answerBy(grant)
    const { rules, ...request } = toSignerRequest(usdc)
    const params = [{ ...request, rules: [...rules, { ...rule, isAdjustmentAllowed: true }] }]
    const answer = await wallet.request({ method: requestMethod, params })
    const [given] = readGrants(answer)
    const { differences, misstated } = await inspect(bounded, given)
    expect(differences).toMatchObject([{ field: 'rules.payee', got: 'none', direction: 'wider' }])
    expect(misstated).toMatchObject([{ field: 'rules.payee' }])
    recorded.push({ name: 'a payee that was not signed', request: bounded, answer })
  })
})

/** In the format of the Snap's field. */
function localDate(seconds: number): string {
  const date = new Date(seconds * 1_000)
  const two = (value: number) => `${value}`.padStart(2, '0')
  return `${two(date.getMonth() + 1)}/${two(date.getDate())}/${date.getFullYear()}`
}
