import { golemVitals } from '@bardo/contracts'
import { type Devnet, devnetBook, startDevnet } from '@bardo/devnet'
import { type Address, erc20Abi, parseAbi, zeroAddress, zeroHash } from 'viem'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { mandate } from '../caveats/testing/sample.ts'
import { deploymentOn } from '../deployments/deployment.ts'
import { golemIdOf } from '../typedData/golemIdOf.ts'
import { defaultFloor } from './defaultFloor.ts'
import { prepareSignatures } from './prepareSignatures.ts'
import {
  type ReadDecimals,
  requireNoIdentityTarget,
  requireScales,
  requireSeparateBalances,
  requireSignable,
  type SigningFacts,
} from './signingChecks.ts'

const person = (digit: string): Address => `0x${digit.repeat(40)}`
const identity = { owner: person('1'), firstKey: person('2'), salt: zeroHash }
const [usdc, weth] = mandate.assets.map(({ token }) => token)
const decimals: ReadDecimals = {
  token: (address) => (address === usdc ? 6 : address === weth ? 18 : undefined),
  feed: () => 8,
}
const facts: SigningFacts = { chainId: 1, decimals, identity }
const golem = golemIdOf(identity)
const refused = (details: string) =>
  expect.objectContaining({
    code: 'INVALID_INPUT',
    details: expect.arrayContaining([expect.stringContaining(details)]),
  })

describe('the terms that an owner signs', () => {
  it('pass if the id, the scales and the assets are right', () => {
    expect(() => requireSignable({ golem, mandate }, facts)).not.toThrow()
  })

  it('are refused for the Golem of another owner, key or salt', () => {
    for (const other of [{ owner: person('3') }, { firstKey: person('3') }, { salt: golem }])
      expect(() => requireSignable({ golem: golemIdOf({ ...identity, ...other }), mandate }, facts)).toThrow(
        refused(golem),
      )
  })

  it('are refused for a scale that makes amounts look small', () => {
    const assets = mandate.assets.map((asset) => (asset.token === usdc ? { ...asset, scale: 26 } : asset))
    expect(() => requireSignable({ golem, mandate: { ...mandate, assets } }, facts)).toThrow(
      refused(`${usdc}: scale 26, expected 14`),
    )
  })

  it('are refused if the decimals were not read; those of the native currency are known', () => {
    const assetsOf = (token: Address, feed: Address, scale: number) => ({
      ...mandate,
      assets: [{ token, feed, maxAgeSeconds: 3_600, scale }],
    })
    expect(() => requireScales(assetsOf(person('9'), person('8'), 26), decimals)).toThrow(
      refused('were not read'),
    )
    expect(() => requireScales(assetsOf(zeroAddress, person('8'), 26), decimals)).not.toThrow()
    expect(() => requireScales(assetsOf(zeroAddress, person('8'), 14), decimals)).toThrow(
      refused('expected 26'),
    )
    // A zero feed with an age is not at par.
    const noFeed = { token: () => 6, feed: () => undefined }
    expect(() => requireScales(assetsOf(person('9'), zeroAddress, 14), noFeed)).toThrow(
      refused('were not read'),
    )
  })

  it('are refused with the identity registry or its guardian, in any place', () => {
    const { identityRegistry, identityGuardian, golemVitals: other } = deploymentOn(8_453).contracts
    const target = (address: Address) => ({ kind: 8, address, selector: '0x12345678' }) as const
    for (const address of [identityRegistry, identityGuardian]) {
      const asset = { token: address, feed: person('8'), maxAgeSeconds: 3_600, scale: 8 }
      for (const wider of [
        { ...mandate, targets: [...mandate.targets, target(address)] },
        { ...mandate, assets: [...mandate.assets, asset] },
        { ...mandate, payees: [address] },
      ])
        expect(() => requireNoIdentityTarget(wider, 8_453)).toThrow(refused(address))
    }
    expect(() => requireNoIdentityTarget({ ...mandate, targets: [target(other)] }, 8_453)).not.toThrow()
  })

  it('are refused for two addresses of one balance', () => {
    const both = {
      ...mandate,
      assets: [zeroAddress, '0x471EcE3750Da237f93B8E339c536989b8978a438' as const].map((token) => ({
        token,
        feed: zeroAddress,
        maxAgeSeconds: 0,
        scale: 26,
      })),
    }
    expect(() => requireSeparateBalances(both, 42_220)).toThrow(refused('on Celo'))
    expect(() => requireSeparateBalances(both, 8_453)).not.toThrow()
    const twice = { ...mandate, assets: [...mandate.assets, ...mandate.assets.slice(0, 1)] }
    expect(() => requireSignable({ golem, mandate: twice }, facts)).toThrow(refused('is listed twice'))
  })
})

