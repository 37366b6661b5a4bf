// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {MandateEnforcer} from "./MandateEnforcer.sol";
import {MeteredEnforcer} from "./MeteredEnforcer.sol";
import {Actions} from "../libraries/Actions.sol";
import {RollingBudget} from "../libraries/RollingBudget.sol";

/// @title What may leave in any 24 hours
/// @notice Gross: what comes in is not netted, so it bounds turnover. Rolling: nobody spends twice around midnight.
/// @dev | bytes | field   |                                                   |
///      | ----- | ------- | ------------------------------------------------- |
///      | 32    | lineage | whose spending counts together                    |
///      | 4     | cents   | the limit, below 2^28 (2.68 million dollars)      |
///      | …     | mandate | see `Mandate`                                     |
contract DailySpendLimitEnforcer is MeteredEnforcer, MandateEnforcer {
    using RollingBudget for uint256;

    uint256 private constant HEAD = 36;

    /// @notice Per lineage: spending of the last 28 hours and the last execution; see `RollingBudget`.
    mapping(bytes32 key => uint256) public budget;

    /// @notice What a lineage has spent that still counts, in cents.
    function spentCents(address manager, address delegator, bytes32 lineage) external view returns (uint256) {
        return budget[lineageKey(manager, delegator, lineage)].spentNow();
    }

    function beforeHook(
        bytes calldata terms,
        bytes calldata,
        bytes32 mode,
        bytes calldata execution,
        bytes32,
        address delegator,
        address
    ) external override {
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
    ) external override {
        _after(terms, delegator);
    }

    function _before(bytes calldata terms, bytes32 mode, bytes calldata execution, address delegator) private {
        bytes calldata mandate = _mandate(terms, HEAD);
        uint256 limit = _limit(terms);
        if (limit > RollingBudget.MAX_CENTS) revert TermsUnknown(limit);
        bytes32 key = lineageKey(msg.sender, delegator, bytes32(terms[:32]));
        _open(key, Actions.plan(mode, execution, mandate, NO_SETTLEMENT, address(0)), mandate, 0);
    }

    function _after(bytes calldata terms, address delegator) private {
        bytes calldata mandate = _mandate(terms, HEAD);
        bytes32 key = lineageKey(msg.sender, delegator, bytes32(terms[:32]));
        uint256 cents = _cents(_close(key, mandate).outMicros);
        if (cents != 0) budget[key] = budget[key].spend(cents, _limit(terms));
    }

    function _limit(bytes calldata terms) private pure returns (uint256) {
        return uint32(bytes4(terms[32:36]));
    }
}
