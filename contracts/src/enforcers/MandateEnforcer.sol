// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {CaveatEnforcer} from "./CaveatEnforcer.sol";
import {IPolicyCage} from "../interfaces/IPolicyCage.sol";
import {IVitals} from "../interfaces/IVitals.sol";
import {Actions} from "../libraries/Actions.sol";
import {Mandate} from "../libraries/Mandate.sol";
import {Plan, Plans} from "../libraries/Plan.sol";

/// @title An enforcer whose terms hold a mandate
/// @dev To know what an action is one must know what its contracts are, and that is what a mandate says.
abstract contract MandateEnforcer is CaveatEnforcer {
    using Mandate for bytes;

    /// @dev No asset to unwind into.
    uint256 internal constant NO_SETTLEMENT = type(uint8).max;

    /// @notice Where Golems post how they are. No session may call it.
    IVitals public immutable vitals;
    /// @notice Where constitutions are kept. No session may call it.
    IPolicyCage public immutable policyCage;

    constructor(IVitals vitals_, IPolicyCage policyCage_) {
        (vitals, policyCage) = (vitals_, policyCage_);
    }

    /// @param head how many bytes come before the mandate
    function _mandate(bytes calldata terms, uint256 head) internal pure returns (bytes calldata mandate) {
        if (terms.length < head + Mandate.HEAD) revert TermsLength(terms.length, head + Mandate.HEAD);
        mandate = terms[head:];
        _requireLength(terms, head + mandate.size());
    }

    /// @param settlement the asset's place that unwinding goes into
    function _plan(bytes32 mode, bytes calldata execution, bytes calldata mandate, uint256 settlement)
        internal
        view
        returns (Plan p)
    {
        p = Plans.create();
        p.setSettlement(settlement);
        p.forbid(address(vitals), address(policyCage));
        Actions.fill(p, mode, execution, mandate);
    }

    function _requireSettlement(bytes calldata mandate, uint256 settlement) internal pure {
        if (settlement >= mandate.assetCount() && settlement != NO_SETTLEMENT) revert TermsUnknown(settlement);
    }

    function _requireBps(uint256 bps) internal pure {
        if (bps > 10_000) revert TermsUnknown(bps);
    }
}
