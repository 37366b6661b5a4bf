// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {IUniswapV3Pool} from "../interfaces/IUniswapV3.sol";
import {Math} from "@openzeppelin/contracts/utils/math/Math.sol";
import {Actions} from "./Actions.sol";
import {Mandate} from "./Mandate.sol";
import {Prices} from "./Prices.sol";

/// @title Which two tokens a Uniswap V3 pool holds
interface IPoolTokens {
    function token0() external view returns (address);
    function token1() external view returns (address);
}

/// @title Whether a pool's price is the market's
/// @notice Liquidity added to a pool whose price was just pushed away is bought off the owner at that price. So the price
///         must be near the feeds' when liquidity goes in, and still be there afterwards.
library FairSpot {
    using Mandate for bytes;

    /// @notice The pool's price is too far from the feeds', or the pool has none yet. Both say how many of the cheaper
    ///         token's smallest units the pool, and the feeds, give for one of the other's, times 2^96.
    error SpotUnfair(address pool, uint256 spotX96, uint256 feedX96);

    uint256 private constant BPS = 10_000;
    uint256 private constant Q96 = 1 << 96;

    /// @param maxBps how far the pool may be off, upwards or downwards; at most 10000
    function requireFair(bytes calldata mandate, address pool, uint256 maxBps) internal view {
        (uint160 sqrtPriceX96,,,,,,) = IUniswapV3Pool(pool).slot0();
        if (sqrtPriceX96 == 0) revert SpotUnfair(pool, 0, 0);
        address base = IPoolTokens(pool).token0();
        address quote = IPoolTokens(pool).token1();
        uint256 root = sqrtPriceX96;
        // Looked at from the side from which it is at least one, a price keeps all its digits.
        if (root < Q96) (base, quote, root) = (quote, base, (1 << 192) / root);
        uint256 spot = Math.mulDiv(root, root, Q96);
        uint256 fair = _fair(mandate, base, quote);
        if (spot * BPS > fair * (BPS + maxBps) || spot * BPS < fair * (BPS - maxBps)) {
            revert SpotUnfair(pool, spot, fair);
        }
    }

    /// @dev How much of `quote` one unit of `base` is worth, in the tokens' smallest units, times 2^96.
    function _fair(bytes calldata mandate, address base, address quote) private view returns (uint256) {
        uint256 i = Actions.tracked(mandate, base);
        uint256 j = Actions.tracked(mandate, quote);
        (,, uint256 scaleI) = mandate.feed(i);
        (,, uint256 scaleJ) = mandate.feed(j);
        uint256 above = Prices.priceOf(mandate, i) * 10 ** scaleJ;
        uint256 below = Prices.priceOf(mandate, j) * 10 ** scaleI;
        return Math.mulDiv(above, Q96, below);
    }
}
