import { cage, compileStrategy, type Delegation, encodeContext, ownerCall, targetKinds } from '@bardo/core'
import type { Devnet } from '@bardo/devnet'
import { createGolem } from '@bardo/golem/heartbeat'
import type { GolemParts } from '@bardo/golem/permission'
import {
  closePositions,
  closingCall,
  droppedPositions,
  leftPositions,
  openedPositions,
  redeemCall,
} from '@bardo/golem/positions'
import { regrant } from '@bardo/golem/requests'
import { vaultStrategy } from '@bardo/golem/strategy'
import { balanceOf, partsOf, summonIn } from '@bardo/golem/testing/golemWorld'
import { openTestWorld, type TestWorld } from '@bardo/golem/testing/openStoreLocation'
import type { Store } from '@bardo/store'
import {
  type Address,
  encodeFunctionData,
  erc20Abi,
  erc4626Abi,
  getAddress,
  type Hash,
  parseUnits,
  zeroHash,
} from 'viem'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { z } from 'zod'
import { callTool } from './callTool.ts'
import { getStatus } from './getStatus.ts'

const vaults =
  '- Deposit USDC into the vault when the balance is above $200.\n- Withdraw USDC from the vault when funds are needed.\n\nbudget: $1,000/day\nlifespan: 30 days'
const swaps = 'Every hour, swap $10 of USDC into WETH.\n\nbudget: $40/day\nlifespan: 30 days'

let context: TestWorld
let world: Devnet
let store: Store
beforeAll(async () => {
  context = await openTestWorld()
  ;({ world, store } = context)
})
afterAll(() => context?.stop())

/** A Golem that has deposited into the vault, and must wait `cadenceSeconds` before its next action. */
async function summonInvested(cadenceSeconds = 0) {
  const withCadence = (root: Delegation): Delegation => ({
    ...root,
    caveats: root.caveats.map((caveat) => ({
      ...caveat,
      terms: cage.encode({ ...cage.decode(caveat.terms), cadenceSeconds }),
    })),
  })
  const summoned = await summonIn(world, store, vaults, withCadence)
  const parts = partsOf(world, store, summoned.id, { strategy: vaultStrategy })
  await (await createGolem(parts)).tick()
  expect(await shares(summoned.account)).toBeGreaterThan(0n)
  return { ...summoned, parts }
}

/** The same Golem, after its owner signed a strategy without a vault. */
async function summonAdjusted() {
  const golem = await summonInvested()
  await regrant(golem.signer, golem.parts, swaps)
  return golem
}

const shares = (account: Address) => balanceOf(world, world.addresses.usdcVault, account)
const usdc = (account: Address) => balanceOf(world, world.addresses.usdc, account)

function statusOf(parts: GolemParts) {
  const { client, deployment, book, clock } = parts
  const open = () => createGolem(parts)
  return callTool({ store, client, deployment, book, clock, golem: parts.id, open }, getStatus, {})
}

/** The owner deposits dollars into the vault, with the shares going to the account. */
async function deposit(
  { owner, signer, account }: Awaited<ReturnType<typeof summonInvested>>,
  dollars: string,
) {
  const { usdc: token, usdcVault: vault } = world.addresses
  const amount = parseUnits(dollars, 6)
  await world.fund(owner.address, { USDC: amount })
  const approve = encodeFunctionData({ abi: erc20Abi, functionName: 'approve', args: [vault, amount] })
  await signer.submitter.submit({ id: `approve-${account}`, to: token, data: approve })
  const before = await shares(account)
  const depositData = encodeFunctionData({
    abi: erc4626Abi,
    functionName: 'deposit',
    args: [amount, account],
  })
  await signer.submitter.submit({ id: `deposit-${account}`, to: vault, data: depositData })
  return (await shares(account)) - before
}

