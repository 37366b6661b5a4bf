import { redeem, revoke, sessionKeyAccount, signDelegation, stockCaveat } from '@bardo/chain'
import { encodeContext, type ReadGrant, rootAuthority, stockKinds } from '@bardo/core'
import type { Devnet } from '@bardo/devnet'
import type { Store } from '@bardo/store'
import { encodeFunctionData, erc20Abi, parseUnits } from 'viem'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { createDesk } from './createDesk.ts'
import { createGolem } from './createGolem.ts'
import { keepPermission } from './keepPermission.ts'
import { readRunway } from './readRunway.ts'
import { partsOf, summonIn, testSecret } from './testing/golemWorld.ts'
import { openPlace, type Place } from './testing/openPlace.ts'

const text = 'Swap USDC into WETH, at most $50 each.\n\nlifespan: 30 days'
const dollars = (amount: number) => parseUnits(`${amount}`, 6)
const strategy = async () => ({ is: 'wait', because: 'nothing to do' }) as const
const dailyCosts = { inference: 100n, gas: 0n, compute: 0n, data: 0n }

let world: Devnet
let place: Place
let store: Store
beforeAll(async () => {
  place = await openPlace()
  ;({ world, store } = place)
})
afterAll(() => place?.stop())

it('lives on what the grant and the fed dollars still give, as the chain has it', async () => {
  const { id, desk, account, root } = await summonIn(world, store, text)
  const parts = partsOf(world, store, id, { strategy, economy: { runwayCents: 0n, dailyCosts } })
  const key = await parts.keys.open()
  if (!key) throw new Error('it has one')
  const { framework } = parts.deployment
  const { timestamp: start } = await world.client.getBlock()
  const expiry = Number(start) + 6 * 86_400 + 3_600
  const token = world.addresses.usdc
  const runway = await signDelegation(desk.account, {
    delegate: sessionKeyAccount(key).address,
    authority: rootAuthority,
    caveats: [
      stockCaveat(framework, stockKinds.ERC20PeriodTransfer, {
        token,
        amount: dollars(2),
        duration: 86_400n,
        start,
      }),
      stockCaveat(framework, stockKinds.ValueLte, { maxValue: 0n }),
      stockCaveat(framework, stockKinds.Timestamp, { afterThreshold: 0, beforeThreshold: expiry }),
    ],
    salt: 7n,
  })
  const grant: ReadGrant = {
    chainId: BigInt(world.chainId),
    from: account,
    to: root.delegate,
    type: 'erc20-token-periodic',
    // The wallet boasts: only what was signed counts.
    data: { tokenAddress: token, periodAmount: dollars(1_000_000), periodDuration: 86_400 },
    expiry,
    payees: undefined,
    redeemers: undefined,
    otherRules: [],
    context: encodeContext([runway]),
    delegationManager: framework.DelegationManager,
    dependencies: [],
  }
  const golem = await createGolem(parts)
  const { charter } = await golem.status()
  const left = () => readRunway(parts, charter)
  expect(await left()).toBeUndefined()

  await keepPermission(store, id, grant)
  expect(await store.grimoire.get(id, `metamask.permission.${id}`)).toMatchObject({
    kind: 'permission',
    body: { type: 'erc20-token-periodic', context: grant.context },
  })
  // Today's cap, and six whole days.
  expect(await left()).toBe(1_400n)
  // By its settings it would be dead: a dollar a day of fourteen is a whole life.
  expect(await golem.tick()).toMatchObject({
    is: 'ticked',
    state: { phase: 'thriving', survivalScore: 10_000 },
  })

  // A child lives on a part of the grant, and of no more than that.
  const wish = { dailyCents: 100n, budgetCents: 100n, lifespanSeconds: 86_400, calls: 1, gas: 1n }
  const named = { ...wish, name: 'child', secret: testSecret }
  await expect(golem.replicate({ ...named, runwayCents: 1_400n })).rejects.toMatchObject({
    code: 'ACTION_NOT_ALLOWED',
    details: ['1400 cents asked for', '1400 left'],
  })

  // What it draws is gone from the grant, and stays with it as food.
  const transfer = { abi: erc20Abi, functionName: 'transfer' } as const
  const data = encodeFunctionData({ ...transfer, args: [root.delegate, dollars(1)] })
  const hand = await createDesk(parts)()
  await redeem(hand, { id: 'draw', steps: [{ links: [runway], calls: [{ to: token, data }] }] })
  expect(await left()).toBe(1_400n)
  // What it pays for its life is gone.
  const pay = encodeFunctionData({ ...transfer, args: [world.accounts.stranger, dollars(1)] })
  await hand.submitter.submit({ id: 'pay', to: token, data: pay })
  expect(await left()).toBe(1_300n)

  await world.warp(5 * 86_400)
  expect(await left()).toBe(400n)
  expect(await golem.tick()).toMatchObject({ is: 'ticked', state: { phase: 'stable' } })

  // Another key is no reason to starve: the runway is the owner's word to this Golem. What the first key was fed is not its own.
  await golem.rotate('age')
  const { charter: after } = await golem.status()
  expect(after.links[0].delegate).not.toBe(root.delegate)
  expect(await readRunway(parts, after)).toBe(400n)
  expect(await golem.tick()).toMatchObject({ is: 'ticked', state: { phase: 'stable' } })

  // The owner takes the runway back, and only that: the Golem starves.
  await revoke(desk, { delegation: runway, cause: 'owner' })
  expect(await readRunway(parts, after)).toBe(0n)
  expect(await golem.tick()).toMatchObject({ is: 'dying', death: { trigger: 'economicExhaustion' } })
})
