import { isDisabled, redeem, swapCalls } from '@bardo/chain'
import { aggregatorProxy } from '@bardo/contracts'
import type { Devnet } from '@bardo/devnet'
import type { Store } from '@bardo/store'
import { importKey } from '@bardo/wallets'
import {
  type Address,
  bytesToHex,
  encodeFunctionData,
  erc20Abi,
  hexToBytes,
  parseEther,
  parseUnits,
} from 'viem'
import { mnemonicToAccount } from 'viem/accounts'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { readGolemConfig } from '../config/readGolemConfig.ts'
import { createGolem } from '../heartbeat/createGolem.ts'
import { grantAsOwner } from '../requests/grantAsOwner.ts'
import { regrant } from '../requests/regrant.ts'
import { createSubmitterOpener } from '../submission/openSubmitter.ts'
import { custodyChoice } from '../summon/custodyChoice.ts'
import { summonGolem } from '../summon/summonGolem.ts'
import type { Summons } from '../summon/summons.ts'
import { balanceOf, ownerIn, partsOf } from '../testing/golemWorld.ts'
import { openTestWorld, type TestWorld } from '../testing/openStoreLocation.ts'

const dca = 'Every day, swap $50 of USDC into WETH.\n\nlifespan: 30 days'
const day = 86_400

let world: Devnet
let context: TestWorld
let store: Store
beforeAll(async () => {
  context = await openTestWorld()
  ;({ world, store } = context)
})
afterAll(() => context?.stop())

type Bounds = {
  readonly usd: number
  readonly calls: number
  readonly days: number
  readonly targets: readonly Address[]
}

/** Reads the custody choice from a golem.toml with these bounds. */
async function choose(bounds: Bounds, env: Record<string, string> = {}) {
  const { timestamp } = await world.client.getBlock()
  const toml = `chain = ${world.chainId}
[custody]
mode = "localKey"
[custody.bounds]
max_daily_spend_usd = ${bounds.usd}
max_total_calls = ${bounds.calls}
expires_at = ${Number(timestamp) + bounds.days * day}
allowed_targets = ${JSON.stringify(bounds.targets)}
`
  return custodyChoice(readGolemConfig({ toml, env }).provider)
}

async function summon(bounds: Partial<Bounds> = {}) {
  const { swapRouter02, usdc: from, weth: to } = world.addresses
  const whole = { usd: 120, calls: 10, days: 20, targets: [swapRouter02], ...bounds }
  const { summons, signer, account } = await ownerIn(world, store, dca)
  const warnings: string[] = []
  const warn = (message: string) => void warnings.push(message)
  const custody = await choose(whole)
  const { id, root } = await summonGolem({ ...summons, custody, warn })
  const parts = { ...partsOf(world, store, id), warn }
  const swap = (dollars: string) =>
    swapCalls({
      router: swapRouter02,
      account,
      from,
      to,
      amountIn: parseUnits(dollars, 6),
      minimumOut: 1n,
      fee: 500,
    })
  let robberies = 0
  return {
    id,
    root,
    signer,
    account,
    warnings,
    parts,
    swap,
    spent: async () => parseUnits('10000', 6) - (await balanceOf(world, from, account)),
    /** Redeems directly, without the runtime, as an attacker with the key would. */
    async rob(calls: ReturnType<typeof swap>) {
      robberies += 1
      return redeem(await createSubmitterOpener(parts)(), {
        id: `rob-${id}-${robberies}`,
        steps: [{ links: [root], calls }],
      })
    },
  }
}

const wethFeed = () =>
  world.client.readContract({
    address: world.addresses.wethFeed,
    abi: aggregatorProxy.abi,
    functionName: 'latestRoundData',
  })

