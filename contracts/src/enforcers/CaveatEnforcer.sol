// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {ICaveatEnforcer} from "../interfaces/ICaveatEnforcer.sol";

/// @title An enforcer that refuses nothing yet
/// @dev Whoever calls a hook is the "manager" as far as state goes: all state is keyed by msg.sender, so that strangers
///      and foreign managers only ever touch rows of their own.
abstract contract CaveatEnforcer is ICaveatEnforcer {
    /// @notice Terms have one exact length: bytes missing at their end would be read from what the attacker sends along.
    error TermsLength(uint256 actual, uint256 expected);
    /// @notice Terms that say something this enforcer does not know.
    error TermsUnknown(uint256 value);

    function beforeAllHook(bytes calldata, bytes calldata, bytes32, bytes calldata, bytes32, address, address)
        external
        virtual {}

    function beforeHook(bytes calldata, bytes calldata, bytes32, bytes calldata, bytes32, address, address)
        external
        virtual {}

    function afterHook(bytes calldata, bytes calldata, bytes32, bytes calldata, bytes32, address, address)
        external
        virtual {}

    function afterAllHook(bytes calldata, bytes calldata, bytes32, bytes calldata, bytes32, address, address)
        external
        virtual {}

    function _requireLength(bytes calldata terms, uint256 expected) internal pure {
        if (terms.length != expected) revert TermsLength(terms.length, expected);
    }
}
