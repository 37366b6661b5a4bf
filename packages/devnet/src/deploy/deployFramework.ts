import * as bytecode from '@metamask/delegation-abis/bytecode'
import type { SmartAccountsEnvironment } from '@metamask/smart-accounts-kit'
import { deploySmartAccountsEnvironment } from '@metamask/smart-accounts-kit/utils'
import { type Address, createWalletClient, encodeAbiParameters, http } from 'viem'
import { devnetAccount } from '../accounts.ts'
import type { Builder } from './builder.ts'

/** MetaMask's Delegation Framework on an EntryPoint that is already there, with the enforcers its kit leaves out. */
export async function deployFramework(
  builder: Builder,
  entryPoint: Address,
): Promise<SmartAccountsEnvironment> {
  // The kit reports its use to MetaMask unless told not to. A local world talks to nobody.
  process.env['DO_NOT_TRACK'] = '1'
  const { chain, transport } = builder.client
  const wallet = createWalletClient({
    account: devnetAccount('faucet'),
    chain,
    transport: http(transport['url']),
    pollingInterval: 20,
  })
  const framework = await deploySmartAccountsEnvironment(wallet, builder.client, chain, {
    EntryPoint: entryPoint,
  })
  const manager = encodeAbiParameters([{ type: 'address' }], [framework.DelegationManager])
  return {
    ...framework,
    caveatEnforcers: {
      ...framework.caveatEnforcers,
      LogicalOrWrapperEnforcer: await builder.deploy(bytecode.LogicalOrWrapperEnforcer, manager),
    },
  }
}
