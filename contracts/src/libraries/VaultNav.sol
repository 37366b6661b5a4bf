// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {IERC4626} from "@openzeppelin/contracts/interfaces/IERC4626.sol";
import {Math} from "@openzeppelin/contracts/utils/math/Math.sol";
import {Actions} from "./Actions.sol";
import {Prices} from "./Prices.sol";

/// @title How much may leave at once, by what a vault holds
/// @notice Whoever can deposit can inflate `totalAssets` for as long as a transaction lasts. So a share of it is only ever
///         half of the bound: the other half is an absolute cap that the owner signed.
/// @dev Ask before the execution, since a deposit is its own excuse afterwards, and ask again after it, since what was
///      borrowed may have gone back meanwhile. The smaller answer counts.
library VaultNav {
    /// @notice The vault does not answer as an ERC-4626 vault does.
    error VaultUnavailable(address vault);
    /// @notice More at once than the vault's size, or the signed cap, allows.
    error NavExceeded(uint256 outMicros, uint256 limitMicros);

    uint256 private constant BPS = 10_000;

    /// @return the smaller of the cap and `bps` of what the vault holds, in millionths of a dollar, rounded down
    function limitMicros(bytes calldata mandate, address vault, uint256 bps, uint256 capCents)
        internal
        view
        returns (uint256)
    {
        address token = address(uint160(_read(vault, abi.encodeCall(IERC4626.asset, ()))));
        uint256 asset = Actions.tracked(mandate, token);
        uint256 total = _read(vault, abi.encodeCall(IERC4626.totalAssets, ()));
        uint256 nav = Prices.micros(mandate, asset, total, Prices.priceOf(mandate, asset), Math.Rounding.Floor);
        return Math.min(Math.mulDiv(nav, bps, BPS), capCents * Prices.MICROS_PER_CENT);
    }

    function requireWithin(uint256 outMicros, uint256 limit) internal pure {
        if (outMicros > limit) revert NavExceeded(outMicros, limit);
    }

    function _read(address vault, bytes memory query) private view returns (uint256) {
        (bool ok, bytes memory answer) = vault.staticcall(query);
        if (!ok || answer.length < 32) revert VaultUnavailable(vault);
        return abi.decode(answer, (uint256));
    }
}
