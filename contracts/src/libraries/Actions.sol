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
/// @notice Actions are decoded, not guessed: every call, also inside a multicall, is read to its last byte, and what
///         cannot be read is refused.
library Actions {
    using AbiReader for bytes;
    using Mandate for bytes;

    /// @notice The contract is not among those the owner signed, or is one that no session may ever call.
    error TargetNotAllowed(address target);
    /// @notice The contract is known, the method is not.
    error MethodUnknown(address target, bytes4 selector);
    /// @notice Native currency may only go to a payee.
    error ValueNotAllowed(address target, uint256 value);
    /// @notice Not a payee, or the account itself.
    error PayeeNotAllowed(address payee);
    /// @notice Only a listed contract that pulls in the same execution may be approved.
    error SpenderNotAllowed(address spender);
    /// @notice The asset is not among those the owner signed.
    error AssetNotTracked(address token);
    /// @notice An empty batch, or an empty multicall.
    error NothingToDo();
    /// @notice One execution moves value in one way.
    error MoreThanOneClass(uint256 classes);
    /// @notice More approvals than one execution may hold.
    error TooManyApprovals(uint256 max);
    /// @notice An amount that no honest caller writes.
    error AmountNotSupported(uint256 amount);

    uint256 internal constant MAX_APPROVALS = 8;
    address internal constant PERMIT2_ADDRESS = 0x000000000022D473030F116dDEE9F6B43aC78BA3;
    address private constant ENTRY_POINT = 0x0000000071727De22E5E9d8BAf0edAc6f37da032;
    uint256 private constant MAX_AMOUNT = type(uint128).max;

    /// @param settlement the asset's place that unwinding goes into
    /// @param oracle a contract of ours that no session may call, whatever was signed
    function plan(bytes32 mode, bytes calldata execution, bytes calldata mandate, uint256 settlement, address oracle)
        internal
        view
        returns (Plan memory p)
    {
        p.settlement = settlement;
        p.oracle = oracle;
        fill(p, mode, execution, mandate);
    }

    /// @notice Completes a plan whose settlement asset, oracle and author are set.
    function fill(Plan memory p, bytes32 mode, bytes calldata execution, bytes calldata mandate) internal view {
        (uint256 count, uint256 table) = Calls.open(mode, execution);
        p.account = mandate.account();
        mandate.requireDistinctAssets();
        for (uint256 i; i < count; ++i) {
            (address target, uint256 value, bytes calldata data) = Calls.read(mode, execution, table, i);
            // Never a target: the account's own levers, the manager that undoes revocations, and what judges us.
            if (
                target == address(0) || target == p.account || target == msg.sender || target == ENTRY_POINT
                    || target == p.oracle || target == address(this)
            ) revert TargetNotAllowed(target);
            _call(p, mandate, target, value, data);
        }
        // An execution without any action would use up calls and turns for nothing.
        if (p.classes == 0) revert NothingToDo();
        uint256 moving = p.classes & ~ActionClass.APPROVALS;
        // A sale pays its royalty in the same breath; nothing else comes in twos.
        if (moving & (moving - (moving == 0 ? 0 : 1)) != 0 && moving != ActionClass.SALE | ActionClass.PAYMENT) {
            revert MoreThanOneClass(moving);
        }
    }

    function _call(Plan memory p, bytes calldata mandate, address target, uint256 value, bytes calldata data)
        private
        view
    {
        uint256 asset = mandate.assetOf(target);
        (uint8 kind, bytes4 selector) = asset < mandate.assetCount() ? (0, bytes4(0)) : mandate.targetOf(target);
        if (value != 0) {
            if (kind != 0 || data.length != 0) revert ValueNotAllowed(target, value);
            return _nativePayment(p, mandate, target, value);
        }
        if (asset < mandate.assetCount()) return _token(p, mandate, asset, data);
        if (kind == 0 || kind == Mandate.POOL) revert TargetNotAllowed(target);
        if (kind == Mandate.SWAP_ROUTER_02) return SwapActions.router(p, mandate, target, data);
        if (kind == Mandate.UNIVERSAL_ROUTER) return SwapActions.universal(p, mandate, target, data);
        if (kind == Mandate.PERMIT2) return _permit2(p, mandate, target, data);
        if (kind == Mandate.POSITION_MANAGER) return LiquidityActions.manager(p, mandate, target, data);
        if (kind == Mandate.VAULT) return VaultActions.vault(p, mandate, target, data);

        // Contracts we have no decoder for: one signed method each, no value.
        if (data.length < 4 || bytes4(data[:4]) != selector) revert MethodUnknown(target, _selector(data));
        p.methods |= Methods.SIGNED_BIT;
        if (kind == Mandate.SPAWN) p.classes |= ActionClass.SPAWN;
        else if (kind == Mandate.PUBLISH) p.classes |= ActionClass.PUBLISH;
        else p.classes |= ActionClass.SALE;
    }

    function _nativePayment(Plan memory p, bytes calldata mandate, address payee, uint256 value) private pure {
        if (!mandate.isPayee(payee)) revert PayeeNotAllowed(payee);
        p.classes |= ActionClass.PAYMENT;
        p.methods |= Methods.NATIVE_BIT;
        _pays(p, tracked(mandate, address(0)), payee, value);
    }

    function _token(Plan memory p, bytes calldata mandate, uint256 asset, bytes calldata data) private pure {
        bytes4 selector = _selector(data);
        if (selector == Methods.TRANSFER && data.length == 68) {
            address payee = data.addressAt(4);
            // To oneself it would book an outflow that another call could net away.
            if (payee == p.account || !mandate.isPayee(payee)) revert PayeeNotAllowed(payee);
            p.classes |= ActionClass.PAYMENT;
            p.methods |= Methods.TRANSFER_BIT;
            _pays(p, asset, payee, data.word(36));
        } else if (selector == Methods.APPROVE && data.length == 68) {
            p.methods |= Methods.APPROVE_BIT;
            _approval(p, mandate, asset, data.addressAt(4), data.word(36));
        } else {
            revert MethodUnknown(mandate.token(asset), selector);
        }
    }

    function _pays(Plan memory p, uint256 asset, address payee, uint256 amount) private pure {
        leaves(p, asset, amount);
        if (payee == p.author) p.royalty[asset] += amount;
    }

    function _approval(Plan memory p, bytes calldata mandate, uint256 asset, address spender, uint256 amount)
        private
        pure
    {
        if (amount == 0) {
            p.classes |= ActionClass.DISAPPROVE;
            return;
        }
        (uint8 kind,) = mandate.targetOf(spender);
        if (
            kind != Mandate.SWAP_ROUTER_02 && kind != Mandate.PERMIT2 && kind != Mandate.POSITION_MANAGER
                && kind != Mandate.VAULT
        ) revert SpenderNotAllowed(spender);
        p.classes |= ActionClass.APPROVE;
        _mustBeGone(p, uint160(spender) | asset << 160);
    }

    /// @dev Permit2 keeps allowances of its own: one for a router, gone in the same execution, and nothing else.
    function _permit2(Plan memory p, bytes calldata mandate, address permit2, bytes calldata data) private pure {
        if (permit2 != PERMIT2_ADDRESS || _selector(data) != Methods.PERMIT2_APPROVE || data.length != 132) {
            revert MethodUnknown(permit2, _selector(data));
        }
        uint256 asset = tracked(mandate, data.addressAt(4));
        address spender = data.addressAt(36);
        (uint8 kind,) = mandate.targetOf(spender);
        if (kind != Mandate.UNIVERSAL_ROUTER) revert SpenderNotAllowed(spender);
        p.methods |= Methods.PERMIT2_APPROVE_BIT;
        p.classes |= data.word(68) == 0 ? ActionClass.DISAPPROVE : ActionClass.APPROVE;
        _mustBeGone(p, uint160(spender) | asset << 160 | 1 << 168);
    }

    function _mustBeGone(Plan memory p, uint256 approval) private pure {
        if (p.approvals == MAX_APPROVALS) revert TooManyApprovals(MAX_APPROVALS);
        p.approval[p.approvals++] = approval;
    }

    /// @notice Books an amount that leaves by calldata.
    function leaves(Plan memory p, uint256 asset, uint256 amount) internal pure {
        if (amount > MAX_AMOUNT || p.out[asset] + amount > MAX_AMOUNT) revert AmountNotSupported(amount);
        p.out[asset] += amount;
    }

    /// @return asset the token's place; refuses a token that is not tracked
    function tracked(bytes calldata mandate, address token) internal pure returns (uint256 asset) {
        asset = mandate.assetOf(token);
        if (asset == mandate.assetCount()) revert AssetNotTracked(token);
    }

    function _selector(bytes calldata data) private pure returns (bytes4) {
        return data.length < 4 ? bytes4(0) : bytes4(data[:4]);
    }
}
