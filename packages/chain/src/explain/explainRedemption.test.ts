import {
  type Caveat,
  coSigningDigest,
  type Delegation,
  type Execution,
  type Explanation,
  encodeContext,
  encodeExecution,
  hashDelegation,
  metamaskKinds,
} from '@bardo/core'
import { type Devnet, devnetAccount, startDevnet } from '@bardo/devnet'
import { DelegationManager } from '@metamask/delegation-abis'
import {
  type Address,
  encodeAbiParameters,
  encodeFunctionData,
  erc20Abi,
  erc4626Abi,
  type Hex,
  numberToHex,
  parseAbiParameters,
  parseEther,
  parseUnits,
} from 'viem'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { type DelegationBench, openDelegationBench } from '../testing/delegationBench.ts'
import { nodeAround, nodeWithout } from '../testing/nodeAround.ts'
import { explainRedemption, type ReadMemory } from './explainRedemption.ts'

let world: Devnet
let bench: DelegationBench
let opening: Hex
beforeAll(async () => {
  world = await startDevnet({ port: 0 })
  bench = await openDelegationBench(world)
  opening = await world.client.snapshot()
})
afterAll(() => world?.stop())
beforeEach(async () => {
  await world.client.revert({ id: opening })
  opening = await world.client.snapshot()
})

const usdc = (amount: string) => parseUnits(amount, 6)

function ask(links: readonly Delegation[], execution: Execution, redeemer: Address = world.accounts.golem) {
  return explainRedemption(bench.client, bench.deployment, { links, execution, redeemer })
}

/** The refusing caveat, by the library and by the node's trace. Both must name the same one. */
function refusing({ verdict: { first }, redemption }: Explanation) {
  const at = redemption.type === 'reverted' ? redemption.at : undefined
  expect(at).toMatchObject({ type: 'caveat', link: first?.link, caveat: first?.caveat, hook: first?.hook })
  return {
    link: first?.link,
    caveat: first?.caveat,
    hook: first?.hook,
    error: first?.refusal.name,
    remedy: first?.remedy,
  }
}

