import { encodeRedeemCall, metamaskKinds } from '@bardo/core'
import { type Devnet, devnetAccount, startDevnet } from '@bardo/devnet'
import { EntryPoint } from '@metamask/delegation-abis'
import { Implementation, toMetaMaskSmartAccount } from '@metamask/smart-accounts-kit'
import {
  type Address,
  encodeFunctionData,
  type Hex,
  multicall3Abi,
  parseEther,
  parseUnits,
  zeroHash,
} from 'viem'
import { toPackedUserOperation } from 'viem/account-abstraction'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { type DelegationBench, openDelegationBench } from '../testing/delegationBench.ts'
import { nodeWithout } from '../testing/nodeAround.ts'
import { explainTransaction } from './explainTransaction.ts'

let world: Devnet
let bench: DelegationBench
let session: Awaited<ReturnType<typeof openSessionAccount>>
let opening: Hex
beforeAll(async () => {
  world = await startDevnet({ port: 0 })
  bench = await openDelegationBench(world)
  session = await openSessionAccount()
  opening = await world.client.snapshot()
})
afterAll(() => world?.stop())
beforeEach(async () => {
  await world.client.revert({ id: opening })
  opening = await world.client.snapshot()
})

const usdc = (amount: string) => parseUnits(amount, 6)
const dayLimit = {
  type: 'refuse',
  agrees: true,
  verdict: {
    first: {
      link: 0,
      caveat: 0,
      hook: 'afterHook',
      refusal: { name: 'SpendLimitExceeded', args: [800_00n, 400_00n, 1_000_00n] },
    },
  },
  redemption: { at: { type: 'caveat', link: 0, caveat: 0, hook: 'afterHook' } },
}
/** With and without a trace. Without one, the simulation must locate the failure. */
const nodes = [
  ['that traces', []],
  ['that does not trace', ['debug_traceTransaction']],
] as const

describe.each(nodes)('on a node %s', (_, missing) => {
  const explain = (hash: Hex) =>
    explainTransaction(nodeWithout(world.url, ...missing).client, bench.deployment, hash)

  it('traces a failed transaction to its link, caveat and numbers', async () => {
    const links = [await bench.delegate([bench.cage()])]
    const context = { links, execution: bench.pay(usdc('400')) }
    for (const _ of [1, 2]) await bench.redeem([context])
    const { transactionHash } = await bench.redeem([context])
    const why = await explain(transactionHash)
    expect(why).toMatchObject({
      status: 'reverted',
      preceding: 0,
      contexts: [{ explanation: dayLimit, spending: [] }],
    })
  })

  it('reports what a transaction spent of each limit', async () => {
    const limits = [
      bench.metamask('LimitedCallsEnforcer', metamaskKinds.LimitedCalls.encode({ limit: 5 })),
      bench.metamask(
        'ERC20TransferAmountEnforcer',
        metamaskKinds.ERC20TransferAmount.encode({ token: world.addresses.usdc, amount: usdc('70') }),
      ),
    ]
    const links = [await bench.delegate(limits)]
    await bench.redeem([{ links, execution: bench.pay(usdc('5')) }])
    const { transactionHash } = await bench.redeem([{ links, execution: bench.pay(usdc('7')) }])
    expect(await explain(transactionHash)).toMatchObject({
      status: 'success',
      contexts: [
        {
          explanation: { type: 'pass', agrees: true },
          spending: [
            {
              link: 0,
              caveat: 0,
              name: 'LimitedCalls',
              before: { spent: 1n },
              after: { spent: 2n, limit: 5n },
            },
            {
              link: 0,
              caveat: 1,
              name: 'ERC20TransferAmount',
              before: { spent: usdc('5') },
              after: { spent: usdc('12'), limit: usdc('70') },
            },
          ],
        },
      ],
    })
  })

  it('finds the failed context among several', async () => {
    const links = [await bench.delegate([bench.cage()])]
    const context = { links, execution: bench.pay(usdc('400')) }
    const { transactionHash } = await bench.redeem([context, context, context, context])
    const { contexts } = await explain(transactionHash)
    expect(contexts.map(({ explanation }) => explanation.type)).toEqual(['pass', 'pass', 'refuse'])
    expect(contexts[2]?.explanation).toMatchObject(dayLimit)
  })

  it('finds the context whose link the manager itself refuses', async () => {
    const good = { links: [await bench.delegate([bench.cage()])], execution: bench.pay(usdc('1')) }
    const [link] = good.links
    const bad = { ...good, links: link ? [{ ...link, authority: zeroHash }] : [] }
    const { transactionHash } = await bench.redeem([good, bad, good])
    const { contexts } = await explain(transactionHash)
    expect(contexts.map(({ explanation }) => explanation.type)).toEqual(['pass', 'refuse'])
    expect(contexts[1]?.explanation).toMatchObject({
      verdict: { manager: { name: 'InvalidAuthority', link: 0 } },
    })
  })

  it('counts earlier transactions of the same block', async () => {
    const links = [await bench.delegate([bench.cage()])]
    const data = encodeRedeemCall([{ links, execution: bench.pay(usdc('400')) }])
    await world.client.setAutomine(false)
    await world.client.impersonateAccount({ address: world.accounts.golem })
    const hashes: Hex[] = []
    for (const _ of [1, 2, 3]) {
      hashes.push(
        await world.client.sendTransaction({
          account: world.accounts.golem,
          to: bench.manager,
          data,
          gas: 1_000_000n,
        }),
      )
    }
    await world.client.mine({ blocks: 1 })
    await world.client.setAutomine(true)
    const why = await explain(hashes[2] ?? '0x')
    // A call cannot be traced after other calls, so here only the library names the caveat.
    const { redemption: _, ...refused } = dayLimit
    expect(why).toMatchObject({ status: 'reverted', preceding: 2, contexts: [{ explanation: refused }] })
  })

  it('explains a failed UserOperation in a successful transaction', async () => {
    const links = [await bench.delegate([bench.cage()], session.address)]
    const context = { links, execution: bench.pay(usdc('400')) }
    for (const _ of [1, 2]) await session.redeem(encodeRedeemCall([context]))
    const { transactionHash, status } = await session.redeem(encodeRedeemCall([context]))
    expect(status).toBe('success')
    const why = await explain(transactionHash)
    expect(why).toMatchObject({
      status: 'success',
      contexts: [
        { explanation: { ...dayLimit, redeemer: expect.stringMatching(new RegExp(session.address, 'i')) } },
      ],
    })
  })

  it('distinguishes a callee’s failure from a refusal', async () => {
    const links = [await bench.delegate([bench.cage()])]
    const { transactionHash } = await bench.redeem([
      { links, execution: bench.swap(usdc('100'), parseEther('1')) },
    ])
    expect(await explain(transactionHash)).toMatchObject({
      contexts: [
        {
          explanation: {
            type: 'fails',
            agrees: true,
            execution: {
              revert: { text: 'Too little received' },
              target: world.addresses.swapRouter02.toLowerCase(),
            },
          },
        },
      ],
    })
  })

  it('reports an operation that ran out of gas without a reason as reverted', async () => {
    const links = [await bench.delegate([bench.cage()], session.address)]
    const callData = encodeRedeemCall([{ links, execution: bench.pay(usdc('100')) }])
    const { transactionHash, status } = await session.redeem(callData, 150_000n)
    expect(status).toBe('success')
    const [context] = (await explain(transactionHash)).contexts
    expect(context?.explanation.redemption.type).toBe('reverted')
    expect(context?.spending).toEqual([])
  })

  it('refuses a transaction that redeems nothing or does not exist', async () => {
    const { transactionHash } = await bench.send('operator', world.accounts.payee, '0x')
    await expect(explain(transactionHash)).rejects.toMatchObject({ code: 'INVALID_INPUT' })
    await expect(explain(`0x${'12'.repeat(32)}`)).rejects.toMatchObject({ code: 'INVALID_INPUT' })
  })
})

