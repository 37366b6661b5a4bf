import { revoke, systemClock } from '@bardo/chain'
import {
  BardoError,
  type CageTerms,
  type Clock,
  cage,
  classBits,
  type Delegation,
  methodBits,
  targetKinds,
} from '@bardo/core'
import { type Devnet, devnetAccount } from '@bardo/devnet'
import type { Store } from '@bardo/store'
import {
  type Address,
  createTestClient,
  createWalletClient,
  encodeFunctionData,
  erc20Abi,
  erc4626Abi,
  type Hash,
  http,
  maxUint256,
  parseAbi,
  parseEther,
  parseUnits,
  publicActions,
  walletActions,
} from 'viem'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createGolem } from '../heartbeat/createGolem.ts'
import { manifestFields, storedManifest } from '../manifest/bardoManifest.ts'
import { readManifest } from '../manifest/readManifest.ts'
import type { GolemSettings } from '../permission/golemParts.ts'
import { closingCall } from '../positions/closingCall.ts'
import { heldPositions, leftPositions } from '../positions/heldPositions.ts'
import { deathSteps } from '../state/death.ts'
import { vaultStrategy } from '../strategy/vaultStrategy.ts'
import { balanceOf, partsOf, summonIn } from '../testing/golemWorld.ts'
import { openTestWorld, type TestWorld } from '../testing/openStoreLocation.ts'

const vaults =
  '- Deposit USDC into the vault when the balance is above $200.\n- Withdraw USDC from the vault when funds are needed.\n\nbudget: $1,000/day\nlifespan: 30 days'
const day = 86_400

let world: Devnet
let context: TestWorld
let store: Store
beforeAll(async () => {
  context = await openTestWorld()
  ;({ world, store } = context)
})
afterAll(() => context?.stop())

/** A Golem that has deposited into the vault. */
async function summonInvested(settings: Partial<GolemSettings> = {}) {
  const summoned = await summonIn(world, store, vaults)
  const parts = partsOf(world, store, summoned.id, { strategy: vaultStrategy, ...settings })
  const golem = await createGolem(parts)
  await golem.tick()
  const { account } = summoned
  expect(await shares(account)).toBeGreaterThan(0n)
  return { ...summoned, parts, golem }
}

const positionAbi = parseAbi([
  'struct MintParams { address token0; address token1; uint24 fee; int24 tickLower; int24 tickUpper; uint256 amount0Desired; uint256 amount1Desired; uint256 amount0Min; uint256 amount1Min; address recipient; uint256 deadline; }',
  'function mint(MintParams params) returns (uint256, uint128, uint256, uint256)',
  'function approve(address spender, uint256 amount)',
])

/** Changes the terms of a root's Cage, before the owner signs. */
const withTerms =
  (change: (terms: CageTerms) => CageTerms) =>
  (root: Delegation): Delegation => ({
    ...root,
    caveats: root.caveats.map((caveat) => ({
      ...caveat,
      terms: cage.encode(change(cage.decode(caveat.terms))),
    })),
  })

const namesManager = withTerms((terms) => {
  const { mandate } = terms
  const address = world.addresses.nonfungiblePositionManager
  const target = { kind: targetKinds.positionManager, address, selector: '0x00000000' } as const
  return { ...terms, mandate: { ...mandate, targets: [target, ...mandate.targets] } }
})

const closesPositions = (root: Delegation) =>
  withTerms((terms) => ({
    ...terms,
    classes: terms.classes | classBits.removeLiquidity,
    methods: terms.methods | methodBits.decreaseLiquidity | methodBits.collect,
  }))(namesManager(root))

/** A Golem with a position of about $600, recorded like an action of its own. */
async function summonProvider(change: (root: Delegation) => Delegation) {
  const { usdc: token0, weth: token1, nonfungiblePositionManager: manager } = world.addresses
  const summoned = await summonIn(world, store, vaults, change)
  const { id, owner, account, signer } = summoned
  const amounts = { USDC: parseUnits('300', 6), WETH: parseEther('0.1') }
  await world.fund(owner.address, amounts)
  const abi = positionAbi
  const allowed = [manager, maxUint256] as const
  const data = encodeFunctionData({ abi, functionName: 'approve', args: allowed })
  await signer.submitter.submit({ id: `lp-usdc-${id}`, to: token0, data })
  await signer.submitter.submit({ id: `lp-weth-${id}`, to: token1, data })
  const range = { fee: 500, tickLower: 190_000, tickUpper: 205_000, amount0Min: 0n, amount1Min: 0n }
  const desired = { amount0Desired: amounts.USDC, amount1Desired: amounts.WETH }
  const params = { token0, token1, ...range, ...desired, recipient: account, deadline: maxUint256 }
  const mint = encodeFunctionData({ abi, functionName: 'mint', args: [params] })
  const { hash: transaction } = await signer.submitter.submit({
    id: `lp-mint-${id}`,
    to: manager,
    data: mint,
  })
  const body = { name: 'action.landed', intent: 'lp', transaction, spentCents: '60000' }
  await store.events.append([{ golem: id, name: 'action.landed', body }])
  return summoned
}