describe('on a node that simulates', () => {
  it('passes what passes on chain', async () => {
    const links = [await bench.delegate([bench.cage()])]
    for (const execution of [bench.pay(usdc('100')), bench.swap(usdc('100'))]) {
      const why = await ask(links, execution)
      expect(why).toMatchObject({
        type: 'pass',
        agrees: true,
        execution: { type: 'done' },
        verdict: { type: 'pass' },
      })
      expect((await bench.redeem([{ links, execution }])).status).toBe('success')
    }
  })

  it('accepts an encoded permission context as well as its links', async () => {
    const context = encodeContext([await bench.delegate([bench.cage()])])
    const question = { context, execution: bench.pay(1n), redeemer: world.accounts.golem }
    expect(await explainRedemption(bench.client, bench.deployment, question)).toMatchObject({ type: 'pass' })
  })

  it('names the link, the caveat, the hook and the numbers of a refusal by the daily limit', async () => {
    const root = await bench.delegate([
      bench.metamask(
        'TimestampEnforcer',
        metamaskKinds.Timestamp.encode({ afterThreshold: 0, beforeThreshold: 0 }),
      ),
      bench.cage(),
    ])
    const links = [await bench.redelegate('golem', root, world.accounts.operator), root]
    for (const _ of [1, 2]) await bench.redeem([{ links, execution: bench.pay(usdc('400')) }], 'operator')
    const why = await ask(links, bench.pay(usdc('400')), world.accounts.operator)
    expect(why).toMatchObject({ type: 'refuse', agrees: true })
    expect(refusing(why)).toEqual({
      link: 1,
      caveat: 1,
      hook: 'afterHook',
      error: 'SpendLimitExceeded',
      remedy: 'Spend at most $200 now, not $400: $800 of $1,000 are spent, and free again within 28 hours.',
    })
  })

  it('reports a refusal before the execution', async () => {
    const links = [await bench.delegate([bench.cage()])]
    const why = await ask(links, bench.pay(usdc('1'), world.accounts.operator))
    expect(why).toMatchObject({ type: 'refuse', agrees: true })
    expect(refusing(why)).toMatchObject({ link: 0, caveat: 0, hook: 'beforeHook', error: 'PayeeNotAllowed' })
  })

  it('reports a MetaMask caveat one unit over its limit, in a middle link', async () => {
    const limit = (amount: string): Caveat =>
      bench.metamask(
        'ERC20TransferAmountEnforcer',
        metamaskKinds.ERC20TransferAmount.encode({
          token: world.addresses.usdc,
          amount: usdc(amount),
        }),
      )
    const root = await bench.delegate([limit('300')])
    const middle = await bench.redelegate('golem', root, world.accounts.operator, [limit('200')])
    const links = [
      await bench.redelegate('operator', middle, world.accounts.payee, [limit('250')]),
      middle,
      root,
    ]
    expect(await ask(links, bench.pay(usdc('200')), world.accounts.payee)).toMatchObject({
      type: 'pass',
      agrees: true,
    })
    const why = await ask(links, bench.pay(usdc('200') + 1n), world.accounts.payee)
    expect(refusing(why)).toMatchObject({ link: 1, caveat: 0, hook: 'beforeHook' })
    expect(why.agrees).toBe(true)
  })

  it('reads balances after the execution for caveats that measure them', async () => {
    const terms = metamaskKinds.ERC20BalanceChange.encode({
      change: 'decrease',
      token: world.addresses.usdc,
      account: bench.account,
      amount: usdc('50'),
    })
    const links = [await bench.delegate([bench.metamask('ERC20BalanceChangeEnforcer', terms)])]
    expect(await ask(links, bench.pay(usdc('50')))).toMatchObject({ type: 'pass', agrees: true })
    const why = await ask(links, bench.pay(usdc('51')))
    expect(refusing(why)).toMatchObject({ caveat: 0, hook: 'afterHook' })
  })

  it('distinguishes a callee’s failure from a caveat’s refusal', async () => {
    const links = [await bench.delegate([bench.cage()])]
    const why = await ask(links, bench.swap(usdc('100'), parseUnits('1', 18)))
    expect(why).toMatchObject({
      type: 'fails',
      agrees: true,
      verdict: { first: undefined },
      execution: {
        type: 'reverted',
        revert: {
          name: 'Error',
          text: 'Too little received',
          remedy: expect.stringContaining('lower minimum'),
        },
        target: world.addresses.swapRouter02.toLowerCase(),
      },
    })
    const poor = await ask([await bench.delegate([])], bench.pay(usdc('100001')))
    expect(poor).toMatchObject({
      type: 'fails',
      agrees: true,
      execution: { revert: { remedy: expect.stringContaining('smaller amount') } },
    })
  })

  it('reads in several rounds when reads depend on each other, and in one with memory', async () => {
    const links = [await bench.delegate([bench.cage()])]
    const { usdcVault } = world.addresses
    const amount = usdc('100')
    const execution = encodeExecution([
      {
        to: world.addresses.usdc,
        data: encodeFunctionData({ abi: erc20Abi, functionName: 'approve', args: [usdcVault, amount] }),
      },
      {
        to: usdcVault,
        data: encodeFunctionData({
          abi: erc4626Abi,
          functionName: 'deposit',
          args: [amount, bench.account],
        }),
      },
    ])
    const memory: ReadMemory = new Map()
    const { client, asked } = nodeAround(world.url)
    const question = { links, execution, redeemer: world.accounts.golem, memory }
    expect(await explainRedemption(client, bench.deployment, question)).toMatchObject({
      type: 'pass',
      agrees: true,
    })
    const cold = asked.splice(0)
    expect(await explainRedemption(client, bench.deployment, question)).toMatchObject({
      type: 'pass',
      agrees: true,
    })
    // The block, then the execution and the redemption in parallel.
    expect(asked).toEqual(['eth_getBlockByNumber', 'eth_simulateV1', 'eth_simulateV1'])
    expect(cold.length).toBeGreaterThan(asked.length)
  })

  it('reports a refusal by the manager itself', async () => {
    const delegation = await bench.delegate([bench.cage()])
    const wrongOne = await ask([delegation], bench.pay(1n), world.accounts.payee)
    expect(wrongOne).toMatchObject({
      type: 'refuse',
      agrees: true,
      verdict: { manager: { name: 'InvalidDelegate' } },
    })
    const unsigned = await ask([{ ...delegation, salt: 999n }], bench.pay(1n))
    expect(unsigned).toMatchObject({
      type: 'refuse',
      agrees: true,
      redemption: { revert: { name: 'InvalidERC1271Signature' }, at: { type: 'manager' } },
    })
    await world.client.setBalance({ address: bench.account, value: parseEther('1') })
    await world.client.impersonateAccount({ address: bench.account })
    const hash = await world.client.sendTransaction({
      account: bench.account,
      to: bench.manager,
      data: encodeFunctionData({
        abi: DelegationManager,
        functionName: 'disableDelegation',
        args: [{ ...delegation, caveats: [...delegation.caveats] }],
      }),
    })
    await world.client.waitForTransactionReceipt({ hash })
    const revoked = await ask([delegation], bench.pay(1n))
    expect(revoked).toMatchObject({
      type: 'refuse',
      agrees: true,
      verdict: { manager: { name: 'CannotUseADisabledDelegation', link: 0 } },
    })
  })

  it('takes the node’s verdict for an unknown enforcer', async () => {
    // WETH's fallback function accepts any call; USDC has no hooks and reverts.
    const [weth, token] = [world.addresses.weth, world.addresses.usdc]
    const unknown = (enforcer: Address): Caveat => ({ enforcer, terms: '0x1234', args: '0x' })
    const passes = await ask([await bench.delegate([unknown(weth)])], bench.pay(1n))
    expect(passes).toMatchObject({ type: 'pass', agrees: true, verdict: { type: 'unknown' } })
    const refuses = await ask([await bench.delegate([unknown(weth), unknown(token)])], bench.pay(1n))
    expect(refuses).toMatchObject({
      type: 'refuse',
      agrees: true,
      redemption: { at: { type: 'caveat', link: 0, caveat: 1, hook: 'beforeAllHook' } },
    })
  })

  it('refuses a Cage nonce that is already used', async () => {
    const signer = devnetAccount('payee')
    const caveat = bench.cage({ coSigners: { threshold: 1, keys: [signer.address] } })
    const unsigned = await bench.delegate([caveat])
    const execution = bench.pay(usdc('1'))
    const digest = coSigningDigest(
      {
        chainId: world.chainId,
        manager: bench.manager,
        enforcer: caveat.enforcer,
        execution,
        delegationHash: hashDelegation(unsigned),
        delegator: bench.account,
        redeemer: world.accounts.golem,
        args: '0x',
      },
      7n,
      signer.address,
    )
    const signature = await signer.sign({ hash: digest })
    const args = encodeAbiParameters(parseAbiParameters('uint256, uint256, bytes[]'), [7n, 1n, [signature]])
    const links = [{ ...unsigned, caveats: [{ ...caveat, args }] }]
    expect(await ask(links, execution)).toMatchObject({
      type: 'pass',
      agrees: true,
      verdict: { type: 'pass' },
    })
    expect((await bench.redeem([{ links, execution }])).status).toBe('success')
    const why = await ask(links, execution)
    expect(why.agrees).toBe(true)
    expect(refusing(why)).toMatchObject({ error: 'NonceUsed', hook: 'beforeHook' })
  })

  it('counts the earlier contexts of the same call', async () => {
    const links = [await bench.delegate([bench.cage()])]
    const context = { links, execution: bench.pay(usdc('400')) }
    const question = { ...context, redeemer: world.accounts.golem }
    const third = await explainRedemption(bench.client, bench.deployment, {
      ...question,
      earlier: [context, context],
    })
    expect(third).toMatchObject({
      type: 'refuse',
      agrees: true,
      verdict: { first: { refusal: { name: 'SpendLimitExceeded' } } },
    })
    const second = await explainRedemption(bench.client, bench.deployment, {
      ...question,
      earlier: [context],
    })
    expect(second).toMatchObject({ type: 'pass', agrees: true })
  })

  it('uses the given time', async () => {
    const links = [await bench.delegate([bench.cage()])]
    const question = { links, execution: bench.pay(1n), redeemer: world.accounts.golem }
    const time = BigInt(bench.openedAt + 8 * 86_400)
    const why = await explainRedemption(bench.client, bench.deployment, { ...question, time })
    expect(why).toMatchObject({ type: 'refuse', agrees: true, block: { timestamp: time } })
    expect(refusing(why)).toMatchObject({ error: 'OutsideWindow' })
  })

  it('reports that an account without code cannot execute', async () => {
    const eoa = devnetAccount('owner')
    const unsigned = await bench.delegate([])
    const why = await ask([{ ...unsigned, delegator: eoa.address }], bench.pay(1n))
    expect(why).toMatchObject({ type: 'refuse', agrees: true, execution: { type: 'reverted' } })
  })
})

