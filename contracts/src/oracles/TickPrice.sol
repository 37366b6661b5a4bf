// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {Math} from "@openzeppelin/contracts/utils/math/Math.sol";

/// @title The price of a Uniswap V3 tick
/// @notice A tick t means 1.0001^t units of token1 for one of token0.
/// @dev Square and multiply on a 128-bit mantissa with a binary exponent, so that a tick at the edge of the range is as
///      precise as one in its middle. Every step truncates less than 2^-127 of the value and each squaring doubles the
///      earlier error; over twenty steps that is less than one part in 2^104.
library TickPrice {
    /// @notice Thrown when a tick is outside the range of Uniswap V3.
    error TickOutOfRange(int24 tick);

    int24 internal constant MAX_TICK = 887272;

    uint256 private constant ONE = 1 << 127;
    /// @dev 1.0001, rounded to nearest to minimise its error, which is also raised to the power.
    uint256 private constant STEP = (ONE * 10_001 + 5_000) / 10_000;

    /// @notice `numerator / denominator * 1.0001^tick`, rounded down (a value within 2^-104 of a whole number may go either way).
    function scale(int24 tick, uint256 numerator, uint256 denominator) internal pure returns (uint256) {
        if (tick > MAX_TICK || tick < -MAX_TICK) revert TickOutOfRange(tick);
        (uint256 mantissa, uint256 exponent) = power(uint24(tick < 0 ? -tick : tick));
        // The price is mantissa / 2^shift: the largest one is just below 2^128, so its exponent is at most 127.
        uint256 shift = 127 - exponent;
        if (tick < 0) (mantissa, shift) = ((1 << 255) / mantissa, 128 + exponent);
        // As much of the shift as fits goes into the denominator, so that only a result that is too large overflows.
        // The rest rounds down what was already rounded down, which equals rounding down once.
        uint256 room = Math.min(shift, Math.clz(denominator));
        return Math.mulDiv(mantissa, numerator, denominator << room) >> (shift - room);
    }

    /// @notice 1.0001^n as `mantissa * 2^exponent / 2^127`, the mantissa within 2^127…2^128.
    function power(uint24 n) internal pure returns (uint256 mantissa, uint256 exponent) {
        mantissa = ONE;
        for (uint256 bit = 1 << 19; bit != 0; bit >>= 1) {
            (mantissa, exponent) = _product(mantissa, mantissa, exponent << 1);
            if (n & bit != 0) (mantissa, exponent) = _product(mantissa, STEP, exponent);
        }
    }

    /// @dev Both factors are below 2^128, so their product fits into 256 bits, and what is left of it into 129: the carry is
    ///      0 or 1. The exponent is one of a number below 2^128.
    function _product(uint256 a, uint256 b, uint256 exponent) private pure returns (uint256, uint256) {
        unchecked {
            uint256 product = (a * b) >> 127;
            uint256 carry = product >> 128;
            return (product >> carry, exponent + carry);
        }
    }
}
