// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {IERC4626} from "@openzeppelin/contracts/interfaces/IERC4626.sol";
import {Math} from "@openzeppelin/contracts/utils/math/Math.sol";
import {Actions} from "./Actions.sol";
import {Ask} from "./Ask.sol";
import {Prices} from "./Prices.sol";

/// @title How much may leave at once, by what a vault holds
/// @notice Whoever can deposit can inflate `totalAssets` for as long as a transaction lasts. So a share of it is only ever
///         half of the bound: the other half is an absolute cap that the owner signed.
/// @dev Ask before the execution, since a deposit is its own excuse afterwards, and ask again after it, since what was
///      borrowed may have gone back meanwhile. The smaller answer counts.
library VaultNav {
    /// @notice More at once than the vault's size, or the signed cap, allows.
    error NavExceeded(uint256 outMicros, uint256 limitMicros);

    uint256 private constant BPS = 10_000;

    /// @return the smaller of the cap and `bps` of what the vault holds, in millionths of a dollar, rounded down
    function limitMicros(bytes calldata mandate, address vault, uint256 bps, uint256 capCents)
        internal
        view
        returns (uint256)
    {
        address token = Ask.addressOf(vault, IERC4626.asset.selector);
        uint256 asset = Actions.tracked(mandate, token);
        // More than can be reckoned with is as good as that: the cap holds anyway.
        uint256 total = Math.min(Ask.word(vault, IERC4626.totalAssets.selector), type(uint128).max);
        (uint256 price, uint256 unit) = Prices.quote(mandate, asset);
        uint256 share = Math.mulDiv(Prices.micros(total, price, unit), bps, BPS);
        return Math.min(share, capCents * Prices.MICROS_PER_CENT);
    }

    function requireWithin(uint256 outMicros, uint256 limit) internal pure {
        if (outMicros > limit) revert NavExceeded(outMicros, limit);
    }
}