describe('on a node that does not simulate', () => {
  it('reports what it cannot evaluate and takes the node’s verdict', async () => {
    const { client } = nodeWithout(world.url, 'eth_simulateV1', 'debug_traceCall')
    const links = [await bench.delegate([bench.cage()])]
    const question = { links, redeemer: world.accounts.golem }
    const passes = await explainRedemption(client, bench.deployment, {
      ...question,
      execution: bench.pay(usdc('1')),
    })
    expect(passes).toMatchObject({ type: 'pass', agrees: true, execution: { type: 'unknown' } })
    expect(passes.verdict.caveats[0]?.verdict).toEqual({ type: 'unknown', missing: 'after' })
    const tooMuch = await explainRedemption(client, bench.deployment, {
      ...question,
      execution: bench.pay(usdc('501')),
    })
    expect(tooMuch).toMatchObject({
      type: 'refuse',
      agrees: true,
      redemption: { revert: { name: 'SizeExceeded', args: [501_00n, 500_00n, 0n] } },
    })
    const stranger = await explainRedemption(client, bench.deployment, {
      ...question,
      execution: bench.pay(1n, world.accounts.owner),
    })
    expect(stranger).toMatchObject({
      type: 'refuse',
      agrees: true,
      verdict: { first: { refusal: { name: 'PayeeNotAllowed' } } },
    })
  })

  it('reads one by one without Multicall3', async () => {
    await world.client.setCode({ address: world.addresses.multicall3, bytecode: '0x' })
    const { client } = nodeWithout(world.url, 'eth_simulateV1', 'debug_traceCall')
    const links = [await bench.delegate([bench.cage()])]
    const why = await explainRedemption(client, bench.deployment, {
      links,
      redeemer: world.accounts.golem,
      execution: bench.pay(1n, world.accounts.owner),
    })
    expect(why).toMatchObject({ type: 'refuse', agrees: true, verdict: { first: { certain: true } } })
  })
})