/** A stranger mints a position of their own to an account. */
async function sendPosition(recipient: Address): Promise<bigint> {
  const { usdc: token0, weth: token1, nonfungiblePositionManager: manager } = world.addresses
  const account = devnetAccount('stranger')
  await world.fund(account.address, { USDC: parseUnits('30', 6), WETH: parseEther('0.01') })
  const wallet = createWalletClient({ account, chain: world.chain, transport: http(world.url) }).extend(
    publicActions,
  )
  const abi = positionAbi
  for (const address of [token0, token1])
    await wallet.sendTransactionSync({
      to: address,
      data: encodeFunctionData({ abi, functionName: 'approve', args: [manager, maxUint256] }),
    })
  const range = { fee: 500, tickLower: 190_000, tickUpper: 205_000, amount0Min: 0n, amount1Min: 0n }
  const desired = { amount0Desired: parseUnits('30', 6), amount1Desired: parseEther('0.01') }
  const params = { token0, token1, ...range, ...desired, recipient, deadline: maxUint256 }
  const request = { address: manager, abi, functionName: 'mint', args: [params] } as const
  const { result } = await wallet.simulateContract(request)
  const data = encodeFunctionData({ abi, functionName: 'mint', args: [params] })
  await wallet.sendTransactionSync({ to: manager, data })
  return result[0]
}

class SimulatedCrash extends Error {}

/** A store that crashes at the nth point: before or after a journal write or a transaction. */
function crashingStore(crashAt: number): Store {
  let moments = 0
  const moment = () => {
    moments += 1
    if (moments >= crashAt) throw new SimulatedCrash()
  }
  const withCrash =
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
      addIntent: withCrash(journal.addIntent),
      claimNonce: withCrash(journal.claimNonce),
      addAttempt: withCrash(journal.addAttempt),
      noteMined: withCrash(journal.noteMined),
      settle: withCrash(journal.settle),
    },
    transaction: (work) => withCrash(() => store.transaction(work))(),
  }
}

const usdc = (account: Address) => balanceOf(world, world.addresses.usdc, account)
const shares = (account: Address) => balanceOf(world, world.addresses.usdcVault, account)
const unwoundOf = async (golem: Hash) =>
  (await store.events.read({ after: 0, golem, limit: 1_000 })).filter(
    ({ name }) => name === 'PositionsUnwound',
  )
/** Acts as the owner of MetaMask's manager. */
async function toggle(functionName: 'pause' | 'unpause') {
  const abi = parseAbi(['function owner() view returns (address)', 'function pause()', 'function unpause()'])
  const manager = { address: world.framework.DelegationManager, abi } as const
  const { chain, url } = world
  const testClient = createTestClient({ mode: 'anvil', chain, transport: http(url) }).extend(walletActions)
  const account = await world.client.readContract({ ...manager, functionName: 'owner' })
  await testClient.impersonateAccount({ address: account })
  await testClient.setBalance({ address: account, value: parseEther('1') })
  const hash = await testClient.writeContract({ ...manager, account, functionName })
  await world.client.waitForTransactionReceipt({ hash })
}
const sentBy = (address: Address) => world.client.getTransactionCount({ address })

