// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {IPriceFeed} from "../interfaces/IPriceFeed.sol";
import {Math} from "@openzeppelin/contracts/utils/math/Math.sol";
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
    /// @notice The rollup's sequencer is down, or came back too recently for prices to have caught up.
    error SequencerDown(address feed, int256 answer, uint256 since);

    uint256 internal constant MICROS_PER_CENT = 10_000;
    uint256 private constant PAR = 1e8;
    uint256 private constant SEQUENCER_GRACE = 1 hours;

    /// @notice The price of an asset as its feed gives it; 1e8 for one at par.
    function priceOf(bytes calldata mandate, uint256 index) internal view returns (uint256 price) {
        (address source, uint256 maxAge,) = mandate.feed(index);
        if (source == address(0) && maxAge == 0) return PAR;
        (int256 answer,, uint256 updatedAt) = _read(source);
        if (answer <= 0) revert FeedNotPositive(source, answer);
        if (updatedAt > block.timestamp || block.timestamp - updatedAt > maxAge) {
            revert FeedStale(source, updatedAt, maxAge);
        }
        return uint256(answer);
    }

    /// @notice What an amount is worth, rounded against the spender by the caller's choice.
    function micros(bytes calldata mandate, uint256 index, uint256 amount, uint256 price, Math.Rounding rounding)
        internal
        pure
        returns (uint256)
    {
        (,, uint256 scale) = mandate.feed(index);
        uint256 value = amount * 1e6 * price;
        uint256 unit = 10 ** scale;
        return rounding == Math.Rounding.Ceil ? Math.ceilDiv(value, unit) : value / unit;
    }

    function requireSequencerUp(address sequencerFeed) internal view {
        (int256 answer, uint256 startedAt,) = _read(sequencerFeed);
        // A feed that has never reported says zero twice, which must not pass for "up since ever".
        if (answer != 0 || startedAt == 0 || block.timestamp < startedAt + SEQUENCER_GRACE) {
            revert SequencerDown(sequencerFeed, answer, startedAt);
        }
    }

    function _read(address source) private view returns (int256 answer, uint256 startedAt, uint256 updatedAt) {
        (bool ok, bytes memory data) = source.staticcall(abi.encodeCall(IPriceFeed.latestRoundData, ()));
        if (!ok || data.length < 160) revert FeedUnavailable(source);
        (, answer, startedAt, updatedAt,) = abi.decode(data, (uint256, int256, uint256, uint256, uint256));
    }
}