describe('under attack', () => {
  // Tokens that burn all gas they get, revert, or return nothing.
  it.each([
    ['burns all gas', '0xfe'],
    ['reverts', '0x60006000fd'],
    ['returns nothing', '0x00'],
  ] as const)('explains a redemption despite a token that %s', async (_, bytecode) => {
    const evil = '0x00000000000000000000000000000000000e7111'
    await world.client.setCode({ address: evil, bytecode })
    const terms = metamaskKinds.ERC20BalanceChange.encode({
      change: 'decrease',
      token: evil,
      account: bench.account,
      amount: 1n,
    })
    const links = [await bench.delegate([bench.metamask('ERC20BalanceChangeEnforcer', terms), bench.cage()])]
    const why = await ask(links, bench.pay(usdc('1')))
    expect(why).toMatchObject({ type: 'refuse', agrees: true })
    expect(refusing(why)).toMatchObject({ link: 0, caveat: 0 })
  })

  it('explains a redemption despite many tokens that burn all gas: each loses only its own read', async () => {
    const evil = Array.from({ length: 6 }, (_, i) => numberToHex(0xe7200 + i, { size: 20 }))
    for (const address of evil) await world.client.setCode({ address, bytecode: '0xfe' })
    const watched = evil.map((token) =>
      bench.metamask(
        'ERC20BalanceChangeEnforcer',
        metamaskKinds.ERC20BalanceChange.encode({
          change: 'decrease',
          token,
          account: bench.account,
          amount: 1n,
        }),
      ),
    )
    const why = await ask([await bench.delegate([bench.cage(), ...watched])], bench.pay(usdc('501')))
    expect(why).toMatchObject({ type: 'refuse', agrees: true })
    expect(refusing(why)).toMatchObject({ link: 0, caveat: 1, hook: 'beforeHook' })
    // The Cage's own reads were answered.
    expect(why.verdict.caveats[0]?.verdict).toMatchObject({
      type: 'refuse',
      refusal: { name: 'SizeExceeded' },
    })
  })

  it('takes the node’s verdict when a token answers each caller differently', async () => {
    // It returns the caller's address; the enforcer and Multicall3 are two callers.
    const evil = '0x00000000000000000000000000000000000e7112'
    await world.client.setCode({ address: evil, bytecode: '0x3360005260206000f3' })
    const enforcer = bench.deployment.framework.caveatEnforcers['ERC20BalanceChangeEnforcer'] ?? '0x'
    const terms = (amount: bigint) =>
      metamaskKinds.ERC20BalanceChange.encode({
        change: 'decrease',
        token: evil,
        account: bench.account,
        amount,
      })
    const [low, high] = [BigInt(enforcer), BigInt(world.addresses.multicall3)].sort((a, b) =>
      a < b ? -1 : 1,
    )
    expect(low).not.toBe(high)
    // More than one answer and less than the other: one of the two underflows.
    const caveat = bench.metamask('ERC20BalanceChangeEnforcer', terms((low ?? 0n) + 1n))
    const why = await ask([await bench.delegate([caveat])], bench.pay(1n))
    expect(why.agrees).toBe(false)
    expect(why.type).toBe(why.redemption.type === 'done' ? 'pass' : 'refuse')
  })

  it('accepts a context of the maximum size', async () => {
    const caveats = Array.from({ length: 64 }, () => bench.cage())
    const links = [await bench.delegate(caveats)]
    const why = await ask(links, bench.pay(usdc('1')))
    expect(why.redemption.type).toBe('reverted')
  })

  it.each([
    ['null', null],
    ['a number', 7],
    ['not a list', { calls: 'x' }],
    ['a block without calls', [{}]],
    ['too few results', [{ number: '0x1', timestamp: '0x1', calls: [] }]],
    [
      'a list of results without data',
      [
        {
          number: '0x1',
          timestamp: '0x1',
          calls: Array.from({ length: 3 }, () => ({ status: '0x1', gasUsed: '0x1' })),
        },
      ],
    ],
    [
      'a list of results that do not decode',
      [
        {
          number: '0x1',
          timestamp: '0x1',
          calls: Array.from({ length: 3 }, () => ({ status: '0x1', gasUsed: '0x1', returnData: '0x1234' })),
        },
      ],
    ],
  ])('refuses a node’s simulation that is %s', async (_, answer) => {
    const { client } = nodeAround(world.url, async ({ method, pass }) =>
      method === 'eth_simulateV1' ? answer : pass(),
    )
    const links = [await bench.delegate([bench.cage()])]
    await expect(
      explainRedemption(client, bench.deployment, {
        links,
        execution: bench.pay(1n),
        redeemer: world.accounts.golem,
      }),
    ).rejects.toMatchObject({ code: 'RPC_MALFORMED' })
  })

  it('reports an unreachable node', async () => {
    const { client } = nodeAround('http://127.0.0.1:1')
    const links = [await bench.delegate([])]
    await expect(
      explainRedemption(client, bench.deployment, {
        links,
        execution: encodeExecution([{ to: bench.account }]),
        redeemer: world.accounts.golem,
      }),
    ).rejects.toMatchObject({ code: 'RPC_UNAVAILABLE', retryable: true })
  })
})
