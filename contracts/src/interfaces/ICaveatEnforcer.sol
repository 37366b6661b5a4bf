// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

/// @title The hooks that MetaMask's DelegationManager v1.3.0 calls on every caveat of every link
/// @notice All four hooks are called on every redemption, even if they do nothing. `beforeAllHook` and `beforeHook` run
///         from leaf to root, the other two from root to leaf.
/// @dev `terms` is signed by the delegator. `args` comes from the redeemer and is not signed: never trust it.
///      `delegator` is the delegator of the link that carries the caveat, not of the root, on whose account the
///      execution runs.
interface ICaveatEnforcer {
    /// @notice Called before the first execution of all redemptions of the call. Reverts to refuse the whole call.
    /// @param terms what the delegator signed for this enforcer
    /// @param args what the redeemer passes to this enforcer; not signed
    /// @param mode the ERC-7579 execution mode: single or batch, default or try
    /// @param executionCalldata the encoded execution, as the root delegator's account receives it
    /// @param delegationHash the EIP-712 hash of the link that carries the caveat
    /// @param delegator the account that signed that link
    /// @param redeemer the caller of `redeemDelegations`
    function beforeAllHook(
        bytes calldata terms,
        bytes calldata args,
        bytes32 mode,
        bytes calldata executionCalldata,
        bytes32 delegationHash,
        address delegator,
        address redeemer
    ) external;

    /// @notice Called directly before the execution of this redemption. Reverts to refuse the whole call.
    /// @param terms what the delegator signed for this enforcer
    /// @param args what the redeemer passes to this enforcer; not signed
    /// @param mode the ERC-7579 execution mode: single or batch, default or try
    /// @param executionCalldata the encoded execution, as the root delegator's account receives it
    /// @param delegationHash the EIP-712 hash of the link that carries the caveat
    /// @param delegator the account that signed that link
    /// @param redeemer the caller of `redeemDelegations`
    function beforeHook(
        bytes calldata terms,
        bytes calldata args,
        bytes32 mode,
        bytes calldata executionCalldata,
        bytes32 delegationHash,
        address delegator,
        address redeemer
    ) external;

    /// @notice Called directly after the execution of this redemption. Reverts to refuse the whole call.
    /// @param terms what the delegator signed for this enforcer
    /// @param args what the redeemer passes to this enforcer; not signed
    /// @param mode the ERC-7579 execution mode: single or batch, default or try
    /// @param executionCalldata the encoded execution, as the root delegator's account receives it
    /// @param delegationHash the EIP-712 hash of the link that carries the caveat
    /// @param delegator the account that signed that link
    /// @param redeemer the caller of `redeemDelegations`
    function afterHook(
        bytes calldata terms,
        bytes calldata args,
        bytes32 mode,
        bytes calldata executionCalldata,
        bytes32 delegationHash,
        address delegator,
        address redeemer
    ) external;

    /// @notice Called after the last execution of all redemptions of the call. Reverts to refuse the whole call.
    /// @param terms what the delegator signed for this enforcer
    /// @param args what the redeemer passes to this enforcer; not signed
    /// @param mode the ERC-7579 execution mode: single or batch, default or try
    /// @param executionCalldata the encoded execution, as the root delegator's account receives it
    /// @param delegationHash the EIP-712 hash of the link that carries the caveat
    /// @param delegator the account that signed that link
    /// @param redeemer the caller of `redeemDelegations`
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
