// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {AbiReader} from "./AbiReader.sol";

/// @title What an owner signed about money: whose account, which assets, which contracts, which payees
/// @dev A section of packed terms, read in place:
///      | bytes        | field    |                                                                  |
///      | ------------ | -------- | ---------------------------------------------------------------- |
///      | 20           | account  | the account whose balances are measured; all value returns to it |
///      | 1            | assets   | how many, 0 to 8; without any, nothing of value can be moved     |
///      | 1            | targets  | how many, below 64                                               |
///      | 1            | payees   | how many, below 64                                               |
///      | 44 × assets  | asset    | token 20, feed 20, maximum age in seconds 3, scale 1             |
///      | 25 × targets | target   | kind 1, contract 20, selector 4 (zero unless the kind needs one) |
///      | 20 × payees  | payee    |                                                                  |
///      A token of zero is the native currency. A feed of zero with a maximum age of zero is "at par": one whole token
///      is one dollar because the owner says so. `scale` is the token's decimals plus the feed's.
library Mandate {
    using AbiReader for bytes;

    /// @notice Thrown when a count of the mandate is above its maximum.
    error MandateMalformed(uint256 assets, uint256 targets, uint256 payees);

    uint256 internal constant HEAD = 23;
    uint256 internal constant ASSET = 44;
    uint256 internal constant TARGET = 25;
    uint256 internal constant PAYEE = 20;
    uint256 internal constant MAX_ASSETS = 8;
    uint256 internal constant MAX_LIST = 64;
    /// @dev The index of an asset that is not listed.
    uint256 internal constant NONE = type(uint256).max;

    // Kinds of targets.
    uint8 internal constant SWAP_ROUTER_02 = 1;
    uint8 internal constant UNIVERSAL_ROUTER = 2;
    uint8 internal constant PERMIT2 = 3;
    uint8 internal constant POSITION_MANAGER = 4;
    uint8 internal constant POOL = 5;
    uint8 internal constant VAULT = 6;
    uint8 internal constant SPAWN = 7;
    uint8 internal constant PUBLISH = 8;
    uint8 internal constant SALE = 9;

    /// @notice Checks the counts and returns the exact length of this mandate.
    /// @param mandate at least its head
    function size(bytes calldata mandate) internal pure returns (uint256) {
        (uint256 assets, uint256 targets, uint256 payees) = counts(mandate);
        // Both counts are below 256, so a bit above 63 in either is visible in their union.
        if (assets > MAX_ASSETS || (targets | payees) >= MAX_LIST) revert MandateMalformed(assets, targets, payees);
        return announcedSize(mandate);
    }

    // The functions below read without checks: `size` has proved that everything a count announces is present. Counts
    // are below 64 and entries below 45 bytes, so no sum of them can overflow.

    /// @notice The length that the counts imply.
    function announcedSize(bytes calldata mandate) internal pure returns (uint256) {
        unchecked {
            (uint256 assets, uint256 targets, uint256 payees) = counts(mandate);
            return HEAD + ASSET * assets + TARGET * targets + PAYEE * payees;
        }
    }

    function account(bytes calldata mandate) internal pure returns (address) {
        return address(uint160(mandate.load(0) >> 96));
    }

    function counts(bytes calldata mandate) internal pure returns (uint256 assets, uint256 targets, uint256 payees) {
        uint256 head = mandate.load(0);
        return (uint8(head >> 88), uint8(head >> 80), uint8(head >> 72));
    }

    function assetCount(bytes calldata mandate) internal pure returns (uint256) {
        return uint8(mandate.load(0) >> 88);
    }

    function token(bytes calldata mandate, uint256 index) internal pure returns (address) {
        unchecked {
            return _addressAt(mandate, HEAD + ASSET * index);
        }
    }

    function feed(bytes calldata mandate, uint256 index)
        internal
        pure
        returns (address source, uint256 maxAge, uint256 scale)
    {
        unchecked {
            uint256 entry = mandate.load(HEAD + ASSET * index + 20);
            return (address(uint160(entry >> 96)), uint24(entry >> 72), uint8(entry >> 64));
        }
    }

    /// @return index the asset's index, or `NONE`
    function assetOf(bytes calldata mandate, address wanted) internal pure returns (uint256 index) {
        unchecked {
            uint256 assets = assetCount(mandate);
            for (; index < assets; ++index) {
                if (token(mandate, index) == wanted) break;
            }
            if (index == assets) index = NONE;
        }
    }

    /// @return from the first token's index, or `NONE`
    /// @return to the second token's index
    function pairOf(bytes calldata mandate, address tokenFrom, address tokenTo)
        internal
        pure
        returns (uint256 from, uint256 to)
    {
        unchecked {
            (from, to) = (NONE, NONE);
            uint256 assets = assetCount(mandate);
            for (uint256 i; i < assets; ++i) {
                address here = token(mandate, i);
                if (here == tokenFrom) from = i;
                if (here == tokenTo) to = i;
            }
        }
    }

    /// @return kind zero if the contract is not a target
    function kindOf(bytes calldata mandate, address wanted) internal pure returns (uint256 kind) {
        return targetOf(mandate, wanted) >> 248;
    }

    /// @return entry its kind and, below it, its address and the signed selector; zero if it is not a target
    function targetOf(bytes calldata mandate, address wanted) internal pure returns (uint256 entry) {
        unchecked {
            uint256 head = mandate.load(0);
            uint256 offset = HEAD + ASSET * uint8(head >> 88);
            uint256 end = offset + TARGET * uint8(head >> 80);
            for (; offset < end; offset += TARGET) {
                uint256 here = mandate.load(offset);
                if (address(uint160(here >> 88)) == wanted) {
                    entry = here;
                    break;
                }
            }
        }
    }

    /// @param entry the result of `targetOf`
    function selectorOf(uint256 entry) internal pure returns (bytes4) {
        return bytes4(uint32(entry >> 56));
    }

    function isPayee(bytes calldata mandate, address wanted) internal pure returns (bool found) {
        unchecked {
            (uint256 assets, uint256 targets, uint256 payees) = counts(mandate);
            uint256 offset = HEAD + ASSET * assets + TARGET * targets;
            uint256 end = offset + PAYEE * payees;
            for (; offset < end && !found; offset += PAYEE) {
                found = _addressAt(mandate, offset) == wanted;
            }
        }
    }

    function _addressAt(bytes calldata mandate, uint256 offset) private pure returns (address) {
        return address(uint160(mandate.load(offset) >> 96));
    }
}