describe('a position in a vault that the current root does not name', () => {
  it('is shown until it is closed, and is not available for trades', async () => {
    const { parts, account, signer } = await summonAdjusted()
    const held = await shares(account)
    const status = await statusOf(parts)
    expect(status.positions).toEqual([
      {
        id: 'vault-USDC',
        kind: 'vault',
        contract: world.addresses.usdcVault,
        symbol: 'USDC',
        shares: `${held}`,
        cents: expect.stringMatching(/^[1-9]\d+$/),
        managed: 'before',
        liquidity: null,
      },
    ])
    const { holdings } = await (await createGolem(parts)).look()
    expect(holdings.map(({ vaultCents }) => vaultCents)).toEqual(holdings.map(() => 0n))

    const close = { to: world.addresses.usdcVault, data: redeemCall(held, account) }
    await signer.submitter.submit({ id: `own-${account}`, ...(await ownerCall(signer, close)) })
    expect(await shares(account)).toBe(0n)
    expect((await statusOf(parts)).positions).toEqual([])
  })

  it('is deferred at death with a reason, and the owner’s transaction closes it', async () => {
    const golem = await summonAdjusted()
    const { parts, account, signer } = golem
    const [held, before] = [await shares(account), await usdc(account)]
    const own = await deposit(golem, '100')
    const deferred = [{ id: 'vault-USDC', reason: expect.stringContaining('current signature') }]
    const living = await createGolem(parts)
    expect(await living.kill()).toMatchObject({
      phase: 'over',
      death: { unwound: { settled: [], deferred } },
    })
    const { permission } = await living.status()
    const left = await leftPositions(parts, permission)
    // The owner's own deposit in the same vault is not closed.
    expect(left).toMatchObject([{ id: 'vault-USDC', shares: held, managed: 'before' }])
    expect((await statusOf(parts)).positions).toMatchObject([{ shares: `${held + own}`, managed: 'before' }])
    const call = left[0] && (await closingCall(signer, parts, permission, left[0]))
    if (!call) throw new Error('no closing transaction')
    const { status } = await signer.submitter.submit({ id: `end-${account}`, ...call })
    expect(status).toBe('success')
    expect(await shares(account)).toBe(own)
    expect((await usdc(account)) - before).toBeGreaterThan(0n)
  })

  it('is not reported as left after the death closed it, though the owner holds shares of the same vault', async () => {
    const golem = await summonInvested()
    const own = await deposit(golem, '100')
    const living = await createGolem(golem.parts)
    await living.kill()
    const { permission } = await living.status()
    expect(await leftPositions(golem.parts, permission)).toEqual([])
    expect((await statusOf(golem.parts)).positions).toMatchObject([{ shares: `${own}`, managed: 'before' }])
  })
})

it('builds no transaction for a vault that only a forged row names', async () => {
  const { id, parts, root, signer } = await summonInvested()
  const { permission } = await (await createGolem(parts)).status()
  const stranger = getAddress(`0x${'5e'.repeat(20)}`)
  const [caveat] = root.caveats
  if (!caveat) throw new Error('there is no Cage')
  const terms = cage.decode(caveat.terms)
  const targets = terms.mandate.targets.map((target) =>
    target.kind === targetKinds.vault ? { ...target, address: stranger } : target,
  )
  const forged = {
    ...root,
    salt: 1n,
    caveats: [{ ...caveat, terms: cage.encode({ ...terms, mandate: { ...terms.mandate, targets } }) }],
  }
  await store.delegations.add({ golem: id, delegation: forged, context: encodeContext([forged]) })
  const position = {
    type: 'vault',
    id: 'x',
    symbol: undefined,
    shares: 1n,
    cents: 1n,
    managed: 'before',
  } as const
  expect(await closingCall(signer, parts, permission, { ...position, vault: stranger })).toBeUndefined()
  const own = { ...position, vault: world.addresses.usdcVault }
  const unlisted = { ...parts, book: { ...parts.book, vaults: new Map() } }
  expect(await closingCall(signer, unlisted, permission, own)).toMatchObject({ data: expect.any(String) })
})

describe('a vault that is no longer in the operator’s address book', () => {
  it('is shown by its address, and closed at death if the root names it', async () => {
    const { parts, account } = await summonInvested()
    const withoutVaults = { ...parts, book: { ...parts.book, vaults: new Map() } }
    const id = `vault-${world.addresses.usdcVault}`
    expect((await statusOf(withoutVaults)).positions).toMatchObject([
      { id, symbol: null, cents: expect.stringMatching(/^[1-9]\d+$/), managed: 'now' },
    ])
    expect(await (await createGolem(withoutVaults)).kill()).toMatchObject({
      death: { unwound: { settled: [{ id, recoveredCents: expect.any(BigInt) }], deferred: [] } },
    })
    expect(await shares(account)).toBe(0n)
  })
})

describe('a position whose transaction a reorganisation removed', () => {
  it('is shown once the transaction is on the chain again', async () => {
    const { parts } = await summonInvested()
    const { id } = parts
    const { permission } = await (await createGolem(parts)).status()
    const append = (name: string, transaction: Hash) =>
      store.events.append([{ golem: id, name, body: { name, intent: 'an intent', transaction } }])
    const opened = await openedPositions(parts, permission)
    expect(opened).toMatchObject([{ type: 'vault' }])
    const events = await store.events.read({ after: 0, golem: id, limit: 1_000 })
    const landed = events.find(({ name }) => name === 'action.landed')
    const { transaction } = z
      .object({ transaction: z.templateLiteral(['0x', z.string()]) })
      .parse(landed?.body)
    await append('submission.landingUndone', transaction)
    expect(await openedPositions(parts, permission)).toEqual([])
    await append('submission.landedAgain', transaction)
    expect(await openedPositions(parts, permission)).toEqual(opened)
    // The node has no receipt of a transaction that was never mined again.
    await append('action.landed', zeroHash)
    await append('submission.landingUndone', zeroHash)
    expect(await openedPositions(parts, permission)).toEqual(opened)
  })
})

