// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {CaveatEnforcer} from "./CaveatEnforcer.sol";
import {Calls} from "../libraries/Calls.sol";
import {Lifetime} from "../libraries/Lifetime.sol";

/// @title At most one execution in every interval
/// @dev | bytes | field    |                                                     |
///      | ----- | -------- | --------------------------------------------------- |
///      | 32    | lineage  | whose executions count together                     |
///      | 4     | interval | least seconds between two executions, not zero      |
contract CadenceEnforcer is CaveatEnforcer {
    uint256 private constant LENGTH = 36;

    /// @notice Per lineage: when the last execution was.
    mapping(bytes32 key => uint256) public lastExecution;

    /// @notice The row of a lineage: per manager, so that strangers cannot touch it; not per delegation, so that signing
    ///         again never opens a second one.
    function lineageKey(address manager, address delegator, bytes32 lineage) public pure returns (bytes32) {
        return keccak256(abi.encode(manager, delegator, lineage));
    }

    /// @dev Noted before the execution, so that one that redeems again from inside finds itself too early.
    function beforeHook(
        bytes calldata terms,
        bytes calldata,
        bytes32 mode,
        bytes calldata execution,
        bytes32,
        address delegator,
        address
    ) external override {
        _requireLength(terms, LENGTH);
        Calls.open(mode, execution);
        uint256 interval = uint32(bytes4(terms[32:36]));
        if (interval == 0) revert TermsUnknown(interval);
        bytes32 key = lineageKey(msg.sender, delegator, bytes32(terms[:32]));
        Lifetime.requireRested(lastExecution[key], interval);
        lastExecution[key] = block.timestamp;
    }
}