it('finds a redemption inside another contract’s multicall, with a trace', async () => {
  const { multicall3 } = world.addresses
  const links = [await bench.delegate([bench.cage()], multicall3)]
  const callData = encodeRedeemCall([{ links, execution: bench.pay(usdc('501')) }])
  const data = encodeFunctionData({
    abi: multicall3Abi,
    functionName: 'aggregate3',
    args: [[{ target: bench.manager, allowFailure: true, callData }]],
  })
  const { transactionHash, status } = await bench.send('operator', multicall3, data)
  expect(status).toBe('success')
  const why = await explainTransaction(bench.client, bench.deployment, transactionHash)
  expect(why.contexts).toMatchObject([
    {
      explanation: {
        type: 'refuse',
        agrees: true,
        verdict: { first: { refusal: { name: 'SizeExceeded' } } },
      },
    },
  ])
})

/** A session account, which redeems with UserOperations. */
async function openSessionAccount() {
  const { entryPoint } = world.addresses
  const account = await toMetaMaskSmartAccount({
    client: world.client,
    environment: world.framework,
    implementation: Implementation.Hybrid,
    deployParams: [world.accounts.golem, [], [], []],
    deploySalt: '0x01',
    signer: { account: devnetAccount('golem') },
  })
  const { factory, factoryData } = await account.getFactoryArgs()
  if (factory && factoryData) await bench.mustSend('operator', factory, factoryData)
  await world.client.setBalance({ address: account.address, value: parseEther('1') })

  async function redeem(callData: Hex, callGasLimit = 1_500_000n) {
    const operation = {
      sender: account.address as Address,
      nonce: await account.getNonce(),
      callData: await account.encodeCalls([{ to: bench.manager, data: callData }]),
      callGasLimit,
      verificationGasLimit: 500_000n,
      preVerificationGas: 100_000n,
      maxFeePerGas: parseUnits('2', 9),
      maxPriorityFeePerGas: 0n,
    }
    const signature = await account.signUserOperation({ ...operation, signature: '0x' })
    const packed = toPackedUserOperation({ ...operation, signature })
    const data = encodeFunctionData({
      abi: EntryPoint,
      functionName: 'handleOps',
      args: [[packed], world.accounts.operator],
    })
    return bench.send('operator', entryPoint, data)
  }

  return { address: account.address, redeem }
}
