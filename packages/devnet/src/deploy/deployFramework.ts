import { BardoError, canonicalFramework, type Framework } from '@bardo/core'
import * as bytecode from '@metamask/delegation-abis/bytecode'
import { type Address, encodeAbiParameters, type Hex, isHex } from 'viem'
import type { Builder } from '../world/builder.ts'

const { DelegationManager, EntryPoint, SimpleFactory, implementations, caveatEnforcers } = canonicalFramework

/** The arguments of MetaMask's constructors. The others take none. */
const constructorArguments: Readonly<Record<string, readonly (Address | undefined)[]>> = {
  HybridDeleGatorImpl: [DelegationManager, EntryPoint],
  MultiSigDeleGatorImpl: [DelegationManager, EntryPoint],
  EIP7702StatelessDeleGatorImpl: [DelegationManager, EntryPoint],
  NativeTokenPaymentEnforcer: [DelegationManager, caveatEnforcers['ArgsEqualityCheckEnforcer']],
  LogicalOrWrapperEnforcer: [DelegationManager],
}

/**
 * MetaMask's Delegation Framework at its addresses of every chain, with an EntryPoint that already exists.
 * The builder owns the DelegationManager, so that a test can pause it.
 */
export async function deployFramework(builder: Builder): Promise<Framework> {
  // The compiler leaves a placeholder where the P-256 library is linked in.
  const library = await builder.deploy(bytecode.SCL_RIP7212)
  const construct = async (name: string, address: Address, args = constructorArguments[name] ?? []) => {
    const code = creationCode(name.replace(/Impl$/, '')).replaceAll(/__\$[0-9a-f]{34}\$__/g, library.slice(2))
    if (!isHex(code)) throw new BardoError(`No deployable bytecode of ${name}.`, { code: 'INTERNAL' })
    await builder.construct(address, code, encodeAddresses(args))
  }
  await construct('DelegationManager', DelegationManager, [builder.from])
  await construct('SimpleFactory', SimpleFactory)
  for (const [name, address] of Object.entries({ ...implementations, ...caveatEnforcers }))
    await construct(name, address)
  return canonicalFramework
}

function creationCode(name: string): string {
  const codes: Readonly<Record<string, string>> = bytecode
  const code = codes[name]
  if (code) return code
  throw new BardoError(`MetaMask's package has no bytecode of ${name}.`, { code: 'INTERNAL' })
}

function encodeAddresses(addresses: readonly (Address | undefined)[]): Hex {
  return encodeAbiParameters(
    addresses.map(() => ({ type: 'address' })),
    addresses,
  )
}
