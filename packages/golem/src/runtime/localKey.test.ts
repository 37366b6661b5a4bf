import { redeem, sessionKeyAccount, swapCalls } from '@bardo/chain'
import { sessionKeyFrom } from '@bardo/core'
import type { Devnet } from '@bardo/devnet'
import type { Store } from '@bardo/store'
import { type Address, encodeFunctionData, erc20Abi, hexToBytes, parseEther, parseUnits } from 'viem'
import { mnemonicToAccount } from 'viem/accounts'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { custodyChoice } from '../config/custodyChoice.ts'
import { readGolemConfig } from '../config/readGolemConfig.ts'
import { createDesk } from './createDesk.ts'
import { createGolem } from './createGolem.ts'
import { grantAsOwner } from './grantAsOwner.ts'
import { summonGolem } from './summonGolem.ts'
import type { Summons } from './summons.ts'
import { balanceOf, ownerIn, partsOf } from './testing/golemWorld.ts'
import { openPlace, type Place } from './testing/openPlace.ts'

const dca = 'Every day, swap $50 of USDC into WETH.\n\nlifespan: 30 days'
const day = 86_400

let world: Devnet
let place: Place
let store: Store
beforeAll(async () => {
  place = await openPlace()
  ;({ world, store } = place)
})
afterAll(() => place?.stop())

type Bounds = {
  readonly usd: number
  readonly calls: number
  readonly days: number
  readonly targets: readonly Address[]
}

/** As golem.toml says it. */
async function choose(bounds: Bounds, env: Record<string, string> = {}) {
  const { timestamp } = await world.client.getBlock()
  const toml = `id = "local"
chain = ${world.chainId}
[custody]
mode = "localKey"
[custody.bounds]
max_daily_spend_usd = ${bounds.usd}
max_total_calls = ${bounds.calls}
expires_at = ${Number(timestamp) + bounds.days * day}
allowed_targets = ${JSON.stringify(bounds.targets)}
`
  return custodyChoice(readGolemConfig({ toml, env, home: '/home/owner' }).provider)
}

async function summon(bounds: Partial<Bounds> = {}) {
  const { swapRouter02, usdc: from, weth: to } = world.addresses
  const whole = { usd: 120, calls: 10, days: 20, targets: [swapRouter02], ...bounds }
  const { summons, desk, account } = await ownerIn(world, store, dca)
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
    desk,
    account,
    warnings,
    parts,
    swap,
    spent: async () => parseUnits('10000', 6) - (await balanceOf(world, from, account)),
    /** Past the runtime: whoever has the key, by hand. */
    async rob(calls: ReturnType<typeof swap>) {
      robberies += 1
      return redeem(await createDesk(parts)(), {
        id: `rob-${id}-${robberies}`,
        steps: [{ links: [root], calls }],
      })
    },
  }
}

