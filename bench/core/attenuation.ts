import { createWasmEngine } from '@bardo/chain'
import {
  buildTree,
  type Delegation,
  findWidenings,
  hashDelegation,
  type Keccak,
  metamaskKinds,
  registryOf,
  rootAuthority,
} from '@bardo/core'
import { type Address, type Hex, numberToHex } from 'viem'
import { type Comparison, compare } from './compare.ts'

const person = (number: number): Address => numberToHex(0xa000 + number, { size: 20 })
const { LimitedCalls: limitedCalls, Timestamp: timestamp } = metamaskKinds
const [callsEnforcer, timeEnforcer] = [person(1), person(2)]
const registry = registryOf([
  [callsEnforcer, limitedCalls],
  [timeEnforcer, timestamp],
])
const sizes = [1_000, 10_000, 100_000]

/** Building and checking trees of growing size. Linear means a tenth as many trees per second. */
export async function compareAttenuation(): Promise<readonly Comparison[]> {
  const { keccak256 } = await createWasmEngine()
  const trees = sizes.map((size) => delegationsOf(size, keccak256))
  const work = (delegations: readonly Delegation[]) => ({
    name: `${delegations.length.toLocaleString('en')} nodes, counted by node`,
    operations: delegations.length,
    run: () => {
      const widenings = findWidenings(buildTree(delegations, keccak256), registry)
      if (widenings.length > 0) throw new Error(`a child is wider: ${widenings[0]?.because}`)
    },
  })
  const [smallest = []] = trees
  const results: Comparison[] = []
  for (const tree of trees)
    results.push(
      await compare(
        `attenuation of ${tree.length.toLocaleString('en')} nodes, counted by node`,
        work(tree),
        work(smallest),
      ),
    )
  return results
}

/** A tree in which every node has ten children, each with terms that are narrower than its parent's. */
function delegationsOf(size: number, keccak: Keccak): readonly Delegation[] {
  const delegations: Delegation[] = []
  const hashes: Hex[] = []
  for (let place = 0; place < size; place += 1) {
    const above = Math.floor((place - 1) / 10)
    const delegation: Delegation = {
      delegator: person(10 + Math.max(above, -1) + 1),
      delegate: person(10 + place + 1),
      authority: hashes[above] ?? rootAuthority,
      caveats: [
        { enforcer: callsEnforcer, terms: limitedCalls.encode({ limit: 1_000_000 - place }), args: '0x' },
        {
          enforcer: timeEnforcer,
          terms: timestamp.encode({ afterThreshold: 0, beforeThreshold: 2_000_000_000 - place }),
          args: '0x',
        },
      ],
      salt: BigInt(place),
      signature: '0x',
    }
    delegations.push(delegation)
    hashes.push(hashDelegation(delegation, keccak))
  }
  return delegations
}
