import { describe, expect, test } from 'vitest'
import { grantRequestSchema } from './grantRequestSchema.ts'
import { supportedPermissions } from './supportedPermissions.ts'

const now = 1_800_000_000
const today = now - (now % 86_400)
const token = '0x00000000000000000000000000000000000000aa'
const other = '0x00000000000000000000000000000000000000bb'
const zero = `0x${'0'.repeat(40)}`

const environment = {
  DelegationManager: '0x',
  EntryPoint: '0x',
  SimpleFactory: '0x',
  implementations: {},
  caveatEnforcers: { ApprovalRevocationEnforcer: '0x01' },
} as const

const schema = grantRequestSchema(now, supportedPermissions(environment))

const request = (permission: object, rules: unknown = []) => ({
  chainId: '0x1',
  to: token,
  permission: { isAdjustmentAllowed: true, ...permission },
  rules,
})
const periodic = (data: object = {}, rules?: unknown) =>
  request(
    { type: 'native-token-periodic', data: { periodAmount: '0x0064', periodDuration: 86_400, ...data } },
    rules,
  )
const stream = (data: object) =>
  request({ type: 'native-token-stream', data: { amountPerSecond: '0x1', ...data } })
const allowance = (data: object = {}, rules?: unknown) =>
  request(
    { type: 'erc20-token-allowance', data: { allowanceAmount: '0x1', tokenAddress: token, ...data } },
    rules,
  )
const revocation = (revokes: boolean, rules?: unknown) => {
  const names = [
    'erc20Approve',
    'erc721Approve',
    'erc721SetApprovalForAll',
    'permit2Approve',
    'permit2Lockdown',
  ]
  const data = Object.fromEntries(names.map((name) => [name, revokes]))
  return request(
    { type: 'token-approval-revocation', data: { ...data, permit2InvalidateNonces: false } },
    rules,
  )
}
const expiry = (timestamp: number) => ({ type: 'expiry', data: { timestamp } })
const payees = (...addresses: string[]) => ({ type: 'payee', data: { addresses } })

describe('a request for a grant', () => {
  test.for<[string, unknown, RegExp]>([
    ['an unknown type', request({ type: 'everything', data: {} }), /does not grant this type/],
    [
      'no isAdjustmentAllowed',
      { ...periodic(), permission: { type: 'native-token-periodic', data: {} } },
      /boolean/,
    ],
    ['no rules', periodic({}, null), /array/],
    ['an unknown rule', periodic({}, [{ type: 'whenever', data: {} }]), /does not support this rule/],
    ['a rule twice', periodic({}, [expiry(now + 1), expiry(now + 2)]), /a second expiry rule/],
    ['a payee rule without payee', periodic({}, [payees()]), /1/],
    ['an amount of zero', periodic({ periodAmount: '0x0' }), /greater than 0/],
    ['an amount that is not a number', periodic({ periodAmount: '0x' }), /a number in hex/],
    ['an amount as a number', periodic({ periodAmount: 100 }), /expected string/],
    ['more than a uint256', periodic({ periodAmount: `0x1${'0'.repeat(64)}` }), /a number in hex/],
    ['a period of zero', periodic({ periodDuration: 0 }), />0/],
    ['more than ten years', periodic({ periodDuration: 10 * 365 * 86_400 + 1 }), /10 years/],
    ['a start before today', periodic({ startTime: today - 1 }), /today or later/],
    ['an expiry that has passed', periodic({}, [expiry(now)]), /in the future/],
    ['an expiry at the start', periodic({ startTime: now + 5 }, [expiry(now + 5)]), /before the expiry/],
    [
      'a stream that starts full',
      stream({ initialAmount: '0x5', maxAmount: '0x5' }),
      /greater than initialAmount/,
    ],
    ['a stream of zero', stream({ maxAmount: '0x0' }), /greater than 0/],
    ['the zero address as token', allowance({ tokenAddress: zero }), /zero address/],
    ['two ERC-20 payees', allowance({}, [payees(token, other)]), /one payee/],
    ['a revocation without any target', revocation(false), /must revoke something/],
    ['a revocation with a payee', revocation(true, [payees(token)]), /not for token-approval-revocation/],
    ['markup on the owner’s screen', periodic({ justification: '<b>safe</b>' }), /plain text/],
    ['a control character that reorders text', periodic({ justification: 'a\u202eb' }), /plain text/],
    ['a justification that is too long', periodic({ justification: 'a'.repeat(301) }), /300/],
  ])('is refused with %s', ([, given, message]) => {
    const { success, error } = schema.safeParse(given)
    expect(success).toBe(false)
    expect(error?.message).toMatch(message)
  })

  test('is completed with the shortest hex, a start, a reason and checksummed addresses', () => {
    const { permission, rules, to } = schema.parse(periodic({}, [payees(token, other)]))
    const data = {
      periodAmount: '0x64',
      periodDuration: 86_400,
      startTime: now,
      justification: 'No reason was given.',
    }
    expect(permission).toEqual({ type: 'native-token-periodic', isAdjustmentAllowed: true, data })
    expect(to).toBe('0x00000000000000000000000000000000000000AA')
    expect(rules).toEqual([
      payees('0x00000000000000000000000000000000000000AA', '0x00000000000000000000000000000000000000bb'),
    ])
  })

  test('may start today, end in a second, and revoke approvals', () => {
    schema.parse(periodic({ startTime: today, justification: ' It’s for gas. ' }, [expiry(now + 1)]))
    schema.parse(revocation(true, [expiry(now + 1)]))
  })

  test.for([
    [1, 3_600],
    [2 * 86_400, 86_400],
    [5 * 86_400, 7 * 86_400],
    [31 * 86_400, 30 * 86_400],
    [10 * 365 * 86_400, 365 * 86_400],
  ])('for a period of %i seconds gets %i, the nearest one that MetaMask offers', ([asked, granted]) => {
    expect(schema.parse(periodic({ periodDuration: asked })).permission.data).toMatchObject({
      periodDuration: granted,
    })
  })

  test('to revoke approvals is refused if no contract enforces it', () => {
    const older = supportedPermissions({ ...environment, caveatEnforcers: {} })
    expect(older.has('token-approval-revocation')).toBe(false)
    expect(grantRequestSchema(now, older).safeParse(revocation(true)).error?.message).toMatch(/no contract/)
  })
})
