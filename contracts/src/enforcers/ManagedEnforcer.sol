// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {CaveatEnforcer} from "./CaveatEnforcer.sol";

/// @title An enforcer that only one DelegationManager may call
/// @notice State and target rules depend on the caller. A wrapper around this enforcer would be another caller: it
///         would open a second budget and a second lock, and the real manager would no longer be a forbidden target.
abstract contract ManagedEnforcer is CaveatEnforcer {
    /// @notice Thrown when a contract other than the DelegationManager calls a hook.
    error NotDelegationManager(address caller);

    /// @dev The only contract that may call the hooks.
    address internal immutable _delegationManager;

    constructor(address delegationManager_) {
        _delegationManager = delegationManager_;
    }

    /// @dev Used by both hooks: no other caller may close what one of them opened.
    function _requireManager() internal view {
        if (msg.sender != _delegationManager) revert NotDelegationManager(msg.sender);
    }
}
