// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

/// @title Bounds that only the clock decides
library Lifetime {
    /// @notice Before its first or after its last second.
    error OutsideWindow(uint256 timestamp, uint256 start, uint256 end);
    /// @notice Too soon after the execution before.
    error TooSoon(uint256 lastExecution, uint256 interval);

    /// @dev Both ends belong to the window.
    function requireWithin(uint256 start, uint256 end) internal view {
        if (block.timestamp < start || block.timestamp > end) revert OutsideWindow(block.timestamp, start, end);
    }

    /// @param last when the execution before was; zero if there was none
    function requireRested(uint256 last, uint256 interval) internal view {
        unchecked {
            // A time and 32 bits.
            if (last != 0 && block.timestamp < last + interval) revert TooSoon(last, interval);
        }
    }
}
