import { cage, type Delegation, multiSigAccount, threshold } from '@bardo/core'
import { hashTypedData, parseUnits } from 'viem'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { deployAccount } from '../ownerActions/deployAccount.ts'
import { redeem } from '../redemption/redeem.ts'
import { openRedemptionWorld, type RedemptionWorld } from '../testing/redemptionWorld.ts'
import { coSigningTypedData, findCoSigned, withCoSignatures, withCoSigningArgs } from './coSign.ts'
import { coSignAsMember } from './coSignAsMember.ts'
import { councilSigner, type Member } from './councilSigner.ts'

const hundred = parseUnits('100', 6)
const members = Array.from({ length: 3 }, () => privateKeyToAccount(generatePrivateKey())).sort((a, b) =>
  BigInt(a.address) < BigInt(b.address) ? -1 : 1,
)
const [first, second, third] = members
if (!first || !second || !third) throw new Error('three members')
const stranger = privateKeyToAccount(generatePrivateKey())

describe('a council of two of three', () => {
  let world: RedemptionWorld
  beforeAll(async () => {
    world = await openRedemptionWorld()
  })
  afterAll(() => world?.stop())

  it('redeems as a MultiSig account with two signatures, and not with one', async () => {
    const { owner, account } = await world.hybridOwner()
    const golem = await world.registerGolem(owner.address)
    const councilOf = (signers: readonly Member[]) =>
      multiSigAccount(world.deployment, {
        members: members.map(({ address }) => address),
        threshold: 2,
        signer: councilSigner(signers),
      })
    const council = councilOf([third, first])
    await deployAccount({ client: world.client, submitter: world.submitterOf(owner) }, council)
    await world.fund(council.address, { ETH: 10n ** 18n })
    const root = await world.signRoot(account, council.address, [
      await world.cageCaveat(account.address, golem),
    ])
    const steps = [{ links: [root], calls: world.swapCalls(account.address, hundred) }]
    const swaps = (signers: readonly Member[], id: string) =>
      redeem(world.operationRedeemer(councilOf(signers)), { id, steps })
    await swaps([third, first], 'two')
    expect(await world.balanceOf(world.addresses.weth, account.address)).toBeGreaterThan(0n)
    // One signature, one key twice, one member and one outsider: signed, but the EntryPoint rejects each.
    const before = await world.balanceOf(world.addresses.usdc, account.address)
    for (const signers of [[first], [first, first], [first, stranger]])
      await expect(swaps(signers, `few-${signers.map(({ address }) => address)}`)).rejects.toMatchObject({
        code: 'OUTCOME_UNKNOWN',
      })
    expect(await world.balanceOf(world.addresses.usdc, account.address)).toBe(before)
  })

  it('passes the Threshold caveat once with two co-signatures', async () => {
    const { owner, account } = await world.hybridOwner()
    const golem = await world.registerGolem(owner.address)
    const redeemer = world.directRedeemer(await world.sessionKey())
    const root = await world.signRoot(account, redeemer.address, [
      await world.cageCaveat(account.address, golem),
      {
        enforcer: world.deployment.contracts.thresholdEnforcer,
        terms: threshold.encode({ threshold: 2, keys: members.map(({ address }) => address) }),
        args: '0x',
      },
    ])
    const calls = world.swapCalls(account.address, hundred)
    const request = (nonce: bigint, amount = hundred) => ({
      deployment: world.deployment,
      delegation: root,
      calls: world.swapCalls(account.address, amount),
      nonce,
    })
    const sign = async (member: typeof stranger, nonce: bigint, amount?: bigint) => ({
      key: member.address,
      signature: await member.signTypedData(coSigningTypedData(request(nonce, amount), member.address)),
    })
    const attempt = (id: string, link: Delegation) =>
      redeem(redeemer, { id, steps: [{ links: [link], calls }] })

    const signed = await withCoSignatures(request(1n), [await sign(third, 1n), await sign(first, 1n)])
    await attempt('signed', signed)
    expect(await world.balanceOf(world.addresses.weth, account.address)).toBeGreaterThan(0n)
    // The same signatures a second time, and with another nonce.
    await expect(attempt('again', signed)).rejects.toThrow('NonceUsed')
    const forged = [await sign(third, 1n), await sign(first, 1n)]
    await expect(withCoSignatures(request(2n), forged)).rejects.toMatchObject({ code: 'TOO_FEW_SIGNATURES' })
    // One; the same key twice; one and an outsider; one and one for another amount; one and one malformed.
    for (const signatures of [
      [await sign(first, 3n)],
      [await sign(first, 3n), await sign(first, 3n)],
      [await sign(first, 3n), await sign(stranger, 3n)],
      [await sign(first, 3n), await sign(second, 3n, 1n)],
      [await sign(first, 3n), { key: second.address, signature: '0x1234' as const }],
    ])
      await expect(withCoSignatures(request(3n), signatures)).rejects.toMatchObject({
        code: 'TOO_FEW_SIGNATURES',
        details: ['valid signatures: 1 of 2', 'keys of the council: 3'],
      })
    // The chain refuses too when the signatures are not checked first.
    await expect(attempt('bare', root)).rejects.toMatchObject({ code: 'REDEMPTION_REFUSED' })
    const other = await withCoSignatures(request(4n), [await sign(first, 4n), await sign(second, 4n)])
    await expect(
      redeem(redeemer, {
        id: 'other-calls',
        steps: [{ links: [other], calls: world.swapCalls(account.address, 2n * hundred) }],
      }),
    ).rejects.toThrow('SignatureInvalid')
    const digest = (nonce: bigint, key = first.address) =>
      hashTypedData(coSigningTypedData(request(nonce), key))
    expect(digest(4n)).not.toBe(digest(5n))
    expect(digest(4n)).not.toBe(digest(4n, second.address))
  })

  it('co-signs as a member only what its own limits and every other caveat allow', async () => {
    const { owner, account } = await world.hybridOwner()
    const golem = await world.registerGolem(owner.address)
    const redeemer = world.directRedeemer(await world.sessionKey())
    const keys = members.map(({ address }) => address)
    const council = {
      enforcer: world.deployment.contracts.thresholdEnforcer,
      terms: threshold.encode({ threshold: 2, keys }),
      args: '0x',
    } as const
    const cage = await world.cageCaveat(account.address, golem)
    const root = await world.signRoot(account, redeemer.address, [cage, council])
    const { usdc, swapRouter02 } = world.addresses
    const limits = { targets: [swapRouter02], most: [{ token: usdc, amount: hundred }] }
    const question = (calls = world.swapCalls(account.address, hundred), nonce = 7n) => ({
      client: world.client,
      deployment: world.deployment,
      delegation: root,
      links: [root] as const,
      redeemer: redeemer.address,
      calls,
      nonce,
    })
    const signatures = await Promise.all([first, third].map((one) => coSignAsMember(one, limits, question())))
    // A second signature of the same member, and the signatures under another nonce, delegation or chain, do not count.
    const again = await coSignAsMember(first, limits, question())
    const few = { code: 'TOO_FEW_SIGNATURES' }
    await expect(withCoSignatures(question(), [again, ...signatures.slice(0, 1)])).rejects.toMatchObject(few)
    const other = { ...root, salt: root.salt + 1n }
    await expect(withCoSignatures({ ...question(), delegation: other }, signatures)).rejects.toMatchObject({
      ...few,
      details: ['valid signatures: 0 of 2', 'keys of the council: 3'],
    })
    const elsewhere = { ...world.deployment, chainId: 1 }
    await expect(
      withCoSignatures({ ...question(), deployment: elsewhere }, signatures),
    ).rejects.toMatchObject(few)
    const leaf = await withCoSignatures(question(), signatures)
    await redeem(redeemer, { id: 'member', steps: [{ links: [leaf], calls: question().calls }] })
    // A member signs no nonce that is used up.
    await expect(coSignAsMember(first, limits, question())).rejects.toThrow(/NonceUsed/)
    const [approve, ...rest] = world.swapCalls(account.address, hundred)
    if (!approve) throw new Error('an approval')
    for (const [calls, why] of [
      [world.swapCalls(account.address, hundred + 1n), /100000001 requested, at most 100000000/],
      [[approve, approve, ...rest], /200000000 requested, at most 100000000/],
      [[{ to: stranger.address, data: '0x' as const }], /is not a contract that this member agrees to/],
      [[{ to: swapRouter02, value: 1n, data: '0x' as const }], /sends 1 wei/],
      [[{ to: usdc, data: '0x12345678' as const }], /only approve and transfer/],
      [world.swapCalls(stranger.address, hundred), /Cage refuses the redemption/],
    ] as const)
      await expect(coSignAsMember(first, limits, question([...calls], 8n))).rejects.toThrow(why)
    // The same key twice is not a council of two.
    expect(() => threshold.encode({ threshold: 2, keys: [first.address, first.address] })).toThrow()
  })

  it('passes a Cage that names co-signers, and only with enough of them', async () => {
    const { owner, account } = await world.hybridOwner()
    const golem = await world.registerGolem(owner.address)
    const redeemer = world.directRedeemer(await world.sessionKey())
    const plain = await world.cageCaveat(account.address, golem)
    const coSigners = { threshold: 2, keys: members.map(({ address }) => address) }
    const caveat = { ...plain, terms: cage.encode({ ...cage.decode(plain.terms), coSigners }) }
    const root = await world.signRoot(account, redeemer.address, [caveat])
    expect(findCoSigned(world.deployment, [root])).toMatchObject([
      { coSigners: { threshold: 2 }, version: 2 },
    ])
    const { usdc, swapRouter02 } = world.addresses
    const limits = { targets: [swapRouter02], most: [{ token: usdc, amount: 10n * hundred }] }
    const question = (amount: bigint, nonce: bigint) => ({
      client: world.client,
      deployment: world.deployment,
      delegation: root,
      links: [root] as const,
      redeemer: redeemer.address,
      calls: world.swapCalls(account.address, amount),
      nonce,
    })
    const attempt = (id: string, links: readonly Delegation[], amount = hundred) =>
      redeem(redeemer, { id, steps: [{ links, calls: world.swapCalls(account.address, amount) }] })
    await expect(attempt('caged-bare', [root])).rejects.toMatchObject({ code: 'REDEMPTION_REFUSED' })
    const one = await coSignAsMember(first, limits, question(hundred, 1n))
    const link = findCoSigned(world.deployment, [root])[0]
    if (!link) throw new Error('the Cage names co-signers')
    // The chain itself refuses one signature, and one signature in two positions.
    const single = withCoSigningArgs(root, link.caveat, 1n, [{ index: 0, signature: one.signature }])
    await expect(attempt('caged-one', [single])).rejects.toThrow(/TooFewSigners/)
    const doubled = withCoSigningArgs(root, link.caveat, 1n, [
      { index: 0, signature: one.signature },
      { index: 1, signature: one.signature },
    ])
    await expect(attempt('caged-twice', [doubled])).rejects.toThrow(/SignatureInvalid/)
    const two = await coSignAsMember(second, limits, question(hundred, 1n))
    const signed = await withCoSignatures(question(hundred, 1n), [one, two])
    await expect(attempt('caged-other', [signed], 2n * hundred)).rejects.toThrow(/SignatureInvalid/)
    await attempt('caged', [signed])
    await expect(attempt('caged-again', [signed])).rejects.toThrow(/NonceUsed/)
    // Two proposals at once have different nonces, and do not disturb each other.
    const [third1, third2] = await Promise.all(
      [2n, 3n].map(async (nonce) => {
        const asked = question(hundred, nonce)
        const signatures = [first, third].map((member) => coSignAsMember(member, limits, asked))
        return withCoSignatures(asked, await Promise.all(signatures))
      }),
    )
    if (!third1 || !third2) throw new Error('two proposals')
    await attempt('caged-2', [third2])
    await attempt('caged-3', [third1])
    // The Cage's own bounds hold beside the co-signatures: a member sees it before it signs.
    await expect(coSignAsMember(first, limits, question(9n * hundred, 4n))).rejects.toThrow(/Cage refuses/)
  })
})
