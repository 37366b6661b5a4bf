import { type Devnet, devnetBook, startDevnet } from '@bardo/devnet'
import { encodeFunctionData, erc4626Abi, parseEther, parseUnits } from 'viem'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { cage } from '../caveats/cage.ts'
import { anyDelegate } from '../delegation/delegation.ts'
import { rootDelegation } from '../delegation/rootDelegation.ts'
import { type PreparedSignatures, prepareSignatures, type SignatureParties } from './prepareSignatures.ts'
import { approveCall, type CagedWorld, createCagedWorld, payCall, swapCalls } from './testing/cagedWorld.ts'
import { vaultManagerPermissions } from './vaultManagerPermissions.ts'

let devnet: Devnet
let caged: CagedWorld
beforeAll(async () => {
  devnet = await startDevnet({ port: 0 })
  caged = createCagedWorld(devnet)
})
afterAll(() => devnet?.stop())

const dollars = (amount: string) => parseUnits(amount, 6)

/** An owner with money signs what the strategy requests. */
async function sign(strategy: string | ((parties: SignatureParties) => PreparedSignatures)) {
  const { fund, chainId, accounts, addresses } = devnet
  const account = await caged.openAccount()
  await fund(account.address, { USDC: dollars('10000'), WETH: parseEther('2') })
  const parties = {
    chainId,
    now: await caged.now(),
    book: devnetBook(devnet),
    subject: { golem: await caged.registerGolem(), account: account.address, graceSeconds: 0 },
    cageEnforcer: addresses.cageEnforcer,
    delegate: accounts.golem,
    salt: 1n,
    runway: { to: account.address },
  }
  const prepared = typeof strategy === 'string' ? prepareSignatures(strategy, parties) : strategy(parties)
  return { account: account.address, prepared, links: [await account.sign(prepared.root)] }
}

const { usdc, weth } = { usdc: () => devnet.addresses.usdc, weth: () => devnet.addresses.weth }
const buy = (account: `0x${string}`, amount: string) =>
  swapCalls(devnet.addresses, account, [usdc(), dollars(amount)], weth())
const sell = (account: `0x${string}`, ether: string) =>
  swapCalls(devnet.addresses, account, [weth(), parseEther(ether)], usdc())
const steal = () => payCall(usdc(), devnet.accounts.payee, 1n)
const deposit = (account: `0x${string}`, amount: string) => {
  const target = devnet.addresses.usdcVault
  const data = encodeFunctionData({
    abi: erc4626Abi,
    functionName: 'deposit',
    args: [dollars(amount), account],
  })
  return [
    { to: usdc(), data: approveCall(target, dollars(amount)) },
    { to: target, data },
  ]
}

