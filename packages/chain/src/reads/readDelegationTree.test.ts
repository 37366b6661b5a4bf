import {
  caveatRegistry,
  type Delegation,
  hashDelegation,
  metamaskKinds,
  revocationState,
  treeToText,
} from '@bardo/core'
import { type Devnet, startDevnet } from '@bardo/devnet'
import { DelegationManager } from '@metamask/delegation-abis'
import { encodeFunctionData, parseEther, parseUnits, RpcRequestError, zeroHash } from 'viem'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { type DelegationBench, openDelegationBench } from '../testing/delegationBench.ts'
import { nodeAround } from '../testing/nodeAround.ts'
import { readDelegationTree } from './readDelegationTree.ts'

let world: Devnet
let bench: DelegationBench
beforeAll(async () => {
  world = await startDevnet({ port: 0 })
  bench = await openDelegationBench(world)
  await world.client.setBalance({ address: bench.account, value: parseEther('100') })
  await world.client.impersonateAccount({ address: bench.account })
})
afterAll(() => world?.stop())

async function turn(functionName: 'disableDelegation' | 'enableDelegation', delegation: Delegation) {
  const args = [{ ...delegation, caveats: [...delegation.caveats] }] as const
  const data = encodeFunctionData({ abi: DelegationManager, functionName, args })
  const hash = await world.client.sendTransaction({ account: bench.account, to: bench.manager, data })
  return world.client.waitForTransactionReceipt({ hash })
}

const calls = (limit: number) =>
  bench.metamask('LimitedCallsEnforcer', metamaskKinds.LimitedCalls.encode({ limit }))

it('reports spending, revocations with their time, and redelegations of a revoked delegation', async () => {
  const registry = caveatRegistry(bench.deployment)
  const [good, bad, back, spent] = [
    await bench.delegate([calls(3)]),
    await bench.delegate([calls(3)]),
    await bench.delegate([]),
    await bench.delegate([calls(1)]),
  ]
  const child = await bench.redelegate('golem', bad, world.accounts.operator)
  for (const links of [[good], [spent]])
    await bench.redeem([{ links, execution: bench.pay(parseUnits('1', 6)) }])
  await turn('disableDelegation', bad)
  await turn('enableDelegation', bad)
  await world.warp(100)
  const { transactionHash, blockNumber } = await turn('disableDelegation', bad)
  const { timestamp } = await world.client.getBlock({ blockNumber })
  await turn('disableDelegation', back)
  await turn('enableDelegation', back)
  const { tree, facts } = await readDelegationTree(bench.client, bench.deployment, [
    good,
    bad,
    back,
    spent,
    child,
  ])
  const stateOf = (delegation: Delegation) =>
    revocationState(tree, hashDelegation(delegation), registry, facts)
  expect(stateOf(good)).toEqual({ type: 'active' })
  expect(stateOf(back)).toEqual({ type: 'active' })
  expect(stateOf(bad)).toMatchObject({ type: 'revoked', transaction: transactionHash, at: timestamp })
  expect(stateOf(child)).toMatchObject({ type: 'revoked', link: hashDelegation(bad) })
  expect(stateOf(spent)).toMatchObject({ type: 'exhausted', total: 1n })
  expect(treeToText(tree, { registry, names: bench.names, facts })).toContain(
    'at most 3 times in total (1 of 3 executions used)',
  )
})

it('reports a revocation when the node has pruned its transaction or answers only small ranges', async () => {
  const gone = await bench.delegate([])
  const { transactionHash } = await turn('disableDelegation', gone)
  const forgetful = nodeAround(world.url, async ({ method, pass }) =>
    method === 'eth_getLogs' ? [] : pass(),
  )
  const seen = await readDelegationTree(forgetful.client, bench.deployment, [gone])
  expect(seen.facts.disabled.get(hashDelegation(gone))).toMatchObject({ transaction: zeroHash })
  const narrow = nodeAround(world.url, async ({ method, params, pass }) => {
    const [range] = params as [{ fromBlock: string; toBlock: string }]
    if (method === 'eth_getLogs' && BigInt(range.toBlock) - BigInt(range.fromBlock) > 9n) {
      throw new RpcRequestError({
        body: {},
        url: '',
        error: { code: -32602, message: 'block range too large' },
      })
    }
    return pass()
  })
  const result = await readDelegationTree(narrow.client, bench.deployment, [gone])
  expect(result.facts.disabled.get(hashDelegation(gone))).toMatchObject({ transaction: transactionHash })
})

it('reads a thousand delegations in less than a second of computing and a few round trips', async () => {
  const root = await bench.delegate([calls(3), bench.cage()])
  const parent = hashDelegation(root)
  const many: Delegation[] = [root]
  for (let salt = 1n; salt < 1_000n; salt += 1n) {
    // Signatures are not checked here.
    many.push({ ...root, delegator: root.delegate, authority: parent, caveats: [calls(Number(salt))], salt })
  }
  await turn('disableDelegation', root)
  const took: number[] = []
  for (const _ of [1, 2, 3]) {
    const { client, asked } = nodeAround(world.url)
    const start = process.cpuUsage()
    const { tree, facts } = await readDelegationTree(client, bench.deployment, many)
    const { user, system } = process.cpuUsage(start)
    took.push((user + system) / 1_000)
    expect(tree.nodes.size).toBe(1_000)
    expect(facts.disabled.size).toBe(1)
    expect(asked.length).toBeLessThan(10)
  }
  // The best of three, in CPU time: the load of the machine is not measured.
  expect(Math.min(...took)).toBeLessThan(1_000)
})
