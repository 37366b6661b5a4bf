// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {IERC4626} from "@openzeppelin/contracts/interfaces/IERC4626.sol";
import {Math} from "@openzeppelin/contracts/utils/math/Math.sol";
import {Actions} from "./Actions.sol";
import {StaticRead} from "./StaticRead.sol";
import {Prices} from "./Prices.sol";

/// @title Limits what leaves per execution by a vault's assets
/// @notice Anyone who can deposit can inflate `totalAssets` during a transaction. So a share of it is only half of the
///         limit: the other half is an absolute cap that the owner signed.
/// @dev Read before the execution, because a deposit inside it would raise its own limit, and again after it, because a
///      flash loan may have been repaid meanwhile. The smaller answer counts.
library VaultNAV {
    /// @notice Thrown when an execution takes more than the vault's size or the signed cap allows.
    error NAVExceeded(uint256 outMicros, uint256 limitMicros);

    uint256 private constant BPS = 10_000;

    /// @return the smaller of the cap and `bps` of the vault's assets, in millionths of a dollar, rounded down
    function limitMicros(bytes calldata mandate, address vault, uint256 bps, uint256 capCents)
        internal
        view
        returns (uint256)
    {
        address token = StaticRead.addressOf(vault, IERC4626.asset.selector);
        uint256 asset = Actions.tracked(mandate, token);
        // Overflow: use the largest value, since the cap still holds.
        uint256 total = Math.min(StaticRead.word(vault, IERC4626.totalAssets.selector), type(uint128).max);
        (uint256 price, uint256 unit) = Prices.quote(mandate, asset);
        uint256 share = Math.mulDiv(Prices.micros(total, price, unit), bps, BPS);
        return Math.min(share, capCents * Prices.MICROS_PER_CENT);
    }

    function requireWithin(uint256 outMicros, uint256 limit) internal pure {
        if (outMicros > limit) revert NAVExceeded(outMicros, limit);
    }
}
