/**
 * Writes the bytecode that tests use into `out/protocols`, in the format of forge's `deployCode`: the
 * protocols (the Delegation Framework, Uniswap, Permit2 …) from their own packages, and Bardo's contracts as
 * deployed.
 */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import * as framework from '@metamask/delegation-abis/bytecode'
import * as bardo from './generated/index.ts'

const require = createRequire(import.meta.url)
const folder = join(import.meta.dirname, 'out/protocols')

const uniswap: Record<string, string> = {
  UniswapV3Factory: '@uniswap/v3-core/artifacts/contracts/UniswapV3Factory.sol/UniswapV3Factory.json',
  NonfungiblePositionManager:
    '@uniswap/v3-periphery/artifacts/contracts/NonfungiblePositionManager.sol/NonfungiblePositionManager.json',
  SwapRouter02: '@uniswap/swap-router-contracts/artifacts/contracts/SwapRouter02.sol/SwapRouter02.json',
  UniversalRouter: '@uniswap/universal-router/artifacts/contracts/UniversalRouter.sol/UniversalRouter.json',
  UniswapV3Pool: '@uniswap/v3-core/artifacts/contracts/UniswapV3Pool.sol/UniswapV3Pool.json',
  WETH9: 'canonical-weth/build/contracts/WETH9.json',
  EntryPoint: '@account-abstraction/contracts/artifacts/EntryPoint.json',
}

const bytecodes: Record<string, string> = {
  DelegationManager: framework.DelegationManager,
  HybridDeleGator: framework.HybridDeleGator,
  EIP7702StatelessDeleGator: framework.EIP7702StatelessDeleGator,
  LimitedCallsEnforcer: framework.LimitedCallsEnforcer,
  AllowedTargetsEnforcer: framework.AllowedTargetsEnforcer,
  AllowedMethodsEnforcer: framework.AllowedMethodsEnforcer,
  LogicalOrWrapperEnforcer: framework.LogicalOrWrapperEnforcer,
}
for (const [name, path] of Object.entries(uniswap)) bytecodes[name] = require(path).bytecode
for (const [name, { bytecode }] of Object.entries(bardo))
  bytecodes[name.charAt(0).toUpperCase() + name.slice(1)] = bytecode

mkdirSync(folder, { recursive: true })
for (const [name, code] of Object.entries(bytecodes)) {
  // The Hybrid account links a P-256 library; no test signs with such a key, so any address works.
  const object = code.replace(/__\$[0-9a-f]{34}\$__/g, '5c'.repeat(20))
  const artifact = { abi: [], bytecode: { object }, deployedBytecode: { object: '0x' } }
  writeFileSync(join(folder, `${name}.json`), JSON.stringify(artifact))
}

// Permit2 is available as runtime bytecode only; a test sets it with `vm.etch`.
const permit2 = readFileSync(
  require.resolve('@uniswap/v4-periphery/lib/permit2/test/utils/DeployPermit2.sol'),
  'utf8',
).match(/hex"([0-9a-fA-F]+)"/)?.[1]
writeFileSync(join(folder, 'Permit2.hex'), `0x${permit2}`)