describe('a Golem with a local key', () => {
  it('warns, trades by its strategy, and is refused beyond each of its limits', async () => {
    const { parts, root, warnings, spent, rob, swap } = await summon({ calls: 4 })
    expect(root.caveats).toHaveLength(4)
    expect(warnings).toHaveLength(1)
    const golem = await createGolem(parts)
    expect(warnings).toHaveLength(2)
    expect(warnings[1]).toContain('is stored on this machine')
    expect(await golem.tick()).toMatchObject({ type: 'ticked', state: { tick: 1, pending: undefined } })
    expect(await spent()).toBe(parseUnits('50', 6))
    // The Golem keeps its own cadence, although no caveat on the chain enforces it.
    await golem.tick()
    expect(await spent()).toBe(parseUnits('50', 6))

    // Dollars: 50 of 120 are spent.
    await expect(rob(swap('71'))).rejects.toMatchObject({ code: 'SPEND_LIMIT_EXCEEDED' })
    // Contracts: the token is not an allowed target, so a transfer to another address is refused.
    const { usdc } = world.addresses
    const args = [((await parts.keys.open()) ?? never()).address, 1n] as const
    const transfer = { to: usdc, data: encodeFunctionData({ abi: erc20Abi, functionName: 'transfer', args }) }
    await expect(rob([transfer])).rejects.toMatchObject({ code: 'REDEMPTION_REFUSED', outcome: 'not-sent' })
    // Calls: the Golem used one.
    for (let call = 0; call < 3; call += 1) await rob(swap('1'))
    await expect(rob(swap('1'))).rejects.toMatchObject({ outcome: 'not-sent' })
    expect(await spent()).toBe(parseUnits('53', 6))
    expect(await golem.tick()).toMatchObject({ type: 'dying', death: { trigger: 'callLimitReached' } })
  })

  it('loses at most the signed slippage to a pool with a manipulated price', async () => {
    const { parts, swap, rob, spent } = await summon()
    const golem = await createGolem(parts)
    const [, price] = await wethFeed()
    // The pool asks for twice the price of the price feed, as in a sandwich attack.
    await world.movePrice('WETH/USDC', (price * 2n) / 10n ** 2n)
    expect(await golem.tick()).toMatchObject({ type: 'ticked', state: { pending: undefined } })
    expect(await spent()).toBe(0n)
    // The chain refuses the thief, who sets a minimum output of one.
    await expect(rob(swap('10'))).rejects.toMatchObject({ code: 'PRICE_MOVED', outcome: 'not-sent' })
    expect(await spent()).toBe(0n)
    await world.movePrice('WETH/USDC', price / 10n ** 2n)
  })

  it('is fed with its own limits, and adjusted within them: the old root is disabled first', async () => {
    const { id, root, signer, parts, spent, rob, swap } = await summon()
    const golem = await createGolem(parts)
    await golem.tick()
    const before = (await golem.status()).permission
    await world.warp(3_600)
    const fed = await regrant(signer, parts)
    expect(fed.order).toBe('disable-first')
    await expect(rob(swap('1'))).rejects.toMatchObject({ code: 'DELEGATION_DISABLED' })
    await golem.tick()
    const { permission } = await golem.status()
    expect(permission.terms.end).toBeGreaterThan(before.terms.end)
    expect(permission.terms.end - permission.terms.start).toBe(before.terms.end - before.terms.start)
    expect(permission.terms).toMatchObject({
      dayCents: before.terms.dayCents,
      mandate: before.terms.mandate,
    })
    // The day's spending continues under the new root: 50 of 120 are spent.
    const sender = await createSubmitterOpener(parts)()
    const steps = [{ links: [fed.root], calls: swap('71') }]
    await expect(redeem(sender, { id: `over-${id}`, steps })).rejects.toMatchObject({
      code: 'SPEND_LIMIT_EXCEEDED',
    })

    // Another size under the same limits; a contract outside them is refused.
    const vault = 'Deposit USDC into the vault.\n\nbudget: $50/day\nlifespan: 30 days'
    await expect(regrant(signer, parts, vault)).rejects.toMatchObject({ code: 'ACTION_NOT_ALLOWED' })
    await regrant(signer, parts, 'Every day, swap $20 of USDC into WETH.\n\nlifespan: 30 days')
    await world.warp(day)
    await golem.tick()
    expect(await spent()).toBe(parseUnits('70', 6))
    // Killed, it leaves nothing to sign; its first root stays disabled.
    await golem.kill()
    expect(await isDisabled(parts, root)).toBe(true)
  })

  it('ends with its window', async () => {
    const { parts, rob, swap, spent } = await summon({ days: 1 })
    const golem = await createGolem(parts)
    await world.warp(2 * day)
    await expect(rob(swap('1'))).rejects.toMatchObject({ code: 'DELEGATION_EXPIRED' })
    expect(await golem.tick()).toMatchObject({ type: 'dying', death: { trigger: 'naturalExpiry' } })
    expect(await spent()).toBe(0n)
  })

  it('gets a new key by a new grant, on the same budget', async () => {
    const { parts, id, signer, spent } = await summon({ usd: 60 })
    const golem = await createGolem(parts)
    await golem.tick()
    await golem.rotate('suspected')
    const drip = (key: Address) => world.fund(key, { ETH: parseEther('1') })
    for (const request of await store.ownerRequests.pending(id))
      await grantAsOwner(signer, store, request, drip)
    await golem.tick()
    const { permission, state } = await golem.status()
    expect(state.recovery).toEqual({ type: 'acting' })
    const key = (await store.sessionKeys.list(id)).find(({ status }) => status === 'active')
    expect(permission.links[0].delegate.toLowerCase()).toBe(key?.address.toLowerCase())
    expect(await spent()).toBe(parseUnits('50', 6))
    await world.warp(day)
    // The $50 of the first key still count for a few hours: $10 are left for the second.
    await golem.tick()
    expect(await spent()).toBe(parseUnits('60', 6))
  })
})

