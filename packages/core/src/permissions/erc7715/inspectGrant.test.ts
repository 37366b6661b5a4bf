import { createOwnerWallet, type Decide, type Devnet, devnetAccount, startDevnet } from '@bardo/devnet'
import { type Address, type Hex, maxUint256, numberToHex, zeroHash } from 'viem'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { allowedTargets } from '../../caveats/metamask/allowedTargets.ts'
import { erc20PeriodTransfer } from '../../caveats/metamask/erc20PeriodTransfer.ts'
import { erc20Streaming } from '../../caveats/metamask/erc20Streaming.ts'
import { exactCalldata } from '../../caveats/metamask/exactCalldata.ts'
import { limitedCalls } from '../../caveats/metamask/limitedCalls.ts'
import { timestamp } from '../../caveats/metamask/timestamp.ts'
import { valueLte } from '../../caveats/metamask/valueLte.ts'
import { decodeContext, encodeContext } from '../../delegation/context.ts'
import { anyDelegate, type Caveat, type Delegation } from '../../delegation/delegation.ts'
import { hashDelegation } from '../../delegation/hashDelegation.ts'
import { signDelegation } from '../../delegation/testing/signDelegation.ts'
import { type GrantFramework, inspectGrant } from './inspectGrant.ts'
import { olderRequestMethod, type RunwayRequest, requestMethod, runwayRequests } from './permissionRequest.ts'
import { type ReadGrant, readGrants, readRequest } from './readGrant.ts'
import { toOlderRequest } from './requestShapes.ts'

const owner = devnetAccount('owner')
const stranger: Address = '0x00000000000000000000000000000000000000bb'
let devnet: Devnet
let framework: GrantFramework
let requests: readonly [RunwayRequest, RunwayRequest]
/** The USDC request, granted unchanged. */
let plain: ReadGrant
beforeAll(async () => {
  devnet = await startDevnet({ port: 0 })
  const { framework: environment, chainId, accounts, addresses, client } = devnet
  framework = {
    delegationManager: environment.DelegationManager,
    caveatEnforcers: environment.caveatEnforcers as Readonly<Record<string, Address>>,
  }
  const now = (await client.getBlock()).timestamp
  const runway = { usdcCentsPerDay: 1_000n, gasWeiPerDay: 10n ** 16n, expiry: now + 604_800n, because: [] }
  const parties = { chainId, from: owner.address, to: accounts.golem, usdc: addresses.usdc, now }
  requests = runwayRequests(runway, parties)
  plain = await grantOf(requests[0])
})
afterAll(() => devnet?.stop())

/** Sends the request to the owner's wallet. */
async function grantOf(request: RunwayRequest, decide: Decide = () => 'approve', older = false) {
  const { url, framework: environment } = devnet
  const wallet = createOwnerWallet({ url, environment, accounts: [owner], decide })
  await wallet.request({ method: 'eth_requestAccounts' })
  const answer = await wallet.request(
    older
      ? { method: olderRequestMethod, params: [toOlderRequest(request)] }
      : { method: requestMethod, params: [request] },
  )
  const [grant] = readGrants(answer)
  if (!grant) throw new Error('The wallet granted nothing.')
  return grant
}

const adjusting =
  (adjust: object): Decide =>
  ({ kind }) =>
    kind === 'grant' ? { adjust } : 'approve'

async function differences(grant: ReadGrant, request: RunwayRequest = requests[0]) {
  const inspection = await inspectGrant(readRequest(request), grant, framework)
  return inspection.differences.map(({ field, direction }) => `${field} ${direction}`)
}

/** The same grant with another delegation, signed again by the owner. */
async function signedAnew(
  change: (delegation: Delegation) => Partial<Delegation>,
  { chainId = devnet.chainId, manager = framework.delegationManager } = {},
): Promise<ReadGrant> {
  const [delegation] = decodeContext(plain.context)
  if (!delegation) throw new Error('no delegation')
  const signed = await signDelegation(owner, { ...delegation, ...change(delegation) }, { chainId, manager })
  return { ...plain, context: encodeContext([signed]) }
}

const enforcer = (name: string): Address => framework.caveatEnforcers[`${name}Enforcer`] ?? stranger
const isOf = (name: string) => (caveat: Caveat) =>
  caveat.enforcer.toLowerCase() === enforcer(name).toLowerCase()
const without = (name: string) => (delegation: Delegation) => ({
  caveats: delegation.caveats.filter((caveat) => !isOf(name)(caveat)),
})
const withTerms = (name: string, terms: Hex) => (delegation: Delegation) => ({
  caveats: delegation.caveats.map((caveat) => (isOf(name)(caveat) ? { ...caveat, terms } : caveat)),
})
const withMore = (name: string, terms: Hex) => (delegation: Delegation) => ({
  caveats: [...delegation.caveats, { enforcer: enforcer(name), terms, args: '0x' as const }],
})
const period = () => {
  const terms = decodeContext(plain.context)[0]?.caveats.find(isOf('ERC20PeriodTransfer'))?.terms ?? '0x'
  return erc20PeriodTransfer.decode(terms)
}