describe('executes what a strategy requests, and refuses what it does not request', () => {
  it('for a weekly DCA', async () => {
    const text = 'Every week, swap $50 of USDC into WETH.\nNever provide liquidity.\n\nlifespan: 30 days'
    const { account, prepared, links } = await sign(text)
    expect(await caged.refusal(links, ...sell(account, '0.01'))).toBe('ClassNotAllowed')
    expect(await caged.refusal(links, ...buy(account, '51'))).toBe('SizeExceeded')
    expect(await caged.refusal(links, steal())).toBe('PayeeNotAllowed')
    expect(await caged.refusal(links, ...deposit(account, '1'))).toBe('SpenderNotAllowed')
    await caged.redeem(links, ...buy(account, '49.99'))
    expect(await caged.refusal(links, ...buy(account, '1'))).toBe('TooSoon')
    await devnet.warp(7 * 86_400)
    await caged.redeem(links, ...buy(account, '49.99'))
    await devnet.warp(24 * 86_400)
    expect(await caged.refusal(links, ...buy(account, '1'))).toBe('OutsideWindow')

    expect(prepared.compiled.plan.reasons).toContainEqual({
      permission: 'pair USDC→WETH',
      because: [{ line: 1, sentence: 'Every week, swap $50 of USDC into WETH.' }],
    })
    expect(prepared.runway.map(({ permission }) => permission.type)).toEqual([
      'erc20-token-periodic',
      'native-token-periodic',
    ])
  })

  it('for a vault manager', async () => {
    const text =
      'Deposit USDC into the vault when the balance is above $200.\nWithdraw USDC from the vault when funds are needed.\nNever swap.'
    const { account, links } = await sign(text)
    await caged.redeem(links, ...deposit(account, '400'))
    expect(await caged.refusal(links, ...deposit(account, '700'))).toBe('SpendLimitExceeded')
    expect(await caged.refusal(links, ...buy(account, '1'))).toBe('SpenderNotAllowed')
    expect(await caged.refusal(links, steal())).toBe('PayeeNotAllowed')
    const withdraw = (receiver: `0x${string}`) => ({
      to: devnet.addresses.usdcVault,
      data: encodeFunctionData({
        abi: erc4626Abi,
        functionName: 'withdraw',
        args: [dollars('100'), receiver, account],
      }),
    })
    expect(await caged.refusal(links, withdraw(devnet.accounts.golem))).toBe('RecipientNotAccount')
    await caged.redeem(links, withdraw(account))
  })

  it('for a trader in both directions', async () => {
    const text =
      'assets: USDC, WETH\nbudget: $400/day\nslippage: 1%\n\nTrade between WETH and USDC when the price is far from its mean.'
    const { account, links } = await sign(text)
    await caged.redeem(links, ...buy(account, '200'))
    await caged.redeem(links, ...sell(account, '0.05'))
    expect(await caged.refusal(links, ...buy(account, '100'))).toBe('SpendLimitExceeded')
    expect(await caged.refusal(links, ...deposit(account, '1'))).toBe('SpenderNotAllowed')
    expect(await caged.refusal(links, ...buy(devnet.accounts.golem, '1'))).toBe('RecipientNotAccount')
    await devnet.warp(2 * 86_400)
    await caged.redeem(links, ...buy(account, '400'))
  })
})

describe('the example vault manager', () => {
  it('deposits, withdraws and trades within $1,000 a day', async () => {
    const { account, prepared, links } = await sign((parties) => vaultManagerPermissions(20, parties))
    expect(prepared.compiled.ambiguities).toEqual([])
    expect(prepared.terms).toMatchObject({ dayCents: 100_000n, end: prepared.terms.start + 20 * 86_400 })
    await caged.redeem(links, ...deposit(account, '400'))
    await caged.redeem(links, ...buy(account, '500'))
    expect(await caged.refusal(links, ...buy(account, '101'))).toBe('SpendLimitExceeded')
    expect(await caged.refusal(links, steal())).toBe('PayeeNotAllowed')
    expect(prepared.runway.map(({ rules }) => rules?.[0]?.data)).toEqual([
      { timestamp: prepared.terms.end },
      { timestamp: prepared.terms.end },
    ])
  })
})

describe('the root delegation', () => {
  it('contains exactly one Cage, on the account that it measures', async () => {
    const { account, prepared } = await sign('Swap USDC to WETH.')
    const { root, terms } = prepared
    expect(root).toMatchObject({ delegator: account, authority: `0x${'ff'.repeat(32)}`, signature: '0x' })
    expect(root.caveats).toEqual([
      { enforcer: devnet.addresses.cageEnforcer, terms: cage.encode(terms), args: '0x' },
    ])
    for (const delegate of [account, anyDelegate, `0x${'0'.repeat(40)}`] as const) {
      expect(() =>
        rootDelegation({ terms, cageEnforcer: devnet.addresses.cageEnforcer, delegate, salt: 1n }),
      ).toThrow(/other than the owner’s/)
    }
  })

  it('is not built for a strategy that requests nothing', async () => {
    await expect(sign('Watch the market. Never trade.')).rejects.toThrow(/nothing to sign/)
    const { prepared } = await sign('Swap USDC to WETH.')
    const terms = { ...prepared.terms, classes: 0 }
    expect(() =>
      rootDelegation({
        terms,
        cageEnforcer: `0x${'1'.repeat(40)}`,
        delegate: `0x${'2'.repeat(40)}`,
        salt: 1n,
      }),
    ).toThrow(/nothing to sign/)
  })
})
