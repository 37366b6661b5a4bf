// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

/// @title Spending that is never forgotten
library Allowance {
    /// @notice More than was ever allowed.
    error AllowanceExceeded(uint256 spentCents, uint256 askedCents, uint256 allowedCents);

    /// @return the sum of what was spent before and now
    function spend(uint256 spent, uint256 cents, uint256 allowed) internal pure returns (uint256) {
        if (cents > allowed || spent > allowed - cents) revert AllowanceExceeded(spent, cents, allowed);
        return spent + cents;
    }
}
