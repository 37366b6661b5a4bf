// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {AbiReader} from "./AbiReader.sol";
import {ActionClass} from "./ActionClass.sol";
import {Calls} from "./Calls.sol";
import {LiquidityActions} from "./LiquidityActions.sol";
import {Mandate} from "./Mandate.sol";
import {Methods} from "./Methods.sol";
import {Plan} from "./Plan.sol";
import {SwapActions} from "./SwapActions.sol";
import {VaultActions} from "./VaultActions.sol";

/// @title Turns an execution into a plan, or refuses it
/// @notice Actions are decoded, not guessed: every call, also inside a multicall, is read to its last byte, and a call
///         that cannot be decoded is refused.
library Actions {
    using AbiReader for bytes;
    using Mandate for bytes;

    /// @notice Thrown when the owner did not sign the contract, or no session may call it.
    error TargetNotAllowed(address target);
    /// @notice Thrown when the owner signed a kind of contract that does not exist.
    error TargetKindUnknown(uint256 kind);
    /// @notice Thrown when the contract is signed but the method cannot be decoded.
    error MethodUnknown(address target, bytes4 selector);
    /// @notice Thrown when native currency is sent with a call, or to a contract.
    error ValueNotAllowed(address target, uint256 value);
    /// @notice Thrown when the recipient is not a payee, or is the account itself.
    error PayeeNotAllowed(address payee);
    /// @notice Thrown when the spender is not a signed contract that pulls in the same execution.
    error SpenderNotAllowed(address spender);
    /// @notice Thrown when the owner did not sign the asset.
    error AssetNotTracked(address token);
    /// @notice Thrown when a batch or a multicall contains no action.
    error NothingToDo();
    /// @notice Thrown when one execution moves value in more than one way.
    error MoreThanOneClass(uint256 classes);

    address internal constant PERMIT2_ADDRESS = 0x000000000022D473030F116dDEE9F6B43aC78BA3;
    address private constant ENTRY_POINT = 0x0000000071727De22E5E9d8BAf0edAc6f37da032;
    /// @dev Kinds of targets that pull the tokens approved to them.
    uint256 private constant SPENDERS =
        1 << Mandate.SWAP_ROUTER_02 | 1 << Mandate.PERMIT2 | 1 << Mandate.POSITION_MANAGER | 1 << Mandate.VAULT;

    /// @notice Completes a plan whose settlement asset, forbidden contracts and author are set.
    function fill(Plan p, bytes32 mode, bytes calldata execution, bytes calldata mandate) internal view {
        (uint256 count, uint256 place) = Calls.open(mode, execution);
        p.setAccount(mandate.account());
        unchecked {
            for (uint256 i; i < count; ++i) {
                (address target, uint256 value, bytes calldata data, uint256 next) =
                    Calls.read(mode, execution, i, place);
                _call(p, mandate, target, value, data);
                place = next;
            }
        }
        if (place != execution.length) revert AbiReader.DataMalformed(place, execution.length);
        // An execution without any action would use up calls and cadence for nothing.
        if (p.classes() == 0) revert NothingToDo();
        _requireOneClass(p.classes() & ~ActionClass.APPROVALS);
    }

    function _requireOneClass(uint256 moving) private pure {
        unchecked {
            // A sale pays its royalty in the same execution; no other classes may be combined. (Zero minus one is
            // masked away.)
            if (moving & (moving - 1) != 0 && moving != 0 && moving != ActionClass.SALE | ActionClass.PAYMENT) {
                revert MoreThanOneClass(moving);
            }
        }
    }

    // No `return` before the end, here and in the functions called: the optimizer would not inline them, at forty gas
    // each.

    function _call(Plan p, bytes calldata mandate, address target, uint256 value, bytes calldata data) private view {
        uint256 asset = mandate.assetOf(target);
        if (asset != Mandate.NONE) {
            // Zero means the native currency, which is not a contract.
            if (target == address(0)) revert TargetNotAllowed(target);
            if (value != 0) revert ValueNotAllowed(target, value);
            _token(p, mandate, asset, data);
        } else {
            // Never a target: the account itself, the manager that can re-enable delegations, and the contracts that
            // enforce.
            if (_isForbidden(p, uint160(target), uint160(p.account()), uint160(msg.sender), uint160(address(this)))) {
                revert TargetNotAllowed(target);
            }
            uint256 entry = mandate.targetOf(target);
            if (value != 0) {
                if (entry != 0 || data.length != 0) revert ValueNotAllowed(target, value);
                _nativePayment(p, mandate, target, value);
            } else if (entry >> 248 == Mandate.SWAP_ROUTER_02) {
                SwapActions.router(p, mandate, target, data);
            } else {
                _otherTarget(p, mandate, entry, target, data);
            }
        }
    }

    /// @dev In one expression: a jump for each would cost three times as much.
    function _isForbidden(Plan p, uint256 target, uint256 account, uint256 manager, uint256 self)
        private
        pure
        returns (bool forbidden)
    {
        (uint256 vitals, uint256 policyCage) = p.forbidden();
        assembly ("memory-safe") {
            // Touches no memory, and `eq` has no effect whose order could matter.
            forbidden := or(eq(target, account), or(eq(target, manager), eq(target, self)))
            forbidden := or(forbidden, or(eq(target, vitals), or(eq(target, policyCage), eq(target, ENTRY_POINT))))
        }
    }

    function _otherTarget(Plan p, bytes calldata mandate, uint256 entry, address target, bytes calldata data)
        private
        view
    {
        uint256 kind = entry >> 248;
        if (kind == 0 || kind == Mandate.POOL) revert TargetNotAllowed(target);
        if (kind == Mandate.UNIVERSAL_ROUTER) return SwapActions.universal(p, mandate, target, data);
        if (kind == Mandate.PERMIT2) return _permit2(p, mandate, target, data);
        if (kind == Mandate.POSITION_MANAGER) return LiquidityActions.manager(p, mandate, target, data);
        if (kind == Mandate.VAULT) return VaultActions.vault(p, mandate, target, data);

        // Contracts without a decoder: one signed method each, without value.
        if (data.length < 4 || data.selector() != Mandate.selectorOf(entry)) {
            revert MethodUnknown(target, data.selector());
        }
        p.addMethod(Methods.SIGNED_BIT);
        if (kind == Mandate.SPAWN) p.addClass(ActionClass.SPAWN);
        else if (kind == Mandate.PUBLISH) p.addClass(ActionClass.PUBLISH);
        else if (kind == Mandate.SALE) p.addClass(ActionClass.SALE);
        else revert TargetKindUnknown(kind);
    }

    function _nativePayment(Plan p, bytes calldata mandate, address payee, uint256 value) private pure {
        p.addMethod(Methods.NATIVE_BIT);
        if (mandate.isPayee(payee)) {
            p.addClass(ActionClass.PAYMENT);
        } else {
            // Without a signed cap the recipient is zero, which is never called with native currency tracked.
            if (payee != p.gasRecipient()) revert PayeeNotAllowed(payee);
            p.addClass(ActionClass.GAS);
        }
        p.pays(tracked(mandate, address(0)), payee, value);
    }

    function _token(Plan p, bytes calldata mandate, uint256 asset, bytes calldata data) private pure {
        bytes4 selector = data.selector();
        if (data.length != 68 || (selector != Methods.TRANSFER && selector != Methods.APPROVE)) {
            revert MethodUnknown(mandate.token(asset), selector);
        }
        (address other, uint256 amount) = (data.loadAddress(4), data.load(36));
        if (selector == Methods.APPROVE) {
            p.addMethod(Methods.APPROVE_BIT);
            if (amount == 0) {
                p.addClass(ActionClass.DISAPPROVE);
            } else {
                if (1 << mandate.kindOf(other) & SPENDERS == 0) revert SpenderNotAllowed(other);
                p.addClass(ActionClass.APPROVE);
                p.mustBeGone(uint160(other) | asset << 160);
            }
        } else {
            // A payment to the account itself would book an outflow that another call could net away.
            if (other == p.account() || !mandate.isPayee(other)) revert PayeeNotAllowed(other);
            p.addClass(ActionClass.PAYMENT);
            p.addMethod(Methods.TRANSFER_BIT);
            p.pays(asset, other, amount);
        }
    }

    /// @dev Permit2 has its own allowances: allow one for a router that is gone within the execution, and nothing else.
    function _permit2(Plan p, bytes calldata mandate, address permit2, bytes calldata data) private pure {
        if (permit2 != PERMIT2_ADDRESS || data.selector() != Methods.PERMIT2_APPROVE || data.length != 132) {
            revert MethodUnknown(permit2, data.selector());
        }
        uint256 asset = tracked(mandate, data.loadAddress(4));
        address spender = data.loadAddress(36);
        if (mandate.kindOf(spender) != Mandate.UNIVERSAL_ROUTER) revert SpenderNotAllowed(spender);
        p.addMethod(Methods.PERMIT2_APPROVE_BIT);
        p.addClass(data.load(68) == 0 ? ActionClass.DISAPPROVE : ActionClass.APPROVE);
        p.mustBeGone(uint160(spender) | asset << 160 | 1 << 168);
    }

    /// @return asset the token's index; reverts for a token that is not tracked
    function tracked(bytes calldata mandate, address token) internal pure returns (uint256 asset) {
        asset = mandate.assetOf(token);
        if (asset == Mandate.NONE) revert AssetNotTracked(token);
    }
}
