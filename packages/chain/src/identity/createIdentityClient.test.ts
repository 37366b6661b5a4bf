import { hybridAccount, signersOf } from '@bardo/core'
import type { Hash } from 'viem'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { sessionKeySigner } from '../accounts/sessionKeySigner.ts'
import { deployAccount } from '../ownerActions/deployAccount.ts'
import type { Submitter } from '../submission/createSubmitter.ts'
import { openRedemptionWorld, type RedemptionWorld } from '../testing/redemptionWorld.ts'
import { longestConsentSeconds } from './agentWalletConsent.ts'
import { createIdentityClient, type IdentityClient } from './createIdentityClient.ts'

describe('an agent identity', () => {
  let world: RedemptionWorld
  let identity: IdentityClient
  beforeAll(async () => {
    world = await openRedemptionWorld()
    identity = createIdentityClient(world)
  })
  afterAll(() => world?.stop())

  const deadline = async () => (await world.client.getBlock()).timestamp + longestConsentSeconds

  const golem: Hash = `0x${'ab'.repeat(32)}`
  const submit = async (owner: Awaited<ReturnType<RedemptionWorld['fundedOwner']>>, id: string) => {
    const submitter = world.submitterOf(owner)
    const landed = await submitter.submit({ id, ...identity.registerCall({ uri: `agent:${id}`, golem }) })
    return { submitter, landed, agentId: await identity.registeredIn(landed, owner.address) }
  }
  const setWallet = async (
    submitter: Submitter,
    { id, ...request }: Parameters<IdentityClient['walletCall']>[0] & { readonly id: string },
  ) => submitter.submit({ id, ...(await identity.walletCall(request)) })

  it('is registered by a key, and takes a session account as its wallet with its consent', async () => {
    const owner = await world.fundedOwner()
    const { submitter, landed, agentId } = await submit(owner, 'one')
    expect(await identity.read(agentId)).toEqual({
      agentId,
      owner: owner.address,
      wallet: owner.address,
      uri: 'agent:one',
      golem,
      guarded: undefined,
    })
    // The same id returns the same registration, and it is not another owner's.
    expect((await submit(owner, 'one')).agentId).toBe(agentId)
    await expect(identity.registeredIn(landed, world.accounts.stranger)).rejects.toMatchObject({
      code: 'TRANSACTION_REVERTED',
      outcome: 'landed',
    })
    for (const curve of ['secp256k1', 'p256'] as const) {
      const key = await world.sessionKey(curve)
      const signer = sessionKeySigner(key)
      const session = hybridAccount(world.deployment, { began: signersOf(key), signer })
      await deployAccount({ client: world.client, submitter }, session)
      const wallet = { address: session.address, ...signer }
      await setWallet(submitter, {
        id: `wallet-${curve}`,
        agentId,
        wallet,
        deadline: await deadline(),
      })
      expect(await identity.isWalletOf(session.address, agentId)).toBe(true)
      expect(await identity.isWalletOf(owner.address, agentId)).toBe(false)
    }
    const plain = await world.fundedOwner()
    await setWallet(submitter, {
      id: 'wallet-plain',
      agentId,
      wallet: plain,
      deadline: await deadline(),
    })
    expect(await identity.isWalletOf(plain.address, agentId)).toBe(true)
    const forged = { address: world.accounts.stranger, signTypedData: plain.signTypedData }
    await expect(
      setWallet(submitter, {
        id: 'wallet-forged',
        agentId,
        wallet: forged,
        deadline: await deadline(),
      }),
    ).rejects.toMatchObject({ code: 'TRANSACTION_REVERTED', outcome: 'not-sent' })
  })

  it('is registered by an account’s operation', async () => {
    const { account } = await world.hybridOwner()
    await world.fund(account.address, { ETH: 10n ** 18n })
    const { submitter } = world.operationRedeemer(account)
    const call = identity.registerCall({ uri: 'agent:op', golem })
    const agentId = await identity.registeredIn(
      await submitter.submit({ id: 'by-op', ...call }),
      account.address,
    )
    expect(await identity.read(agentId)).toMatchObject({ owner: account.address, uri: 'agent:op' })
  })

  it('is a sibling of another with the same owner, also while the guardian holds it', async () => {
    const owner = await world.fundedOwner()
    const [one, two] = [await submit(owner, 's1'), await submit(owner, 's2')]
    const other = await submit(await world.fundedOwner(), 's3')
    expect(await identity.areSiblings(one.agentId, two.agentId)).toBe(true)
    expect(await identity.areSiblings(one.agentId, other.agentId)).toBe(false)
    await expect(identity.areSiblings(one.agentId, 999n)).rejects.toMatchObject({ code: 'INVALID_INPUT' })

    const guardian = world.accounts.secondOwner
    await one.submitter.submit({
      id: 'deposit',
      ...identity.depositCall(one.agentId, owner.address, guardian),
    })
    expect(await identity.read(one.agentId)).toMatchObject({
      owner: owner.address,
      wallet: undefined,
      guarded: { guardian, pending: undefined },
    })
    expect(await identity.areSiblings(one.agentId, two.agentId)).toBe(true)
    const plain = await world.fundedOwner()
    await setWallet(one.submitter, {
      id: 'guarded',
      agentId: one.agentId,
      wallet: plain,
      deadline: await deadline(),
    })
    expect(await identity.isWalletOf(plain.address, one.agentId)).toBe(true)

    const announce = identity.announceCall(one.agentId, world.accounts.stranger)
    await one.submitter.submit({ id: 'announce', ...announce })
    const { timestamp } = await world.client.getBlock()
    const { guarded } = await identity.read(one.agentId)
    expect(guarded?.pending).toEqual({ to: world.accounts.stranger, readyAt: timestamp + 2n * 86_400n })
    expect(await identity.transferDelay()).toBe(2 * 86_400)
    // A token that is sent to another contract, or to none, would be lost.
    const { client, deployment } = world
    const { stranger } = world.accounts
    for (const wrong of [{ identityGuardian: stranger }, { identityRegistry: stranger }]) {
      const contracts = { ...deployment.contracts, ...wrong }
      const elsewhere = createIdentityClient({ client, deployment: { ...deployment, contracts } })
      await expect(elsewhere.transferDelay()).rejects.toMatchObject({ code: 'CODE_MISMATCH' })
    }
  })
})
