import {
  type CustodyEvent,
  cadence,
  type Delegation,
  hashDelegation,
  rootAuthority,
  type SessionKeyEvent,
  stockKinds,
} from '@bardo/core'
import { encodeFunctionData, type Hex, keccak256, parseUnits, zeroHash } from 'viem'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { managerAbi } from '../accounts/abi.ts'
import { walletSigner } from '../accounts/accountSigner.ts'
import { signDelegation } from '../accounts/smartAccount.ts'
import { signUpgrade, upgradedAccount } from '../accounts/upgradedAccount.ts'
import { type Redeemer, redeem } from '../redemption/redeem.ts'
import { sessionKeyAccount } from '../session/sessionKeyAccount.ts'
import { openRedemptionWorld, type RedemptionWorld } from '../testing/redemptionWorld.ts'
import { replacementOrder } from './replacementOrder.ts'
import { replaceRoot } from './replaceRoot.ts'
import { isDisabled, type OwnerDesk, revocationCall, revoke } from './revoke.ts'
import { signVeto } from './signVeto.ts'
import { stockCaveat } from './stockCaveat.ts'

const hundred = parseUnits('100', 6)

describe('an owner', () => {
  let world: RedemptionWorld
  beforeAll(async () => {
    world = await openRedemptionWorld()
  })
  afterAll(() => world?.stop())

  /** An owner with a caged Golem that has traded once. */
  async function ownerWithGolem() {
    const { owner, account } = await world.hybridOwner()
    const golem = await world.registerGolem(owner.address)
    const key = await world.sessionKey()
    const redeemer = world.directRedeemer(key)
    const root = await world.signRoot(account, redeemer.address, [
      await world.cageCaveat(account.address, golem),
    ])
    const events: (CustodyEvent | SessionKeyEvent)[] = []
    const desk: OwnerDesk = {
      client: world.client,
      deployment: world.deployment,
      account,
      key: owner.address,
      submitter: world.submitterOf(owner),
      onEvent: (event) => events.push(event),
    }
    return { owner, account, golem, key, redeemer, root, desk, events }
  }

  let tick = 0
  const trade = (redeemer: Redeemer, links: readonly Delegation[], amount = hundred) => {
    const account = links.at(-1)?.delegator ?? '0x'
    const id = `trade-${++tick}`
    return redeem(redeemer, { id, steps: [{ links, calls: world.swapCalls(account, amount) }] })
  }
  const disabled = { code: 'DELEGATION_DISABLED', outcome: 'not-sent' }

  it('revokes in one plain transaction, for everything below too, and nobody undoes it', async () => {
    const { account, redeemer, root, desk, events, key } = await ownerWithGolem()
    const heir = await world.sessionKey()
    const unsigned = {
      delegate: sessionKeyAccount(heir).address,
      delegator: redeemer.address,
      authority: hashDelegation(root),
      caveats: [],
      salt: 0n,
    }
    const child = await signDelegation(
      upgradedAccount(world.deployment, {
        address: redeemer.address,
        signer: walletSigner(sessionKeyAccount(key)),
      }),
      unsigned,
    )
    await trade(redeemer, [root])
    await trade(world.directRedeemer(heir), [child, root])

    const done = await revoke(desk, { delegation: root, cause: 'owner' })
    if (done.is !== 'revoked') throw done
    expect(await world.gasOf(done.landed.hash)).toBeLessThan(185_000n)
    expect(events.map(({ name }) => name)).toEqual(['custody.delegationRevoked', 'sessionKey.revoked'])
    expect(await revoke(desk, { delegation: root, cause: 'owner' })).toEqual({ is: 'already' })
    await expect(trade(redeemer, [root])).rejects.toMatchObject(disabled)
    await expect(trade(world.directRedeemer(heir), [child, root])).rejects.toMatchObject(disabled)

    // The thief has the session key, the veto as it was on the chain, and another root that still works.
    const manager = world.framework.DelegationManager
    const enable = encodeFunctionData({ abi: managerAbi, functionName: 'enableDelegation', args: [root] })
    await expect(redeemer.submitter.submit({ id: 'undo', to: manager, data: enable })).rejects.toThrow()
    const other = await world.signRoot(account, redeemer.address, [
      await world.cageCaveat(account.address, await world.registerGolem(desk.key)),
    ])
    await expect(
      redeem(redeemer, { id: 'undo-2', steps: [{ links: [other], calls: [{ to: manager, data: enable }] }] }),
    ).rejects.toThrow('TargetNotAllowed')
    const veto = await signVeto(account, { key: desk.key, revoking: root })
    const owner = { ...redeemer, address: desk.key, submitter: desk.submitter }
    await expect(
      redeem(redeemer, { id: 'undo-3', steps: [{ links: [veto], calls: [{ to: manager, data: enable }] }] }),
    ).rejects.toThrow('The leaf is for somebody else')
    // Not even the owner's key, by the veto: it takes back and never gives.
    await expect(
      redeem(owner, { id: 'undo-4', steps: [{ links: [veto], calls: [{ to: manager, data: enable }] }] }),
    ).rejects.toThrow('ExactExecutionEnforcer:invalid-execution')
    expect(await isDisabled(desk, root)).toBe(true)
  })

  it('revokes by a veto signed long ago, without the account’s signature now', async () => {
    const { owner, account, root, desk, redeemer } = await ownerWithGolem()
    const veto = await signVeto(account, { key: owner.address })
    const mute = {
      ...account,
      signer: { ...account.signer, signTypedData: () => Promise.reject(new Error()) },
    }
    await revoke({ ...desk, account: mute }, { delegation: root, cause: 'owner', veto })
    await expect(trade(redeemer, [root])).rejects.toMatchObject(disabled)
    // It revokes and does nothing else, also in the owner's own hands.
    const steal = [world.transferCall(world.addresses.usdc, owner.address, 1n)]
    await expect(
      redeem(
        { ...redeemer, address: owner.address, submitter: desk.submitter },
        { id: 'abuse', steps: [{ links: [veto], calls: steal }] },
      ),
    ).rejects.toMatchObject({
      code: 'REDEMPTION_REFUSED',
      shortMessage: expect.stringContaining('AllowedTargetsEnforcer:target-address-not-allowed'),
      details: [expect.stringContaining('caveat 0: AllowedTargets')],
    })
  })

  it('revokes again where the last time came to nothing, or was undone by the owner', async () => {
    const { root, desk, account, owner } = await ownerWithGolem()
    // Their wallet used the nonce for something else, or the intent was called off.
    const call = await revocationCall(desk, root)
    const id = `revoke-${world.chainId}-${hashDelegation(root)}-${keccak256(call.data)}-1`
    const intent = { chainId: world.chainId, from: owner.address, value: 0n, gas: 1n }
    await world.journal.addIntent({ ...intent, ...call, id }, 0)
    await world.journal.settle(id, { kind: 'dropped' })
    expect((await revoke(desk, { delegation: root, cause: 'owner' })).is).toBe('revoked')
    expect(await isDisabled(desk, root)).toBe(true)

    // Only the account itself can enable it again; what is in the journal says nothing about now.
    const to = world.framework.DelegationManager
    const data = encodeFunctionData({ abi: managerAbi, functionName: 'enableDelegation', args: [root] })
    await world.fund(account.address, { ETH: parseUnits('1', 18) })
    await world.operationRedeemer(account).submitter.submit({ id: `enable-${root.delegator}`, to, data })
    expect(await isDisabled(desk, root)).toBe(false)
    expect((await revoke(desk, { delegation: root, cause: 'owner' })).is).toBe('revoked')
    expect(await isDisabled(desk, root)).toBe(true)
  })

  it('does not replace a root by itself, or by one that is off', async () => {
    const { root, desk, account, redeemer, golem } = await ownerWithGolem()
    const caveat = await world.cageCaveat(account.address, golem, { dayCents: 200_00n })
    const dead = await world.signRoot(account, redeemer.address, [caveat])
    await revoke(desk, { delegation: dead, cause: 'owner' })
    for (const next of [root, dead]) {
      const replaced = replaceRoot(desk, { old: root, next, hand: async () => {}, expiresAt: 1n })
      await expect(replaced).rejects.toMatchObject({ code: 'INVALID_INPUT', outcome: 'not-sent' })
    }
    await trade(redeemer, [root])
  })

  it('of an upgraded EOA revokes directly', async () => {
    const { desk, redeemer, golem, owner } = await ownerWithGolem()
    const authorization = await signUpgrade(
      owner,
      world.deployment,
      await world.client.getTransactionCount({ address: owner.address }),
    )
    const { operator } = world.accounts
    const upgrade = { account: operator, to: owner.address, authorizationList: [authorization] }
    await world.client.waitForTransactionReceipt({ hash: await world.god.sendTransaction(upgrade) })
    await world.fund(owner.address, { USDC: 10n * hundred })
    const account = upgradedAccount(world.deployment, {
      address: owner.address,
      signer: walletSigner(owner),
    })
    const root = await world.signRoot(account, redeemer.address, [
      await world.cageCaveat(account.address, golem),
    ])
    await trade(redeemer, [root])
    await revoke({ ...desk, account }, { delegation: root, cause: 'owner' })
    await expect(trade(redeemer, [root])).rejects.toMatchObject(disabled)
  })

  it('cannot revoke what is not theirs', async () => {
    const [one, two] = [await ownerWithGolem(), await ownerWithGolem()]
    await expect(revocationCall(one.desk, two.root)).rejects.toMatchObject({ code: 'INVALID_INPUT' })
  })

  it('feeds with one budget, whichever root is used', async () => {
    const { account, golem, redeemer, root, desk, events } = await ownerWithGolem()
    const more = await world.cageCaveat(account.address, golem, { dayCents: 1_200_00n })
    const next = await world.signRoot(account, redeemer.address, [more])
    await trade(redeemer, [root], 5n * hundred)
    const handed: Delegation[] = []
    const hand = async (given: Delegation) => {
      // The old one still works while the new one is handed out: it allows nothing that the new one would not.
      expect(await isDisabled(desk, root)).toBe(false)
      handed.push(given)
    }
    expect(await replaceRoot(desk, { old: root, next, hand, expiresAt: 1n })).toEqual({ is: 'disable-after' })
    expect(handed).toEqual([next])
    expect(events.map(({ name }) => name)).toEqual([
      'custody.delegationGranted',
      'sessionKey.delegationGranted',
      'custody.delegationRevoked',
      'sessionKey.revoked',
    ])
    await expect(trade(redeemer, [root])).rejects.toMatchObject(disabled)
    // $500 of $1,200 are gone, though another root spent them.
    await trade(redeemer, [next], 5n * hundred)
    await expect(trade(redeemer, [next], 3n * hundred)).rejects.toMatchObject({
      code: 'SPEND_LIMIT_EXCEEDED',
      shortMessage: expect.stringContaining('SpendLimitExceeded(100000, 30000, 120000)'),
    })
    await trade(redeemer, [next], 2n * hundred)
  })

  it('adjusts downwards by ending the old root first', async () => {
    const { account, golem, redeemer, root, desk } = await ownerWithGolem()
    const less = await world.cageCaveat(account.address, golem, { dayCents: 200_00n })
    const next = await world.signRoot(account, redeemer.address, [less])
    const hand = async () => expect(await isDisabled(desk, root)).toBe(true)
    const order = await replaceRoot(desk, {
      old: root,
      next,
      hand: async () => void (await hand()),
      expiresAt: 1n,
    })
    expect(order).toMatchObject({
      is: 'disable-first',
      because: ['most in any 24 hours: $1,000 becomes $200, which is narrower'],
    })
    // Again, after a crash: nothing is left to do but to hand it out.
    await replaceRoot(desk, { old: root, next, hand: async () => void (await hand()), expiresAt: 1n })
    await expect(trade(redeemer, [next], 3n * hundred)).rejects.toThrow('SpendLimitExceeded')
  })

  it('ends the old root first where a caveat counts by its own hash, or is new or unknown', async () => {
    const { account, golem, redeemer, root } = await ownerWithGolem()
    const caveat = await world.cageCaveat(account.address, golem)
    const limited = stockCaveat(world.framework, stockKinds.LimitedCalls, { limit: 3 })
    const sign = (caveats: Delegation['caveats']) => world.signRoot(account, redeemer.address, caveats)
    const [plain, counted] = [await sign([caveat]), await sign([caveat, limited])]
    const order = (old: Delegation, next: Delegation) => replacementOrder(old, next, world.deployment)
    expect(order(root, plain).is).toBe('disable-after')
    expect(order(plain, plain).is).toBe('disable-after')
    expect(order(counted, plain)).toEqual({
      is: 'disable-first',
      because: ['LimitedCalls counts for each delegation alone'],
    })
    expect(order(plain, counted).is).toBe('disable-first')
    const odd = await sign([caveat, { enforcer: world.accounts.stranger, terms: '0x', args: '0x' }])
    expect(order(odd, plain).is).toBe('disable-first')
    expect(order(plain, odd).is).toBe('disable-first')
    const foreign = await sign([
      await world.cageCaveat(account.address, await world.registerGolem(account.address)),
    ])
    expect(() => order(root, foreign)).toThrow(expect.objectContaining({ code: 'DELEGATION_WIDER' }))
    expect(() => order(root, { ...plain, caveats: [], authority: rootAuthority })).toThrow()
    // Whatever else counts by lineage would start from nothing too.
    const paced = (lineage: Hex) =>
      sign([
        caveat,
        {
          enforcer: world.deployment.contracts.cadenceEnforcer,
          terms: cadence.encode({ lineage, intervalSeconds: 60 }),
          args: '0x',
        },
      ])
    const [mine, others] = [await paced(golem), await paced(zeroHash.replace('0x0', '0x1') as Hex)]
    expect(() => order(mine, others)).toThrow(expect.objectContaining({ code: 'DELEGATION_WIDER' }))
    expect(order(mine, await paced(golem)).is).toBe('disable-after')
    expect(order(mine, plain).is).toBe('disable-after')
  })
})
