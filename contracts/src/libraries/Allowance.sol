// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

/// @title Lifetime spending
library Allowance {
    /// @notice Thrown when lifetime spending would exceed the signed allowance.
    error AllowanceExceeded(uint256 spentCents, uint256 askedCents, uint256 allowedCents);

    /// @return the sum of earlier and new spending
    function spend(uint256 spent, uint256 cents, uint256 allowed) internal pure returns (uint256) {
        unchecked {
            // The subtraction is evaluated only if it cannot wrap, and the sum is at most the allowance.
            if (cents > allowed || spent > allowed - cents) revert AllowanceExceeded(spent, cents, allowed);
            return spent + cents;
        }
    }
}
