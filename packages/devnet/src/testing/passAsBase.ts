import { deploymentOn } from '@bardo/core'
import { planFor } from '@bardo/deploy'
import type { Devnet } from '../startDevnet.ts'

/** The chain id of Base. */
export const baseChainId = 8_453

/**
 * Makes a local chain pass for Base: it has Base's chain id, the framework is at MetaMask's addresses, as on every local
 * chain, and Bardo's contracts are at their addresses on Base.
 */
export async function passAsBase({ client, chainId }: Devnet): Promise<void> {
  const registry = await client.getCode({ address: deploymentOn(chainId).contracts.identityRegistry })
  if (!registry) throw new Error('the local chain has no identity registry')
  const there = deploymentOn(baseChainId).contracts.identityRegistry
  await client.setCode({ address: there, bytecode: registry })
  await client.request<{ Method: 'anvil_setChainId'; Parameters: [number]; ReturnType: null }>({
    method: 'anvil_setChainId',
    params: [baseChainId],
  })
  // Some contracts hold the chain id in their code, so each is created by its constructor on this chain.
  for (const { address, initCode } of planFor('base')) {
    const { data } = await client.call({ to: address, stateOverride: [{ address, code: initCode }] })
    if (!data) throw new Error(`the deployment of ${address} returned no code`)
    await client.setCode({ address, bytecode: data })
  }
}