it('refuses to prepare terms with two addresses of one balance', () => {
  const asset = (token: Address) => ({ token, feed: zeroAddress, maxAgeSeconds: 0, scale: 26 })
  const parties = {
    chainId: 42_220,
    now: 1n,
    book: {
      assets: new Map([
        ['USDC', asset('0x471ece3750da237f93b8e339c536989b8978a438')],
        ['WETH', asset(zeroAddress)],
      ]),
      pools: new Map(),
      vaults: new Map(),
      contracts: { swapRouter02: person('6') },
    },
    subject: { golem, account: person('5'), graceSeconds: 0 },
    cageEnforcer: person('7'),
    delegate: person('2'),
    salt: 1n,
    runway: { to: person('5') },
  }
  expect(() => prepareSignatures('Swap USDC to WETH.', parties)).toThrow('share one balance')
  expect(() => prepareSignatures('Swap USDC to WETH.', { ...parties, chainId: 1 })).not.toThrow()
  const contracts = { swapRouter02: deploymentOn(1).contracts.identityGuardian }
  expect(() =>
    prepareSignatures('Swap USDC to WETH.', { ...parties, chainId: 1, book: { ...parties.book, contracts } }),
  ).toThrow('never part of a permission')
})

describe('a default floor', () => {
  it('is the rate at signing less 1 %, rounded down', () => {
    expect(defaultFloor(person('4'), 1_000_000n)).toEqual({ vault: person('4'), floor: 990_000n })
    expect(defaultFloor(person('4'), 1_001n).floor).toBe(990n)
  })

  it('is refused if the vault returns nothing', () => {
    for (const rate of [0n, 1n, 2n ** 129n])
      expect(() => defaultFloor(person('4'), rate)).toThrow(
        expect.objectContaining({ code: 'INVALID_INPUT' }),
      )
  })
})

describe('on a chain', () => {
  let devnet: Devnet
  beforeAll(async () => {
    devnet = await startDevnet({ port: 0 })
  })
  afterAll(() => devnet?.stop())

  it('matches the vitals on the id, and tokens and feeds on the scale', async () => {
    const { client, addresses, accounts, chainId } = devnet
    const [owner, firstKey] = [accounts.owner, accounts.golem]
    const own = await client.readContract({
      address: addresses.golemVitals,
      abi: golemVitals.abi,
      functionName: 'golemId',
      args: [owner, firstKey, zeroHash],
    })
    const book = devnetBook(devnet)
    const read = new Map<Address, number>()
    const feedAbi = parseAbi(['function decimals() view returns (uint8)'])
    for (const { token, feed } of book.assets.values()) {
      read.set(token, await client.readContract({ address: token, abi: erc20Abi, functionName: 'decimals' }))
      if (feed !== zeroAddress)
        read.set(feed, await client.readContract({ address: feed, abi: feedAbi, functionName: 'decimals' }))
    }
    const known = (address: Address) => read.get(address)
    const parties = {
      chainId,
      now: 1n,
      book,
      subject: { golem: own, account: person('5'), graceSeconds: 0 },
      cageEnforcer: addresses.cageEnforcer,
      delegate: firstKey,
      salt: 1n,
      runway: { to: person('5') },
      facts: {
        decimals: { token: known, feed: known },
        identity: { owner, firstKey, salt: zeroHash },
      },
    }
    const strategy = 'Swap USDC to WETH.'
    expect(prepareSignatures(strategy, parties).terms.golem).toBe(own)
    const stolen = { ...parties, subject: { ...parties.subject, golem } }
    expect(() => prepareSignatures(strategy, stolen)).toThrow('does not belong to the owner')
  })
})
