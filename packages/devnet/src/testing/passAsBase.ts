import { aggregator, aggregatorProxy, usdc, usdcProxy, usdcVault } from '@bardo/contracts'
import { deploymentOn, type ProtocolAddress, protocols } from '@bardo/core'
import { planFor } from '@bardo/deploy'
import { type Address, encodeAbiParameters, keccak256, numberToHex, parseAbiParameters } from 'viem'
import { artifact } from '../deploy/artifact.ts'
import { deployUniswap } from '../deploy/deployUniswap.ts'
import { seedPools } from '../deploy/seedPools.ts'
import { seedVault } from '../deploy/seedVault.ts'
import type { Devnet } from '../startDevnet.ts'
import { devnetAccount } from '../world/accounts.ts'
import { type Builder, createBuilder } from '../world/builder.ts'
import { type Funds, fund } from '../world/fund.ts'
import type { WorldAddresses } from '../world/worldDescription.ts'

/** The chain id of Base. */
export const baseChainId = 8_453

/** The addresses of a chain that passes for Base. */
export type AddressesAsBase = WorldAddresses & { readonly sequencerFeed: Address }

/**
 * Makes a local chain pass for Base: it has Base's chain id, the framework is at MetaMask's addresses, as on every local
 * chain, and Bardo's contracts, Uniswap, the tokens and their price feeds are at their addresses on Base.
 *
 * @param funds - money of the faucet, which signs for the local chain id only
 */
export async function passAsBase(
  { client, chainId, addresses }: Devnet,
  funds: readonly (readonly [to: Address, funds: Funds])[] = [],
): Promise<AddressesAsBase> {
  const placed = await placeProtocols(createBuilder(client, devnetAccount('faucet').address), addresses)
  for (const [to, amounts] of funds) await fund(client, placed, to, amounts)
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
  return placed
}

/** Deploys the protocols of the local world once more, at their built-in addresses. */
async function placeProtocols(builder: Builder, addresses: WorldAddresses): Promise<AddressesAsBase> {
  const at = (type: ProtocolAddress['type'], named: string): Address => {
    const found = protocols[baseChainId]?.find((one) => one.type === type && one.name === named)
    if (!found) throw new Error(`${type} ${named} is not in the built-in address book of Base`)
    return found.address
  }
  const { contractAt, feedAt } = places(builder)
  const weth = at('token', 'WETH')
  await builder.construct(weth, artifact('canonical-weth/build/contracts/WETH9.json'))
  const usdcAddress = at('token', 'USDC')
  const minter = encodeAbiParameters([{ type: 'address' }], [builder.from])
  const implementation = await builder.deploy(usdc.bytecode, minter)
  await builder.construct(
    usdcAddress,
    usdcProxy.bytecode,
    encodeAbiParameters([{ type: 'address' }], [implementation]),
  )
  const uniswap = await deployUniswap(
    contractAt([
      at('contract', 'uniswapV3Factory'),
      at('contract', 'positionManager'),
      at('contract', 'swapRouter02'),
      undefined,
      at('contract', 'universalRouter'),
    ]),
    { weth, permit2: addresses.permit2 },
  )
  const placed = {
    ...addresses,
    ...uniswap,
    weth,
    usdc: usdcAddress,
    usdcFeed: await feedAt(at('feed', 'USDC'), 1_00000000n),
    wethFeed: await feedAt(at('feed', 'WETH'), 3_000_00000000n),
    sequencerFeed: await feedAt(at('sequencerFeed', 'sequencerFeed'), 0n),
    usdcVault: await builder.deploy(
      usdcVault.bytecode,
      encodeAbiParameters([{ type: 'address' }], [usdcAddress]),
    ),
  }
  await seedVault(builder, placed)
  const pools = await seedPools(builder, placed)
  if (pools.usdcWethPool !== at('pool', 'USDC/WETH'))
    throw new Error('the pool has another address than on Base')
  return { ...placed, ...pools }
}

const twoDays = 2n * 86_400n

/** How contracts get an address of Base. */
function places(builder: Builder) {
  return {
    /** A builder that puts the next contracts at these addresses; undefined is an address of its own. */
    contractAt(addresses: readonly (Address | undefined)[]): Builder {
      const rest = [...addresses]
      return {
        ...builder,
        async deploy(bytecode, constructorArgs) {
          const address = rest.shift()
          if (!address) return builder.deploy(bytecode, constructorArgs)
          await builder.construct(address, bytecode, constructorArgs)
          return address
        },
      }
    },
    /** A feed with one round. A sequencer feed started long ago, or the Cage would wait for an hour. */
    async feedAt(address: Address, answer: bigint): Promise<Address> {
      const source = await builder.deploy(
        aggregator.bytecode,
        encodeAbiParameters(parseAbiParameters('address, int192'), [builder.from, answer]),
      )
      if (answer === 0n) {
        const { timestamp } = await builder.client.getBlock()
        // The round is the second storage variable: 192 bits of answer, then 64 bits of time.
        const slot = keccak256(encodeAbiParameters(parseAbiParameters('uint80, uint256'), [1n, 1n]))
        const value = numberToHex((timestamp - twoDays) << 192n, { size: 32 })
        await builder.client.setStorageAt({ address: source, index: slot, value })
      }
      await builder.construct(
        address,
        aggregatorProxy.bytecode,
        encodeAbiParameters([{ type: 'address' }], [source]),
      )
      return address
    },
  }
}
