// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {ManagedEnforcer} from "./ManagedEnforcer.sol";
import {IPolicyCage} from "../interfaces/IPolicyCage.sol";
import {IVitals} from "../interfaces/IVitals.sol";
import {Actions} from "../libraries/Actions.sol";
import {Mandate} from "../libraries/Mandate.sol";
import {Plan, Plans} from "../libraries/Plan.sol";

/// @title An enforcer whose terms contain a mandate
/// @dev The mandate says what each contract is, which is needed to classify an action.
abstract contract MandateEnforcer is ManagedEnforcer {
    using Mandate for bytes;

    /// @dev The settlement index that means no settlement asset.
    uint256 internal constant NO_SETTLEMENT = type(uint8).max;

    /// @dev The contract in which Golems post their state. No session may call it.
    IVitals internal immutable vitals;
    /// @dev The contract that stores constitutions. No session may call it.
    IPolicyCage internal immutable policyCage;

    constructor(IVitals vitals_, IPolicyCage policyCage_, address delegationManager_)
        ManagedEnforcer(delegationManager_)
    {
        (vitals, policyCage) = (vitals_, policyCage_);
    }

    /// @notice The contracts that this enforcer was deployed with, in one call: each additional external function makes
    ///         every hook more expensive.
    function dependencies() external view returns (IVitals, IPolicyCage, address delegationManager) {
        return (vitals, policyCage, _delegationManager);
    }

    /// @param head the number of bytes before the mandate
    function _mandate(bytes calldata terms, uint256 head) internal pure returns (bytes calldata mandate) {
        if (terms.length < head + Mandate.HEAD) revert TermsLength(terms.length, head + Mandate.HEAD);
        mandate = terms[head:];
        _requireLength(terms, head + mandate.size());
    }

    /// @param settlement the index of the asset that unwinding swaps into
    function _plan(bytes32 mode, bytes calldata execution, bytes calldata mandate, uint256 settlement)
        internal
        view
        returns (Plan p)
    {
        return _plan(mode, execution, mandate, settlement, address(0));
    }

    /// @param gasRecipient the address that may draw native currency for gas; zero for none
    function _plan(
        bytes32 mode,
        bytes calldata execution,
        bytes calldata mandate,
        uint256 settlement,
        address gasRecipient
    ) internal view returns (Plan p) {
        p = Plans.create();
        p.setSettlement(settlement);
        p.setGasRecipient(gasRecipient);
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
