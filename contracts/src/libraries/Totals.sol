// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {AbiReader} from "./AbiReader.sol";
import {RollingBudget} from "./RollingBudget.sol";

/// @title Limits what leaves in any week, any month, or over the whole life; it can be spent in parts
/// @dev A section of the Cage's terms:
///      | bytes | field   |                                                                                       |
///      | ----- | ------- | ------------------------------------------------------------------------------------- |
///      | 1     | count   | 1 to 4                                                                                |
///      | 8 × n | entries | period in seconds (4), cents (4). Period 0 is the whole life; others are multiples of |
///      |       |         | six of at least a day. Periods ascend, so that none is there twice                    |
///      A period's word is a `RollingBudget` with buckets of a sixth of the period: any window of that length touches at most
///      seven of them. The word of the whole life is a plain sum.
library Totals {
    using AbiReader for bytes;

    /// @notice Thrown when spending in a period would exceed the limit that the owner signed for it.
    error TotalExceeded(uint256 period, uint256 spentCents, uint256 askedCents, uint256 limitCents);
    /// @notice Thrown when the section has no entry or too many, or an entry that no budget can represent.
    error TotalsMalformed(uint256 count, uint256 period, uint256 cents);

    uint256 internal constant ENTRY = 8;
    uint256 internal constant MAX_COUNT = 4;
    uint256 private constant MIN_PERIOD = 1 days;

    function requireSound(bytes calldata section) internal pure {
        uint256 entries = count(section);
        if (entries == 0 || entries > MAX_COUNT) revert TotalsMalformed(entries, 0, 0);
        uint256 last;
        for (uint256 i; i < entries; ++i) {
            (uint256 period, uint256 cents) = entry(section, i);
            bool isPeriod = period == 0 ? i == 0 : period >= MIN_PERIOD && period % 6 == 0 && period > last;
            if (!isPeriod || cents == 0 || cents > RollingBudget.MAX_CENTS) {
                revert TotalsMalformed(entries, period, cents);
            }
            last = period;
        }
    }

    function count(bytes calldata section) internal pure returns (uint256) {
        return section.load(0) >> 248;
    }

    /// @param index below the count
    function entry(bytes calldata section, uint256 index) internal pure returns (uint256 period, uint256 cents) {
        unchecked {
            // A count has one byte.
            uint256 word = section.load(1 + ENTRY * index);
            return (word >> 224, uint32(word >> 192));
        }
    }

    /// @param word the lineage's spending in this period, in the layout above
    /// @return next the word with `cents` booked
    function spend(uint256 word, uint256 period, uint256 cents, uint256 limit) internal view returns (uint256 next) {
        uint256 spent;
        unchecked {
            // A sum of buckets has 31 bits, and so has lifetime spending; the sum is compared only if `cents` is within
            // the limit, and `next` is kept only if that passed.
            if (period == 0) (spent, next) = (word, word + cents);
            else (spent, next) = RollingBudget.book(word, cents, period / 6);
            if (cents > limit || spent + cents > limit) revert TotalExceeded(period, spent, cents, limit);
        }
    }
}
