// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

/// @title The maximum cost of a swap
library Slippage {
    /// @notice Thrown when a swap returns too little for its input.
    error SlippageExceeded(uint256 outMicros, uint256 inMicros, uint256 maxBps);

    uint256 private constant BPS = 10_000;

    /// @param maxBps at most 10000
    function requireWithin(uint256 outMicros, uint256 inMicros, uint256 maxBps) internal pure {
        unchecked {
            // See `Prices` for why the products fit.
            if (inMicros * BPS < outMicros * (BPS - maxBps)) {
                revert SlippageExceeded(outMicros, inMicros, maxBps);
            }
        }
    }
}
