import { type Address, concat, type Hex } from 'viem'

/**
 * The deterministic deployment proxy, which has this address on every supported chain. It takes a salt and
 * creation code; these two alone determine the address of the deployed contract.
 */
export const create2Factory = {
  address: '0x4e59b44847b379578588920cA78FbF26c0B4956C',
  code: '0x7fffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffe03601600081602082378035828234f58015156039578182fd5b8082525050506014600cf3',
} as const satisfies { address: Address; code: Hex }

/** The call that deploys a contract. */
export function deploymentCall({ salt, initCode }: { readonly salt: Hex; readonly initCode: Hex }) {
  return { to: create2Factory.address, data: concat([salt, initCode]) } as const
}
