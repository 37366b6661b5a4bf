import { revoke, systemClock } from '@bardo/chain'
import { BardoError, type Clock } from '@bardo/core'
import type { Devnet } from '@bardo/devnet'
import type { Store } from '@bardo/store'
import {
  type Address,
  createTestClient,
  encodeFunctionData,
  erc20Abi,
  erc4626Abi,
  type Hash,
  http,
  maxUint256,
  parseAbi,
  parseEther,
  parseUnits,
  walletActions,
} from 'viem'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { deathSteps } from '../death/death.ts'
import { vaultStrategy } from '../strategies/vaultStrategy.ts'
import { createGolem } from './createGolem.ts'
import { balanceOf, partsOf, summonIn } from './testing/golemWorld.ts'
import { openPlace, type Place } from './testing/openPlace.ts'

const vaults =
  '- Deposit USDC into the vault when the balance is above $200.\n- Withdraw USDC from the vault when funds are needed.\n\nbudget: $1,000/day\nlifespan: 30 days'
const day = 86_400

let world: Devnet
let place: Place
let store: Store
beforeAll(async () => {
  place = await openPlace()
  ;({ world, store } = place)
})
afterAll(() => place?.stop())

/** A Golem that has put some of the owner's money into the vault. */
async function invested() {
  const summoned = await summonIn(world, store, vaults)
  const parts = partsOf(world, store, summoned.id, { strategy: vaultStrategy })
  const golem = await createGolem(parts)
  await golem.tick()
  const { account } = summoned
  expect(await shares(account)).toBeGreaterThan(0n)
  return { ...summoned, parts, golem }
}

class PowerCut extends Error {}

/** A store that dies at its n-th moment: before or after a word with the journal or a transaction. */
function mortalStore(dark: number): Store {
  let moments = 0
  const moment = () => {
    moments += 1
    if (moments >= dark) throw new PowerCut()
  }
  const mortal =
    <Args extends readonly unknown[], Result>(work: (...args: Args) => Promise<Result>) =>
    async (...args: Args): Promise<Result> => {
      moment()
      const result = await work(...args)
      moment()
      return result
    }
  const { journal } = store
  return {
    ...store,
    journal: {
      ...journal,
      addIntent: mortal(journal.addIntent),
      claimNonce: mortal(journal.claimNonce),
      addAttempt: mortal(journal.addAttempt),
      noteMined: mortal(journal.noteMined),
      settle: mortal(journal.settle),
    },
    transaction: (work) => mortal(() => store.transaction(work))(),
  }
}

const usdc = (account: Address) => balanceOf(world, world.addresses.usdc, account)
const shares = (account: Address) => balanceOf(world, world.addresses.usdcVault, account)
const unwoundOf = async (golem: Hash) =>
  (await store.events.read({ after: 0, golem, limit: 1_000 })).filter(
    ({ name }) => name === 'PositionsUnwound',
  )
/** As whoever owns MetaMask's manager. */
async function toggle(functionName: 'pause' | 'unpause') {
  const abi = parseAbi(['function owner() view returns (address)', 'function pause()', 'function unpause()'])
  const manager = { address: world.framework.DelegationManager, abi } as const
  const { chain, url } = world
  const god = createTestClient({ mode: 'anvil', chain, transport: http(url) }).extend(walletActions)
  const account = await world.client.readContract({ ...manager, functionName: 'owner' })
  await god.impersonateAccount({ address: account })
  await god.setBalance({ address: account, value: parseEther('1') })
  const hash = await god.writeContract({ ...manager, account, functionName })
  await world.client.waitForTransactionReceipt({ hash })
}
const sentBy = (address: Address) => world.client.getTransactionCount({ address })

