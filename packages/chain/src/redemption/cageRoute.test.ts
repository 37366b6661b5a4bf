import {
  anyDelegate,
  type Delegation,
  decodeContext,
  hashDelegation,
  readGrants,
  requestMethod,
  rootAuthority,
} from '@bardo/core'
import { createOwnerWallet } from '@bardo/devnet'
import { numberToHex, parseUnits } from 'viem'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { walletSigner } from '../accounts/accountSigner.ts'
import { deployAccount } from '../accounts/deployAccount.ts'
import { hybridAccount } from '../accounts/hybridAccount.ts'
import { signDelegation } from '../accounts/smartAccount.ts'
import { upgradedAccount } from '../accounts/upgradedAccount.ts'
import { feedStep, signFeed } from '../owner/cageFeed.ts'
import { sessionKeyAccount } from '../session/sessionKeyAccount.ts'
import { openRedemptionWorld, type RedemptionWorld } from '../testing/redemptionWorld.ts'
import { redeem } from './redeem.ts'

const hundred = parseUnits('100', 6)

describe('the cage account of an upgraded EOA', () => {
  let world: RedemptionWorld
  beforeAll(async () => {
    world = await openRedemptionWorld()
  })
  afterAll(() => world?.stop())

  /** The owner's wallet grants 300 USDC a day to the cage account; the cage account lets the Golem draw and trade. */
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
    if (!grant) throw new Error('nothing was granted')
    const key = await world.sessionKey()
    const redeemer = world.directRedeemer(key)
    const golem = await world.registerGolem(owner.address)
    const feed = await signFeed(cageAccount, { grant, delegate: redeemer.address })
    const root = await world.signRoot(cageAccount, redeemer.address, [
      await world.cageCaveat(cageAccount.address, golem),
    ])
    return { owner, cageAccount, grant, feed, root, redeemer, key }
  }

  it('is fed and trades in one redemption, of two contexts', async () => {
    const { owner, cageAccount, grant, feed, root, redeemer } = await open()
    const { usdc, weth } = world.addresses
    const before = await world.balanceOf(usdc, owner.address)
    const landed = await redeem(redeemer, {
      id: 'cage',
      steps: [
        feedStep({ feed, grant, token: usdc, amount: hundred }),
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
        steps: [feedStep({ feed, grant, token: usdc, amount: 3n * hundred })],
      }),
    ).rejects.toThrow('ERC20PeriodTransferEnforcer:transfer-amount-exceeded')
  })

  it('takes no grant that somebody else could use', async () => {
    const { cageAccount, grant, redeemer } = await open()
    for (const delegate of [redeemer.address, anyDelegate])
      await expect(
        signFeed(cageAccount, { grant: { ...grant, delegate }, delegate: redeemer.address }),
      ).rejects.toMatchObject({
        code: 'INVALID_INPUT',
        details: [expect.stringContaining(delegate), expect.anything()],
      })
  })

  it('is the only place that a stolen session key can bring the money to', async () => {
    const { grant, feed, redeemer, key } = await open()
    const { usdc } = world.addresses
    const thief = world.accounts.stranger
    const steal = [world.transferCall(usdc, thief, hundred)]
    const attempt = (id: string, links: readonly Delegation[]) =>
      redeem(redeemer, { id, steps: [{ links, calls: steal }] })
    // By the grant itself: it names the cage account.
    await expect(attempt('grant', [grant])).rejects.toThrow('The leaf is for somebody else')
    // The chain says so too, whatever our own check says.
    const anybody = { ...redeemer, address: grant.delegate }
    await expect(
      redeem(anybody, { id: 'grant-raw', steps: [{ links: [grant], calls: steal }] }),
    ).rejects.toThrow('InvalidDelegate')
    // By the feed, to oneself.
    await expect(attempt('feed', [feed, grant])).rejects.toMatchObject({
      shortMessage: expect.stringContaining('AllowedCalldataEnforcer:invalid-calldata'),
      details: ['step 0, link 0 '.concat(`(${hashDelegation(feed)}), caveat 0: AllowedCalldata`)],
    })
    // By a feed without the caveat, with the signature of the one that has it.
    await expect(attempt('bare', [{ ...feed, caveats: [] }, grant])).rejects.toThrow(
      'InvalidERC1271Signature',
    )
    // By a feed that the session key signs for the cage account.
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
    // By redelegating the feed to oneself without any caveat: the one above still holds.
    const child = await signDelegation(
      upgradedAccount(world.deployment, {
        address: redeemer.address,
        signer: walletSigner(sessionKeyAccount(key)),
      }),
      { delegate: redeemer.address, authority: hashDelegation(feed), caveats: [], salt: 0n },
    )
    await expect(attempt('child', [child, feed, grant])).rejects.toThrow('AllowedCalldataEnforcer')
    // As a root of its own.
    await expect(attempt('root', [{ ...feed, authority: rootAuthority }])).rejects.toThrow(
      'InvalidERC1271Signature',
    )
    expect(await world.balanceOf(usdc, thief)).toBe(0n)
  })
})
