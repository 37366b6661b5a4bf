import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { allowsMoreOverTime, compareGrant } from './compareGrant.ts'
import { runwayRequests } from './permissionRequest.ts'
import { readGrants, readRequest } from './readGrant.ts'
import { toOlderRequest, toSignerRequest } from './requestShapes.ts'

const at = (digit: string) => `0x${digit.repeat(40)}` as const
const runway = { usdcCentsPerDay: 1_000n, gasWeiPerDay: 5n * 10n ** 16n, expiry: 1_800_604_800n, because: [] }
const parties = { chainId: 8453, from: at('1'), to: at('2'), usdc: at('3'), now: 1_800_000_000n }
const [usdc, gas] = runwayRequests(runway, parties)
const asked = readRequest(usdc)

type Wire = {
  [key: string]: unknown
  permission: { type: string; data: { [key: string]: unknown } }
  rules?: unknown
}
const answer = (change: (wire: Wire) => unknown = () => undefined) => {
  const wire: Wire = structuredClone({
    ...usdc,
    context: '0xabcd',
    delegationManager: at('4'),
    dependencies: [],
  })
  change(wire)
  return [wire]
}
const differences = (change: (wire: Wire) => unknown) =>
  compareGrant(asked, readGrants(answer(change))[0] ?? asked).map(
    ({ field, direction }) => `${field} ${direction}`,
  )

describe('a runway', () => {
  test('is requested in the current shape', () => {
    expect(usdc).toMatchObject({
      chainId: '0x2105',
      from: at('1'),
      to: at('2'),
      permission: {
        type: 'erc20-token-periodic',
        isAdjustmentAllowed: true,
        data: { periodAmount: '0x989680', periodDuration: 86_400 },
      },
      rules: [{ type: 'expiry', data: { timestamp: 1_800_604_800 } }],
    })
    expect(gas.permission).toMatchObject({
      type: 'native-token-periodic',
      data: { periodAmount: '0xb1a2bc2ec50000' },
    })
  })

  test('is requested in the older shape, which reads back as the same', () => {
    const older = toOlderRequest(usdc)
    expect(older).toMatchObject({
      address: at('1'),
      expiry: 1_800_604_800,
      signer: { type: 'account', data: { address: at('2') } },
    })
    expect(compareGrant(asked, readRequest(older))).toEqual([])
  })

  test('is requested with a signer, as MetaMask’s kernel 0.5.0 expects, which reads back as the same', () => {
    const request = toSignerRequest(usdc)
    expect(request).toMatchObject({
      address: at('1'),
      signer: { type: 'account', data: { address: at('2') } },
      rules: [{ type: 'expiry', isAdjustmentAllowed: true, data: { timestamp: 1_800_604_800 } }],
    })
    expect(compareGrant(asked, readRequest(request))).toEqual([])
  })

  test.for([toOlderRequest, toSignerRequest])(
    'refuses to write a rule that the shape does not support: %o',
    (write) => {
      expect(() => write({ ...usdc, rules: [{ type: 'payee', data: {} }] })).toThrow(
        /no rule except the expiry/,
      )
    },
  )

  test('is refused if it ends before it starts', () => {
    expect(() => runwayRequests({ ...runway, expiry: parties.now }, parties)).toThrow(/before it starts/)
  })
})

describe('differences between request and grant', () => {
  test('are empty if nothing changed', () => {
    expect(differences(() => undefined)).toEqual([])
  })

  test.for<[string, (wire: Wire) => unknown]>([
    [
      'permission.data.periodAmount narrower',
      ({ permission }) => Object.assign(permission.data, { periodAmount: '0x1' }),
    ],
    [
      'permission.data.periodAmount wider',
      ({ permission }) => Object.assign(permission.data, { periodAmount: '0xffffffff' }),
    ],
    [
      'permission.data.periodDuration wider',
      ({ permission }) => Object.assign(permission.data, { periodDuration: 3_600 }),
    ],
    [
      'permission.data.periodDuration narrower',
      ({ permission }) => Object.assign(permission.data, { periodDuration: 604_800 }),
    ],
    [
      'permission.data.startTime narrower',
      ({ permission }) => Object.assign(permission.data, { startTime: 1_800_000_001 }),
    ],
    [
      'permission.data.tokenAddress other',
      ({ permission }) => Object.assign(permission.data, { tokenAddress: at('5') }),
    ],
    ['permission.type other', ({ permission }) => Object.assign(permission, { type: 'erc20-token-stream' })],
    ['rules.expiry wider', (wire) => Object.assign(wire, { rules: [] })],
    [
      'rules.expiry wider',
      (wire) => Object.assign(wire, { rules: [{ type: 'expiry', data: { timestamp: 1_900_000_000 } }] }),
    ],
    [
      'rules.expiry narrower',
      (wire) => Object.assign(wire, { rules: [{ type: 'expiry', data: { timestamp: 1_800_000_001 } }] }),
    ],
    [
      'rules.payee narrower',
      (wire) =>
        Object.assign(wire, {
          rules: [...(usdc.rules ?? []), { type: 'payee', data: { addresses: [at('5')] } }],
        }),
    ],
    [
      'rules.redeemer narrower',
      (wire) =>
        Object.assign(wire, {
          rules: [...(usdc.rules ?? []), { type: 'redeemer', data: { addresses: [at('5')] } }],
        }),
    ],
    [
      'rules.moon other',
      (wire) => Object.assign(wire, { rules: [...(usdc.rules ?? []), { type: 'moon', data: {} }] }),
    ],
    ['from other', (wire) => Object.assign(wire, { from: at('5') })],
    ['to other', (wire) => Object.assign(wire, { to: at('5') })],
    ['chainId other', (wire) => Object.assign(wire, { chainId: '0x1' })],
  ])('%s', ([expected, change]) => {
    expect(differences(change)).toEqual([expected])
  })

  test('a rounded period allows more or less in total', () => {
    const [hourly] = readGrants(
      answer(({ permission }) => Object.assign(permission.data, { periodDuration: 3_600 })),
    )
    expect(hourly && allowsMoreOverTime(asked, hourly)).toBe(true)
    expect(allowsMoreOverTime(asked, asked)).toBe(false)
  })
})

describe('an unreadable answer', () => {
  test.for<[string, unknown]>([
    ['nothing', undefined],
    ['an empty list', []],
    ['no context', answer((wire) => delete wire['context'])],
    ['an empty context', answer((wire) => Object.assign(wire, { context: '0x' }))],
    ['half a byte', answer((wire) => Object.assign(wire, { context: '0xabc' }))],
    ['an address that is too short', answer((wire) => Object.assign(wire, { to: '0x12' }))],
    [
      'an amount below zero',
      answer(({ permission }) => Object.assign(permission.data, { periodAmount: -1 })),
    ],
    [
      'a rule twice',
      answer((wire) => Object.assign(wire, { rules: [...(usdc.rules ?? []), ...(usdc.rules ?? [])] })),
    ],
    ['too many grants', Array.from({ length: 51 }, () => answer()[0])],
  ])('with %s is refused with a code', ([, value]) => {
    expect(() => readGrants(value)).toThrow(expect.objectContaining({ code: 'GRANT_MALFORMED' }))
  })

  test('of any content is read or refused, without a crash', () => {
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        try {
          readGrants(value)
        } catch (error) {
          expect(error).toMatchObject({ code: 'GRANT_MALFORMED' })
        }
      }),
    )
  })
})
