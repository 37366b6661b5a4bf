import { type Address, getAddress, padHex, zeroAddress } from 'viem'
import { describe, expect, it } from 'vitest'
import { usdcOn } from '../../deployments/usdcOn.ts'
import { prepareSignatures } from '../prepareSignatures.ts'
import { compileStrategy } from '../strategy/compileStrategy.ts'
import { missingAddresses, toCageTerms } from '../toCageTerms.ts'
import { bookEntries, plannedEntries } from './bookEntries.ts'
import { builtInBook } from './builtInBook.ts'
import { type AddedEntries, mergeBook } from './mergeBook.ts'

const at = (digit: string): Address => getAddress(padHex(`0x${digit}`, { size: 20, dir: 'right' }))
const nothing: AddedEntries = { assets: new Map(), pools: new Map(), vaults: new Map(), contracts: {} }
const base = builtInBook(8453)
const now = 1_800_000_000n
const subject = { golem: `0x${'11'.repeat(32)}`, account: at('a'), graceSeconds: 86_400 } as const

/** The details of a refusal. */
function refusal(added: Partial<AddedEntries>, chainId = 8453): readonly string[] {
  try {
    mergeBook(chainId, { ...nothing, ...added })
  } catch (error) {
    return (error as { details: readonly string[] }).details
  }
  return []
}

describe('mergeBook', () => {
  it('is the built-in book if nothing is added, with nothing unverified', () => {
    expect(mergeBook(8453, nothing)).toEqual(base)
    expect(bookEntries(base, 8453).every(({ isVerified, source }) => isVerified && source)).toBe(true)
  })

  it('adds entries and marks exactly these as not verified', () => {
    const degen = { token: at('1'), feed: at('2'), maxAgeSeconds: 60, scale: 26 }
    const book = mergeBook(8453, {
      ...nothing,
      assets: new Map([['DEGEN', degen]]),
      vaults: new Map([['USDC', at('3')]]),
    })
    expect(book.assets.get('USDC')).toEqual(base.assets.get('USDC'))
    const unverified = bookEntries(book, 8453).filter(({ isVerified }) => !isVerified)
    expect(unverified.map(({ type, name, address }) => [type, name, address])).toEqual([
      ['token', 'DEGEN', at('1')],
      ['feed', 'DEGEN', at('2')],
      ['vault', 'USDC', at('3')],
    ])
  })

  it('refuses an entry that differs from a built-in one and names both addresses', () => {
    const usdc = base.assets.get('USDC')
    if (!usdc) throw new Error('no USDC')
    expect(refusal({ assets: new Map([['USDC', { ...usdc, token: at('1') }]]) })).toEqual([
      `token USDC: ${at('1')}, built in USDC ${usdc.token} (viem 2.57.1 tokens usdc)`,
    ])
    expect(refusal({ contracts: { swapRouter02: at('2') } })).toEqual([
      expect.stringContaining(`${at('2')}, built in swapRouter02 ${base.contracts.swapRouter02}`),
    ])
    expect(refusal({ pools: new Map([['USDC/WETH', at('3')]]) })).toHaveLength(1)
    expect(refusal({ sequencerFeed: at('4') })).toHaveLength(1)
  })

  it('refuses a name that differs from a built-in one only in its case', () => {
    const forged = { token: at('1'), feed: at('2'), maxAgeSeconds: 60, scale: 14 }
    expect(refusal({ assets: new Map([['usdc', forged]]) })).toEqual([
      expect.stringContaining('built in USDC'),
      expect.stringContaining('price feed of usdc'),
    ])
  })

  it.each([
    ['another price feed', { feed: at('9') }, 2],
    ['par instead of the price feed', { feed: zeroAddress, maxAgeSeconds: 0 }, 1],
    ['an older price', { maxAgeSeconds: 90_001 }, 1],
    ['another scale', { scale: 15 }, 1],
  ])('refuses %s for a built-in token', (_, change, problems) => {
    const usdc = base.assets.get('USDC')
    if (!usdc) throw new Error('no USDC')
    expect(refusal({ assets: new Map([['USDC', { ...usdc, ...change }]]) })).toHaveLength(problems)
  })

  it('accepts a shorter age of a built-in price, which stays verified', () => {
    const usdc = base.assets.get('USDC')
    if (!usdc) throw new Error('no USDC')
    const book = mergeBook(8453, { ...nothing, assets: new Map([['USDC', { ...usdc, maxAgeSeconds: 60 }]]) })
    expect(book.assets.get('USDC')?.maxAgeSeconds).toBe(60)
    expect(book.unverified).toBeUndefined()
  })

  it('accepts “no sequencer feed” only where none is built in', () => {
    expect(refusal({ sequencerFeed: 'none' })).toEqual([
      `sequencer feed: "none", built in ${base.sequencerFeed}`,
    ])
    expect(mergeBook(42220, { ...nothing, sequencerFeed: 'none' })).toMatchObject({
      acceptsNoSequencerFeed: true,
    })
  })

  it('accepts a price feed for a built-in token that has none, and marks only the feed', () => {
    const weth = '0xfFf9976782d46CC05630D1f6eBAb18b2324d6B14'
    const assets = new Map([
      ['WETH', { token: weth, feed: at('5'), maxAgeSeconds: 3_600, scale: 26 } as const],
    ])
    const book = mergeBook(11155111, { ...nothing, assets })
    const unverified = bookEntries(book, 11155111).filter(({ isVerified }) => !isVerified)
    expect(unverified.map(({ type, name }) => [type, name])).toEqual([['feed', 'WETH']])
  })
})

describe('a strategy with the built-in book', () => {
  const { plan } = compileStrategy('Swap $20 of USDC into WETH every week.\nlifespan: 10 days', {
    now,
    symbols: [...base.assets.keys()],
  })

  it('signs no other token, router or vault than it names', () => {
    const book = mergeBook(8453, { ...nothing, vaults: new Map([['USDC', at('3')]]) })
    expect(missingAddresses(plan, book)).toEqual([])
    const { mandate, nav } = toCageTerms(plan, book, subject)
    expect(mandate.assets.map(({ token }) => token)).toEqual([
      usdcOn(8453),
      '0x4200000000000000000000000000000000000006',
    ])
    expect(mandate.targets.map(({ address }) => address)).toEqual([book.contracts.swapRouter02])
    expect(mandate.payees).toEqual([])
    expect(nav).toBeUndefined()
    const named = plannedEntries(plan, book, 8453).map(({ type, name }) => `${type} ${name}`)
    expect(named.toSorted()).toEqual([
      'contract swapRouter02',
      'feed USDC',
      'feed WETH',
      ...(plan.sections.gas ? ['nativeFeed ETH'] : []),
      'sequencerFeed sequencerFeed',
      'token USDC',
      'token WETH',
    ])
  })

  it('asks the wallet for a runway in the USDC of its chain', () => {
    const text = 'Deposit $5 of USDC into the vault every day.\nbudget: $10/day\nrunway: $5/day'
    for (const chainId of [8453, 1, 42220, 42161, 84532, 11155111]) {
      const { runway } = prepareSignatures(text, {
        chainId,
        now,
        book: mergeBook(chainId, { ...nothing, vaults: new Map([['USDC', at('3')]]) }),
        subject,
        cageEnforcer: at('c'),
        delegate: at('d'),
        salt: 1n,
        runway: { to: at('e') },
      })
      expect(runway[0]?.permission.data).toMatchObject({ tokenAddress: usdcOn(chainId) })
    }
  })
})
