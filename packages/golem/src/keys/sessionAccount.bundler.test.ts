import { httpBundler, isDisabled, spendableGas } from '@bardo/chain'
import { type Alto, startAlto } from '@bardo/chain/testing/startAlto'
import { type Curve, hashDelegation } from '@bardo/core'
import { type Role, roles } from '@bardo/devnet'
import type { Route } from '@bardo/wallets'
import { parseEther, parseUnits, toHex } from 'viem'
import { mnemonicToAccount } from 'viem/accounts'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createGolem } from '../heartbeat/createGolem.ts'
import { regrant } from '../requests/regrant.ts'
import { balanceOf, partsOf, summonIn } from '../testing/golemWorld.ts'
import { openTestWorld, type TestWorld } from '../testing/openStoreLocation.ts'

const dca = 'Every day, swap $50 of USDC into WETH.\n\nlifespan: 30 days'
const day = 86_400

describe('a Golem whose operations a real bundler submits (Alto)', () => {
  let context: TestWorld
  let alto: Alto
  beforeAll(async () => {
    context = await openTestWorld()
    const { mnemonic, url, framework } = context.world
    const keyOf = (role: Role) => {
      const path = `m/44'/60'/0'/0/${roles.indexOf(role)}` as const
      return toHex(mnemonicToAccount(mnemonic, { path }).getHdKey().privateKey ?? new Uint8Array())
    }
    alto = await startAlto({
      rpcUrl: url,
      entryPoint: framework.EntryPoint,
      executorKey: keyOf('bundler'),
      utilityKey: keyOf('bundlerUtility'),
    })
  })
  afterAll(async () => {
    await alto?.stop()
    await context?.stop()
  })

  it.each(['secp256k1', 'p256'] as const)(
    'is summoned, trades, rotates, is fed and killed (%s)',
    async (curve: Curve) => {
      const { world, store } = context
      const route: Route = { type: 'userOperation', bundler: (chain) => httpBundler(alto.url, chain) }
      const { id, root, signer, owner, account } = await summonIn(world, store, dca, undefined, {
        route,
        curve,
      })
      const parts = partsOf(world, store, id, { route })
      const spent = async () =>
        parseUnits('10000', 6) - (await balanceOf(world, world.addresses.usdc, account))
      const golem = await createGolem(parts)
      const session = root.delegate

      await golem.tick()
      expect(await spent()).toBe(parseUnits('50', 6))
      expect(await golem.rotate('age')).toMatchObject({ kind: 'session-account', status: 'done' })
      await world.warp(day)
      await golem.tick()
      expect(await spent()).toBe(parseUnits('100', 6))
      expect((await golem.status()).permission.links.map((link) => hashDelegation(link))).toEqual([
        hashDelegation(root),
      ])

      const fed = await regrant(signer, parts)
      expect(await isDisabled(signer, root)).toBe(true)
      expect(fed.root.delegate).toBe(session)
      await world.warp(day)
      const again = await createGolem(parts)
      await again.tick()
      expect(await spent()).toBe(parseUnits('150', 6))

      const before = await world.client.getBalance({ address: owner.address })
      expect(await again.kill()).toMatchObject({ type: 'dying', phase: 'over' })
      expect((await again.look()).vitals.state).toBe('dead')
      const returned = (await world.client.getBalance({ address: owner.address })) - before
      expect(returned).toBeGreaterThan(parseEther('0.9'))
      const place = { client: world.client, entryPoint: world.framework.EntryPoint }
      const { balance, deposit } = await spendableGas(place, session)
      expect(balance + deposit).toBeLessThan(parseEther('0.01'))
    },
  )
})