describe('a position that a Golem opened', () => {
  it('is closed into the owner’s account before Terminal, and recorded with its transaction', async () => {
    const { golem, id, account } = await summonInvested()
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
      type: 'delegationExpiry',
      cause: 'ownerRevocation',
      settled: [{ id: 'vault-USDC' }],
    })
  })

  it('is closed, and the owner’s own deposit in the same vault stays', async () => {
    const { golem, account, signer, owner } = await summonInvested()
    // The owner's own hundred, sent to the account as shares.
    const { usdc: token, usdcVault: vault } = world.addresses
    await world.fund(owner.address, { USDC: parseUnits('100', 6) })
    const send = async (id: string, to: Address, data: `0x${string}`) =>
      signer.submitter.submit({ id, to, data })
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

  it('is closed too if it is liquidity, and an NFT that a stranger sent stays', async () => {
    const { weth: token1, nonfungiblePositionManager: manager } = world.addresses
    const { id, account } = await summonProvider(closesPositions)
    const stranger = await sendPosition(account)
    const parts = partsOf(world, store, id)
    const golem = await createGolem(parts)
    const [own] = await leftPositions(parts, (await golem.status()).permission)
    if (own?.type !== 'liquidity' || !own.seen) throw new Error('no position')
    expect(own.seen.inRange).toBe(true)
    // $300 of USDC and what belongs to it in this range; the rest of the WETH was not used.
    expect(own.cents).toBeGreaterThan(40_000n)
    const before = await balanceOf(world, token1, account)
    const settled = [{ id: own.id, recoveredCents: own.cents, transaction: expect.any(String) }]
    expect(await golem.kill()).toMatchObject({
      phase: 'over',
      death: { impossible: [], unwound: { settled, deferred: [], slippageCostCents: 0n } },
    })
    const gained = (await balanceOf(world, token1, account)) - before
    expect(gained).toBe(own.seen.held.amount1 + own.seen.fees.amount1)
    const left = await heldPositions(parts, (await golem.status()).permission)
    expect(left).toMatchObject([{ tokenId: stranger, managed: 'now' }])
    expect(await storedManifest(store, id)).toMatchObject({
      version: 1,
      status: 'dying',
      phase: 'terminal',
      account,
      tokens: expect.arrayContaining([expect.objectContaining({ symbol: 'WETH', amount: `${gained}` })]),
      positions: [{ id: `liquidity-${stranger}`, openedBy: 'other', liquidity: { inRange: true } }],
      closed: [{ id: own.id, cents: `${own.cents}` }],
      deferred: [],
      delegations: [{ of: 'golem', delegator: account }],
      death: { because: 'killSwitch', impossible: [] },
    })
    expect(await balanceOf(world, manager, account)).toBe(2n)
  })

  it('is closed once, though the process crashes before and after every write', async () => {
    const { golem, parts, account, root } = await summonInvested()
    const before = await sentBy(root.delegate)
    let deaths = 0
    for (let crashAt = 1; (await golem.status()).death?.stepsDone !== deathSteps.length; crashAt += 1) {
      // Each attempt gets a little further, from where the previous one stopped.
      const worker = await createGolem({ ...parts, store: crashingStore(crashAt) })
      await worker.kill().catch((error: unknown) => {
        if (!(error instanceof SimulatedCrash) && !(error instanceof BardoError)) throw error
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

  it('is not deferred if a process with the old key begins to close it at the same moment', async () => {
    const { golem, parts, root } = await summonInvested()
    await golem.rotate('age')
    const { chainId } = parts.deployment
    const call = { to: root.delegate, value: 0n, data: '0x', gas: 21_000n } as const
    const find: Store['journal']['find'] = async (id) => {
      const known = await store.journal.find(id)
      if (!known && id.endsWith(':settle:vault-USDC'))
        await store.journal.addIntent({ id, chainId, from: root.delegate, ...call }, parts.clock.now())
      return known
    }
    const racing = await createGolem({ ...parts, store: { ...store, journal: { ...store.journal, find } } })
    expect(await racing.kill()).toMatchObject({
      phase: 'settlement',
      death: { impossible: [], unwound: { settled: [], deferred: [] } },
    })
  })

  it('is closed after MetaMask’s manager is unpaused', async () => {
    const { golem, account } = await summonInvested()
    const before = await shares(account)
    await toggle('pause')
    expect(await golem.kill()).toMatchObject({ type: 'dying', phase: 'settlement' })
    expect(await shares(account)).toBe(before)
    await toggle('unpause')
    const settled = [{ id: 'vault-USDC' }]
    expect(await golem.tick()).toMatchObject({ phase: 'over', death: { unwound: { settled, deferred: [] } } })
    expect(await shares(account)).toBe(0n)
  })
})

describe('a position is left open, with the reason,', () => {
  it('after the owner’s revocation', async () => {
    const { golem, id, account, root, signer } = await summonInvested()
    const before = await shares(account)
    await revoke(signer, { delegation: root, cause: 'owner' })
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

  it('if the key is wiped', async () => {
    const { golem, parts } = await summonInvested()
    await parts.keys.wipe()
    const orphan = await createGolem({ ...parts, keys: parts.keys })
    const end = await orphan.kill()
    const deferred = [{ id: 'vault-USDC', reason: 'the session key is wiped' }]
    expect(end).toMatchObject({ phase: 'over', death: { unwound: { settled: [], deferred } } })
    expect((await golem.status()).death?.impossible).toContainEqual({
      step: 'settle',
      because: 'the session key is wiped',
    })
  })

  it('if it is liquidity that the current root does not cover, with the owner’s transaction', async () => {
    const { weth: token1, nonfungiblePositionManager: manager } = world.addresses
    // Roots of version 0.1 name the position manager, without the class that removes liquidity.
    const { id, account, signer } = await summonProvider(namesManager)
    const parts = partsOf(world, store, id)
    const golem = await createGolem(parts)
    const held = await heldPositions(parts, (await golem.status()).permission)
    expect(held).toMatchObject([{ type: 'liquidity', manager, managed: 'before' }])
    const deferred = [{ id: held[0]?.id, reason: expect.stringContaining('does not cover it') }]
    expect(await golem.kill()).toMatchObject({ phase: 'over', death: { unwound: { settled: [], deferred } } })
    const { permission } = await golem.status()
    const [left] = await leftPositions(parts, permission)
    expect(left).toMatchObject({ id: held[0]?.id })

    const manifest = await storedManifest(store, id)
    expect(manifest).toMatchObject({ closed: [], deferred, positions: [{ openedBy: 'golem' }] })
    const call = left && (await closingCall(signer, parts, permission, left))
    if (!call) throw new Error('no closing transaction')
    const before = await balanceOf(world, token1, account)
    const { status } = await signer.submitter.submit({ id: 'lp-close', ...call })
    expect(status).toBe('success')
    // What the manifest says is the call of the account that this transaction makes.
    expect(call.data).toContain(manifest?.deferred[0]?.call?.data.slice(10))
    expect(await heldPositions(parts, permission)).toEqual([])
    // The empty NFT stays: burning it would revert if anyone added dust to the position.
    expect(await balanceOf(world, manager, account)).toBe(1n)
    expect(await balanceOf(world, token1, account)).toBeGreaterThan(before)

    // A manager that neither the address book nor a signed root names is not called.
    const { weth: stranger } = world.addresses
    const unread = { liquidity: 1n, seen: undefined, cents: undefined, feeCents: undefined } as const
    const forged = { type: 'liquidity', id: 'x', manager: stranger, tokenId: 1n, managed: 'now' } as const
    expect(await closingCall(signer, parts, permission, { ...forged, ...unread })).toBeUndefined()
  })

  it('in the manifest of a living Golem too, with its shares, their value and the gas of its key', async () => {
    const { golem, parts, account, root } = await summonInvested()
    const manifest = await readManifest(parts, (await golem.status()).permission)
    const held = await shares(account)
    const position = { id: 'vault-USDC', openedBy: 'golem', shares: `${held}`, managed: 'now' }
    expect(manifest).toMatchObject({
      status: 'alive',
      settlementAsset: null,
      positions: [position],
      closed: [],
      deferred: [],
      gas: [{ address: root.delegate, wei: expect.stringMatching(/^9\d{17}$/) }],
      death: null,
    })
    const { tokens } = manifest
    expect(tokens).toMatchObject([
      { symbol: 'USDC', amount: `${await usdc(account)}`, decimals: 6, priceMicros: '1000000' },
    ])
    expect(manifestFields.parse(JSON.parse(JSON.stringify(manifest)))).toEqual(manifest)
  })

  it('if the time for the settlement is over', async () => {
    const { parts, account } = await summonInvested()
    const before = await shares(account)
    let now = systemClock.now()
    const clock: Clock = { ...systemClock, now: () => now }
    // An hour passes between the first step and the settlement.
    const slow: Store = {
      ...store,
      golemStates: {
        ...store.golemStates,
        find: async (golem) => {
          const life = await store.golemStates.find(golem)
          if (life?.death) now = systemClock.now() + 3_700_000
          return life
        },
      },
    }
    const golem = await createGolem({ ...parts, clock, store: slow })
    const deferred = [{ id: 'vault-USDC', reason: 'the time for the settlement was over' }]
    expect(await golem.kill()).toMatchObject({ phase: 'over', death: { unwound: { deferred } } })
    expect(await shares(account)).toBe(before)
  })
})

it('begins to die before its window ends if it has open positions', async () => {
  // With less to live on, it would close the vault earlier: it winds down in Conservation.
  const economy = { runwayCents: 100_000n, dayPrices: { compute: 50n, data: 0n } }
  const { golem, account } = await summonInvested({ economy })
  await world.warp(30 * day - 3_700)
  expect(await golem.tick()).toMatchObject({ type: 'ticked' })
  await world.warp(200)
  const end = await golem.tick()
  expect(end).toMatchObject({
    phase: 'over',
    death: { trigger: 'naturalExpiry', unwound: { settled: [{ id: 'vault-USDC' }], deferred: [] } },
  })
  expect(await shares(account)).toBe(0n)
})
