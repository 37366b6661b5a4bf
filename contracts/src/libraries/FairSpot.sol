// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {IUniswapV3Pool} from "../interfaces/IUniswapV3.sol";
import {Math} from "@openzeppelin/contracts/utils/math/Math.sol";
import {Actions} from "./Actions.sol";
import {Ask} from "./Ask.sol";
import {Mandate} from "./Mandate.sol";
import {Prices} from "./Prices.sol";

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
        // The first word of `slot0` is the square root of the price.
        uint256 root = Ask.word(pool, IUniswapV3Pool.slot0.selector);
        if (root == 0) revert SpotUnfair(pool, 0, 0);
        address base = Ask.addressOf(pool, IUniswapV3Pool.token0.selector);
        address quote = Ask.addressOf(pool, IUniswapV3Pool.token1.selector);
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
        (uint256 priceI, uint256 unitI) = Prices.quote(mandate, i);
        (uint256 priceJ, uint256 unitJ) = Prices.quote(mandate, j);
        return Math.mulDiv(priceI * unitJ, Q96, priceJ * unitI);
    }
}
