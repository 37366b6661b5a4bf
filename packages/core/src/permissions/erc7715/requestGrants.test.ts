import { describe, expect, test } from 'vitest'
import { olderRequestMethod, requestMethod, runwayRequests } from './permissionRequest.ts'
import { requestGrants, type WalletRequest } from './requestGrants.ts'

const at = (digit: string) => `0x${digit.repeat(40)}` as const
const runway = { usdcCentsPerDay: 1_000n, gasWeiPerDay: 5n * 10n ** 16n, expiry: 1_800_604_800n, because: [] }
const parties = { chainId: 8453, from: at('1'), to: at('2'), usdc: at('3'), now: 1_800_000_000n }
const requests = runwayRequests(runway, parties)
const [usdc] = requests
const discovery = 'wallet_getSupportedExecutionPermissions'
const payee = { type: 'payee', data: { addresses: [at('5')] } }

const refusal = (code: number, message = 'no') => Object.assign(new Error(message), { code })
const missing = refusal(-32601, 'The method does not exist.')
const invalid = refusal(-32602, '0.signer: Required')

/** A wallet that answers by method, or by method and shape of the first request. */
function walletOf(answers: Readonly<Record<string, unknown>>) {
  const calls: WalletRequest[] = []
  return {
    calls,
    said: () => calls.map(({ method, params }) => [method, shapeOf(params)].join(' ').trim()),
    async request(call: WalletRequest) {
      calls.push(call)
      const answer = answers[`${call.method} ${shapeOf(call.params)}`] ?? answers[call.method] ?? missing
      if (answer instanceof Error) throw answer
      return answer
    },
  }
}

function shapeOf(params: unknown): string {
  const [first] = Array.isArray(params) ? params : []
  if (!first) return ''
  if ('permissions' in first) return 'recurring'
  if ('to' in first) return 'current'
  return 'rules' in first ? 'signer' : 'older'
}

const granted = { context: '0xabcd' }
const currentAnswer = requests.map((request) => ({
  ...request,
  ...granted,
  delegationManager: at('4'),
  dependencies: [],
}))
const signerAnswer = requests.map(({ from, to, rules, ...request }) => ({
  ...request,
  ...granted,
  address: from,
  signer: { type: 'account', data: { address: to } },
  rules: rules?.map((rule) => ({ ...rule, isAdjustmentAllowed: true })),
  signerMeta: { delegationManager: at('4') },
  dependencyInfo: [{ factory: at('6'), factoryData: '0x12' }],
}))