describe('a grant by the owner’s wallet', () => {
  test('has no difference if granted as requested, with either method', async () => {
    const [usdc, gas] = requests
    expect(await inspectGrant(readRequest(usdc), plain, framework)).toMatchObject({
      differences: [],
      misstated: [],
    })
    expect(await differences(await grantOf(usdc, undefined, true))).toEqual([])
    expect(await differences(await grantOf(gas), gas)).toEqual([])
    expect(await differences(await grantOf(gas, undefined, true), gas)).toEqual([])
  })

  test('has no difference with rules', async () => {
    const [usdc, gas] = requests
    const rules = [
      { type: 'redeemer', data: { addresses: [devnet.accounts.golem] } },
      { type: 'payee', data: { addresses: [stranger] } },
    ]
    for (const request of [usdc, gas]) {
      const ruled = { ...request, rules: [...(request.rules ?? []), ...rules] }
      const grant = await grantOf(ruled)
      expect(await differences(grant, ruled)).toEqual([])
      // The same grant, if no such rule was requested.
      expect(await differences(grant, request)).toEqual(['rules.payee narrower', 'rules.redeemer narrower'])
      // And if it was requested and not granted.
      expect(await differences(await grantOf(request), ruled)).toEqual([
        'rules.payee wider',
        'rules.redeemer wider',
      ])
    }
  })

  test.for<[adjust: object, expected: readonly string[]]>([
    [{ periodAmount: 1n }, ['permission.data.periodAmount narrower']],
    [{ periodAmount: 10n ** 12n }, ['permission.data.periodAmount wider']],
    [{ periodDuration: 3_600 }, ['permission.data.periodDuration wider']],
    [{ expiry: null }, ['rules.expiry wider']],
  ])('shows an adjustment: %o', async ([adjust, expected]) => {
    const grant = await grantOf(requests[0], adjusting(adjust))
    expect(await differences(grant)).toEqual(expected)
  })

  test('shows the period that MetaMask chose for one that it does not offer', async () => {
    const [usdc] = requests
    const data = { ...usdc.permission.data, periodDuration: 2 * 86_400 }
    const request = { ...usdc, permission: { ...usdc.permission, data } } as RunwayRequest
    expect(await differences(await grantOf(request), request)).toEqual([
      'permission.data.periodDuration wider',
    ])
  })
})

describe('a wrong description by the wallet', () => {
  test('is shown, and the signed bytes are compared', async () => {
    const asked = readRequest(requests[0])
    const huge = await grantOf(requests[0], adjusting({ periodAmount: 10n ** 12n }))
    const forged = { ...plain, context: huge.context }
    expect(await inspectGrant(asked, forged, framework)).toMatchObject({
      differences: [{ field: 'permission.data.periodAmount', got: '1000000000000', direction: 'wider' }],
      misstated: [{ field: 'permission.data.periodAmount', asked: '1000000000000', got: '10000000' }],
    })
  })

  test('of chain and manager is shown', async () => {
    const forged = { ...plain, chainId: 1n, delegationManager: stranger }
    expect(await differences(forged)).toEqual(['delegationManager other', 'chainId other'])
  })
})

