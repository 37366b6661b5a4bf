import { type Devnet, startDevnet } from '@bardo/devnet'
import { type Address, encodeFunctionData, erc20Abi, type Hex, numberToHex, parseAbi } from 'viem'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { BoundKind } from '../boundKind.ts'
import type { Answer, HookContext, Verdict } from '../caveatKind.ts'
import { metamaskKinds } from './metamaskKinds.ts'
import { type Cast, randomCase } from './testing/cases.ts'
import { createHookNode, type HookNode, type Moment } from './testing/hookNode.ts'
import { createRandom } from './testing/random.ts'

const manager: Address = '0x00000000000000000000000000000000000B0b01'
const accounts: readonly Address[] = [
  '0x00000000000000000000000000000000000A1001',
  '0x00000000000000000000000000000000000A1002',
]
/** Returns the word in slot 0 for every call. */
const collection: Address = '0x00000000000000000000000000000000000c0113'
const rounds = process.env['BARDO_TEST'] === 'full' ? 1_000 : 60

/**
 * All except those that need a whole redemption: ../../delegation/evaluateDelegations.differential.test.ts.
 */
const hookByHook = Object.keys(metamaskKinds).filter(
  (name) => !['Deployed', 'LogicalOrWrapper', 'NativeTokenPayment'].includes(name),
)

let world: Devnet
let node: HookNode
let cast: Cast
let moment: Moment
beforeAll(async () => {
  world = await startDevnet({ port: 0 })
  node = createHookNode(world.url)
  for (const account of [manager, ...accounts]) await node.impersonate(account)
  for (const account of accounts) await world.fund(account, { USDC: 15n })
  const [first, second] = accounts
  if (first && second) {
    const data = encodeFunctionData({ abi: erc20Abi, functionName: 'approve', args: [second, 5n] })
    await node.send(first, world.addresses.usdc, data)
  }
  await node.rpc('anvil_setCode', [collection, '0x5f545f5260205ff3'])
  const { timestamp, number } = await world.client.getBlock()
  moment = { timestamp: timestamp + 1n, blockNumber: number + 1n }
  const { usdc, weth } = world.addresses
  cast = { usdc, weth, collection, accounts, now: moment.timestamp, block: moment.blockNumber }
})
afterAll(() => world.stop())

describe('a stock caveat and its enforcer on the chain give the same verdict, byte for byte', () => {
  it.each(hookByHook)('%s', { timeout: rounds * 1_000 }, async (name) => {
    const kind: BoundKind<unknown> = metamaskKinds[name as keyof typeof metamaskKinds]
    const enforcer = enforcerOf(name)
    const random = createRandom(20261115 + name.length * 1000 + name.charCodeAt(0))
    const seen = { pass: 0, refuse: 0, reasons: new Set<string>() }
    for (let round = 0; round < rounds; round++) {
      const { terms, mode, calldata, args } = randomCase(name, random, cast)
      const context: Omit<HookContext, 'before' | 'after'> = {
        chainId: 31337,
        manager,
        enforcer,
        execution: { mode, calldata },
        delegationHash: numberToHex(random.below(4), { size: 32 }),
        delegator: random.pick(accounts),
        redeemer: random.pick(accounts),
        args,
      }
      const reads = kind.reads(terms, context)
      const before = await node.state(reads, moment)
      const mine = kind.evaluate(terms, { ...context, before })
      const first = await node.hook('beforeHook', terms, context, moment)
      const note = JSON.stringify({ round, terms, ...context })
      if (mine.type !== 'unknown') expect(resultOf(mine), note).toEqual(resultOf(first))
      else expect([mine.missing, first.ok], note).toEqual(['after', true])
      if (mine.type === 'pass' && random.chance(0.5)) await node.keep('beforeHook', terms, context)
      const last =
        mine.type === 'unknown' ? await finish(kind, terms, context, before, random.below(21)) : mine
      if (last.type === 'refuse') {
        seen.refuse += 1
        seen.reasons.add(String(last.refusal.args[0] ?? last.refusal.data))
      } else seen.pass += 1
      if (name === 'Nonce' && random.chance(0.1)) await raiseNonce(enforcer, context.delegator)
    }
    // A differential test that only passes, or only refuses, proves little.
    expect(seen.pass).toBeGreaterThan(0)
    expect(seen.reasons.size).toBeGreaterThan(1)
  })
})

/** Runs the first hook for real, moves some money, and then compares both verdicts. */
async function finish(
  kind: BoundKind<unknown>,
  terms: Hex,
  context: Omit<HookContext, 'before' | 'after'>,
  before: HookContext['before'],
  amount: number,
): Promise<Verdict> {
  await node.keep('beforeHook', terms, context)
  const [from, to] = amount % 2 === 0 ? accounts : accounts.toReversed()
  const value = BigInt(amount)
  if (from && to) {
    const data = encodeFunctionData({ abi: erc20Abi, functionName: 'transfer', args: [to, value] })
    await node.send(from, world.addresses.usdc, data)
    const slot = numberToHex(0, { size: 32 })
    await node.rpc('anvil_setStorageAt', [collection, slot, numberToHex(value, { size: 32 })])
    await node.rpc('anvil_setBalance', [from, numberToHex(10n ** 24n - value)])
    await node.rpc('anvil_setBalance', [to, numberToHex(10n ** 24n + value)])
  }
  const after = await node.state(kind.reads(terms, context), moment)
  const mine = kind.evaluate(terms, { ...context, before, after })
  const answer = await node.hook('afterHook', terms, context, moment)
  expect(resultOf(mine), JSON.stringify({ terms, ...context })).toEqual(resultOf(answer))
  // Sometimes the lock is not released, and the next case finds it.
  if (amount % 5 !== 0) await node.keep('afterHook', terms, context)
  return mine
}

function resultOf(said: Verdict | Answer): Hex | 'pass' | 'unknown' {
  if ('ok' in said) return said.ok ? 'pass' : said.data
  return said.type === 'refuse' ? said.refusal.data : said.type
}

function enforcerOf(name: string): Address {
  const address =
    world.framework.caveatEnforcers[`${name}Enforcer` as keyof typeof world.framework.caveatEnforcers]
  expect(address, name).toBeDefined()
  return address as Address
}

async function raiseNonce(enforcer: Address, delegator: Address) {
  const abi = parseAbi(['function incrementNonce(address manager)'])
  await node.send(delegator, enforcer, encodeFunctionData({ abi, args: [manager] }))
}