describe('requestGrants', () => {
  test('sends the current shape to a wallet that reports its supported permissions', async () => {
    const wallet = walletOf({ [discovery]: {}, [requestMethod]: currentAnswer })
    const { answer, grants, shape } = await requestGrants(wallet, requests)
    expect(wallet.said()).toEqual([discovery, `${requestMethod} current`])
    expect(wallet.calls[1]?.params).toEqual(requests)
    expect(shape).toBe('current')
    expect(answer).toBe(currentAnswer)
    expect(grants).toMatchObject([
      { delegationManager: at('4'), to: at('2') },
      { type: 'native-token-periodic' },
    ])
  })

  test('sends the shape with a signer first if the wallet does not report its supported permissions', async () => {
    const wallet = walletOf({ [requestMethod]: signerAnswer })
    const { grants, shape } = await requestGrants(wallet, requests)
    expect(wallet.said()).toEqual([discovery, `${requestMethod} signer`])
    expect(wallet.calls[1]?.params).toMatchObject([
      {
        address: at('1'),
        signer: { type: 'account', data: { address: at('2') } },
        rules: [{ type: 'expiry', isAdjustmentAllowed: true, data: { timestamp: 1_800_604_800 } }],
      },
      { permission: { type: 'native-token-periodic' } },
    ])
    expect(shape).toBe('signer')
    expect(grants[0]).toMatchObject({
      from: at('1'),
      to: at('2'),
      expiry: 1_800_604_800,
      delegationManager: at('4'),
      dependencies: [{ factory: at('6'), factoryData: '0x12' }],
    })
  })

  test.for<[string, Readonly<Record<string, unknown>>, readonly string[]]>([
    [
      'the current shape is invalid',
      { [discovery]: {}, [`${requestMethod} current`]: invalid, [requestMethod]: signerAnswer },
      [discovery, `${requestMethod} current`, `${requestMethod} signer`],
    ],
    [
      'the shape with a signer is invalid',
      { [`${requestMethod} signer`]: invalid, [requestMethod]: currentAnswer },
      [discovery, `${requestMethod} signer`, `${requestMethod} current`],
    ],
    [
      'only the older name is known',
      { [olderRequestMethod]: signerAnswer },
      [discovery, `${requestMethod} signer`, `${olderRequestMethod} older`],
    ],
    [
      'only the shape of the first drafts is known',
      { [`${olderRequestMethod} older`]: invalid, [olderRequestMethod]: signerAnswer },
      [
        discovery,
        `${requestMethod} signer`,
        `${olderRequestMethod} older`,
        `${olderRequestMethod} recurring`,
      ],
    ],
    [
      'the wallet does not support a method of that name (4200)',
      { [discovery]: refusal(4200), [requestMethod]: refusal(4200), [olderRequestMethod]: signerAnswer },
      [discovery, `${requestMethod} signer`, `${olderRequestMethod} older`],
    ],
  ])('tries the next shape if %s', async ([, answers, said]) => {
    const wallet = walletOf(answers)
    const { grants } = await requestGrants(wallet, requests)
    expect(wallet.said()).toEqual(said)
    expect(grants).toHaveLength(2)
  })

  test.for([
    ['refuses', 4001],
    ['is not connected', 4100],
    ['fails inside', -32603],
  ] as const)('asks once and passes the error on if the owner’s wallet %s (%i)', async ([, code]) => {
    const wallet = walletOf({ [discovery]: {}, [requestMethod]: refusal(code) })
    await expect(requestGrants(wallet, requests)).rejects.toMatchObject({ code })
    expect(wallet.said()).toEqual([discovery, `${requestMethod} current`])
  })

  test('never sends a rule in a shape that does not support it: MetaMask 0.7.0 signs without the payee', async () => {
    const bounded = [{ ...usdc, rules: [...(usdc.rules ?? []), payee] }]
    const silent = walletOf({ [`${requestMethod} current`]: invalid, [requestMethod]: signerAnswer })
    await expect(requestGrants(silent, bounded)).rejects.toMatchObject({
      code: 'INVALID_INPUT',
      details: [
        'signer: cannot express the rule payee',
        'current: -32602 0.signer: Required',
        'older: cannot express the rule payee',
        'recurring: cannot express rules beside the expiry',
      ],
    })
    expect(silent.said()).toEqual([discovery, `${requestMethod} current`])
  })

  test('lists every answer if a wallet accepts no shape, without control characters', async () => {
    const rude = refusal(-32602, `no\u001b[2J\u202e${'x'.repeat(500)}`)
    const wallet = walletOf({ [requestMethod]: rude })
    const error = await requestGrants(wallet, requests).catch((thrown: unknown) => thrown)
    expect(error).toMatchObject({ code: 'INVALID_INPUT', cause: rude })
    expect(String(error)).toMatch(/signer: -32602 no \[2J x{190,}\n/)
    expect(String(error)).not.toMatch(/x{200}/)
  })

  test('skips a shape that cannot express requests for several accounts', async () => {
    const wallet = walletOf({ [olderRequestMethod]: invalid })
    const several = [usdc, { ...usdc, to: at('7') }]
    await expect(requestGrants(wallet, several)).rejects.toMatchObject({
      details: expect.arrayContaining([
        'recurring: cannot express several accounts, keys, chains or expiries',
      ]),
    })
  })

  test('sends no invalid request, and no unknown field', async () => {
    const wallet = walletOf({ [discovery]: {}, [requestMethod]: currentAnswer })
    await expect(requestGrants(wallet, [{ to: at('2') }])).rejects.toMatchObject({ code: 'INVALID_INPUT' })
    await expect(requestGrants(wallet, [])).rejects.toMatchObject({ code: 'INVALID_INPUT' })
    expect(wallet.calls).toEqual([])
    await requestGrants(
      wallet,
      requests.map((request) => ({ ...request, also: 1 })),
    )
    expect(wallet.calls[1]?.params).toEqual(requests)
  })

  test('refuses an answer with a different number of grants', async () => {
    const wallet = walletOf({ [discovery]: {}, [requestMethod]: currentAnswer.slice(1) })
    await expect(requestGrants(wallet, requests)).rejects.toMatchObject({ code: 'GRANT_MALFORMED' })
  })
})
