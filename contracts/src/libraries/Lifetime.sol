// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

/// @title Limits that depend on the time only
library Lifetime {
    /// @notice Thrown when the block is before the first or after the last second of the window.
    error OutsideWindow(uint256 timestamp, uint256 start, uint256 end);
    /// @notice Thrown when the signed interval since the last execution has not passed.
    error TooSoon(uint256 lastExecution, uint256 interval);

    /// @dev Both ends are inclusive.
    function requireWithin(uint256 start, uint256 end) internal view {
        if (block.timestamp < start || block.timestamp > end) revert OutsideWindow(block.timestamp, start, end);
    }

    /// @param last the time of the previous execution; zero if there was none
    function requireRested(uint256 last, uint256 interval) internal view {
        unchecked {
            // A time plus 32 bits cannot overflow.
            if (last != 0 && block.timestamp < last + interval) revert TooSoon(last, interval);
        }
    }
}
