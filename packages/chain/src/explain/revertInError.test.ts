import * as contracts from '@bardo/contracts'
import * as version1 from '@bardo/contracts/earlier/version1'
import { decodeRevert, encodeRedeemCall } from '@bardo/core'
import { type Devnet, startDevnet } from '@bardo/devnet'
import * as framework from '@metamask/delegation-abis'
import { type Abi, encodeErrorResult, zeroAddress } from 'viem'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type DelegationBench, openDelegationBench } from '../testing/delegationBench.ts'
import { revertInError } from './revertInError.ts'

describe('revertInError', () => {
  let world: Devnet
  let bench: DelegationBench
  beforeAll(async () => {
    world = await startDevnet({ port: 0 })
    bench = await openDelegationBench(world)
  })
  afterAll(() => world?.stop())

  it('finds the revert in an error thrown by viem', async () => {
    const links = [await bench.delegate([bench.cage()])]
    const data = encodeRedeemCall([{ links, execution: bench.pay(501_000_000n) }])
    const call = { account: world.accounts.golem, to: bench.manager, data }
    for (const attempt of [() => bench.client.call(call), () => bench.client.estimateGas(call)]) {
      const error: unknown = await attempt().then(
        () => undefined,
        (thrown) => thrown,
      )
      expect(revertInError(error)).toMatchObject({ name: 'SizeExceeded', args: [501_00n, 500_00n, 0n] })
    }
    expect(revertInError(new Error('no'))).toBeUndefined()
  })
})

describe('decodeRevert', () => {
  const { DelegationManager, EntryPoint, HybridDeleGator, MultiSigDeleGator } = framework
  const abis = { DelegationManager, EntryPoint, HybridDeleGator, MultiSigDeleGator }
  it.each<[string, Abi]>([
    ...Object.entries(abis),
    ...Object.entries(contracts).map(([name, { abi }]): [string, Abi] => [name, abi]),
    ...Object.entries(version1).map(([name, { abi }]): [string, Abi] => [`version 1 of ${name}`, abi]),
  ])('decodes every error of %s', (_, abi) => {
    for (const item of abi) {
      if (item.type !== 'error') continue
      const args = item.inputs.map(({ type }) => sampleOf(type))
      const data = encodeErrorResult({ abi: [item], errorName: item.name, args })
      expect(decodeRevert(data)).toMatchObject({ name: item.name, args })
    }
  })
})

function sampleOf(type: string): unknown {
  if (type === 'address') return zeroAddress
  if (type === 'bool') return true
  if (type === 'string') return 'text'
  if (type === 'bytes') return '0x12'
  const fixed = /^bytes(\d+)$/.exec(type)
  if (fixed) return `0x${'ab'.repeat(Number(fixed[1]))}`
  // viem decodes integers of up to 48 bits as numbers.
  return Number(/\d+$/.exec(type)?.[0]) <= 48 ? 7 : 7n
}
