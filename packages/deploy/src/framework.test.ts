import { canonicalFramework, frameworkVersion, supportedChains } from '@bardo/core'
import { DELEGATOR_CONTRACTS } from '@metamask/delegation-deployments'
import { getAddress } from 'viem'
import { expect, it } from 'vitest'

const { devnet: _, ...chains } = supportedChains

it.each(Object.entries(chains))('has the addresses of MetaMask’s own list on %s', (_, { id }) => {
  const { implementations, caveatEnforcers, ...single } = canonicalFramework
  const listed = Object.entries(DELEGATOR_CONTRACTS[frameworkVersion]?.[id] ?? {})
  const ending = (suffix: string) => Object.fromEntries(listed.filter(([name]) => name.endsWith(suffix)))
  expect(Object.fromEntries(listed)).toMatchObject(single)
  expect(ending('Impl')).toEqual(implementations)
  expect(ending('Enforcer')).toEqual(caveatEnforcers)
  // An address with a wrong checksum throws.
  for (const [, address] of listed) expect(getAddress(address)).toBe(address)
})
