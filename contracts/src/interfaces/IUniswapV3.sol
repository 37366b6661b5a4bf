// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

/// @title The part of a Uniswap V3 pool that Bardo reads
interface IUniswapV3Pool {
    /// @notice The token with the lower address.
    function token0() external view returns (address);
    /// @notice The token with the higher address.
    function token1() external view returns (address);
    /// @notice The liquidity that is in range at the current price.
    function liquidity() external view returns (uint128);
    /// @notice The accumulators at several moments. Reverts if the oldest observation is younger than one of them.
    /// @param secondsAgos the age of each moment
    /// @return tickCumulatives the tick multiplied by time, summed up to each moment
    /// @return secondsPerLiquidityCumulativeX128s the time divided by liquidity, summed up to each moment
    function observe(uint32[] calldata secondsAgos)
        external
        view
        returns (int56[] memory tickCumulatives, uint160[] memory secondsPerLiquidityCumulativeX128s);
    /// @notice The current price and the state of the pool's oracle.
    /// @return sqrtPriceX96 the square root of the price of token0 in token1, times 2^96
    /// @return tick the tick of that price
    /// @return observationIndex the index of the latest observation
    /// @return observationCardinality the number of observations that are stored
    /// @return observationCardinalityNext the number that will be stored
    /// @return feeProtocol the protocol's share of the fees
    /// @return unlocked false during a call of the pool
    function slot0()
        external
        view
        returns (
            uint160 sqrtPriceX96,
            int24 tick,
            uint16 observationIndex,
            uint16 observationCardinality,
            uint16 observationCardinalityNext,
            uint8 feeProtocol,
            bool unlocked
        );
}

/// @title The part of Uniswap V3's factory that Bardo reads
interface IUniswapV3Factory {
    /// @notice The pool of two tokens and a fee; zero if there is none.
    /// @param tokenA one token
    /// @param tokenB the other token, in any order
    /// @param fee in hundredths of a basis point
    function getPool(address tokenA, address tokenB, uint24 fee) external view returns (address);
}

/// @title The part of Uniswap V3's NonfungiblePositionManager that Bardo reads
interface IPositionManager {
    /// @dev The return values of `positions`; as a struct they have the same encoding.
    struct Position {
        uint96 nonce;
        address operator;
        address token0;
        address token1;
        uint24 fee;
        int24 tickLower;
        int24 tickUpper;
        uint128 liquidity;
        uint256 feeGrowthInside0LastX128;
        uint256 feeGrowthInside1LastX128;
        uint128 tokensOwed0;
        uint128 tokensOwed1;
    }

    /// @notice The factory whose pools it manages.
    function factory() external view returns (address);
    /// @notice The owner of a position. Reverts if it does not exist.
    /// @param tokenId the number of the position
    function ownerOf(uint256 tokenId) external view returns (address);
    /// @notice The position with its liquidity and owed tokens. Reverts if it does not exist.
    /// @param tokenId the number of the position
    function positions(uint256 tokenId) external view returns (Position memory);
}