describe('closing positions before a new strategy is signed', () => {
  it('closes everything through the old root, once, and reports the recovered amount', async () => {
    const golem = await summonInvested()
    const { parts, account, id } = golem
    const own = await deposit(golem, '100')
    const { permission } = await (await createGolem(parts)).status()
    const planOf = (text: string) =>
      compileStrategy(text, { now: 1n, symbols: [...parts.book.assets.keys()] }).plan
    expect(await droppedPositions(parts, permission, planOf(vaults))).toEqual([])
    expect(await droppedPositions(parts, permission, planOf(swaps))).toMatchObject([{ id: 'vault-USDC' }])
    const closed = await closePositions(parts, permission, ['vault-USDC'])
    expect(closed).toMatchObject([{ id: 'vault-USDC', transaction: expect.stringMatching(/^0x/) }])
    expect(closed[0]?.recoveredCents).toBeGreaterThan(0n)
    expect(await shares(account)).toBe(own)
    expect(parseUnits('10000', 6) - (await usdc(account))).toBeLessThanOrEqual(1n)
    expect(await leftPositions(parts, permission)).toEqual([])
    const landed = (await store.events.read({ after: 0, golem: id, limit: 500 })).filter(
      ({ name }) => name === 'action.landed',
    )
    expect(landed.at(-1)?.body).toMatchObject({ transaction: closed[0]?.transaction, spentCents: '0' })
    expect(await closePositions(parts, permission, ['vault-USDC'])).toEqual([])
  })

  it('does not count a position as open if the process crashed before recording the closing', async () => {
    const golem = await summonInvested()
    const own = await deposit(golem, '100')
    const { permission } = await (await createGolem(golem.parts)).status()
    const crashing: Store = {
      ...store,
      transaction: (work) =>
        store.transaction((transaction) =>
          work({
            ...transaction,
            record: (events) => {
              if (events.some(({ name }) => name === 'action.landed')) throw new Error('simulated crash')
              transaction.record(events)
            },
          }),
        ),
    }
    const closing = closePositions({ ...golem.parts, store: crashing }, permission, ['vault-USDC'])
    await expect(closing).rejects.toThrow('simulated crash')
    expect(await shares(golem.account)).toBe(own)
    expect(await leftPositions(golem.parts, permission)).toEqual([])
  })

  it('is refused, with nothing sent, if the root does not allow it', async () => {
    const { parts, account } = await summonAdjusted()
    const held = await shares(account)
    const { permission } = await (await createGolem(parts)).status()
    await expect(closePositions(parts, permission, ['vault-USDC'])).rejects.toThrow(/vault-USDC/)
    expect(await shares(account)).toBe(held)
  })
})

describe('a position of a Golem in its signed minimum interval', () => {
  const day = 86_400
  const pause = /until \d{4}-\d\d-\d\dT[\d:]+Z/

  it('is not closed by the Golem before the interval is over, and the error says when it is', async () => {
    const { parts, account } = await summonInvested(day)
    const held = await shares(account)
    const { permission } = await (await createGolem(parts)).status()
    await expect(closePositions(parts, permission, ['vault-USDC'])).rejects.toMatchObject({
      code: 'TOO_SOON',
      retryAfter: expect.stringMatching(/Z$/),
      details: expect.arrayContaining([expect.stringMatching(pause)]),
    })
    expect(await shares(account)).toBe(held)
  })

  it('is closed by the owner’s key if it is available, limited to the Golem’s own deposit', async () => {
    const golem = await summonInvested(day)
    const { parts, account, signer, id } = golem
    const own = await deposit(golem, '100')
    const { permission } = await (await createGolem(parts)).status()
    const [closed] = await closePositions(parts, permission, ['vault-USDC'], signer)
    expect(closed?.recoveredCents).toBeGreaterThan(0n)
    expect(await shares(account)).toBe(own)
    expect(await leftPositions(parts, permission)).toEqual([])
    const events = await store.events.read({ after: 0, golem: id, limit: 500 })
    const landed = events.findLast(({ name }) => name === 'action.landed')
    expect(landed?.body).toMatchObject({ transaction: closed?.transaction })
  })

  it('is closed at death after a short interval', async () => {
    const { parts, account } = await summonInvested(600)
    const golem = await createGolem(parts)
    expect(await golem.kill()).toMatchObject({ type: 'dying', phase: 'settlement' })
    await world.warp(601)
    expect(await golem.tick()).toMatchObject({
      phase: 'over',
      death: { unwound: { settled: [{ id: 'vault-USDC' }], deferred: [] } },
    })
    expect(await shares(account)).toBe(0n)
  })

  it('is left to the owner at death if the interval is longer than the settlement may take', async () => {
    const { parts, account } = await summonInvested(day)
    const held = await shares(account)
    expect(await (await createGolem(parts)).kill()).toMatchObject({
      phase: 'over',
      death: {
        unwound: { settled: [], deferred: [{ id: 'vault-USDC', reason: expect.stringMatching(pause) }] },
      },
    })
    expect(await shares(account)).toBe(held)
  })
})
