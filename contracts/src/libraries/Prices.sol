// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {IPriceFeed} from "../interfaces/IPriceFeed.sol";
import {StaticRead} from "./StaticRead.sol";
import {Mandate} from "./Mandate.sol";

/// @title The dollar value of an amount, by the price feeds that the owner signed
/// @dev Values are in millionths of a dollar ("micros"): precise enough to compare two sides of a swap.
library Prices {
    using Mandate for bytes;

    /// @notice Thrown when the price feed reverts, has no code, or does not return a round.
    error FeedUnavailable(address feed);
    /// @notice Thrown when the price is older than the owner allows, or from the future.
    error FeedStale(address feed, uint256 updatedAt, uint256 maxAge);
    /// @notice Thrown when the price is zero or less.
    error FeedNotPositive(address feed, int256 answer);
    /// @notice Thrown when a price or a signed scale is too large for its value to fit in a word.
    error PriceNotSupported(uint256 price, uint256 scale);
    /// @notice Thrown when the rollup's sequencer is down, or has been up for less than an hour.
    error SequencerDown(address feed, int256 answer, uint256 since);

    uint256 internal constant MICROS_PER_CENT = 10_000;
    uint256 private constant PAR = 1e8;
    uint256 private constant MAX_PRICE = type(uint88).max;
    uint256 private constant MAX_SCALE = 48;
    uint256 private constant SEQUENCER_GRACE = 1 hours;

    /// @notice The price of an asset by its feed, 1e8 at par; and its divisor: amount × price / `unit` is dollars.
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
            // Zero wraps around to a huge number, and a negative answer is already one.
            if (price - 1 >= MAX_PRICE) {
                if (answer <= 0) revert FeedNotPositive(source, answer);
                revert PriceNotSupported(price, scale);
            }
            // A timestamp in the future would wrap around to a huge age.
            if (block.timestamp - updatedAt > maxAge) revert FeedStale(source, updatedAt, maxAge);
        }
    }

    /// @return whether `quote` would return a price now
    function isPriced(bytes calldata mandate, uint256 index) internal view returns (bool) {
        (address source, uint256 maxAge,) = mandate.feed(index);
        if (maxAge == 0 && source == address(0)) return true;
        (bool answered, uint256 says,, uint256 asOf) =
            StaticRead.three(source, IPriceFeed.latestRoundData.selector, 0, 1);
        unchecked {
            // As in `_priceFrom`: zero, negative answers and future timestamps wrap around to huge numbers.
            return answered && says - 1 < MAX_PRICE && block.timestamp - asOf <= maxAge;
        }
    }

    // A balance and its outflow have 128 bits each, a price has 88: their product with 1e6, summed over eight assets
    // and again times 1e4 for slippage, stays below 2^256.

    /// @notice The value of an amount, rounded down.
    function micros(uint256 amount, uint256 price, uint256 unit) internal pure returns (uint256) {
        unchecked {
            return amount * 1e6 * price / unit;
        }
    }

    /// @notice The value of an amount, rounded up against the spender.
    function microsUp(uint256 amount, uint256 price, uint256 unit) internal pure returns (uint256) {
        unchecked {
            return (amount * 1e6 * price + unit - 1) / unit;
        }
    }

    function requireSequencerUp(address sequencerFeed) internal view {
        (int256 answer, uint256 startedAt,) = _read(sequencerFeed);
        // A feed that has never reported returns zero twice, which must not be read as "up since time zero".
        if (answer != 0 || startedAt == 0 || block.timestamp < startedAt + SEQUENCER_GRACE) {
            revert SequencerDown(sequencerFeed, answer, startedAt);
        }
    }

    function _read(address source) private view returns (int256 answer, uint256 startedAt, uint256 updatedAt) {
        // Between two round numbers: the answer, when it started, and when it was updated.
        (bool answered, uint256 says, uint256 since, uint256 asOf) =
            StaticRead.three(source, IPriceFeed.latestRoundData.selector, 0, 1);
        if (!answered) revert FeedUnavailable(source);
        return (int256(says), since, asOf);
    }
}