describe('a Golem with a local key', () => {
  it('warns, trades by its strategy, and is refused beyond each of its four bounds', async () => {
    const { parts, root, warnings, spent, rob, swap } = await summon({ calls: 4 })
    expect(root.caveats).toHaveLength(3)
    expect(warnings).toHaveLength(1)
    const golem = await createGolem(parts)
    expect(warnings).toHaveLength(2)
    expect(warnings[1]).toContain('lies on this machine')
    expect(await golem.tick()).toMatchObject({ is: 'ticked', state: { tick: 1, pending: undefined } })
    expect(await spent()).toBe(parseUnits('50', 6))
    // Its own rhythm holds, though nothing on the chain knows of it.
    await golem.tick()
    expect(await spent()).toBe(parseUnits('50', 6))

    // Dollars: 50 of 120 are gone.
    await expect(rob(swap('71'))).rejects.toMatchObject({ code: 'SPEND_LIMIT_EXCEEDED' })
    // Contracts: the token itself is none of them, and pays nobody.
    const { usdc } = world.addresses
    const args = [sessionKeyAccount((await parts.keys.open()) ?? never()).address, 1n] as const
    const transfer = { to: usdc, data: encodeFunctionData({ abi: erc20Abi, functionName: 'transfer', args }) }
    await expect(rob([transfer])).rejects.toMatchObject({ code: 'REDEMPTION_REFUSED', outcome: 'not-sent' })
    // Calls: one was the Golem's.
    for (let call = 0; call < 3; call += 1) await rob(swap('1'))
    await expect(rob(swap('1'))).rejects.toMatchObject({ outcome: 'not-sent' })
    expect(await spent()).toBe(parseUnits('53', 6))
    expect(await golem.tick()).toMatchObject({ is: 'dying', death: { trigger: 'callLimitReached' } })
  })

  it('ends with its time', async () => {
    const { parts, rob, swap, spent } = await summon({ days: 1 })
    const golem = await createGolem(parts)
    await world.warp(2 * day)
    await expect(rob(swap('1'))).rejects.toMatchObject({ code: 'DELEGATION_EXPIRED' })
    expect(await golem.tick()).toMatchObject({ is: 'dying', death: { trigger: 'naturalExpiry' } })
    expect(await spent()).toBe(0n)
  })

  it('gets a new key by a new grant, within the same dollars', async () => {
    const { parts, id, desk, spent } = await summon({ usd: 60 })
    const golem = await createGolem(parts)
    await golem.tick()
    await golem.rotate('suspected')
    const drip = (key: Address) => world.fund(key, { ETH: parseEther('1') })
    for (const request of await store.ownerRequests.pending(id))
      await grantAsOwner(desk, store, request, drip)
    await golem.tick()
    const { charter, state } = await golem.status()
    expect(state.recovery).toEqual({ is: 'acting' })
    const key = (await store.sessionKeys.list(id)).find(({ status }) => status === 'active')
    expect(charter.links[0].delegate.toLowerCase()).toBe(key?.address.toLowerCase())
    expect(await spent()).toBe(parseUnits('50', 6))
    await world.warp(day)
    // The first key's fifty still count for a few hours: ten are left for the second.
    await golem.tick()
    expect(await spent()).toBe(parseUnits('60', 6))
  })
})

describe('is not summoned', () => {
  const none = async (owner: Address) => expect(await store.golems.list({ owner })).toEqual([])

  it('where its strategy needs a contract that the bounds do not allow', async () => {
    const { summons } = await ownerIn(world, store, dca)
    const { swapRouter02 } = world.addresses
    const custody = await choose({ usd: 1, calls: 1, days: 1, targets: [swapRouter02] })
    if (custody.is !== 'localKey') throw new Error('it is one')
    const bounds = { ...custody.bounds, allowedTargets: [] }
    const bare: Summons = { ...summons, custody: { ...custody, bounds } }
    await expect(summonGolem(bare)).rejects.toMatchObject({ code: 'CONFIG_INVALID' })
    await none(summons.owner)
  })

  it('with a key that the whole world knows, anywhere but on the devnet', async () => {
    const { summons } = await ownerIn(world, store, dca)
    const words = 'test test test test test test test test test test test junk'
    const { privateKey } = mnemonicToAccount(words).getHdKey()
    const key = sessionKeyFrom('secp256k1', Uint8Array.from(privateKey ?? hexToBytes('0x')))
    const custody = await choose({ usd: 1, calls: 1, days: 1, targets: [world.addresses.swapRouter02] })
    if (custody.is !== 'localKey') throw new Error('it is one')
    const deployment = { ...summons.deployment, chainId: 8453 }
    const abroad: Summons = { ...summons, deployment, custody: { ...custody, key } }
    await expect(summonGolem(abroad)).rejects.toMatchObject({ code: 'KEY_NOT_SECRET' })
    await none(summons.owner)
  })
})

it('a changed strategy, or a row that claims another custody, stops it before its first tick', async () => {
  const { id, parts } = await summon()
  const stored = await store.golems.find(id)
  if (!stored?.strategy) throw new Error('it has one')
  const text = dca.replace('$50', '$5')
  await store.golems.save({ ...stored, strategy: { ...stored.strategy, text } })
  await expect(createGolem(parts)).rejects.toMatchObject({ code: 'CONFIG_INVALID' })
  const lying: Store = {
    ...store,
    golems: { ...store.golems, find: async () => ({ ...stored, custody: 'delegation' }) },
  }
  await expect(createGolem({ ...parts, store: lying })).rejects.toMatchObject({ code: 'CONFIG_INVALID' })
})

function never(): never {
  throw new Error('it has a key')
}
