// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {Math} from "@openzeppelin/contracts/utils/math/Math.sol";

/// @title The royalty that a sale owes to the author
/// @notice The author gets a share of every asset that a sale brings in, in the same asset and the same execution.
/// @dev It measures what reaches the account. Do not sign a sale for a market that lets the seller name another
///      receiver, or that pays later.
library Royalty {
    /// @notice Thrown when the author gets less than the signed share of the proceeds.
    error RoyaltyUnpaid(address token, uint256 gross, uint256 paid, uint256 due);

    uint256 private constant BPS = 10_000;

    /// @param before the account's balance before the execution
    /// @param now_ its balance after it
    /// @param out the total that the execution's calls paid in this asset, to the author and to others
    /// @param paid the part of it that went to the author
    function requirePaid(address token, uint256 before, uint256 now_, uint256 out, uint256 paid, uint256 bps)
        internal
        pure
    {
        // Add back what was paid out: spending the proceeds in the same execution must not reduce the share.
        uint256 gross = Math.saturatingSub(now_ + out, before);
        uint256 due = Math.mulDiv(gross, bps, BPS, Math.Rounding.Ceil);
        if (paid < due) revert RoyaltyUnpaid(token, gross, paid, due);
    }
}
