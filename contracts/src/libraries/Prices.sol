// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {IPriceFeed} from "../interfaces/IPriceFeed.sol";
import {Ask} from "./Ask.sol";
import {Mandate} from "./Mandate.sol";

/// @title What an amount is worth in dollars, by the feeds the owner signed
/// @dev Values are in millionths of a dollar ("micros"): fine enough to compare two sides of a swap.
library Prices {
    using Mandate for bytes;

    /// @notice The feed reverted, has no code, or answered something else than a price.
    error FeedUnavailable(address feed);
    /// @notice The feed's price is older than the owner allows, or from the future.
    error FeedStale(address feed, uint256 updatedAt, uint256 maxAge);
    /// @notice The feed says zero or less.
    error FeedNotPositive(address feed, int256 answer);
    /// @notice A price, or a scale in the terms, that no token has: with it a value would not fit in a word.
    error PriceNotSupported(uint256 price, uint256 scale);
    /// @notice The rollup's sequencer is down, or came back too recently for prices to have caught up.
    error SequencerDown(address feed, int256 answer, uint256 since);

    uint256 internal constant MICROS_PER_CENT = 10_000;
    uint256 private constant PAR = 1e8;
    uint256 private constant MAX_PRICE = type(uint88).max;
    uint256 private constant MAX_SCALE = 48;
    uint256 private constant SEQUENCER_GRACE = 1 hours;

    /// @notice The price of an asset as its feed gives it, 1e8 for one at par; and what to divide by: an amount times its
    ///         price, over `unit`, is dollars.
    function quote(bytes calldata mandate, uint256 index) internal view returns (uint256 price, uint256 unit) {
        (address source, uint256 maxAge, uint256 scale) = mandate.feed(index);
        if (scale > MAX_SCALE) revert PriceNotSupported(0, scale);
        unchecked {
            unit = 10 ** scale;
        }
        price = maxAge == 0 && source == address(0) ? PAR : _priceFrom(source, maxAge, scale);
    }

    function _priceFrom(address source, uint256 maxAge, uint256 scale) private view returns (uint256 price) {
        (int256 answer,, uint256 updatedAt) = _read(source);
        price = uint256(answer);
        unchecked {
            // Zero wraps around to very much, and what is negative is very much already.
            if (price - 1 >= MAX_PRICE) {
                if (answer <= 0) revert FeedNotPositive(source, answer);
                revert PriceNotSupported(price, scale);
            }
            // From the future it would be older than any age.
            if (block.timestamp - updatedAt > maxAge) revert FeedStale(source, updatedAt, maxAge);
        }
    }

    // A balance and what leaves it have 128 bits each, a price has 88: their product with 1e6, summed up over eight assets
    // and again times 1e4 as slippage takes it, stays below 2^256.

    /// @notice What an amount is worth, rounded down.
    function micros(uint256 amount, uint256 price, uint256 unit) internal pure returns (uint256) {
        unchecked {
            return amount * 1e6 * price / unit;
        }
    }

    /// @notice What an amount is worth, rounded up: against whoever spends it.
    function microsUp(uint256 amount, uint256 price, uint256 unit) internal pure returns (uint256) {
        unchecked {
            return (amount * 1e6 * price + unit - 1) / unit;
        }
    }

    function requireSequencerUp(address sequencerFeed) internal view {
        (int256 answer, uint256 startedAt,) = _read(sequencerFeed);
        // A feed that has never reported says zero twice, which must not pass for "up since ever".
        if (answer != 0 || startedAt == 0 || block.timestamp < startedAt + SEQUENCER_GRACE) {
            revert SequencerDown(sequencerFeed, answer, startedAt);
        }
    }

    function _read(address source) private view returns (int256 answer, uint256 startedAt, uint256 updatedAt) {
        // Between two round numbers: what it says, since when, and as of when.
        (bool answered, uint256 says, uint256 since, uint256 asOf) =
            Ask.three(source, IPriceFeed.latestRoundData.selector, 0, 1);
        if (!answered) revert FeedUnavailable(source);
        return (int256(says), since, asOf);
    }
}