describe('what a Golem opened', () => {
  it('is closed to the owner’s account before Terminal, and told with its transaction', async () => {
    const { golem, id, account } = await invested()
    expect(await golem.kill()).toMatchObject({
      phase: 'over',
      death: {
        impossible: [],
        unwound: {
          settled: [
            { id: 'vault-USDC', recoveredCents: expect.any(BigInt), transaction: expect.any(String) },
          ],
          deferred: [],
        },
      },
    })
    expect(await shares(account)).toBe(0n)
    // A vault rounds down by a unit of USDC, which is far below a cent.
    expect(parseUnits('10000', 6) - (await usdc(account))).toBeLessThanOrEqual(1n)
    const [first] = await unwoundOf(id)
    expect(first?.body).toMatchObject({
      positionsExited: 1,
      positionsLeft: 0,
      settled: [{ id: 'vault-USDC', transaction: expect.stringMatching(/^0x/) }],
    })
    const { body } = (await store.grimoire.get(id, 'settlement')) ?? {}
    expect(body).toMatchObject({
      is: 'delegationExpiry',
      cause: 'ownerRevocation',
      settled: [{ id: 'vault-USDC' }],
    })
  })

  it('is closed, and what the owner put into the same vault stays', async () => {
    const { golem, account, desk, owner } = await invested()
    // The owner's own hundred, sent to the account as shares.
    const { usdc: token, usdcVault: vault } = world.addresses
    await world.fund(owner.address, { USDC: parseUnits('100', 6) })
    const send = async (id: string, to: Address, data: `0x${string}`) =>
      desk.submitter.submit({ id, to, data })
    const amount = parseUnits('100', 6)
    await send(
      'own-approve',
      token,
      encodeFunctionData({ abi: erc20Abi, functionName: 'approve', args: [vault, amount] }),
    )
    const before = await shares(account)
    await send(
      'own-deposit',
      vault,
      encodeFunctionData({ abi: erc4626Abi, functionName: 'deposit', args: [amount, account] }),
    )
    const own = (await shares(account)) - before
    await golem.kill()
    expect(await shares(account)).toBe(own)
  })

  it('is closed once, though the power goes off before and after every write', async () => {
    const { golem, parts, account, root } = await invested()
    const before = await sentBy(root.delegate)
    let deaths = 0
    for (let dark = 1; (await golem.status()).death?.stepsDone !== deathSteps.length; dark += 1) {
      // Each time a little further than the last, from wherever that one left it.
      const worker = await createGolem({ ...parts, store: mortalStore(dark) })
      await worker.kill().catch((error: unknown) => {
        if (!(error instanceof PowerCut) && !(error instanceof BardoError)) throw error
        deaths += 1
      })
    }
    expect(deaths).toBeGreaterThan(10)
    expect((await golem.status()).death).toMatchObject({
      impossible: [],
      unwound: { settled: [{ id: 'vault-USDC' }] },
    })
    expect(await shares(account)).toBe(0n)
    // Declining, the withdrawal, Terminal, the surrender and the gas: each once.
    expect((await sentBy(root.delegate)) - before).toBe(5)
  })

  it('waits for MetaMask’s manager while that is paused, and is closed then', async () => {
    const { golem, account } = await invested()
    const before = await shares(account)
    await toggle('pause')
    expect(await golem.kill()).toMatchObject({ is: 'dying', phase: 'settlement' })
    expect(await shares(account)).toBe(before)
    await toggle('unpause')
    const settled = [{ id: 'vault-USDC' }]
    expect(await golem.tick()).toMatchObject({ phase: 'over', death: { unwound: { settled, deferred: [] } } })
    expect(await shares(account)).toBe(0n)
  })
})

