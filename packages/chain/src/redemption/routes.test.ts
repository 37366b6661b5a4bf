import {
  type CustodyEvent,
  deploymentOn,
  hybridAccount,
  openBudget,
  reserve,
  type SessionKeyEvent,
  signersOf,
  upgradedAccount,
  walletSigner,
} from '@bardo/core'
import { parseAbi, parseUnits, zeroHash } from 'viem'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { sessionKeySigner } from '../accounts/sessionKeySigner.ts'
import { isUpgraded, signUpgrade } from '../accounts/upgrade.ts'
import { deployAccount } from '../ownerActions/deployAccount.ts'
import { openRedemptionWorld, type RedemptionWorld } from '../testing/redemptionWorld.ts'
import { explainLanded, redeem } from './redeem.ts'

const hundred = parseUnits('100', 6)

describe('a caged swap', () => {
  let world: RedemptionWorld
  beforeAll(async () => {
    world = await openRedemptionWorld()
  })
  afterAll(() => world?.stop())

  /** Swaps 100 USDC and checks the balances. */
  async function swapOnce(
    redeemer: Parameters<typeof redeem>[0],
    root: Awaited<ReturnType<RedemptionWorld['signRoot']>>,
    id: string,
  ) {
    const { usdc, weth } = world.addresses
    const before = await world.balanceOf(usdc, root.delegator)
    const landed = await redeem(redeemer, {
      id,
      steps: [{ links: [root], calls: world.swapCalls(root.delegator, hundred) }],
    })
    expect(await world.balanceOf(usdc, root.delegator)).toBe(before - hundred)
    expect(await world.balanceOf(weth, root.delegator)).toBeGreaterThan(0n)
    return landed
  }

  it('works from a Hybrid owner’s account, sent by the session key', async () => {
    const { owner, account } = await world.hybridOwner()
    const golem = await world.registerGolem(owner.address)
    const key = await world.sessionKey()
    const redeemer = world.directRedeemer(key)
    const root = await world.signRoot(account, redeemer.address, [
      await world.cageCaveat(account.address, golem),
    ])
    const first = await swapOnce(redeemer, root, 'direct')
    expect(first.status).toBe('success')
    // The same id returns the first result, although the limit would refuse a second swap.
    const again = await redeem(redeemer, {
      id: 'direct',
      steps: [{ links: [root], calls: world.swapCalls(account.address, hundred) }],
    })
    expect(again).toEqual(first)
    await expect(
      redeem(redeemer, {
        id: 'too-much',
        steps: [{ links: [root], calls: world.swapCalls(account.address, 6n * hundred) }],
      }),
    ).rejects.toMatchObject({
      code: 'SPEND_LIMIT_EXCEEDED',
      outcome: 'not-sent',
      shortMessage: expect.stringContaining('SizeExceeded(60000, 50000, 0)'),
      details: [expect.stringMatching(/^step 0, link 0 \(0x.{64}\), caveat 0: Cage$/)],
      remedy: expect.stringContaining('$500'),
    })
    await expect(
      redeem(redeemer, {
        id: 'to-a-stranger',
        steps: [{ links: [root], calls: world.swapCalls(account.address, hundred, world.accounts.stranger) }],
      }),
    ).rejects.toThrow('RecipientNotAccount')
  })

  it.each(['secp256k1', 'p256'] as const)(
    'works from a Hybrid owner’s account, by a session account’s operation (%s)',
    async (curve) => {
      const { owner, account } = await world.hybridOwner()
      const golem = await world.registerGolem(owner.address)
      const key = await world.sessionKey(curve)
      const session = hybridAccount(world.deployment, {
        began: signersOf(key),
        signer: sessionKeySigner(key),
        salt: world.salt(),
      })
      await world.fund(session.address, { ETH: 10n ** 18n })
      const redeemer = world.operationRedeemer(session)
      const root = await world.signRoot(account, session.address, [
        await world.cageCaveat(account.address, golem),
      ])
      // The first operation deploys the session account; the second uses it.
      expect((await swapOnce(redeemer, root, `op-1-${curve}`)).nonce).toBe(0)
      expect((await swapOnce(redeemer, root, `op-2-${curve}`)).nonce).toBe(1)
    },
  )

  it('works from an upgraded EOA, sent by the session key', async () => {
    const owner = await world.fundedOwner()
    const authorization = await signUpgrade(owner, world.deployment, 0)
    const hash = await world.god.sendTransaction({
      account: world.accounts.operator,
      to: owner.address,
      authorizationList: [authorization],
    })
    await world.client.waitForTransactionReceipt({ hash })
    expect(await isUpgraded(world.client, world.deployment, owner.address)).toBe(true)
    await world.fund(owner.address, { USDC: 10n * hundred })
    const account = upgradedAccount(world.deployment, {
      address: owner.address,
      signer: walletSigner(owner),
    })
    const golem = await world.registerGolem(owner.address)
    const redeemer = world.directRedeemer(await world.sessionKey())
    const root = await world.signRoot(account, redeemer.address, [
      await world.cageCaveat(account.address, golem),
    ])
    await swapOnce(redeemer, root, 'upgraded')
  })

  it('emits events for the signature and a low budget, and refuses after the end', async () => {
    const { owner, account } = await world.hybridOwner()
    const golem = await world.registerGolem(owner.address)
    const events: (SessionKeyEvent | CustodyEvent)[] = []
    const onEvent = (event: SessionKeyEvent | CustodyEvent) => void events.push(event)
    const redeemer = { ...world.directRedeemer(await world.sessionKey()), onEvent }
    const { timestamp: now } = await world.client.getBlock()
    const end = Number(now) + 3_600
    const cage = await world.cageCaveat(account.address, golem, { end })
    const root = await world.signRoot(account, redeemer.address, [cage])
    const steps = [{ links: [root], calls: world.swapCalls(account.address, hundred) }]
    const opened = openBudget(1_000_00n, { left: 250_00n, block: 0n })
    const after = reserve(opened, 'signed', 100_00n)
    const { hash } = await redeem(redeemer, { id: 'signed', steps, budget: { after, valueCents: 100_00n } })
    expect(events).toEqual([
      {
        name: 'sessionKey.operationSigned',
        operationHash: hash,
        valueCents: 100_00n,
        remainingCents: 150_00n,
      },
      { name: 'sessionKey.budgetWarning', remainingBps: 1_500, estimatedOperationsLeft: 1n },
    ])
    await world.warp(3_601)
    await expect(redeem(redeemer, { id: 'late', steps })).rejects.toMatchObject({
      code: 'DELEGATION_EXPIRED',
      outcome: 'not-sent',
    })
    // The result of the redemption that landed in time is still available.
    expect((await redeem(redeemer, { id: 'signed', steps })).hash).toBe(hash)
  })

  it('reports an unknown outcome after a reorganisation removed the redemption', async () => {
    await expect(explainLanded(world, { hash: zeroHash })).rejects.toMatchObject({
      code: 'OUTCOME_UNKNOWN',
      outcome: 'unknown',
    })
  })

  it('sends nothing to another chain or to a missing DelegationManager', async () => {
    const { owner, account } = await world.hybridOwner()
    const golem = await world.registerGolem(owner.address)
    const redeemer = world.directRedeemer(await world.sessionKey())
    const root = await world.signRoot(account, redeemer.address, [
      await world.cageCaveat(account.address, golem),
    ])
    const steps = [{ links: [root], calls: world.swapCalls(account.address, hundred) }]
    const elsewhere = { ...redeemer, deployment: deploymentOn(8453) }
    await expect(redeem(elsewhere, { id: 'elsewhere', steps })).rejects.toMatchObject({
      code: 'CHAIN_MISMATCH',
      outcome: 'not-sent',
    })
    const framework = { ...world.deployment.framework, DelegationManager: world.accounts.stranger }
    const astray = { ...redeemer, deployment: { ...world.deployment, framework } }
    await expect(redeem(astray, { id: 'astray', steps })).rejects.toMatchObject({
      code: 'CODE_MISMATCH',
      outcome: 'not-sent',
    })
    expect(await world.client.getTransactionCount({ address: redeemer.address })).toBe(0)
  })

  it('names the remedy when the root’s account is not deployed or the manager is paused', async () => {
    const owner = await world.fundedOwner()
    const account = hybridAccount(world.deployment, {
      began: { owner: owner.address },
      signer: walletSigner(owner),
    })
    await world.fund(account.address, { USDC: hundred })
    const golem = await world.registerGolem(owner.address)
    const redeemer = world.directRedeemer(await world.sessionKey())
    const root = await world.signRoot(account, redeemer.address, [
      await world.cageCaveat(account.address, golem),
    ])
    const steps = [{ links: [root], calls: world.swapCalls(account.address, hundred) }]
    await expect(redeem(redeemer, { id: 'not-deployed', steps })).rejects.toMatchObject({
      code: 'REDEMPTION_REFUSED',
      remedy: expect.stringContaining('must be deployed'),
    })
    await deployAccount({ client: world.client, submitter: world.submitterOf(owner) }, account)
    const abi = parseAbi([
      'function owner() view returns (address)',
      'function pause()',
      'function unpause()',
    ])
    const manager = { address: world.framework.DelegationManager, abi } as const
    const metaMask = await world.client.readContract({ ...manager, functionName: 'owner' })
    await world.god.impersonateAccount({ address: metaMask })
    await world.god.setBalance({ address: metaMask, value: 10n ** 18n })
    const toggle = async (functionName: 'pause' | 'unpause') => {
      const hash = await world.god.writeContract({ ...manager, account: metaMask, functionName })
      await world.client.waitForTransactionReceipt({ hash })
    }
    await toggle('pause')
    await expect(redeem(redeemer, { id: 'paused', steps })).rejects.toMatchObject({
      code: 'MANAGER_PAUSED',
      outcome: 'not-sent',
      retryable: true,
    })
    await toggle('unpause')
    expect((await redeem(redeemer, { id: 'paused', steps })).status).toBe('success')
  })
})
