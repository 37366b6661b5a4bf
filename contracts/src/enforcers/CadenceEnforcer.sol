// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {CaveatEnforcer} from "./CaveatEnforcer.sol";
import {Calls} from "../libraries/Calls.sol";
import {Lifetime} from "../libraries/Lifetime.sol";
import {Lineage} from "../libraries/Lineage.sol";

/// @title At most one execution in every interval
/// @dev | bytes | field    |                                                     |
///      | ----- | -------- | --------------------------------------------------- |
///      | 32    | lineage  | whose executions count together                     |
///      | 4     | interval | least seconds between two executions, not zero      |
contract CadenceEnforcer is CaveatEnforcer {
    uint256 private constant LENGTH = 36;

    mapping(bytes32 key => uint256) private _lastExecution;

    /// @notice When a lineage last executed; zero for never.
    function lastExecution(address manager, address delegator, bytes32 lineage) external view returns (uint256) {
        return _lastExecution[Lineage.key(manager, delegator, lineage)];
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
    ) external {
        _requireLength(terms, LENGTH);
        Calls.open(mode, execution);
        uint256 interval = uint32(bytes4(terms[32:36]));
        if (interval == 0) revert TermsUnknown(interval);
        bytes32 key = Lineage.key(msg.sender, delegator, bytes32(terms[:32]));
        Lifetime.requireRested(_lastExecution[key], interval);
        _lastExecution[key] = block.timestamp;
    }
}
