import { getAddress, zeroAddress } from 'viem'
import { describe, expect, it } from 'vitest'
import { supportedChainIds } from './deployment.ts'
import { protocols } from './protocols.ts'
import { supportedChains } from './supportedChains.ts'
import { usdcOn } from './usdcOn.ts'

const ids = supportedChainIds.filter((id) => id !== supportedChains.devnet.id)

describe('the built-in address book', () => {
  it('covers exactly the supported chains', () => {
    expect(Object.keys(protocols).map(Number).toSorted()).toEqual(ids.toSorted())
  })

  it.each(ids)('chain %d: every address has its checksum, one name and a source with a version', (id) => {
    const entries = protocols[id] ?? []
    for (const { address, source } of entries) {
      expect(address).toBe(getAddress(address))
      expect(address).not.toBe(zeroAddress)
      expect(source).toMatch(/^(@[\w-]+\/)?[\w-]+ \d+\.\d+\.\d+ \S/)
    }
    const names = entries.map(({ type, name }) => `${type} ${name}`.toLowerCase())
    expect(new Set(names).size).toBe(names.length)
    // One feed may price several assets; every other address has one meaning.
    const others = entries.filter(({ type }) => type !== 'feed' && type !== 'nativeFeed')
    expect(new Set(others.map(({ address }) => address)).size).toBe(others.length)
    const feeds = entries.filter(({ type }) => type === 'feed' || type === 'nativeFeed')
    for (const { address } of feeds) expect(others.map((other) => other.address)).not.toContain(address)
  })

  it.each(ids)(
    'chain %d: has Permit2 and the position manager, USDC, and no feed without its token',
    (id) => {
      const entries = protocols[id] ?? []
      const names = (type: string) => entries.flatMap((one) => (one.type === type ? [one.name] : []))
      expect(names('contract')).toEqual(
        expect.arrayContaining(['permit2', 'positionManager', 'uniswapV3Factory']),
      )
      expect(names('token')).toEqual(expect.arrayContaining(names('feed')))
      expect(entries).toContainEqual(
        expect.objectContaining({ type: 'token', name: 'USDC', address: usdcOn(id), decimals: 6 }),
      )
    },
  )

  it('has no router on Celo, where Uniswap’s package answers with Ethereum’s', () => {
    const chainsWithout = ids.filter((id) => !protocols[id]?.some(({ name }) => name === 'swapRouter02'))
    expect(chainsWithout).toEqual([supportedChains.celo.id])
  })

  it('has sequencer feeds of rollups only', () => {
    const rollups: number[] = Object.values(supportedChains).flatMap((chain) =>
      'isRollup' in chain ? [chain.id] : [],
    )
    const having = ids.filter((id) => protocols[id]?.some(({ type }) => type === 'sequencerFeed'))
    expect(having).toEqual([8453, 42161])
    expect(rollups).toEqual(expect.arrayContaining(having))
  })

  it('gives the USDC of a chain, and refuses the devnet and unknown chains', () => {
    expect(usdcOn(8453)).toBe('0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913')
    expect(() => usdcOn(31_337)).toThrow(expect.objectContaining({ code: 'ADDRESS_UNKNOWN' }))
    expect(() => usdcOn(56)).toThrow(expect.objectContaining({ code: 'UNSUPPORTED_CHAIN' }))
  })
})
