// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {ConstitutionalEnforcer} from "./ConstitutionalEnforcer.sol";
import {MandateEnforcer} from "./MandateEnforcer.sol";
import {IPolicyCage} from "../interfaces/IPolicyCage.sol";
import {IVitals} from "../interfaces/IVitals.sol";
import {Lineage} from "../libraries/Lineage.sol";
import {Plan} from "../libraries/Plan.sol";
import {RollingBudget} from "../libraries/RollingBudget.sol";

/// @title Holds every execution to an owner's constitution
/// @notice See `ConstitutionalEnforcer` for the checks.
/// @dev | bytes | field        |                                                                 |
///      | ----- | ------------ | --------------------------------------------------------------- |
///      | 32    | constitution | its hash                                                        |
///      | 32    | lineage      | whose spending counts together                                  |
///      | …     | mandate      | see `Mandate`                                                   |
contract PolicyCageEnforcer is ConstitutionalEnforcer {
    using RollingBudget for uint256;

    uint256 private constant HEAD = 64;

    mapping(bytes32 key => uint256) private _budget;

    constructor(IVitals vitals_, IPolicyCage policyCage_, address delegationManager_)
        MandateEnforcer(vitals_, policyCage_, delegationManager_)
    {}

    /// @notice A lineage's spending of the last 28 hours and its last execution, in the layout of `RollingBudget`.
    function budget(address delegator, bytes32 lineage) external view returns (uint256) {
        return _budget[Lineage.key(delegator, lineage)];
    }

    /// @notice A lineage's last session and what it spent.
    function session(address delegator, bytes32 lineage) external view returns (Session memory) {
        return _sessions[Lineage.key(delegator, lineage)];
    }

    /// @notice The highest value of a lineage's portfolio, in cents.
    function highWaterCents(address delegator, bytes32 lineage, bytes32 constitution) external view returns (uint256) {
        return _highWaterCents[Lineage.key(delegator, lineage)][constitution];
    }

    /// @notice A lineage's spending that still counts towards its day, in cents.
    function spentCents(address delegator, bytes32 lineage) external view returns (uint256) {
        return _budget[Lineage.key(delegator, lineage)].spentNow();
    }

    function beforeHook(
        bytes calldata terms,
        bytes calldata,
        bytes32 mode,
        bytes calldata execution,
        bytes32,
        address delegator,
        address
    ) external {
        _requireManager();
        _before(terms, mode, execution, delegator);
    }

    function afterHook(
        bytes calldata terms,
        bytes calldata,
        bytes32,
        bytes calldata,
        bytes32,
        address delegator,
        address
    ) external {
        _after(_mandate(terms, HEAD), bytes32(terms[:32]), _key(terms, delegator));
    }

    function _before(bytes calldata terms, bytes32 mode, bytes calldata execution, address delegator) private {
        bytes calldata mandate = _mandate(terms, HEAD);
        Plan p = _planToOpen(mode, execution, mandate, NO_SETTLEMENT);
        _requireConstitutionalPlan(bytes32(terms[:32]), mandate, p);
        _open(_key(terms, delegator), p, mandate, 0, 0);
    }

    function _after(bytes calldata mandate, bytes32 constitution, bytes32 key) private {
        Flows memory flows = _close(key, mandate);
        uint256 cents = _cents(flows.outMicros);
        uint256 word = _budget[key];
        _requireConstitutional(key, constitution, mandate, flows, word.spentNow() + cents);
        if (cents != 0) _budget[key] = word.spend(cents, RollingBudget.MAX_CENTS);
    }

    function _key(bytes calldata terms, address delegator) private pure returns (bytes32) {
        return Lineage.key(delegator, bytes32(terms[32:64]));
    }
}
