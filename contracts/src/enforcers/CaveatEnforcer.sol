// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {ICaveatEnforcer} from "../interfaces/ICaveatEnforcer.sol";

/// @title An enforcer that refuses nothing yet
/// @notice It answers to `ICaveatEnforcer`. An enforcer declares the hooks that it uses; the others end up in `fallback`.
/// @dev Whoever calls a hook is the "manager" as far as state goes: all state is keyed by msg.sender, so that strangers
///      and foreign managers only ever touch rows of their own.
abstract contract CaveatEnforcer {
    /// @notice Terms have one exact length: bytes missing at their end would be read from what the attacker sends along.
    error TermsLength(uint256 actual, uint256 expected);
    /// @notice Terms that say something this enforcer does not know.
    error TermsUnknown(uint256 value);
    /// @notice Neither a hook nor a question that this enforcer answers.
    error FunctionUnknown(bytes4 selector);

    /// @dev The manager calls all four hooks of every caveat. One that does nothing need not decode seven arguments first:
    ///      that alone would cost 800 gas, twice in every redemption.
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
