import {
  inspectGrant,
  olderRequestMethod,
  readGrants,
  readRequest,
  requestGrants,
  requestMethod,
  runwayRequests,
  toOlderRequest,
  toRecurringRequest,
  toSignerRequest,
} from '@bardo/core'
import type { Address } from 'viem'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type GrantWorld, openGrantWorld, payee } from '../testing/grantWorld.ts'

let world: GrantWorld

beforeAll(async () => {
  world = await openGrantWorld()
})

afterAll(() => world.stop())

const day = 86_400n

/** 1 dollar and 0.001 ETH a day, for a day. */
async function runway(from: Address) {
  const now = (await world.client.getBlock()).timestamp
  return runwayRequests(
    { usdcCentsPerDay: 100n, gasWeiPerDay: 10n ** 15n, expiry: now + day, because: [] },
    { chainId: world.chain.id, from, to: world.grantee.address, usdc: world.addresses.usdc, now },
  )
}

async function differences(asked: unknown, granted: unknown) {
  const [grant] = readGrants(granted)
  if (!grant) throw new Error('The wallet granted nothing.')
  const { DelegationManager: delegationManager, caveatEnforcers } = world.framework
  const inspected = await inspectGrant(readRequest(asked), grant, { delegationManager, caveatEnforcers })
  return [...inspected.differences, ...inspected.misstated].filter(
    // The recurring format has no start: the wallet uses its own clock.
    ({ field, direction }) => field !== 'permission.data.startTime' || direction !== 'narrower',
  )
}

describe.for(['current', 'signer'] as const)('a wallet that answers in the dialect "%s"', (dialect) => {
  test('is asked in its own format, and its grants can be redeemed', async () => {
    const { wallet, owner, prompts } = await world.openWallet({ dialect })
    const asked = await runway(owner.address)
    const { answer, grants, shape } = await requestGrants(wallet, asked)
    expect(shape).toBe(dialect)
    expect(prompts).toHaveLength(2)
    expect(await differences(asked[0], answer)).toEqual([])
    const [usdc, gas] = grants
    if (!usdc || !gas) throw new Error('Two grants were requested.')
    await world.use(usdc.context, world.sendUsdc(1_000_000n))
    await world.use(gas.context, world.sendEther(10n ** 15n))
    await expect(world.use(usdc.context, world.sendUsdc(1n))).rejects.toThrow(/transfer-amount-exceeded/)
  })

  test('accepts every format of request, and signs the same for each', async () => {
    const { wallet, owner } = await world.openWallet({ dialect })
    const [usdc] = await runway(owner.address)
    const shapes: [string, unknown][] = [
      [requestMethod, usdc],
      [requestMethod, toSignerRequest(usdc)],
      [olderRequestMethod, usdc],
      [olderRequestMethod, toSignerRequest(usdc)],
      [olderRequestMethod, toOlderRequest(usdc)],
      [olderRequestMethod, toRecurringRequest([usdc])],
    ]
    for (const [method, request] of shapes) {
      const granted = await wallet.request({ method, params: [request] })
      expect(await differences(usdc, granted), `${method} ${Object.keys(Object(request))}`).toEqual([])
    }
  })

  test('keeps every rule of a request with a signer', async () => {
    const { wallet, owner } = await world.openWallet({ dialect })
    const [usdc] = await runway(owner.address)
    const { rules, ...request } = toSignerRequest(usdc)
    const bounded = {
      ...request,
      rules: [...rules, { type: 'payee', isAdjustmentAllowed: true, data: { addresses: [payee] } }],
    }
    for (const method of [requestMethod, olderRequestMethod]) {
      const granted = await wallet.request({ method, params: [bounded] })
      expect(await differences(bounded, granted)).toEqual([])
    }
  })
})

describe('a wallet that answers with a signer', () => {
  test('returns the fields of MetaMask’s answer, and none of the current ones', async () => {
    const { wallet, owner } = await world.openWallet({ dialect: 'signer' })
    const [usdc] = await runway(owner.address)
    const granted = await wallet.request({ method: requestMethod, params: [usdc] })
    expect(granted).toEqual([
      {
        chainId: usdc.chainId,
        address: owner.address,
        signer: { type: 'account', data: { address: world.grantee.address } },
        permission: usdc.permission,
        rules: [{ ...usdc.rules?.[0], isAdjustmentAllowed: true }],
        context: expect.stringMatching(/^0x/),
        dependencyInfo: [],
        signerMeta: { delegationManager: world.framework.DelegationManager },
      },
    ])
  })

  test.for(['wallet_getSupportedExecutionPermissions', 'wallet_getGrantedExecutionPermissions'])(
    'does not support %s',
    async (method) => {
      const { wallet } = await world.openWallet({ dialect: 'signer' })
      await expect(wallet.request({ method })).rejects.toMatchObject({ code: -32601 })
    },
  )

  test('refuses a request with a signer that lacks a field that MetaMask’s kernel requires', async () => {
    const { wallet, owner, prompts } = await world.openWallet({ dialect: 'signer' })
    const [usdc] = await runway(owner.address)
    const { rules, ...request } = toSignerRequest(usdc)
    const withoutWord = rules.map(({ isAdjustmentAllowed: _, ...rule }) => rule)
    for (const bad of [request, { ...request, rules: withoutWord }])
      await expect(wallet.request({ method: requestMethod, params: [bad] })).rejects.toMatchObject({
        code: -32602,
      })
    const broken = { ...toRecurringRequest([usdc]), also: 1 }
    await expect(wallet.request({ method: olderRequestMethod, params: [broken] })).rejects.toMatchObject({
      code: -32602,
    })
    expect(prompts).toEqual([])
  })
})