describe('is left, with the reason', () => {
  it('what the owner’s revocation has put out of reach', async () => {
    const { golem, id, account, root, desk } = await invested()
    const before = await shares(account)
    await revoke(desk, { delegation: root, cause: 'owner' })
    const end = await golem.tick()
    const deferred = [{ id: 'vault-USDC', reason: expect.stringContaining('CannotUseADisabledDelegation') }]
    expect(end).toMatchObject({ phase: 'over', death: { trigger: 'ownerRevocation', unwound: { deferred } } })
    expect(await shares(account)).toBe(before)
    expect((await unwoundOf(id)).at(-1)?.body).toMatchObject({
      positionsExited: 0,
      positionsLeft: 1,
      deferred,
    })
  })

  it('what nobody has a key for', async () => {
    const { golem, parts } = await invested()
    await parts.keys.wipe()
    const orphan = await createGolem({ ...parts, keys: parts.keys })
    const end = await orphan.kill()
    const deferred = [{ id: 'vault-USDC', reason: 'the session key is gone' }]
    expect(end).toMatchObject({ phase: 'over', death: { unwound: { settled: [], deferred } } })
    expect((await golem.status()).death?.impossible).toContainEqual({
      step: 'settle',
      because: 'the session key is gone',
    })
  })

  it('liquidity, which Bardo does not close yet', async () => {
    const text = 'Provide liquidity to the USDC/WETH pool.\n\nlifespan: 30 days'
    const { id, owner, account, desk } = await summonIn(world, store, text)
    const { usdc: token0, weth: token1, nonfungiblePositionManager: manager } = world.addresses
    const amounts = { USDC: parseUnits('300', 6), WETH: parseEther('0.1') }
    await world.fund(owner.address, amounts)
    const abi = parseAbi([
      'struct MintParams { address token0; address token1; uint24 fee; int24 tickLower; int24 tickUpper; uint256 amount0Desired; uint256 amount1Desired; uint256 amount0Min; uint256 amount1Min; address recipient; uint256 deadline; }',
      'function mint(MintParams params) returns (uint256, uint128, uint256, uint256)',
      'function approve(address spender, uint256 amount)',
    ])
    const allowed = [manager, maxUint256] as const
    const data = encodeFunctionData({ abi, functionName: 'approve', args: allowed })
    await desk.submitter.submit({ id: 'lp-usdc', to: token0, data })
    await desk.submitter.submit({ id: 'lp-weth', to: token1, data })
    const range = { fee: 500, tickLower: 190_000, tickUpper: 205_000, amount0Min: 0n, amount1Min: 0n }
    const wanted = { amount0Desired: amounts.USDC, amount1Desired: amounts.WETH }
    const params = { token0, token1, ...range, ...wanted, recipient: account, deadline: maxUint256 }
    const mint = encodeFunctionData({ abi, functionName: 'mint', args: [params] })
    const { hash: transaction } = await desk.submitter.submit({ id: 'lp-mint', to: manager, data: mint })
    // As if it had been an action of the Golem's: no strategy of ours opens liquidity yet.
    const body = { name: 'action.landed', intent: 'lp', transaction, spentCents: '60000' }
    await store.events.append([{ golem: id, name: 'action.landed', body }])
    const golem = await createGolem(partsOf(world, store, id))
    const deferred = [
      {
        id: expect.stringMatching(/^liquidity-\d+$/),
        reason: expect.stringContaining('does not close liquidity'),
      },
    ]
    expect(await golem.kill()).toMatchObject({ phase: 'over', death: { unwound: { settled: [], deferred } } })
  })

  it('what the hour for settling is over for', async () => {
    const { parts, account } = await invested()
    const before = await shares(account)
    let now = systemClock.now()
    const clock: Clock = { ...systemClock, now: () => now }
    // An hour passes between the first step and settling.
    const slow: Store = {
      ...store,
      lives: {
        ...store.lives,
        find: async (golem) => {
          const life = await store.lives.find(golem)
          if (life?.death) now = systemClock.now() + 3_700_000
          return life
        },
      },
    }
    const golem = await createGolem({ ...parts, clock, store: slow })
    const deferred = [{ id: 'vault-USDC', reason: 'the time for settling was over' }]
    expect(await golem.kill()).toMatchObject({ phase: 'over', death: { unwound: { deferred } } })
    expect(await shares(account)).toBe(before)
  })
})

it('begins to die before its window ends, where there is something to close', async () => {
  const { golem, account } = await invested()
  await world.warp(30 * day - 3_700)
  expect(await golem.tick()).toMatchObject({ is: 'ticked' })
  await world.warp(200)
  const end = await golem.tick()
  expect(end).toMatchObject({
    phase: 'over',
    death: { trigger: 'naturalExpiry', unwound: { settled: [{ id: 'vault-USDC' }], deferred: [] } },
  })
  expect(await shares(account)).toBe(0n)
})