describe('finds a difference in the signed bytes:', () => {
  test.for<
    [name: string, change: (delegation: Delegation) => Partial<Delegation>, expected: readonly string[]]
  >([
    ['the same, signed again', () => ({}), []],
    ['another delegate', () => ({ delegate: stranger }), ['to other']],
    ['anybody as delegate', () => ({ delegate: anyDelegate }), ['to other']],
    [
      'no limit on the amount',
      without('ERC20PeriodTransfer'),
      [
        'caveats.amount wider',
        'permission.type other',
        'permission.data.tokenAddress other',
        'permission.data.periodAmount other',
        'permission.data.periodDuration other',
        'permission.data.startTime other',
        'caveats.ValueLte narrower',
      ],
    ],
    ['no expiry', without('Timestamp'), ['rules.expiry wider']],
    ['ether beside the token', without('ValueLte'), ['caveats.ValueLte wider']],
    ['no nonce', without('Nonce'), ['caveats.Nonce wider']],
    ['another salt', () => ({ salt: 7n }), []],
  ])('%s', async ([, change, expected]) => {
    expect(await differences(await signedAnew(change))).toEqual(expected)
  })

  test('token, amount, period and start', async () => {
    const amount = (change: object) =>
      signedAnew(withTerms('ERC20PeriodTransfer', erc20PeriodTransfer.encode({ ...period(), ...change })))
    const of = async (change: object) => differences(await amount(change))
    expect(await of({ token: stranger })).toEqual(['permission.data.tokenAddress other'])
    expect(await of({ amount: period().amount + 1n })).toEqual(['permission.data.periodAmount wider'])
    expect(await of({ duration: 86_399n })).toEqual(['permission.data.periodDuration wider'])
    expect(await of({ start: period().start - 1n })).toEqual(['permission.data.startTime wider'])
    expect(await of({ duration: maxUint256 })).toEqual(
      expect.arrayContaining(['permission.type other', 'permission.data.allowanceAmount other']),
    )
  })

  test('terms with another meaning', async () => {
    const of = async (name: string, terms: Hex) => differences(await signedAnew(withTerms(name, terms)))
    expect(await of('ValueLte', valueLte.encode({ maxValue: 1n }))).toEqual(['caveats.ValueLte wider'])
    const late = timestamp.encode({ afterThreshold: 0, beforeThreshold: 4_000_000_000 })
    expect(await of('Timestamp', late)).toEqual(['rules.expiry wider'])
    // A start time is not an expiry rule: the expiry is missing, and there is an additional caveat.
    const both = timestamp.encode({ afterThreshold: 1, beforeThreshold: 4_000_000_000 })
    expect(await of('Timestamp', both)).toEqual(['rules.expiry wider', 'caveats.Timestamp narrower'])
    expect(await of('Timestamp', '0x00')).toEqual(['rules.expiry wider', 'caveats.Timestamp narrower'])
  })

  test('caveats that were not requested', async () => {
    const of = async (name: string, terms: Hex) => differences(await signedAnew(withMore(name, terms)))
    expect(await of('LimitedCalls', limitedCalls.encode({ limit: 3 }))).toEqual([
      'caveats.LimitedCalls narrower',
    ])
    expect(await of('Nothing', '0x12')).toEqual([`caveats.${stranger} other`])
    expect(await of('ExactCalldata', exactCalldata.encode({ calldata: '0x' }))).toEqual([
      'caveats.ExactCalldata narrower',
    ])
    expect(await of('AllowedTargets', allowedTargets.encode({ targets: [stranger] }))).toEqual([
      'caveats.AllowedTargets narrower',
    ])
    const second = erc20PeriodTransfer.encode({ ...period(), amount: maxUint256 })
    expect(await of('ERC20PeriodTransfer', second)).toEqual(['caveats.ERC20PeriodTransfer narrower'])
  })

  test('a signature for another chain or manager, by another key, or malformed', async () => {
    const over = async (domain: object) => differences(await signedAnew(() => ({}), domain))
    expect(await over({ chainId: 1 })).toEqual(['signature other'])
    expect(await over({ manager: stranger })).toEqual(['signature other'])
    const stolen = await signedAnew(() => ({ delegator: stranger }))
    expect(await differences(stolen)).toEqual(['from other', 'signature other'])
    const [delegation] = decodeContext(plain.context)
    if (!delegation) throw new Error('no delegation')
    const broken =
      `0x${numberToHex(5, { size: 32 }).slice(2)}${numberToHex(1, { size: 32 }).slice(2)}1b` as const
    const context = encodeContext([{ ...delegation, signature: broken }])
    expect(await differences({ ...plain, context })).toEqual(['signature other'])
  })

  test('a stream that started long before the request', async () => {
    const asked = (startTime?: number) => ({
      ...requests[0],
      permission: {
        type: 'erc20-token-stream',
        isAdjustmentAllowed: true,
        data: {
          tokenAddress: period().token,
          amountPerSecond: '0x1' as const,
          ...(startTime !== undefined && { startTime }),
        },
      },
    })
    const stream = { token: period().token, initial: 0n, max: maxUint256, perSecond: 1n, start: 1n }
    const caveat: Caveat = {
      enforcer: framework.caveatEnforcers['ERC20StreamingEnforcer'] ?? stranger,
      terms: erc20Streaming.encode(stream),
      args: '0x',
    }
    const grant = await signedAnew((delegation) => ({
      caveats: [caveat, ...(without('ERC20PeriodTransfer')(delegation).caveats ?? [])],
    }))
    const of = async (start?: number) =>
      (await inspectGrant(readRequest(asked(start)), grant, framework)).differences.map(
        ({ field, direction }) => `${field} ${direction}`,
      )
    expect(await of(2)).toEqual(['permission.data.startTime wider'])
    expect(await of(1)).toEqual([])
    expect(await of()).toEqual(['permission.data.startTime other'])
  })

  test('another link above it', async () => {
    const [delegation] = decodeContext(plain.context)
    if (!delegation) throw new Error('no delegation')
    const leaf = {
      ...delegation,
      delegator: delegation.delegate,
      authority: hashDelegation(delegation),
      caveats: [],
    }
    const context = encodeContext([leaf, delegation])
    expect(await differences({ ...plain, context })).toEqual(['links other', 'signature other'])
  })

  test('bytes that are not a permission context are refused', async () => {
    const asked = readRequest(requests[0])
    for (const context of [zeroHash, `${plain.context}00`, plain.context.slice(0, -64)] as Hex[]) {
      await expect(inspectGrant(asked, { ...plain, context }, framework)).rejects.toMatchObject({
        code: 'DELEGATION_MALFORMED',
      })
    }
  })
})
