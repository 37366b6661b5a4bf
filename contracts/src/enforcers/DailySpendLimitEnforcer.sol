// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {MandateEnforcer} from "./MandateEnforcer.sol";
import {MeteredEnforcer} from "./MeteredEnforcer.sol";
import {IPolicyCage} from "../interfaces/IPolicyCage.sol";
import {IVitals} from "../interfaces/IVitals.sol";
import {Lineage} from "../libraries/Lineage.sol";
import {RollingBudget} from "../libraries/RollingBudget.sol";

/// @title Limits what leaves in any 24 hours
/// @notice Gross: inflow is not netted, so this limits turnover. Rolling: the limit cannot be spent twice around
///         midnight.
/// @dev | bytes | field   |                                                   |
///      | ----- | ------- | ------------------------------------------------- |
///      | 32    | lineage | whose spending counts together                    |
///      | 4     | cents   | the limit, below 2^28 (2.68 million dollars)      |
///      | …     | mandate | see `Mandate`                                     |
contract DailySpendLimitEnforcer is MeteredEnforcer {
    using RollingBudget for uint256;

    uint256 private constant HEAD = 36;

    mapping(bytes32 key => uint256) private _budget;

    constructor(IVitals vitals_, IPolicyCage policyCage_, address delegationManager_)
        MandateEnforcer(vitals_, policyCage_, delegationManager_)
    {}

    /// @notice A lineage's spending of the last 28 hours and its last execution, in the layout of `RollingBudget`.
    function budget(address delegator, bytes32 lineage) external view returns (uint256) {
        return _budget[Lineage.key(delegator, lineage)];
    }

    /// @notice A lineage's spending that still counts, in cents.
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
        _after(terms, delegator);
    }

    function _before(bytes calldata terms, bytes32 mode, bytes calldata execution, address delegator) private {
        bytes calldata mandate = _mandate(terms, HEAD);
        uint256 limit = _limit(terms);
        if (limit > RollingBudget.MAX_CENTS) revert TermsUnknown(limit);
        bytes32 key = Lineage.key(delegator, bytes32(terms[:32]));
        _open(key, _planToOpen(mode, execution, mandate, NO_SETTLEMENT), mandate, 0, 0);
    }

    function _after(bytes calldata terms, address delegator) private {
        bytes calldata mandate = _mandate(terms, HEAD);
        bytes32 key = Lineage.key(delegator, bytes32(terms[:32]));
        uint256 cents = _cents(_close(key, mandate).outMicros);
        if (cents != 0) _budget[key] = _budget[key].spend(cents, _limit(terms));
    }

    function _limit(bytes calldata terms) private pure returns (uint256) {
        return uint32(bytes4(terms[32:36]));
    }
}
