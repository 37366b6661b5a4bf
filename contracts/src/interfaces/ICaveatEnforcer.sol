// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

/// @title What MetaMask's DelegationManager v1.3.0 calls on every caveat of every link
/// @notice All four hooks are called on every redemption, even where they do nothing. `beforeAllHook` and `beforeHook`
///         run leaf to root, the other two root to leaf.
/// @dev `terms` is what the delegator signed. `args` is not signed and comes from the redeemer: trust it for nothing.
///      `delegator` is the delegator of the link that carries the caveat, not of the root on which execution happens.
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
