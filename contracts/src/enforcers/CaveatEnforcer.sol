// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {ICaveatEnforcer} from "../interfaces/ICaveatEnforcer.sol";

/// @title The base of every enforcer
/// @notice Implements `ICaveatEnforcer`. An enforcer declares the hooks that it uses; calls of the others reach
///         `fallback`.
abstract contract CaveatEnforcer {
    /// @notice Thrown when terms do not have their exact length: missing bytes would be read from data that the
    ///         attacker appends.
    error TermsLength(uint256 actual, uint256 expected);
    /// @notice Thrown when terms contain an undefined number.
    error TermsUnknown(uint256 value);
    /// @notice Thrown when the function is neither a hook nor a view of this enforcer.
    error FunctionUnknown(bytes4 selector);

    /// @dev The manager calls all four hooks of every caveat. A hook that does nothing should not decode seven
    ///      arguments first: that would cost 800 gas, twice in every redemption.
    fallback() external {
        if (
            msg.sig != ICaveatEnforcer.beforeAllHook.selector && msg.sig != ICaveatEnforcer.afterAllHook.selector
                && msg.sig != ICaveatEnforcer.afterHook.selector && msg.sig != ICaveatEnforcer.beforeHook.selector
        ) revert FunctionUnknown(msg.sig);
    }

    function _requireLength(bytes calldata terms, uint256 expected) internal pure {
        if (terms.length != expected) revert TermsLength(terms.length, expected);
    }
}
