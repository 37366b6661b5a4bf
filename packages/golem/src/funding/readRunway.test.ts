import { redeem, revoke } from '@bardo/chain'
import {
  encodeContext,
  metamaskCaveat,
  metamaskKinds,
  type ReadGrant,
  rootAuthority,
  signDelegation,
} from '@bardo/core'
import type { Devnet } from '@bardo/devnet'
import type { Store } from '@bardo/store'
import { encodeFunctionData, erc20Abi, parseUnits } from 'viem'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { createGolem } from '../heartbeat/createGolem.ts'
import { keepPermission } from '../requests/keepPermission.ts'
import { createSubmitterOpener } from '../submission/openSubmitter.ts'
import { partsOf, summonIn } from '../testing/golemWorld.ts'
import { openTestWorld, type TestWorld } from '../testing/openStoreLocation.ts'
import { readRunway } from './readRunway.ts'

const text = 'Swap USDC into WETH, at most $50 each. Spawn replicants.\n\nlifespan: 30 days'
const dollars = (amount: number) => parseUnits(`${amount}`, 6)
const strategy = async () => ({ type: 'wait', because: 'nothing to do' }) as const
const dayPrices = { compute: 80n, data: 0n }

let world: Devnet
let context: TestWorld
let store: Store
beforeAll(async () => {
  context = await openTestWorld()
  ;({ world, store } = context)
})
afterAll(() => context?.stop())

it('counts the rest of the grant and the key’s USDC, according to the chain', async () => {
  const { id, signer, account, root } = await summonIn(world, store, text)
  const parts = partsOf(world, store, id, { strategy, economy: { runwayCents: 0n, dayPrices } })
  const key = await parts.keys.open()
  if (!key) throw new Error('there is no key')
  const { framework } = parts.deployment
  const { timestamp: start } = await world.client.getBlock()
  const expiry = Number(start) + 6 * 86_400 + 3_600
  const token = world.addresses.usdc
  const runway = await signDelegation(signer.account, {
    delegate: key.address,
    authority: rootAuthority,
    caveats: [
      metamaskCaveat(framework, metamaskKinds.ERC20PeriodTransfer, {
        token,
        amount: dollars(2),
        duration: 86_400n,
        start,
      }),
      metamaskCaveat(framework, metamaskKinds.ValueLte, { maxValue: 0n }),
      metamaskCaveat(framework, metamaskKinds.Timestamp, { afterThreshold: 0, beforeThreshold: expiry }),
    ],
    salt: 7n,
  })
  const grant: ReadGrant = {
    chainId: BigInt(world.chainId),
    from: account,
    to: root.delegate,
    type: 'erc20-token-periodic',
    // The wallet reports more than it signed: only the signed bytes count.
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
  const { permission } = await golem.status()
  const left = () => readRunway(parts, permission)
  expect(await left()).toBeUndefined()

  await keepPermission(store, id, grant)
  expect(await store.grimoire.get(id, `metamask.permission.${id}`)).toMatchObject({
    kind: 'permission',
    body: { type: 'erc20-token-periodic', context: grant.context },
  })
  // Today's cap, and six whole days.
  expect(await left()).toBe(1_400n)
  // By its settings alone it would be dead; with the grant it has two weeks, a full lifetime.
  expect(await golem.tick()).toMatchObject({
    type: 'ticked',
    state: { phase: 'thriving', survivalScore: 10_000 },
  })

  // A Replicant can get a part of the grant, and not all of it.
  const request = { dailyCents: 100n, budgetCents: 100n, lifespanSeconds: 86_400, calls: 1, gas: 1n }
  const named = { ...request, name: 'child' }
  await expect(golem.replicate({ ...named, runwayCents: 1_400n })).rejects.toMatchObject({
    code: 'ACTION_NOT_ALLOWED',
    details: ['requested: 1400 cents', 'left: 1400 cents'],
  })

  // A draw reduces the grant, and the amount stays with the key.
  const transfer = { abi: erc20Abi, functionName: 'transfer' } as const
  const data = encodeFunctionData({ ...transfer, args: [root.delegate, dollars(1)] })
  const keySubmitter = await createSubmitterOpener(parts)()
  await redeem(keySubmitter, { id: 'draw', steps: [{ links: [runway], calls: [{ to: token, data }] }] })
  expect(await left()).toBe(1_400n)
  // A payment reduces the remaining funds.
  const pay = encodeFunctionData({ ...transfer, args: [world.accounts.stranger, dollars(1)] })
  await keySubmitter.submitter.submit({ id: 'pay', to: token, data: pay })
  expect(await left()).toBe(1_300n)

  await world.warp(5 * 86_400)
  expect(await left()).toBe(400n)
  expect(await golem.tick()).toMatchObject({ type: 'ticked', state: { phase: 'stable' } })

  // A rotation does not end the runway: the owner granted it to this Golem. The first key's balance does not
  // count.
  await golem.rotate('age')
  const { permission: after } = await golem.status()
  expect(after.links[0].delegate).not.toBe(root.delegate)
  expect(await readRunway(parts, after)).toBe(400n)
  expect(await golem.tick()).toMatchObject({ type: 'ticked', state: { phase: 'stable' } })

  // The owner revokes only the runway: the Golem runs out of funds.
  await revoke(signer, { delegation: runway, cause: 'owner' })
  expect(await readRunway(parts, after)).toBe(0n)
  expect(await golem.tick()).toMatchObject({ type: 'dying', death: { trigger: 'economicExhaustion' } })
})
