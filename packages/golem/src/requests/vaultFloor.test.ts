import { cage, type Delegation } from '@bardo/core'
import { createTestClient, erc20Abi, http, parseEther, walletActions } from 'viem'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createGolem } from '../heartbeat/createGolem.ts'
import { closingCall } from '../positions/closingCall.ts'
import { leftPositions } from '../positions/heldPositions.ts'
import { vaultStrategy } from '../strategy/vaultStrategy.ts'
import { balanceOf, partsOf, summonIn } from '../testing/golemWorld.ts'
import { openTestWorld, type TestWorld } from '../testing/openStoreLocation.ts'
import { regrant } from './regrant.ts'

const vaults =
  '- Deposit USDC into the vault when the balance is above $200.\n- Withdraw USDC from the vault when funds are needed.\n\nbudget: $1,000/day\nlifespan: 30 days'

describe('the floor of a vault', () => {
  let context: TestWorld
  beforeAll(async () => {
    context = await openTestWorld()
  })
  afterAll(() => context?.stop())

  /** The floor that a root signs for the vault. */
  function floorIn({ caveats }: Delegation): bigint | undefined {
    const [caveat] = caveats
    const { usdcVault } = context.world.addresses
    const floors = caveat ? cage.decode(caveat.terms).floors : undefined
    return floors?.find(({ vault }) => vault.toLowerCase() === usdcVault.toLowerCase())?.floor
  }

  /** Removes a part of the vault's assets, as a loss of the vault would. */
  async function lose(parts: bigint) {
    const { chain, url, client, addresses } = context.world
    const testClient = createTestClient({ mode: 'anvil', chain, transport: http(url) }).extend(walletActions)
    const account = addresses.usdcVault
    await testClient.impersonateAccount({ address: account })
    await testClient.setBalance({ address: account, value: parseEther('1') })
    const lost = (await balanceOf(context.world, addresses.usdc, account)) / parts
    const hash = await testClient.writeContract({
      account,
      address: addresses.usdc,
      abi: erc20Abi,
      functionName: 'transfer',
      args: [context.world.accounts.stranger, lost],
    })
    await client.waitForTransactionReceipt({ hash })
  }

  it('is signed at 99 % of the rate at signing, and a feed keeps it', async () => {
    const { world, store } = context
    const { id, root, signer } = await summonIn(world, store, vaults)
    expect(floorIn(root)).toBe(990_000_000_000_000_000n)
    const { root: fed } = await regrant(signer, partsOf(world, store, id, { strategy: vaultStrategy }))
    expect(floorIn(fed)).toBe(990_000_000_000_000_000n)
  })

  it('keeps a position open that would return too little, and the owner can always close it', async () => {
    const { world, store } = context
    const summoned = await summonIn(world, store, vaults)
    const parts = partsOf(world, store, summoned.id, { strategy: vaultStrategy })
    const golem = await createGolem(parts)
    await golem.tick()
    const { usdcVault } = world.addresses
    const held = await balanceOf(world, usdcVault, summoned.account)
    expect(held).toBeGreaterThan(0n)
    // Most of it: the shortfall exceeds the daily limit.
    for (let turn = 0; turn < 3; turn += 1) await lose(2n)
    expect(await golem.kill()).toMatchObject({
      phase: 'over',
      death: {
        unwound: {
          settled: [],
          deferred: [{ id: 'vault-USDC', reason: expect.stringMatching(/BelowFloor/) }],
        },
      },
    })
    expect(await balanceOf(world, usdcVault, summoned.account)).toBe(held)
    const { permission } = await golem.status()
    const [left] = await leftPositions(parts, permission)
    if (!left) throw new Error('the position is not listed')
    const call = await closingCall(summoned.signer, parts, permission, left)
    if (!call) throw new Error('no closing transaction')
    await summoned.signer.submitter.submit({ id: 'owner-closes', ...call })
    expect(await balanceOf(world, usdcVault, summoned.account)).toBe(0n)
  })
})
