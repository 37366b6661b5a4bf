// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {AbiReader} from "./AbiReader.sol";

/// @title The minimum that a vault share must return when it is redeemed
/// @notice Shares are not priced: an attacker who can move a vault's rate could otherwise make the account sell them
///         for nothing. The shortfall of a withdrawal below the signed floor counts as spent, and is refused if the
///         day's limit does not cover it.
/// @dev A section of the Cage's terms:
///      | bytes  | field   |                                                                                        |
///      | ------ | ------- | -------------------------------------------------------------------------------------- |
///      | 1      | count   | 1 to 8                                                                                 |
///      | 36 × n | entries | vault (20), floor (16): the asset's base units for 10^18 base units of shares, not zero |
///      Vaults are in ascending order, so that none is listed twice.
library Floors {
    using AbiReader for bytes;

    /// @notice Thrown when a withdrawal returns less than the signed floor and the day's limit does not cover the
    ///         difference.
    error BelowFloor(address vault, uint256 assets, uint256 owed);
    /// @notice Thrown when the section has no entry or too many, vaults that do not ascend, or a floor of zero.
    error FloorsMalformed(uint256 count, address vault, uint256 floor);

    uint256 internal constant ENTRY = 36;
    uint256 internal constant MAX_COUNT = 8;
    uint256 private constant SHARES = 1e18;

    function requireSound(bytes calldata section) internal pure {
        uint256 entries = count(section);
        if (entries == 0 || entries > MAX_COUNT) revert FloorsMalformed(entries, address(0), 0);
        address last;
        for (uint256 i; i < entries; ++i) {
            (address vault, uint256 floor) = _entry(section, i);
            if (vault <= last || floor == 0) revert FloorsMalformed(entries, vault, floor);
            last = vault;
        }
    }

    function count(bytes calldata section) internal pure returns (uint256) {
        return section.load(0) >> 248;
    }

    /// @return floor the floor of the vault; zero if none was signed
    function floorOf(bytes calldata section, address vault) internal pure returns (uint256 floor) {
        uint256 entries = count(section);
        unchecked {
            for (uint256 i; i < entries && floor == 0; ++i) {
                (address here, uint256 its) = _entry(section, i);
                if (here == vault) floor = its;
            }
        }
    }

    /// @param shares below 2^128
    /// @param floor below 2^128
    /// @return the minimum that these shares must return, rounded up
    function owed(uint256 shares, uint256 floor) internal pure returns (uint256) {
        unchecked {
            // Both are below 2^128: the product is at most 2^256 - 2^129 + 1, and 10^18 more does not wrap.
            return (shares * floor + SHARES - 1) / SHARES;
        }
    }

    function _entry(bytes calldata section, uint256 index) private pure returns (address vault, uint256 floor) {
        unchecked {
            // A count has one byte.
            uint256 offset = 1 + ENTRY * index;
            return (address(uint160(section.load(offset) >> 96)), section.load(offset + 20) >> 128);
        }
    }
}
