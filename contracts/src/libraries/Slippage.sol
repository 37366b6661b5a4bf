// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

/// @title What a swap may cost
library Slippage {
    /// @notice A swap brought in too little for what it took.
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
