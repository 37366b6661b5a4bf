// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {CaveatEnforcer} from "./CaveatEnforcer.sol";
import {ActionClass} from "../libraries/ActionClass.sol";
import {Actions} from "../libraries/Actions.sol";
import {Mandate} from "../libraries/Mandate.sol";
import {Plan} from "../libraries/Plan.sol";
import {Prices} from "../libraries/Prices.sol";
import {IPermit2} from "../interfaces/IPermit2.sol";
import {IERC20} from "@openzeppelin/contracts/token/ERC20/IERC20.sol";
import {Math} from "@openzeppelin/contracts/utils/math/Math.sol";
import {TransientSlot} from "@openzeppelin/contracts/utils/TransientSlot.sol";

/// @title An enforcer that knows what an execution takes and brings
/// @notice Value is parsed and measured. Balances alone net against the owner's own inflows; calldata alone lies. So, per
///         asset, what left is the larger of the two, and what came in is measured only.
/// @dev Before: decode, judge, remember balances. After: measure, and see that approvals are gone. What is remembered
///      lives in transient storage under the same key as the state, with a lock: while one execution of a lineage is
///      under way, another one of the same lineage is refused.
///      | slot       | holds                                                   |
///      | ---------- | ------------------------------------------------------- |
///      | key        | lock (1) | classes (16) | approvals (8) | caller's note |
///      | key + 1    | the pool that liquidity goes into                       |
///      | key + 2 …  | per asset: balance (128) | leaving by calldata (128)    |
///      | key + 10 … | the approvals that must be gone                         |
abstract contract MeteredEnforcer is CaveatEnforcer {
    using Mandate for bytes;
    using TransientSlot for *;

    /// @notice An execution of this lineage is under way already: nested, or the same lineage twice in one chain.
    error LineageBusy(bytes32 key);
    /// @notice Hooks come in pairs.
    error NotOpened(bytes32 key);
    /// @notice An approval outlived the execution.
    error ApprovalLeft(address token, address spender, uint256 amount);
    /// @notice More of a token than can be measured.
    error BalanceNotSupported(address token, uint256 balance);

    /// @notice What an execution moved, in millionths of a dollar.
    struct Flows {
        uint256 classes;
        uint256 note;
        address pool;
        uint256 outMicros;
        uint256 inMicros;
        /// @dev Prices of the assets that moved; zero for those that did not.
        uint256[8] price;
    }

    uint256 private constant LOCK = 1;
    uint256 private constant POOL = 1;
    uint256 private constant ASSETS = 2;
    uint256 private constant APPROVALS = 10;
    address private constant PERMIT2 = Actions.PERMIT2_ADDRESS;

    /// @notice The row of a lineage: per manager, so that strangers cannot touch it; not per delegation, so that signing
    ///         again never opens a second budget.
    function lineageKey(address manager, address delegator, bytes32 lineage) public pure returns (bytes32) {
        return keccak256(abi.encode(manager, delegator, lineage));
    }

    function _open(bytes32 key, Plan memory p, bytes calldata mandate, uint256 note) internal {
        if (key.asUint256().tload() != 0) revert LineageBusy(key);
        key.asUint256().tstore(LOCK | p.classes << 8 | p.approvals << 24 | note << 32);
        if (p.pool != address(0)) _slot(key, POOL).asAddress().tstore(p.pool);
        uint256 assets = mandate.assetCount();
        address account = mandate.account();
        for (uint256 i; i < assets; ++i) {
            uint256 balance = _balance(mandate.token(i), account);
            _slot(key, ASSETS + i).asUint256().tstore(balance << 128 | p.out[i]);
        }
        for (uint256 i; i < p.approvals; ++i) {
            _slot(key, APPROVALS + i).asUint256().tstore(p.approval[i]);
        }
    }

    function _close(bytes32 key, bytes calldata mandate) internal returns (Flows memory flows) {
        uint256 head = key.asUint256().tload();
        if (head == 0) revert NotOpened(key);
        key.asUint256().tstore(0);
        flows.classes = uint16(head >> 8);
        flows.note = head >> 32;
        flows.pool = _slot(key, POOL).asAddress().tload();
        if (flows.pool != address(0)) _slot(key, POOL).asAddress().tstore(address(0));

        _requireApprovalsGone(key, mandate, uint8(head >> 24));
        uint256 assets = mandate.assetCount();
        for (uint256 i; i < assets; ++i) {
            _measure(flows, mandate, i, _slot(key, ASSETS + i).asUint256().tload());
        }
    }

    function _requireApprovalsGone(bytes32 key, bytes calldata mandate, uint256 approvals) private view {
        address account = mandate.account();
        for (uint256 i; i < approvals; ++i) {
            _requireGone(mandate, account, _slot(key, APPROVALS + i).asUint256().tload());
        }
    }

    /// @param remembered balance (128) | leaving by calldata (128)
    function _measure(Flows memory flows, bytes calldata mandate, uint256 asset, uint256 remembered) private view {
        uint256 balance = _balance(mandate.token(asset), mandate.account());
        uint256 before = remembered >> 128;
        uint256 left = before > balance ? before - balance : 0;
        if (uint128(remembered) > left) left = uint128(remembered);
        // What comes in is worth something to a swap only: a feed that is down must not keep positions from closing.
        bool counts = balance > before && flows.classes & ActionClass.SWAPS != 0;
        if (left == 0 && !counts) return;
        uint256 price = Prices.priceOf(mandate, asset);
        flows.price[asset] = price;
        if (left != 0) flows.outMicros += Prices.micros(mandate, asset, left, price, Math.Rounding.Ceil);
        if (counts) {
            flows.inMicros += Prices.micros(mandate, asset, balance - before, price, Math.Rounding.Floor);
        }
    }

    /// @notice An asset's balance when the execution was opened; still known after it was closed.
    function _balanceBefore(bytes32 key, uint256 asset) internal view returns (uint256) {
        return _slot(key, ASSETS + asset).asUint256().tload() >> 128;
    }

    function _requireGone(bytes calldata mandate, address account, uint256 approval) private view {
        address token = mandate.token(uint8(approval >> 160));
        address spender = address(uint160(approval));
        uint256 left;
        if (approval >> 168 == 0) left = IERC20(token).allowance(account, spender);
        else (left,,) = IPermit2(PERMIT2).allowance(account, token, spender);
        if (left != 0) revert ApprovalLeft(token, spender, left);
    }

    function _balance(address token, address account) internal view returns (uint256 balance) {
        balance = token == address(0) ? account.balance : IERC20(token).balanceOf(account);
        if (balance > type(uint128).max) revert BalanceNotSupported(token, balance);
    }

    function _slot(bytes32 key, uint256 offset) private pure returns (bytes32) {
        // A hash is followed by as many slots as are needed here; wrapping around is harmless.
        unchecked {
            return bytes32(uint256(key) + offset);
        }
    }

    /// @notice Cents, rounded up against the spender: a thousand payments of a tenth of a cent are not free.
    function _cents(uint256 micros) internal pure returns (uint256) {
        return Math.ceilDiv(micros, Prices.MICROS_PER_CENT);
    }
}
