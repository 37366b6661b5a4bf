// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {CaveatEnforcer} from "./CaveatEnforcer.sol";
import {Mandate} from "../libraries/Mandate.sol";

/// @title An enforcer whose terms end in a mandate
/// @dev To know what an action is one must know what its contracts are, and that is what a mandate says.
abstract contract MandateEnforcer is CaveatEnforcer {
    using Mandate for bytes;

    /// @dev No asset to unwind into.
    uint256 internal constant NO_SETTLEMENT = type(uint8).max;

    /// @param head how many bytes come before the mandate
    function _mandate(bytes calldata terms, uint256 head) internal pure returns (bytes calldata mandate) {
        if (terms.length < head + Mandate.HEAD) revert TermsLength(terms.length, head + Mandate.HEAD);
        mandate = terms[head:];
        _requireLength(terms, head + mandate.size());
    }

    function _requireSettlement(bytes calldata mandate, uint256 settlement) internal pure {
        if (settlement >= mandate.assetCount() && settlement != NO_SETTLEMENT) revert TermsUnknown(settlement);
    }

    function _requireBps(uint256 bps) internal pure {
        if (bps > 10_000) revert TermsUnknown(bps);
    }
}