describe('a local-key Golem is not summoned', () => {
  const none = async (owner: Address) => expect(await store.golems.list({ owner })).toEqual([])

  it('if its strategy needs a contract outside the limits', async () => {
    const { summons } = await ownerIn(world, store, dca)
    const { swapRouter02 } = world.addresses
    const custody = await choose({ usd: 1, calls: 1, days: 1, targets: [swapRouter02] })
    if (custody.type !== 'localKey') throw new Error('not a local key')
    const bounds = { ...custody.bounds, allowedTargets: [] }
    const bare: Summons = { ...summons, custody: { ...custody, bounds } }
    await expect(summonGolem(bare)).rejects.toMatchObject({ code: 'CONFIG_INVALID' })
    await none(summons.owner)
  })

  it('with a publicly known key, except on the devnet', async () => {
    const { summons } = await ownerIn(world, store, dca)
    const words = 'test test test test test test test test test test test junk'
    const { privateKey } = mnemonicToAccount(words).getHdKey()
    const key = importKey({ reveal: () => bytesToHex(privateKey ?? hexToBytes('0x')) })
    const custody = await choose({ usd: 1, calls: 1, days: 1, targets: [world.addresses.swapRouter02] })
    if (custody.type !== 'localKey') throw new Error('not a local key')
    const deployment = { ...summons.deployment, chainId: 8453 }
    const abroad: Summons = { ...summons, deployment, custody: { ...custody, key } }
    await expect(summonGolem(abroad)).rejects.toMatchObject({ code: 'KEY_NOT_SECRET' })
    await none(summons.owner)
  })
})

it('does nothing for an unsigned strategy text, and can be killed', async () => {
  const { id, parts, account } = await summon()
  const stored = await store.golems.find(id)
  if (!stored?.strategy) throw new Error('there is no strategy')
  const text = dca.replace('$50', '$5')
  await store.golems.save({ ...stored, strategy: { ...stored.strategy, text } })
  const golem = await createGolem(parts)
  expect((await golem.status()).permission.plan).toMatchObject({ classes: [], dayCents: expect.any(BigInt) })
  expect(await golem.tick()).toMatchObject({ state: { recovery: { reason: 'strategyChanged' } } })
  expect(await balanceOf(world, world.addresses.usdc, account)).toBe(parseUnits('10000', 6))
  expect(await golem.kill()).toMatchObject({ type: 'dying', phase: 'over' })
})

it('does not start with a row that claims another custody', async () => {
  const { id, parts } = await summon()
  const stored = await store.golems.find(id)
  if (!stored) throw new Error('the Golem is not stored')
  const lying: Store = {
    ...store,
    golems: { ...store.golems, find: async () => ({ ...stored, custody: 'delegation' }) },
  }
  await expect(createGolem({ ...parts, store: lying })).rejects.toMatchObject({ code: 'CONFIG_INVALID' })
})

function never(): never {
  throw new Error('there is no key')
}
