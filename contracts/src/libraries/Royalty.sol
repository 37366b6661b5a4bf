// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {Math} from "@openzeppelin/contracts/utils/math/Math.sol";

/// @title What a sale owes the author of what is sold
/// @notice Of every asset that a sale brings in, the author gets a share in the same asset and the same execution.
/// @dev It sees what reaches the account. A market that lets the seller name another receiver, or pays later, is none to
///      sign a sale for.
library Royalty {
    /// @notice The author got less than the signed share of what the sale brought in.
    error RoyaltyUnpaid(address token, uint256 gross, uint256 paid, uint256 due);

    uint256 private constant BPS = 10_000;

    /// @param before the account's balance before the execution
    /// @param now_ its balance after it
    /// @param out all that the execution's calls paid in this asset, to the author and to others
    /// @param paid what of it went to the author
    function requirePaid(address token, uint256 before, uint256 now_, uint256 out, uint256 paid, uint256 bps)
        internal
        pure
    {
        // What was paid out had to come from somewhere: a sale's proceeds do not shrink by being spent at once.
        uint256 gross = Math.saturatingSub(now_ + out, before);
        uint256 due = Math.mulDiv(gross, bps, BPS, Math.Rounding.Ceil);
        if (paid < due) revert RoyaltyUnpaid(token, gross, paid, due);
    }
}
