import {
  anyDelegate,
  type Delegation,
  decodeContext,
  hashDelegation,
  hybridAccount,
  readGrants,
  requestMethod,
  rootAuthority,
  runwayDrawStep,
  signDelegation,
  signRunwayDraw,
  upgradedAccount,
  walletSigner,
} from '@bardo/core'
import { createOwnerWallet } from '@bardo/devnet'
import { numberToHex, parseUnits } from 'viem'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { sessionKeyAccount } from '../accounts/sessionKeyAccount.ts'
import { deployAccount } from '../ownerActions/deployAccount.ts'
import { openRedemptionWorld, type RedemptionWorld } from '../testing/redemptionWorld.ts'
import { redeem } from './redeem.ts'

const hundred = parseUnits('100', 6)

describe('the Cage account of an upgraded EOA', () => {
  let world: RedemptionWorld
  beforeAll(async () => {
    world = await openRedemptionWorld()
  })
  afterAll(() => world?.stop())

  /**
   * The owner's wallet grants 300 USDC a day to the Cage account; the Cage account lets the Golem draw and
   * trade.
   */
  async function open() {
    const owner = await world.fundedOwner()
    await world.fund(owner.address, { USDC: 100n * hundred })
    const cageAccount = hybridAccount(world.deployment, {
      began: { owner: owner.address },
      signer: walletSigner(owner),
    })
    await deployAccount({ client: world.client, submitter: world.submitterOf(owner) }, cageAccount)
    const wallet = createOwnerWallet({ url: world.url, accounts: [owner], environment: world.framework })
    await wallet.request({ method: 'eth_requestAccounts' })
    const answer = await wallet.request({
      method: requestMethod,
      params: [
        {
          chainId: numberToHex(world.chainId),
          to: cageAccount.address,
          rules: [],
          permission: {
            type: 'erc20-token-periodic',
            isAdjustmentAllowed: true,
            data: {
              tokenAddress: world.addresses.usdc,
              periodAmount: numberToHex(3n * hundred),
              periodDuration: 86_400,
            },
          },
        },
      ],
    })
    const [granted] = readGrants(answer)
    const [grant] = granted ? decodeContext(granted.context) : []
    if (!grant) throw new Error('the wallet granted nothing')
    const key = await world.sessionKey()
    const redeemer = world.directRedeemer(key)
    const golem = await world.registerGolem(owner.address)
    const feed = await signRunwayDraw(cageAccount, { grant, delegate: redeemer.address })
    const root = await world.signRoot(cageAccount, redeemer.address, [
      await world.cageCaveat(cageAccount.address, golem),
    ])
    return { owner, cageAccount, grant, feed, root, redeemer, key }
  }

  it('draws its runway and trades in one redemption with two contexts', async () => {
    const { owner, cageAccount, grant, feed, root, redeemer } = await open()
    const { usdc, weth } = world.addresses
    const before = await world.balanceOf(usdc, owner.address)
    const landed = await redeem(redeemer, {
      id: 'cage',
      steps: [
        runwayDrawStep({ feed, grant, token: usdc, amount: hundred }),
        { links: [root], calls: world.swapCalls(cageAccount.address, hundred) },
      ],
    })
    expect(await world.balanceOf(usdc, owner.address)).toBe(before - hundred)
    expect(await world.balanceOf(usdc, cageAccount.address)).toBe(0n)
    expect(await world.balanceOf(weth, cageAccount.address)).toBeGreaterThan(0n)
    expect(await world.gasOf(landed.hash)).toBeLessThan(600_000n)
    await expect(
      redeem(redeemer, {
        id: 'cage-more',
        steps: [runwayDrawStep({ feed, grant, token: usdc, amount: 3n * hundred })],
      }),
    ).rejects.toThrow('ERC20PeriodTransferEnforcer:transfer-amount-exceeded')
  })

  it('refuses a grant that another delegate could use', async () => {
    const { cageAccount, grant, redeemer } = await open()
    for (const delegate of [redeemer.address, anyDelegate])
      await expect(
        signRunwayDraw(cageAccount, { grant: { ...grant, delegate }, delegate: redeemer.address }),
      ).rejects.toMatchObject({
        code: 'INVALID_INPUT',
        details: [expect.stringContaining(delegate), expect.anything()],
      })
  })

  it('is the only destination to which a stolen session key can move the money', async () => {
    const { grant, feed, redeemer, key } = await open()
    const { usdc } = world.addresses
    const thief = world.accounts.stranger
    const steal = [world.transferCall(usdc, thief, hundred)]
    const attempt = (id: string, links: readonly Delegation[]) =>
      redeem(redeemer, { id, steps: [{ links, calls: steal }] })
    // With the grant itself: it names the Cage account.
    await expect(attempt('grant', [grant])).rejects.toThrow('The leaf delegation names another delegate')
    // The chain refuses it too, without the library's check.
    const unchecked = { ...redeemer, address: grant.delegate }
    await expect(
      redeem(unchecked, { id: 'grant-raw', steps: [{ links: [grant], calls: steal }] }),
    ).rejects.toThrow('InvalidDelegate')
    // With the draw, to the attacker.
    await expect(attempt('feed', [feed, grant])).rejects.toMatchObject({
      shortMessage: expect.stringContaining('AllowedCalldataEnforcer:invalid-calldata'),
      details: ['step 0, link 0 '.concat(`(${hashDelegation(feed)}), caveat 0: AllowedCalldata`)],
    })
    // With a draw without the caveat, and the signature of the real one.
    await expect(attempt('bare', [{ ...feed, caveats: [] }, grant])).rejects.toThrow(
      'InvalidERC1271Signature',
    )
    // With a draw that the session key signs for the Cage account.
    const forged = await signDelegation(
      hybridAccount(world.deployment, {
        began: {},
        signer: walletSigner(sessionKeyAccount(key)),
      }),
      { delegate: redeemer.address, authority: hashDelegation(grant), caveats: [], salt: 0n },
    )
    await expect(attempt('forged', [{ ...forged, delegator: grant.delegate }, grant])).rejects.toThrow(
      'InvalidERC1271Signature',
    )
    // With a redelegation of the draw without any caveat: the caveat of the parent still holds.
    const child = await signDelegation(
      upgradedAccount(world.deployment, {
        address: redeemer.address,
        signer: walletSigner(sessionKeyAccount(key)),
      }),
      { delegate: redeemer.address, authority: hashDelegation(feed), caveats: [], salt: 0n },
    )
    await expect(attempt('child', [child, feed, grant])).rejects.toThrow('AllowedCalldataEnforcer')
    // With the draw as a root.
    await expect(attempt('root', [{ ...feed, authority: rootAuthority }])).rejects.toThrow(
      'InvalidERC1271Signature',
    )
    expect(await world.balanceOf(usdc, thief)).toBe(0n)
  })
})
