// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {IUniswapV3Pool} from "../interfaces/IUniswapV3.sol";
import {Math} from "@openzeppelin/contracts/utils/math/Math.sol";
import {Actions} from "./Actions.sol";
import {StaticRead} from "./StaticRead.sol";
import {Mandate} from "./Mandate.sol";
import {Prices} from "./Prices.sol";

/// @title Checks a pool's price against the price feeds
/// @notice If liquidity is added to a pool whose price was just manipulated, the attacker buys it from the owner at
///         that price. So the price must be near the feeds' when liquidity is added, and still be there afterwards.
library FairSpot {
    using Mandate for bytes;

    /// @notice Thrown when the pool's price is too far from the feeds', or the pool has no price yet. Both numbers are
    ///         the price of one smallest unit of the dearer token in smallest units of the other, times 2^96.
    error SpotUnfair(address pool, uint256 spotX96, uint256 feedX96);

    uint256 private constant BPS = 10_000;
    uint256 private constant Q96 = 1 << 96;

    /// @param maxBps the maximum deviation of the pool, up or down; at most 10000
    function requireFair(bytes calldata mandate, address pool, uint256 maxBps) internal view {
        // The first word of `slot0` is the square root of the price.
        uint256 root = StaticRead.word(pool, IUniswapV3Pool.slot0.selector);
        if (root == 0) revert SpotUnfair(pool, 0, 0);
        address base = StaticRead.addressOf(pool, IUniswapV3Pool.token0.selector);
        address quote = StaticRead.addressOf(pool, IUniswapV3Pool.token1.selector);
        // A price of at least one keeps its digits, so invert it if it is below one.
        if (root < Q96) (base, quote, root) = (quote, base, (1 << 192) / root);
        uint256 spot = Math.mulDiv(root, root, Q96);
        uint256 fair = _fair(mandate, base, quote);
        if (_isOff(spot, fair, maxBps)) revert SpotUnfair(pool, spot, fair);
    }

    function _isOff(uint256 spot, uint256 fair, uint256 maxBps) private pure returns (bool) {
        unchecked {
            // A root has at most 160 bits, and so a spot price 224.
            spot *= BPS;
        }
        return spot > fair * (BPS + maxBps) || spot < fair * (BPS - maxBps);
    }

    /// @dev The value of one unit of `base` in `quote`, in the tokens' smallest units, times 2^96.
    function _fair(bytes calldata mandate, address base, address quote) private view returns (uint256) {
        uint256 i = Actions.tracked(mandate, base);
        uint256 j = Actions.tracked(mandate, quote);
        (uint256 priceI, uint256 unitI) = Prices.quote(mandate, i);
        (uint256 priceJ, uint256 unitJ) = Prices.quote(mandate, j);
        return Math.mulDiv(priceI * unitJ, Q96, priceJ * unitI);
    }
}
