// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

/// @title The hooks that MetaMask's DelegationManager v1.3.0 calls on every caveat of every link
/// @notice All four hooks are called on every redemption, even if they do nothing. `beforeAllHook` and `beforeHook` run
///         from leaf to root, the other two from root to leaf.
/// @dev `terms` is signed by the delegator. `args` comes from the redeemer and is not signed: never trust it.
///      `delegator` is the delegator of the link that carries the caveat, not of the root, on whose account the
///      execution runs.
interface ICaveatEnforcer {
    function beforeAllHook(
        bytes calldata terms,
        bytes calldata args,
        bytes32 mode,
        bytes calldata executionCalldata,
        bytes32 delegationHash,
        address delegator,
        address redeemer
    ) external;

    function beforeHook(
        bytes calldata terms,
        bytes calldata args,
        bytes32 mode,
        bytes calldata executionCalldata,
        bytes32 delegationHash,
        address delegator,
        address redeemer
    ) external;

    function afterHook(
        bytes calldata terms,
        bytes calldata args,
        bytes32 mode,
        bytes calldata executionCalldata,
        bytes32 delegationHash,
        address delegator,
        address redeemer
    ) external;

    function afterAllHook(
        bytes calldata terms,
        bytes calldata args,
        bytes32 mode,
        bytes calldata executionCalldata,
        bytes32 delegationHash,
        address delegator,
        address redeemer
    ) external;
}
