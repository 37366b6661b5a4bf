// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

/// @title Spending in any 24 hours, and the last execution, in one word
/// @dev | bits    | field    |                                                              |
///      | ------- | -------- | ------------------------------------------------------------ |
///      | 0–195   | buckets  | seven times 28 bits: cents spent in each of the last 7 × 4 h |
///      | 196–231 | last     | Unix time of the last execution                              |
///      | 232–255 | epoch    | Unix time ÷ 4 h of the newest bucket                         |
///      Any 24 hours touch at most seven of these buckets, so a sum over all seven that stays below the limit holds for
///      every window, not just for calendar days: nobody spends twice at midnight. The price is that an amount counts
///      for up to 28 hours.
library RollingBudget {
    /// @notice The day's limit would be exceeded.
    error SpendLimitExceeded(uint256 spentCents, uint256 askedCents, uint256 limitCents);

    uint256 internal constant PERIOD = 4 hours;
    uint256 internal constant BUCKETS = 7;
    uint256 internal constant BUCKET_BITS = 28;
    uint256 internal constant MAX_CENTS = (1 << BUCKET_BITS) - 1;
    uint256 private constant BUCKETS_MASK = (1 << (BUCKETS * BUCKET_BITS)) - 1;

    /// @param limit at most `MAX_CENTS`: a bucket holds no more
    /// @return next the word with `cents` booked and the execution noted
    function spend(uint256 word, uint256 cents, uint256 limit) internal view returns (uint256 next) {
        uint256 buckets = _current(word);
        uint256 spent = _sum(buckets);
        // What takes nothing is not refused: a limit lowered below what was spent must not keep positions from closing.
        unchecked {
            // `spent` is at most seven times 28 bits; and what passes fits into a bucket with what is there already.
            if (cents != 0 && (cents > limit || spent + cents > limit)) revert SpendLimitExceeded(spent, cents, limit);
            return (buckets + cents) | (block.timestamp << 196) | ((block.timestamp / PERIOD) << 232);
        }
    }

    /// @return cents what counts as spent now
    function spentNow(uint256 word) internal view returns (uint256 cents) {
        return _sum(_current(word));
    }

    function lastExecution(uint256 word) internal pure returns (uint256) {
        return (word >> 196) & ((1 << 36) - 1);
    }

    /// @dev The buckets as they are now: those that have aged out are gone, newest in the lowest bits.
    function _current(uint256 word) private view returns (uint256) {
        // Checked: a clock that ran backwards must not make spending disappear.
        uint256 passed = block.timestamp / PERIOD - (word >> 232);
        unchecked {
            return passed < BUCKETS ? (word << (passed * BUCKET_BITS)) & BUCKETS_MASK : 0;
        }
    }

    function _sum(uint256 buckets) private pure returns (uint256 sum) {
        unchecked {
            // Seven times 28 bits.
            while (buckets != 0) {
                sum += buckets & MAX_CENTS;
                buckets >>= BUCKET_BITS;
            }
        }
    }
}
