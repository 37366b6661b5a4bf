// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {MandateEnforcer} from "./MandateEnforcer.sol";
import {IPermit2} from "../interfaces/IPermit2.sol";
import {Actions} from "../libraries/Actions.sol";
import {StaticRead} from "../libraries/StaticRead.sol";
import {Lineage} from "../libraries/Lineage.sol";
import {Mandate} from "../libraries/Mandate.sol";
import {Plan, Plans} from "../libraries/Plan.sol";
import {Prices} from "../libraries/Prices.sol";
import {IERC20} from "@openzeppelin/contracts/token/ERC20/IERC20.sol";
import {TransientSlot} from "@openzeppelin/contracts/utils/TransientSlot.sol";

/// @title An enforcer that measures what an execution takes and brings in
/// @notice Value is parsed and measured. Balances alone net against the owner's own inflow; calldata alone can lie. So,
///         per asset, the outflow is the larger of the two, and the inflow is measured only.
/// @dev Before: decode, check, record balances. After: measure, and check that approvals are gone. The records are in
///      transient storage, in one frame per execution in progress on an account. Two lineages must not share it: the
///      inflow of one would make the other's swap look fair. So there is one frame at a time; but a delegation chain
///      may contain several of these caveats, which open one after the other on the same execution. The redeemer
///      distinguishes such a stack from a nested redemption, see `_pile`.
///      | slot         | holds                                                                                    |
///      | ------------ | ---------------------------------------------------------------------------------------- |
///      | frame        | flags (8), classes (16), number of approvals (8), caller's tag (8), first approval (176),|
///      |              | the lineage's last 32 bits, and in the lowest frame how many lie on it (8)               |
///      | frame + 1    | the pool that liquidity goes into, if any                                                |
///      | frame + 2    | the caller's note, if any                                                                |
///      | frame + 3 …  | per asset: balance (128), whether a swap brings it (1), leaving by calldata (127)        |
///      | frame + 11 … | the approvals that must be gone, from the second on                                      |
///      | frame + 19   | the execution's hash, where a contract redeems                                           |
///      | frame + 20   | the caller's own words, up to the end of the frame                                       |
abstract contract MeteredEnforcer is MandateEnforcer {
    using Mandate for bytes;
    using TransientSlot for *;

    /// @notice Thrown when one delegation chain contains the same lineage twice.
    error LineageBusy(bytes32 key);
    /// @notice Thrown when another execution is in progress on this account: redemptions cannot be nested.
    error AccountBusy(address account);
    /// @notice Thrown when `afterHook` is called without its `beforeHook`.
    error NotOpened(bytes32 key);
    /// @notice Thrown when an approval is left after the execution.
    error ApprovalLeft(address token, address spender, uint256 amount);
    /// @notice Thrown when the mandate lists an asset twice, or two entries share one balance: it would count twice.
    error AssetTwice(address token);
    /// @notice Thrown when a balance exceeds 2^128 - 1.
    error BalanceNotSupported(address token, uint256 balance);

    /// @notice What an execution moved, in millionths of a dollar.
    struct Flows {
        uint256 classes;
        /// @dev The slot of its frame.
        bytes32 frame;
        uint256 tag;
        uint256 note;
        address pool;
        uint256 outMicros;
        uint256 inMicros;
        /// @dev One bit for each asset that left, or that a swap brought in.
        uint256 moved;
    }

    uint256 private constant LOCK = 1;
    uint256 private constant POOLED = 2;
    uint256 private constant NOTED = 4;
    uint256 private constant HASHED = 8;
    /// @dev The flags of an open frame, and its owner.
    uint256 private constant OPENED = LOCK | uint256(type(uint32).max) << 216;
    uint256 private constant POOL = 1;
    uint256 private constant NOTE = 2;
    uint256 private constant ASSETS = 3;
    uint256 private constant APPROVALS = 11;
    uint256 private constant EXECUTION = 19;
    uint256 internal constant OWN_WORDS = 20;
    uint256 private constant FRAME = 32;
    address private constant PERMIT2 = Actions.PERMIT2_ADDRESS;
    /// @dev On Celo the native currency is also this token: two addresses of one balance.
    uint256 private constant CELO_CHAIN = 42220;
    address private constant CELO = 0x471EcE3750Da237f93B8E339c536989b8978a438;

    /// @notice A plan for `_open`, which must know whether another execution may be in progress.
    function _planToOpen(bytes32 mode, bytes calldata execution, bytes calldata mandate, uint256 settlement)
        internal
        view
        returns (Plan p)
    {
        return _planToOpen(mode, execution, mandate, settlement, address(0));
    }

    function _planToOpen(
        bytes32 mode,
        bytes calldata execution,
        bytes calldata mandate,
        uint256 settlement,
        address gasRecipient
    ) internal view returns (Plan p) {
        p = _plan(mode, execution, mandate, settlement, gasRecipient);
        if (_redeemer() != tx.origin) p.setExecution(keccak256(abi.encodePacked(mode, execution)));
    }

    /// @dev The seventh argument of every hook, read from calldata: passing it down would exceed the stack.
    function _redeemer() internal pure returns (address redeemer) {
        assembly ("memory-safe") {
            // Four bytes of selector and six words. The manager encodes an address with clean upper bytes.
            redeemer := calldataload(196)
        }
    }

    /// @param tag a byte for `_close` to return
    /// @param note a word for `_close` to return; more expensive than the byte unless it is zero
    /// @return frame the slot of the recorded values
    function _open(bytes32 key, Plan p, bytes calldata mandate, uint256 tag, uint256 note)
        internal
        returns (bytes32 frame)
    {
        frame = _bookOf(p.account());
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
            // The depth byte is not copied: it belongs to the lowest frame.
            frame.asUint256().tstore(head | (uint256(key) << 216 & OPENED));
        }
        _remember(frame, p, mandate);
    }

    function _remember(bytes32 frame, Plan p, bytes calldata mandate) private {
        unchecked {
            if (block.chainid == CELO_CHAIN) _requireNoTwin(mandate);
            uint256 assets = mandate.assetCount();
            for (uint256 i; i < assets; ++i) {
                address token = mandate.token(i);
                for (uint256 j; j < i; ++j) {
                    if (mandate.token(j) == token) revert AssetTwice(token);
                }
                _slot(frame, ASSETS + i).tstore(_balance(token, p.account()) << 128 | p.outWord(i));
            }
        }
    }

    function _requireNoTwin(bytes calldata mandate) private pure {
        if (mandate.assetOf(address(0)) != Mandate.NONE && mandate.assetOf(CELO) != Mandate.NONE) {
            revert AssetTwice(CELO);
        }
    }

    /// @dev A plain key that sent the transaction cannot be inside another execution: nothing runs yet when it redeems.
    ///      Every other redeemer must bring the same execution that is in progress, which can only add to what is
    ///      measured.
    /// @return frame the top frame
    function _pile(bytes32 book, uint256 lowest, bytes32 key, Plan p) private returns (bytes32 frame) {
        bool together = p.execution() == 0
            ? tx.origin.code.length == 0
            : lowest & HASHED != 0 && _slot(book, EXECUTION).tload() == uint256(p.execution());
        if (!together) revert AccountBusy(p.account());
        uint256 depth = lowest >> 248;
        for (uint256 i; i <= depth; ++i) {
            if (uint32(_slot(book, FRAME * i).tload() >> 216) == uint32(uint256(key))) revert LineageBusy(key);
        }
        // A depth that does not fit would overflow here: 256 links cost more gas than a block has.
        book.asUint256().tstore(lowest + (1 << 248));
        return bytes32(uint256(book) + FRAME * (depth + 1));
    }

    function _close(bytes32 key, bytes calldata mandate) internal returns (Flows memory flows) {
        _requireManager();
        bytes32 frame = _bookOf(mandate.account());
        uint256 head = frame.asUint256().tload();
        if (head >> 248 != 0) {
            // The top frame; the depth in the lowest frame decreases by one.
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

    /// @param remembered balance (128) | whether a swap brings it (1) | leaving by calldata (127)
    function _measure(Flows memory flows, bytes calldata mandate, uint256 asset, uint256 remembered) private view {
        uint256 balance = _balance(mandate.token(asset), mandate.account());
        (uint256 before, uint256 left) = (remembered >> 128, remembered & Plans.MAX_AMOUNT);
        uint256 came;
        unchecked {
            if (balance > before) came = balance - before;
            else if (before - balance > left) left = before - balance;
        }
        // Inflow counts only if a swap announced it. Two addresses of one balance would count it twice, and a feed that
        // is down must not block closing positions.
        if (remembered & Plans.OUTPUT == 0) came = 0;
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

    /// @notice An asset's balance when the frame was opened; still readable after it was closed.
    function _balanceBefore(bytes32 frame, uint256 asset) internal view returns (uint256) {
        return _slot(frame, ASSETS + asset).tload() >> 128;
    }

    /// @param approval in the layout of `Plans`
    function _requireGone(bytes calldata mandate, uint256 approval) private view {
        address account = mandate.account();
        address token = mandate.token(uint8(approval >> 160));
        address spender = address(uint160(approval));
        uint256 left;
        if (approval >> 168 == 0) left = StaticRead.word(token, IERC20.allowance.selector, account, spender);
        else (left,,) = IPermit2(PERMIT2).allowance(account, token, spender);
        if (left != 0) revert ApprovalLeft(token, spender, left);
    }

    function _balance(address token, address account) internal view returns (uint256 balance) {
        balance =
            token == address(0) ? account.balance : StaticRead.word(token, IERC20.balanceOf.selector, uint160(account));
        if (balance > type(uint128).max) revert BalanceNotSupported(token, balance);
    }

    /// @dev The first slot of an account's frames: its address, followed by room for 2^96 slots.
    function _bookOf(address account) private pure returns (bytes32) {
        return bytes32(uint256(uint160(account)) << 96);
    }

    function _slot(bytes32 frame, uint256 offset) internal pure returns (TransientSlot.Uint256Slot) {
        // A frame begins with 96 zero bits or fewer frames above them: far from wrapping around.
        unchecked {
            return bytes32(uint256(frame) + offset).asUint256();
        }
    }

    /// @notice Cents, rounded up against the spender: a thousand payments of a tenth of a cent are not free.
    function _cents(uint256 micros) internal pure returns (uint256) {
        unchecked {
            // Cannot overflow; see `Prices`.
            return (micros + Prices.MICROS_PER_CENT - 1) / Prices.MICROS_PER_CENT;
        }
    }
}
