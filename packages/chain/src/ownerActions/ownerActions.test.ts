import {
  type CustodyEvent,
  cadence,
  type Delegation,
  encodeEnable,
  hashDelegation,
  metamaskCaveat,
  metamaskKinds,
  replacementOrder,
  revocationCall,
  rootAuthority,
  type SessionKeyEvent,
  signDelegation,
  signVeto,
  upgradedAccount,
  walletSigner,
} from '@bardo/core'
import { type Hex, keccak256, parseUnits, zeroHash } from 'viem'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { sessionKeyAccount } from '../accounts/sessionKeyAccount.ts'
import { signUpgrade } from '../accounts/upgrade.ts'
import { type Redeemer, redeem } from '../redemption/redeem.ts'
import { openRedemptionWorld, type RedemptionWorld } from '../testing/redemptionWorld.ts'
import { replaceRoot } from './replaceRoot.ts'
import { isDisabled, type OwnerSigner, revoke } from './revoke.ts'

const hundred = parseUnits('100', 6)

describe('an owner', () => {
  let world: RedemptionWorld
  beforeAll(async () => {
    world = await openRedemptionWorld()
  })
  afterAll(() => world?.stop())

  /** An owner with a caged Golem. */
  async function ownerWithGolem() {
    const { owner, account } = await world.hybridOwner()
    const golem = await world.registerGolem(owner.address)
    const key = await world.sessionKey()
    const redeemer = world.directRedeemer(key)
    const root = await world.signRoot(account, redeemer.address, [
      await world.cageCaveat(account.address, golem),
    ])
    const events: (CustodyEvent | SessionKeyEvent)[] = []
    const signer: OwnerSigner = {
      client: world.client,
      deployment: world.deployment,
      account,
      key: owner.address,
      submitter: world.submitterOf(owner),
      onEvent: (event) => events.push(event),
    }
    return { owner, account, golem, key, redeemer, root, signer, events }
  }

  let tick = 0
  const trade = (redeemer: Redeemer, links: readonly Delegation[], amount = hundred) => {
    const account = links.at(-1)?.delegator ?? '0x'
    const id = `trade-${++tick}`
    return redeem(redeemer, { id, steps: [{ links, calls: world.swapCalls(account, amount) }] })
  }
  const disabled = { code: 'DELEGATION_DISABLED', outcome: 'not-sent' }

  it('revokes a root and its redelegations in one transaction that no delegate can undo', async () => {
    const { account, redeemer, root, signer, events, key } = await ownerWithGolem()
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

    const done = await revoke(signer, { delegation: root, cause: 'owner' })
    if (done.type !== 'revoked') throw done
    expect(await world.gasOf(done.landed.hash)).toBeLessThan(185_000n)
    expect(events.map(({ name }) => name)).toEqual(['custody.delegationRevoked', 'sessionKey.revoked'])
    expect(await revoke(signer, { delegation: root, cause: 'owner' })).toEqual({ type: 'already' })
    await expect(trade(redeemer, [root])).rejects.toMatchObject(disabled)
    await expect(trade(world.directRedeemer(heir), [child, root])).rejects.toMatchObject(disabled)

    // The attacker has the session key, a copy of the veto from the chain, and another valid root.
    const manager = world.framework.DelegationManager
    const enable = encodeEnable(root)
    await expect(redeemer.submitter.submit({ id: 'undo', to: manager, data: enable })).rejects.toThrow()
    const other = await world.signRoot(account, redeemer.address, [
      await world.cageCaveat(account.address, await world.registerGolem(signer.key)),
    ])
    await expect(
      redeem(redeemer, { id: 'undo-2', steps: [{ links: [other], calls: [{ to: manager, data: enable }] }] }),
    ).rejects.toThrow('TargetNotAllowed')
    const veto = await signVeto(account, { key: signer.key, revoking: root })
    const owner = { ...redeemer, address: signer.key, submitter: signer.submitter }
    await expect(
      redeem(redeemer, { id: 'undo-3', steps: [{ links: [veto], calls: [{ to: manager, data: enable }] }] }),
    ).rejects.toThrow('The leaf delegation names another delegate')
    // Even the owner's key cannot enable it with the veto: the veto only revokes.
    await expect(
      redeem(owner, { id: 'undo-4', steps: [{ links: [veto], calls: [{ to: manager, data: enable }] }] }),
    ).rejects.toThrow('ExactExecutionEnforcer:invalid-execution')
    expect(await isDisabled(signer, root)).toBe(true)
  })

  it('revokes with a veto signed in advance, without a new signature of the account', async () => {
    const { owner, account, root, signer, redeemer } = await ownerWithGolem()
    const veto = await signVeto(account, { key: owner.address })
    const mute = {
      ...account,
      signer: { ...account.signer, signTypedData: () => Promise.reject(new Error()) },
    }
    await revoke({ ...signer, account: mute }, { delegation: root, cause: 'owner', veto })
    await expect(trade(redeemer, [root])).rejects.toMatchObject(disabled)
    // The veto only revokes, even for the owner.
    const steal = [world.transferCall(world.addresses.usdc, owner.address, 1n)]
    await expect(
      redeem(
        { ...redeemer, address: owner.address, submitter: signer.submitter },
        { id: 'abuse', steps: [{ links: [veto], calls: steal }] },
      ),
    ).rejects.toMatchObject({
      code: 'REDEMPTION_REFUSED',
      shortMessage: expect.stringContaining('AllowedTargetsEnforcer:target-address-not-allowed'),
      details: [expect.stringContaining('caveat 0: AllowedTargets')],
    })
  })

  it('revokes again after a dropped revocation, and after the owner enabled the delegation', async () => {
    const { root, signer, account, owner } = await ownerWithGolem()
    // The owner's wallet used the nonce for another transaction, or the intent was cancelled.
    const call = await revocationCall(signer, root)
    const id = `revoke-${world.chainId}-${hashDelegation(root)}-${keccak256(call.data)}-1`
    const intent = { chainId: world.chainId, from: owner.address, value: 0n, gas: 1n }
    await world.journal.addIntent({ ...intent, ...call, id }, 0)
    await world.journal.settle(id, { kind: 'dropped' })
    expect((await revoke(signer, { delegation: root, cause: 'owner' })).type).toBe('revoked')
    expect(await isDisabled(signer, root)).toBe(true)

    // Only the account itself can enable it again. A settled journal entry says nothing about the current
    // state.
    const to = world.framework.DelegationManager
    const data = encodeEnable(root)
    await world.fund(account.address, { ETH: parseUnits('1', 18) })
    await world.operationRedeemer(account).submitter.submit({ id: `enable-${root.delegator}`, to, data })
    expect(await isDisabled(signer, root)).toBe(false)
    expect((await revoke(signer, { delegation: root, cause: 'owner' })).type).toBe('revoked')
    expect(await isDisabled(signer, root)).toBe(true)
  })

  it('reports "already" when another process revokes between the check and the transaction', async () => {
    const { root, signer, events } = await ownerWithGolem()
    const other = async () =>
      signer.submitter.submit({ id: 'other-page', ...(await revocationCall(signer, root)) })
    const submitter: typeof signer.submitter = {
      ...signer.submitter,
      submit: async (request) => {
        await other()
        return signer.submitter.submit(request)
      },
    }
    const late = revoke({ ...signer, submitter }, { delegation: root, cause: 'owner' })
    expect(await late).toEqual({ type: 'already' })
    expect(events).toEqual([])
  })

  it('refuses to replace a root with itself or with a revoked one', async () => {
    const { root, signer, account, redeemer, golem } = await ownerWithGolem()
    const caveat = await world.cageCaveat(account.address, golem, { dayCents: 200_00n })
    const dead = await world.signRoot(account, redeemer.address, [caveat])
    await revoke(signer, { delegation: dead, cause: 'owner' })
    for (const next of [root, dead]) {
      const replaced = replaceRoot(signer, { old: root, next, hand: async () => {}, expiresAt: 1n })
      await expect(replaced).rejects.toMatchObject({ code: 'INVALID_INPUT', outcome: 'not-sent' })
    }
    await trade(redeemer, [root])
  })

  it('with an upgraded EOA revokes directly', async () => {
    const { signer, redeemer, golem, owner } = await ownerWithGolem()
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
    await revoke({ ...signer, account }, { delegation: root, cause: 'owner' })
    await expect(trade(redeemer, [root])).rejects.toMatchObject(disabled)
  })

  it('cannot revoke a delegation of another account', async () => {
    const [one, two] = [await ownerWithGolem(), await ownerWithGolem()]
    await expect(revocationCall(one.signer, two.root)).rejects.toMatchObject({ code: 'INVALID_INPUT' })
  })

  it('feeds a Golem without a second budget: both roots share one', async () => {
    const { account, golem, redeemer, root, signer, events } = await ownerWithGolem()
    const more = await world.cageCaveat(account.address, golem, { dayCents: 1_200_00n })
    const next = await world.signRoot(account, redeemer.address, [more])
    await trade(redeemer, [root], 5n * hundred)
    const handed: Delegation[] = []
    const hand = async (given: Delegation) => {
      // The old root still works while the new one is handed out: it allows nothing that the new one does
      // not.
      expect(await isDisabled(signer, root)).toBe(false)
      handed.push(given)
    }
    expect(await replaceRoot(signer, { old: root, next, hand, expiresAt: 1n })).toEqual({
      type: 'disable-after',
    })
    expect(handed).toEqual([next])
    expect(events.map(({ name }) => name)).toEqual([
      'custody.delegationGranted',
      'sessionKey.delegationGranted',
      'custody.delegationRevoked',
      'sessionKey.revoked',
    ])
    await expect(trade(redeemer, [root])).rejects.toMatchObject(disabled)
    // $500 of the $1,200 are spent, by the other root.
    await trade(redeemer, [next], 5n * hundred)
    await expect(trade(redeemer, [next], 3n * hundred)).rejects.toMatchObject({
      code: 'SPEND_LIMIT_EXCEEDED',
      shortMessage: expect.stringContaining('SpendLimitExceeded(100000, 30000, 120000)'),
    })
    await trade(redeemer, [next], 2n * hundred)
  })

  it('narrows the limits by revoking the old root first', async () => {
    const { account, golem, redeemer, root, signer } = await ownerWithGolem()
    const less = await world.cageCaveat(account.address, golem, { dayCents: 200_00n })
    const next = await world.signRoot(account, redeemer.address, [less])
    const hand = async () => expect(await isDisabled(signer, root)).toBe(true)
    const order = await replaceRoot(signer, {
      old: root,
      next,
      hand: async () => void (await hand()),
      expiresAt: 1n,
    })
    expect(order).toMatchObject({
      type: 'disable-first',
      because: ['max in any 24 hours: $1,000 becomes $200, which is narrower'],
    })
    // Again, after a crash: only the hand-out remains.
    await replaceRoot(signer, { old: root, next, hand: async () => void (await hand()), expiresAt: 1n })
    await expect(trade(redeemer, [next], 3n * hundred)).rejects.toThrow('SpendLimitExceeded')
  })

  it('revokes the old root first if a caveat counts by delegation hash, is new or is unknown', async () => {
    const { account, golem, redeemer, root } = await ownerWithGolem()
    const caveat = await world.cageCaveat(account.address, golem)
    const limited = metamaskCaveat(world.framework, metamaskKinds.LimitedCalls, { limit: 3 })
    const sign = (caveats: Delegation['caveats']) => world.signRoot(account, redeemer.address, caveats)
    const [plain, counted] = [await sign([caveat]), await sign([caveat, limited])]
    const order = (old: Delegation, next: Delegation) => replacementOrder(old, next, world.deployment)
    expect(order(root, plain).type).toBe('disable-after')
    expect(order(plain, plain).type).toBe('disable-after')
    expect(order(counted, plain)).toEqual({
      type: 'disable-first',
      because: ['LimitedCalls counts per delegation'],
    })
    expect(order(plain, counted).type).toBe('disable-first')
    const odd = await sign([caveat, { enforcer: world.accounts.stranger, terms: '0x', args: '0x' }])
    expect(order(odd, plain).type).toBe('disable-first')
    expect(order(plain, odd).type).toBe('disable-first')
    const foreign = await sign([
      await world.cageCaveat(account.address, await world.registerGolem(account.address)),
    ])
    expect(() => order(root, foreign)).toThrow(expect.objectContaining({ code: 'DELEGATION_WIDER' }))
    expect(() => order(root, { ...plain, caveats: [], authority: rootAuthority })).toThrow()
    // Every other caveat that counts by lineage would also start from zero.
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
    expect(order(mine, await paced(golem)).type).toBe('disable-after')
    // Version 1 counts its budget in another contract, so both roots together could spend it twice.
    const earlier = await sign([await world.cageCaveat(account.address, golem, { version: 1 })])
    const { earlier: v1, contracts: v2 } = world.deployment
    const moved = `${v1.cageEnforcer} becomes ${v2.cageEnforcer}`.toLowerCase()
    expect(order(earlier, plain)).toEqual({
      type: 'disable-first',
      because: expect.arrayContaining([expect.stringContaining(moved)]),
    })
    expect(order(earlier, earlier).type).toBe('disable-after')
    const elsewhere = await world.registerGolem(account.address)
    const earlierOfAnother = await sign([await world.cageCaveat(account.address, elsewhere, { version: 1 })])
    expect(() => order(earlierOfAnother, plain)).toThrow(
      expect.objectContaining({ code: 'DELEGATION_WIDER' }),
    )
    expect(order(mine, plain).type).toBe('disable-after')
  })
})
