import { type Address, encodeAbiParameters, keccak256, parseAbiParameters, zeroAddress, zeroHash } from 'viem'
import type { Builder } from '../world/builder.ts'
import { artifact } from './artifact.ts'

const core = '@uniswap/v3-core/artifacts/contracts'
const periphery = '@uniswap/v3-periphery/artifacts/contracts'
const routers = '@uniswap/swap-router-contracts/artifacts/contracts'
const universal = '@uniswap/universal-router/artifacts/contracts'

/**
 * Uniswap V3 from Uniswap's own artifacts. V2 and V4 are not deployed: their addresses in the routers are
 * zero.
 */
export async function deployUniswap(
  builder: Builder,
  { weth, permit2 }: { weth: Address; permit2: Address },
) {
  const factory = await builder.deploy(artifact(`${core}/UniswapV3Factory.sol/UniswapV3Factory.json`))
  const positionManager = await builder.deploy(
    artifact(`${periphery}/NonfungiblePositionManager.sol/NonfungiblePositionManager.json`),
    encodeAbiParameters(parseAbiParameters('address, address, address'), [factory, weth, zeroAddress]),
  )
  const swapRouter02 = await builder.deploy(
    artifact(`${routers}/SwapRouter02.sol/SwapRouter02.json`),
    encodeAbiParameters(parseAbiParameters('address, address, address, address'), [
      zeroAddress,
      factory,
      positionManager,
      weth,
    ]),
  )
  const quoterV2 = await builder.deploy(
    artifact(`${routers}/lens/QuoterV2.sol/QuoterV2.json`),
    encodeAbiParameters(parseAbiParameters('address, address'), [factory, weth]),
  )
  const universalRouter = await builder.deploy(
    artifact(`${universal}/UniversalRouter.sol/UniversalRouter.json`),
    encodeAbiParameters(universalRouterParameters, [
      {
        permit2,
        weth9: weth,
        v2Factory: zeroAddress,
        v3Factory: factory,
        pairInitCodeHash: zeroHash,
        poolInitCodeHash: keccak256(artifact(`${core}/UniswapV3Pool.sol/UniswapV3Pool.json`)),
        v4PoolManager: zeroAddress,
        v3NFTPositionManager: positionManager,
        v4PositionManager: zeroAddress,
        spokePool: zeroAddress,
      },
    ]),
  )
  return {
    uniswapV3Factory: factory,
    nonfungiblePositionManager: positionManager,
    swapRouter02,
    quoterV2,
    universalRouter,
  }
}

const universalRouterParameters = parseAbiParameters([
  'RouterParameters params',
  'struct RouterParameters { address permit2; address weth9; address v2Factory; address v3Factory; bytes32 pairInitCodeHash; bytes32 poolInitCodeHash; address v4PoolManager; address v3NFTPositionManager; address v4PositionManager; address spokePool; }',
])
