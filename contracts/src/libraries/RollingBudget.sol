// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

/// @title Spending in any 24 hours, and the last execution, in one word
/// @dev | bits    | field    |                                                              |
///      | ------- | -------- | ------------------------------------------------------------ |
///      | 0–195   | buckets  | seven times 28 bits: cents spent in each of the last 7 × 4 h |
///      | 196–231 | last     | Unix time of the last execution                              |
///      | 232–255 | epoch    | Unix time ÷ 4 h of the newest bucket                         |
///      Any 24 hours touch at most seven of these buckets, so if the sum over all seven stays below the limit, every
///      window does, not only calendar days: the limit cannot be spent twice at midnight. In return an amount counts
///      for up to 28 hours. A time of 36 bits ends in the year 4147.
library RollingBudget {
    /// @notice Thrown when spending in 24 hours would exceed the signed limit.
    error SpendLimitExceeded(uint256 spentCents, uint256 askedCents, uint256 limitCents);

    uint256 internal constant PERIOD = 4 hours;
    uint256 internal constant BUCKETS = 7;
    uint256 internal constant BUCKET_BITS = 28;
    uint256 internal constant MAX_CENTS = (1 << BUCKET_BITS) - 1;
    uint256 private constant BUCKETS_MASK = (1 << (BUCKETS * BUCKET_BITS)) - 1;
    uint256 private constant LAST_MASK = ((1 << 36) - 1) << 196;

    /// @param limit at most `MAX_CENTS`: a bucket holds no more
    /// @return next the word with `cents` booked and the time of the execution updated
    function spend(uint256 word, uint256 cents, uint256 limit) internal view returns (uint256 next) {
        uint256 buckets = _current(word, PERIOD);
        uint256 spent = _sum(buckets);
        unchecked {
            // The same condition as `_fits`, inlined: this is the common path.
            if (cents != 0 && (cents > limit || spent + cents > limit)) revert SpendLimitExceeded(spent, cents, limit);
            // An amount that passes fits into a bucket with what is already there.
            return (buckets + cents) | (block.timestamp << 196) | ((block.timestamp / PERIOD) << 232);
        }
    }

    /// @notice Like `spend`, but the time of the last execution does not change.
    function spendUnnoted(uint256 word, uint256 cents, uint256 limit) internal view returns (uint256 next) {
        uint256 spent;
        (spent, next) = book(word, cents, PERIOD);
        if (!_fits(spent, cents, limit)) revert SpendLimitExceeded(spent, cents, limit);
    }

    /// @return whether `spend` would accept these cents
    function holds(uint256 word, uint256 cents, uint256 limit) internal view returns (bool) {
        return _fits(spentNow(word), cents, limit);
    }

    /// @notice Books an amount without changing the time of the last execution.
    /// @param bucketSeconds the length of a bucket: any six consecutive buckets are covered, whatever the unit of the
    ///        amount
    /// @return spent the spending that counted before
    /// @return next the word with the amount booked; valid only if both together are at most `MAX_CENTS`
    function book(uint256 word, uint256 amount, uint256 bucketSeconds)
        internal
        view
        returns (uint256 spent, uint256 next)
    {
        uint256 buckets = _current(word, bucketSeconds);
        spent = _sum(buckets);
        unchecked {
            // The caller keeps the result only if it fits into the lowest bucket. A time has 36 bits, an epoch 24.
            next = (buckets + amount) | (word & LAST_MASK) | ((block.timestamp / bucketSeconds) << 232);
        }
    }

    /// @return cents the spending that counts now
    function spentNow(uint256 word) internal view returns (uint256 cents) {
        return _sum(_current(word, PERIOD));
    }

    function lastExecution(uint256 word) internal pure returns (uint256) {
        return (word >> 196) & ((1 << 36) - 1);
    }

    /// @dev Zero always fits: a limit lowered below the spending must not block closing positions.
    function _fits(uint256 spent, uint256 amount, uint256 limit) private pure returns (bool) {
        unchecked {
            // `spent` is at most seven times 28 bits, and the sum is not evaluated for an amount above the limit.
            return amount == 0 || (amount <= limit && spent + amount <= limit);
        }
    }

    /// @dev The buckets at this moment: expired buckets are removed, the newest is in the lowest bits.
    function _current(uint256 word, uint256 bucketSeconds) private view returns (uint256) {
        // Checked: a clock that runs backwards must not erase spending.
        uint256 passed = block.timestamp / bucketSeconds - (word >> 232);
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
