import { describe, expect, test } from 'vitest'
import { compareGrant } from './compareGrant.ts'
import { runwayRequests } from './permissionRequest.ts'
import { readRequest } from './readGrant.ts'
import { readRecurringRequest, toRecurringRequest } from './recurringRequest.ts'

const at = (digit: string) => `0x${digit.repeat(40)}` as const
const runway = { usdcCentsPerDay: 1_000n, gasWeiPerDay: 5n * 10n ** 16n, expiry: 1_800_604_800n, because: [] }
const parties = { chainId: 8453, from: at('1'), to: at('2'), usdc: at('3'), now: 1_800_000_000n }
const requests = runwayRequests(runway, parties)
const recurring = toRecurringRequest(requests)

describe('recurring allowances, the first request shape', () => {
  test('are written as in the drafts', () => {
    expect(recurring).toEqual({
      chainId: '0x2105',
      address: at('1'),
      expiry: 1_800_604_800,
      signer: { type: 'key', data: { id: at('2') } },
      permissions: [
        {
          type: 'erc20-recurring-allowance',
          data: { token: at('3'), allowance: '0x989680', period: 86_400 },
        },
        { type: 'native-token-recurring-allowance', data: { allowance: '0xb1a2bc2ec50000', period: 86_400 } },
      ],
    })
  })

  test('read back as requested, except the start', () => {
    const read = readRecurringRequest(JSON.parse(JSON.stringify(recurring)))
    const differences = read.map((permission, place) => {
      const request = requests[place]
      return request && compareGrant(permission, readRequest(request))
    })
    expect(differences).toEqual([[], []])
    expect(read.map(({ data }) => data.startTime)).toEqual([undefined, undefined])
  })

  test.for<[string, (wire: Record<string, unknown>) => unknown]>([
    ['an unknown field', (wire) => ({ ...wire, policies: [] })],
    ['an unknown field of the signer', (wire) => ({ ...wire, signer: { ...recurring.signer, also: 1 } })],
    [
      'an unknown field of an allowance',
      (wire) => ({
        ...wire,
        permissions: [
          { ...recurring.permissions[0], data: { ...recurring.permissions[0]?.data, cap: '0x1' } },
        ],
      }),
    ],
    ['an unknown permission', (wire) => ({ ...wire, permissions: [{ type: 'everything', data: {} }] })],
    ['no permission', (wire) => ({ ...wire, permissions: [] })],
    ['no expiry', ({ expiry: _, ...wire }) => wire],
    ['an expiry in words', (wire) => ({ ...wire, expiry: 'never' })],
    ['another type of signer', (wire) => ({ ...wire, signer: { type: 'wallet', data: {} } })],
    ['half an address', (wire) => ({ ...wire, address: '0x12' })],
    ['nothing', () => undefined],
  ])('%s is refused', ([, change]) => {
    expect(() => readRecurringRequest(change({ ...recurring }))).toThrow(
      expect.objectContaining({ code: 'GRANT_MALFORMED' }),
    )
  })

  test('are not written if they do not fit', () => {
    const [usdc, gas] = requests
    const refused = expect.objectContaining({ code: 'INVALID_INPUT' })
    expect(() => toRecurringRequest([])).toThrow(refused)
    expect(() => toRecurringRequest([usdc, { ...gas, to: at('4') }])).toThrow(refused)
    expect(() => toRecurringRequest([{ ...usdc, rules: [] }])).toThrow(refused)
    const payee = { type: 'payee', data: { addresses: [at('5')] } }
    expect(() => toRecurringRequest([{ ...usdc, rules: [...(usdc.rules ?? []), payee] }])).toThrow(refused)
  })
})
