// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {ManagedEnforcer} from "./ManagedEnforcer.sol";
import {Calls} from "../libraries/Calls.sol";
import {Lifetime} from "../libraries/Lifetime.sol";
import {Lineage} from "../libraries/Lineage.sol";

/// @title At most one execution in every interval
/// @dev | bytes | field    |                                                     |
///      | ----- | -------- | --------------------------------------------------- |
///      | 32    | lineage  | whose executions count together                     |
///      | 4     | interval | least seconds between two executions, not zero      |
contract CadenceEnforcer is ManagedEnforcer {
    uint256 private constant LENGTH = 36;

    mapping(bytes32 key => uint256) private _lastExecution;

    constructor(address delegationManager_) ManagedEnforcer(delegationManager_) {}

    /// @notice The only contract that may call the hooks.
    function delegationManager() external view returns (address) {
        return _delegationManager;
    }

    /// @notice The time of a lineage's last execution; zero for never.
    function lastExecution(address delegator, bytes32 lineage) external view returns (uint256) {
        return _lastExecution[Lineage.key(delegator, lineage)];
    }

    /// @dev Written before the execution, so that a nested redemption is refused as too early.
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
        _requireLength(terms, LENGTH);
        Calls.open(mode, execution);
        uint256 interval = uint32(bytes4(terms[32:36]));
        if (interval == 0) revert TermsUnknown(interval);
        bytes32 key = Lineage.key(delegator, bytes32(terms[:32]));
        Lifetime.requireRested(_lastExecution[key], interval);
        _lastExecution[key] = block.timestamp;
    }
}
