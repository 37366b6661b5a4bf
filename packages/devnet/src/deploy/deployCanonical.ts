import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { BardoError } from '@bardo/core'
import { create2Factory, deploymentCall } from '@bardo/deploy'
import { type Address, domainSeparator, type Hex, isHex, parseAbi } from 'viem'
import type { Builder } from '../world/builder.ts'
import { artifact } from './artifact.ts'

const require = createRequire(import.meta.url)

const entryPoint = '0x0000000071727De22E5E9d8BAf0edAc6f37da032'
const entryPointSalt = '0x90d8084deab30c2a37c45e8d47f49f2f7965183cb6990a98943ef94940681de3'
const permit2Abi = parseAbi(['function DOMAIN_SEPARATOR() view returns (bytes32)'])
const permit2 = '0x000000000022D473030F116dDEE9F6B43aC78BA3'

/**
 * The contracts that have the same address on every chain, at that address: by the same creator and nonce, or
 * the same salt, as on the real chains. WETH has a different address on every chain; here it is Ethereum's.
 */
export async function deployCanonical(builder: Builder) {
  const [multicall3, weth] = [
    await builder.deployAs('0x05f32B3cC3888453ff71B01135B34FF8e41263F2', 0n, await multicall3Bytecode()),
    await builder.deployAs(
      '0x4F26FfBe5F04ED43630fdC30A87638d53D0b0876',
      446n,
      artifact('canonical-weth/build/contracts/WETH9.json'),
    ),
  ]

  await builder.send(
    deploymentCall({
      salt: entryPointSalt,
      initCode: artifact('@account-abstraction/contracts/artifacts/EntryPoint.json'),
    }),
  )
  await requireCode(builder, entryPoint)

  await placePermit2(builder)
  return { create2Deployer: create2Factory.address, entryPoint, permit2, multicall3, weth } as const
}

/**
 * No package contains Permit2's creation code, only its runtime code. That code contains the EIP-712 domain
 * of the address where its author built it, on this chain id. Signatures name the real address, so the domain
 * is replaced.
 */
async function placePermit2({ client }: Builder) {
  const bytecode = permit2Runtime()
  await client.setCode({ address: permit2, bytecode })
  const call = { address: permit2, abi: permit2Abi, functionName: 'DOMAIN_SEPARATOR' } as const
  const builtIn = await client.readContract(call)
  const domain = { name: 'Permit2', chainId: client.chain.id, verifyingContract: permit2 } as const
  const correct = domainSeparator({ domain })
  await client.setCode({
    address: permit2,
    bytecode: `0x${bytecode.slice(2).replace(builtIn.slice(2), correct.slice(2))}`,
  })
  if ((await client.readContract(call)) !== correct)
    throw new BardoError('Permit2 has the domain of another address.', { code: 'INTERNAL' })
}

async function requireCode({ client }: Builder, address: Address) {
  if (await client.getCode({ address })) return
  throw new BardoError(`Nothing was deployed at ${address}.`, { code: 'INTERNAL' })
}

/** viem contains Multicall3 for its deployless calls, but does not export it. */
async function multicall3Bytecode(): Promise<Hex> {
  const file = join(dirname(require.resolve('viem/package.json')), '_esm/constants/contracts.js')
  const { multicall3Bytecode } = (await import(pathToFileURL(file).href)) as { multicall3Bytecode?: unknown }
  return requireHex(multicall3Bytecode, 'Multicall3 in viem')
}

/** Uniswap publishes Permit2's runtime code as a hex literal in a Solidity test helper. */
function permit2Runtime(): Hex {
  const file = require.resolve('@uniswap/v4-periphery/lib/permit2/test/utils/DeployPermit2.sol')
  const code = readFileSync(file, 'utf8').match(/hex"([0-9a-fA-F]+)"/)?.[1]
  return requireHex(`0x${code}`, 'Permit2 in @uniswap/v4-periphery')
}

function requireHex(value: unknown, what: string): Hex {
  if (isHex(value) && value.length > 2) return value
  throw new BardoError(`The bytecode of ${what} is not at its place in the pinned version.`, {
    code: 'INTERNAL',
  })
}
