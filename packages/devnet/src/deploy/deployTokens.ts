import { usdc, usdcProxy, usdcVault, wbtc } from '@bardo/contracts'
import { type Address, encodeAbiParameters } from 'viem'
import type { Builder } from '../world/builder.ts'

/** USDC behind its proxy, WBTC, and the ERC-4626 vault for USDC. The faucet can mint both tokens. */
export async function deployTokens(builder: Builder) {
  const minter = asArgument(builder.from)
  const implementation = await builder.deploy(usdc.bytecode, minter)
  const usdcAddress = await builder.deploy(usdcProxy.bytecode, asArgument(implementation))
  return {
    usdc: usdcAddress,
    wbtc: await builder.deploy(wbtc.bytecode, minter),
    usdcVault: await builder.deploy(usdcVault.bytecode, asArgument(usdcAddress)),
  }
}

function asArgument(address: Address) {
  return encodeAbiParameters([{ type: 'address' }], [address])
}
