import { identityGuardian, identityRegistry } from '@bardo/contracts'
import { hybridAccount, signersOf } from '@bardo/core'
import { type Address, encodeAbiParameters, encodeFunctionData } from 'viem'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { sessionKeySigner } from '../accounts/sessionKeySigner.ts'
import { deployAccount } from '../ownerActions/deployAccount.ts'
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

  const submit = async (owner: Awaited<ReturnType<RedemptionWorld['fundedOwner']>>, id: string) => {
    const submitter = world.submitterOf(owner)
    return { submitter, agentId: await identity.register(submitter, { id, uri: `agent:${id}` }) }
  }

  it('is registered by a key, and takes a session account as its wallet with its consent', async () => {
    const owner = await world.fundedOwner()
    const { submitter, agentId } = await submit(owner, 'one')
    expect(await identity.read(agentId)).toEqual({
      agentId,
      owner: owner.address,
      wallet: owner.address,
      uri: 'agent:one',
      guarded: undefined,
    })
    // The same id returns the same registration.
    expect(await identity.register(submitter, { id: 'one', uri: 'agent:one' })).toBe(agentId)
    for (const curve of ['secp256k1', 'p256'] as const) {
      const key = await world.sessionKey(curve)
      const signer = sessionKeySigner(key)
      const session = hybridAccount(world.deployment, { began: signersOf(key), signer })
      await deployAccount({ client: world.client, submitter }, session)
      const wallet = { address: session.address, ...signer }
      await identity.setWallet(submitter, {
        id: `wallet-${curve}`,
        agentId,
        wallet,
        deadline: await deadline(),
      })
      expect(await identity.isWalletOf(session.address, agentId)).toBe(true)
      expect(await identity.isWalletOf(owner.address, agentId)).toBe(false)
    }
    const plain = await world.fundedOwner()
    await identity.setWallet(submitter, {
      id: 'wallet-plain',
      agentId,
      wallet: plain,
      deadline: await deadline(),
    })
    expect(await identity.isWalletOf(plain.address, agentId)).toBe(true)
    const forged = { address: world.accounts.stranger, signTypedData: plain.signTypedData }
    await expect(
      identity.setWallet(submitter, {
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
    const agentId = await identity.register(submitter, { id: 'by-op', uri: 'agent:op' })
    expect(await identity.read(agentId)).toMatchObject({ owner: account.address, uri: 'agent:op' })
  })

  it('is a sibling of another with the same owner, also while the guardian holds it', async () => {
    const owner = await world.fundedOwner()
    const [one, two] = [await submit(owner, 's1'), await submit(owner, 's2')]
    const other = await submit(await world.fundedOwner(), 's3')
    expect(await identity.areSiblings(one.agentId, two.agentId)).toBe(true)
    expect(await identity.areSiblings(one.agentId, other.agentId)).toBe(false)
    await expect(identity.areSiblings(one.agentId, 999n)).rejects.toMatchObject({ code: 'INVALID_INPUT' })

    const { identityRegistry: registry, identityGuardian: keeper } = world.deployment.contracts
    const guardian = world.accounts.secondOwner
    const data = encodeAbiParameters([{ type: 'address' }], [guardian])
    const args = [owner.address, keeper, one.agentId, data] as const
    const deposit = encodeFunctionData({
      abi: identityRegistry.abi,
      functionName: 'safeTransferFrom',
      args: args as readonly [Address, Address, bigint, `0x${string}`],
    })
    await world.sendAs(owner, registry, deposit)
    expect(await identity.read(one.agentId)).toMatchObject({
      owner: owner.address,
      wallet: undefined,
      guarded: { guardian, pending: undefined },
    })
    expect(await identity.areSiblings(one.agentId, two.agentId)).toBe(true)
    const plain = await world.fundedOwner()
    await identity.setWallet(one.submitter, {
      id: 'guarded',
      agentId: one.agentId,
      wallet: plain,
      deadline: await deadline(),
    })
    expect(await identity.isWalletOf(plain.address, one.agentId)).toBe(true)

    const announce = encodeFunctionData({
      abi: identityGuardian.abi,
      functionName: 'transferWithDelay',
      args: [one.agentId, world.accounts.stranger],
    })
    await world.sendAs(owner, keeper, announce)
    const { timestamp } = await world.client.getBlock()
    const { guarded } = await identity.read(one.agentId)
    expect(guarded?.pending).toEqual({ to: world.accounts.stranger, readyAt: timestamp + 2n * 86_400n })
  })
})
