// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {MandateEnforcer} from "./MandateEnforcer.sol";
import {IPermit2} from "../interfaces/IPermit2.sol";
import {ActionClass} from "../libraries/ActionClass.sol";
import {Actions} from "../libraries/Actions.sol";
import {Ask} from "../libraries/Ask.sol";
import {Lineage} from "../libraries/Lineage.sol";
import {Mandate} from "../libraries/Mandate.sol";
import {Plan} from "../libraries/Plan.sol";
import {Prices} from "../libraries/Prices.sol";
import {IERC20} from "@openzeppelin/contracts/token/ERC20/IERC20.sol";
import {TransientSlot} from "@openzeppelin/contracts/utils/TransientSlot.sol";

/// @title An enforcer that knows what an execution takes and brings
/// @notice Value is parsed and measured. Balances alone net against the owner's own inflows; calldata alone lies. So, per
///         asset, what left is the larger of the two, and what came in is measured only.
/// @dev Before: decode, judge, remember balances. After: measure, and see that approvals are gone. What is remembered
///      lives in transient storage, in a frame for each execution that is under way on an account. Two lineages must not
///      meet in there: what one brings in would make the other's swap look fair. So there is one frame at a time; but a
///      chain of delegations may hold several of these caveats, and they open one after the other on the same execution.
///      Such a pile is told from a nested redemption by who redeems, see `_pile`.
///      | slot         | holds                                                                                    |
///      | ------------ | ---------------------------------------------------------------------------------------- |
///      | frame        | flags (8), classes (16), number of approvals (8), caller's tag (8), first approval (176),|
///      |              | the lineage's last 32 bits, and in the lowest frame how many lie on it (8)               |
///      | frame + 1    | the pool that liquidity goes into, if any                                                |
///      | frame + 2    | the caller's note, if any                                                                |
///      | frame + 3 …  | per asset: balance (128), leaving by calldata (128)                                      |
///      | frame + 11 … | the approvals that must be gone, from the second on                                      |
///      | frame + 19   | the execution's hash, where a contract redeems                                           |
abstract contract MeteredEnforcer is MandateEnforcer {
    using Mandate for bytes;
    using TransientSlot for *;

    /// @notice The same lineage twice in one chain.
    error LineageBusy(bytes32 key);
    /// @notice Another execution is under way on this account: redemptions are not nested.
    error AccountBusy(address account);
    /// @notice Hooks come in pairs.
    error NotOpened(bytes32 key);
    /// @notice An approval outlived the execution.
    error ApprovalLeft(address token, address spender, uint256 amount);
    /// @notice An asset that is there twice would count twice.
    error AssetTwice(address token);
    /// @notice More of a token than can be measured.
    error BalanceNotSupported(address token, uint256 balance);

    /// @notice What an execution moved, in millionths of a dollar.
    struct Flows {
        uint256 classes;
        /// @dev Where its frame was.
        bytes32 frame;
        uint256 tag;
        uint256 note;
        address pool;
        uint256 outMicros;
        uint256 inMicros;
        /// @dev A bit for each asset that left, or that a swap brought.
        uint256 moved;
    }

    uint256 private constant LOCK = 1;
    uint256 private constant POOLED = 2;
    uint256 private constant NOTED = 4;
    uint256 private constant HASHED = 8;
    /// @dev The bits that say that a frame is open, and for whom.
    uint256 private constant OPENED = LOCK | uint256(type(uint32).max) << 216;
    uint256 private constant POOL = 1;
    uint256 private constant NOTE = 2;
    uint256 private constant ASSETS = 3;
    uint256 private constant APPROVALS = 11;
    uint256 private constant EXECUTION = 19;
    uint256 private constant FRAME = 32;
    address private constant PERMIT2 = Actions.PERMIT2_ADDRESS;

    /// @notice A plan for `_open`, which has to know whether this may be in the middle of another execution.
    function _planToOpen(bytes32 mode, bytes calldata execution, bytes calldata mandate, uint256 settlement)
        internal
        view
        returns (Plan p)
    {
        p = _plan(mode, execution, mandate, settlement);
        address redeemer;
        assembly ("memory-safe") {
            // The seventh argument of every hook: one more to hand down would be one too many.
            redeemer := calldataload(196)
        }
        if (redeemer != tx.origin) p.setExecution(keccak256(abi.encodePacked(mode, execution)));
    }

    /// @param tag a byte for `_close` to give back
    /// @param note a word for `_close` to give back, dearer than the byte unless it is zero
    function _open(bytes32 key, Plan p, bytes calldata mandate, uint256 tag, uint256 note) internal {
        bytes32 frame = Lineage.book(msg.sender, p.account());
        uint256 lowest = frame.asUint256().tload();
        if (lowest != 0) frame = _pile(frame, lowest, key, p);
        unchecked {
            uint256 approvals = p.approvals();
            uint256 head = LOCK | p.classes() << 8 | approvals << 24 | tag << 32 | p.approval(0) << 40;
            if (p.execution() != 0) {
                head |= HASHED;
                _slot(frame, EXECUTION).tstore(uint256(p.execution()));
            }
            for (uint256 i = 1; i < approvals; ++i) {
                _slot(frame, APPROVALS + i).tstore(p.approval(i));
            }
            if (p.pool() != address(0)) {
                head |= POOLED;
                _slot(frame, POOL).tstore(uint160(p.pool()));
            }
            if (note != 0) {
                head |= NOTED;
                _slot(frame, NOTE).tstore(note);
            }
            // Of the depth's byte, nothing: that belongs to the lowest frame.
            frame.asUint256().tstore(head | (uint256(key) << 216 & OPENED));
        }
        _remember(frame, p, mandate);
    }

    function _remember(bytes32 frame, Plan p, bytes calldata mandate) private {
        unchecked {
            uint256 assets = mandate.assetCount();
            for (uint256 i; i < assets; ++i) {
                address token = mandate.token(i);
                for (uint256 j; j < i; ++j) {
                    if (mandate.token(j) == token) revert AssetTwice(token);
                }
                _slot(frame, ASSETS + i).tstore(_balance(token, p.account()) << 128 | p.out(i));
            }
        }
    }

    /// @dev A plain key that sent the transaction is nowhere in the middle of it: if it redeems, nothing runs yet. Whoever
    ///      else redeems must bring the very execution that is under way, and that could only add to what is measured.
    /// @return frame the one on top
    function _pile(bytes32 book, uint256 lowest, bytes32 key, Plan p) private returns (bytes32 frame) {
        bool together = p.execution() == 0
            ? tx.origin.code.length == 0
            : lowest & HASHED != 0 && _slot(book, EXECUTION).tload() == uint256(p.execution());
        if (!together) revert AccountBusy(p.account());
        uint256 depth = lowest >> 248;
        for (uint256 i; i <= depth; ++i) {
            if (uint32(_slot(book, FRAME * i).tload() >> 216) == uint32(uint256(key))) revert LineageBusy(key);
        }
        // A depth that does not fit would overflow here: nobody pays for 256 links.
        book.asUint256().tstore(lowest + (1 << 248));
        return bytes32(uint256(book) + FRAME * (depth + 1));
    }

    function _close(bytes32 key, bytes calldata mandate) internal returns (Flows memory flows) {
        bytes32 frame = Lineage.book(msg.sender, mandate.account());
        uint256 head = frame.asUint256().tload();
        if (head >> 248 != 0) {
            // The one on top; the lowest has one less on it.
            frame.asUint256().tstore(head - (1 << 248));
            frame = bytes32(uint256(frame) + FRAME * (head >> 248));
            head = frame.asUint256().tload();
        }
        if ((head ^ (LOCK | uint256(key) << 216)) & OPENED != 0) revert NotOpened(key);
        frame.asUint256().tstore(0);
        flows.frame = frame;
        flows.classes = uint16(head >> 8);
        flows.tag = uint8(head >> 32);
        unchecked {
            uint256 approvals = uint8(head >> 24);
            if (approvals != 0) _requireGone(mandate, uint176(head >> 40));
            for (uint256 i = 1; i < approvals; ++i) {
                _requireGone(mandate, _slot(frame, APPROVALS + i).tload());
            }
            if (head & POOLED != 0) flows.pool = address(uint160(_slot(frame, POOL).tload()));
            if (head & NOTED != 0) flows.note = _slot(frame, NOTE).tload();
            uint256 assets = mandate.assetCount();
            for (uint256 i; i < assets; ++i) {
                _measure(flows, mandate, i, _slot(frame, ASSETS + i).tload());
            }
        }
    }

    /// @param remembered balance (128) | leaving by calldata (128)
    function _measure(Flows memory flows, bytes calldata mandate, uint256 asset, uint256 remembered) private view {
        uint256 balance = _balance(mandate.token(asset), mandate.account());
        (uint256 before, uint256 left) = (remembered >> 128, uint128(remembered));
        uint256 came;
        unchecked {
            if (balance > before) came = balance - before;
            else if (before - balance > left) left = before - balance;
        }
        // What comes in is worth something to a swap only: a feed that is down must not keep positions from closing.
        if (flows.classes & ActionClass.SWAPS == 0) came = 0;
        if (left | came != 0) {
            flows.moved |= 1 << asset;
            (uint256 price, uint256 unit) = Prices.quote(mandate, asset);
            unchecked {
                // See `Prices` for why the sums fit.
                if (left != 0) flows.outMicros += Prices.microsUp(left, price, unit);
                if (came != 0) flows.inMicros += Prices.micros(came, price, unit);
            }
        }
    }

    /// @notice An asset's balance when the execution was opened; still known after it was closed.
    function _balanceBefore(bytes32 frame, uint256 asset) internal view returns (uint256) {
        return _slot(frame, ASSETS + asset).tload() >> 128;
    }

    /// @param approval as `Plans` draws it
    function _requireGone(bytes calldata mandate, uint256 approval) private view {
        address account = mandate.account();
        address token = mandate.token(uint8(approval >> 160));
        address spender = address(uint160(approval));
        uint256 left;
        if (approval >> 168 == 0) left = Ask.word(token, IERC20.allowance.selector, account, spender);
        else (left,,) = IPermit2(PERMIT2).allowance(account, token, spender);
        if (left != 0) revert ApprovalLeft(token, spender, left);
    }

    function _balance(address token, address account) internal view returns (uint256 balance) {
        balance = token == address(0) ? account.balance : Ask.word(token, IERC20.balanceOf.selector, uint160(account));
        if (balance > type(uint128).max) revert BalanceNotSupported(token, balance);
    }

    function _slot(bytes32 frame, uint256 offset) private pure returns (TransientSlot.Uint256Slot) {
        // A hash is followed by as many slots as are needed here; wrapping around is harmless.
        unchecked {
            return bytes32(uint256(frame) + offset).asUint256();
        }
    }

    /// @notice Cents, rounded up against the spender: a thousand payments of a tenth of a cent are not free.
    function _cents(uint256 micros) internal pure returns (uint256) {
        unchecked {
            // Far from overflowing; see `Prices`.
            return (micros + Prices.MICROS_PER_CENT - 1) / Prices.MICROS_PER_CENT;
        }
    }
}
