import type { ChainName } from '@bardo/core'
import { size } from 'viem'
import { describe, expect, it } from 'vitest'
import { planDeployment } from './planDeployment.ts'
import { planFor } from './targets.ts'

const mainNetworks = ['base', 'ethereum', 'celo', 'arbitrum'] as const satisfies ChainName[]
const testNetworks = ['base-sepolia', 'sepolia'] as const satisfies ChainName[]

const addressesOn = (chain: ChainName, without?: string) =>
  Object.fromEntries(
    planFor(chain)
      .filter(({ name }) => name !== without)
      .map(({ name, address }) => [name, address]),
  )

describe('a plan', () => {
  it.each([...mainNetworks, ...testNetworks])('has the same addresses on %s as everywhere', (chain) => {
    const { identityRegistry: _, ...everywhere } = addressesOn('devnet', 'identityGuardian')
    expect(addressesOn(chain, 'identityGuardian')).toEqual(everywhere)
  })

  it('has one guardian for main networks and one for test networks, because their registries differ', () => {
    const guardians = (chains: readonly ChainName[]) =>
      new Set(chains.map((chain) => addressesOn(chain)['identityGuardian']))
    expect(guardians(mainNetworks).size).toBe(1)
    expect(guardians(testNetworks).size).toBe(1)
    expect(guardians([...mainNetworks, ...testNetworks, 'devnet']).size).toBe(3)
  })

  it('includes Bardo’s registry if a chain has none', () => {
    expect(addressesOn('devnet')).toHaveProperty('identityRegistry')
    expect(addressesOn('base')).not.toHaveProperty('identityRegistry')
  })

  it('stays within the size limit of creation code', () => {
    // EIP-3860
    for (const { name, initCode } of planDeployment())
      expect(size(initCode), name).toBeLessThanOrEqual(49_152)
  })
})
