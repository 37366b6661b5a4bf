// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {MeteredEnforcer} from "./MeteredEnforcer.sol";
import {IPolicyCage} from "../interfaces/IPolicyCage.sol";
import {ActionClass} from "../libraries/ActionClass.sol";
import {Mandate} from "../libraries/Mandate.sol";
import {Plan} from "../libraries/Plan.sol";
import {Prices} from "../libraries/Prices.sol";
import {Math} from "@openzeppelin/contracts/utils/math/Math.sol";

/// @title An enforcer of an owner's constitution
/// @notice Only approved assets move. Spending is limited per execution, per session and in any 24 hours. What a Golem
///         buys stays within its share of the portfolio, and the portfolio within a distance of its highest value.
///         Closing a position to the account always passes the last two checks: a breaker must not block the exit.
/// @dev The portfolio is what the account holds of the mandate's assets. Assets in a vault or a pool are not part of
///      it, and count as lost until they are back. The constitution comes from the terms: a session could make the
///      account adopt another one.
abstract contract ConstitutionalEnforcer is MeteredEnforcer {
    using Mandate for bytes;

    /// @dev A session starts with the first spending after the previous one ended. Two sessions can meet around that
    ///      moment, and twice the limit passes; the day's limit is the strict one.
    struct Session {
        uint40 start;
        uint64 cents;
    }

    struct Portfolio {
        uint256 beforeMicros;
        uint256 nowMicros;
        /// @dev The current holding of each asset that grew; zero for the others.
        uint256[8] grownMicros;
    }

    /// @dev Closing positions, including a swap into the settlement asset with its approval.
    uint256 private constant CLOSING = ActionClass.SETTLEMENT | ActionClass.UNWIND | ActionClass.APPROVE;

    /// @dev Per lineage: the last session and what it spent.
    mapping(bytes32 key => Session) internal _sessions;
    /// @dev Per lineage and constitution: an owner who withdraws money signs a new constitution, and the high-water
    ///      mark restarts.
    mapping(bytes32 key => mapping(bytes32 constitution => uint256)) internal _highWaterCents;

    function _requireConstitutionalPlan(bytes32 constitution, bytes calldata mandate, Plan p) internal view {
        // Reverts for a constitution that was not enacted.
        policyCage.limitsOf(constitution);
        for (uint256 i; i < mandate.assetCount(); ++i) {
            if (p.out(i) != 0) _requireApproved(constitution, mandate.token(i), p.classes());
        }
    }

    /// @param dayCents the lineage's spending in the last 24 hours, including this execution
    function _requireConstitutional(
        bytes32 key,
        bytes32 constitution,
        bytes calldata mandate,
        Flows memory flows,
        uint256 dayCents
    ) internal {
        for (uint256 i; i < mandate.assetCount(); ++i) {
            if (flows.moved >> i & 1 != 0) {
                _requireApproved(constitution, mandate.token(i), flows.classes);
            }
        }
        uint256 cents = _cents(flows.outMicros);
        // An execution that spends nothing passes, whatever was spent before.
        if (cents != 0) _spendInSession(key, constitution, cents, dayCents);
        // Closing a position always passes, even while a price feed is down.
        if (flows.classes & ~CLOSING != 0) _requireSound(key, constitution, mandate, flows.frame);
    }

    /// @dev Native currency has no address to approve. For gas the owner signed a separate cap.
    function _requireApproved(bytes32 constitution, address token, uint256 classes) private view {
        if (classes & ActionClass.GAS == 0 && !policyCage.isApprovedAsset(constitution, token)) {
            revert IPolicyCage.AssetNotApproved(constitution, token);
        }
    }

    function _spendInSession(bytes32 key, bytes32 constitution, uint256 cents, uint256 dayCents) private {
        Session memory session = _sessions[key];
        if (block.timestamp >= session.start + uint256(policyCage.limitsOf(constitution).sessionSeconds)) {
            session = Session(uint40(block.timestamp), 0);
        }
        unchecked {
            // Cents have at most 240 bits. What passes is within a limit of 64 bits.
            policyCage.checkSpendingLimit(constitution, cents, session.cents + cents, dayCents);
            session.cents += uint64(cents);
        }
        _sessions[key] = session;
    }

    function _requireSound(bytes32 key, bytes32 constitution, bytes calldata mandate, bytes32 frame) private {
        Portfolio memory portfolio = _portfolio(frame, mandate);
        uint256 nowCents = portfolio.nowMicros / Prices.MICROS_PER_CENT;
        uint256 stored = _highWaterCents[key][constitution];
        // Count the portfolio before the execution, or the first execution could lose all of it.
        uint256 highest = Math.max(stored, portfolio.beforeMicros / Prices.MICROS_PER_CENT);
        policyCage.checkDrawdown(constitution, highest, nowCents);
        for (uint256 i; i < mandate.assetCount(); ++i) {
            uint256 held = portfolio.grownMicros[i];
            if (held == 0) continue;
            // In millionths on both sides: rounding to cents can make a single asset larger than the whole portfolio.
            policyCage.checkConcentration(constitution, mandate.token(i), held, portfolio.nowMicros);
        }
        highest = Math.max(highest, nowCents);
        if (highest != stored) _highWaterCents[key][constitution] = highest;
    }

    /// @dev Both values use current prices, so that they differ only by the effect of the execution.
    function _portfolio(bytes32 frame, bytes calldata mandate) private view returns (Portfolio memory portfolio) {
        address account = mandate.account();
        for (uint256 i; i < mandate.assetCount(); ++i) {
            uint256 before = _balanceBefore(frame, i);
            uint256 now_ = _balance(mandate.token(i), account);
            // An asset that did not move counts if it has a price. Dust of an asset whose feed is down must not block
            // the rest; omitting it makes both checks stricter.
            if (before == now_ && (now_ == 0 || !Prices.isPriced(mandate, i))) continue;
            (uint256 price, uint256 unit) = Prices.quote(mandate, i);
            uint256 held = Prices.micros(now_, price, unit);
            unchecked {
                // See `Prices` for why the sums fit.
                portfolio.beforeMicros += Prices.micros(before, price, unit);
                portfolio.nowMicros += held;
            }
            if (now_ > before) portfolio.grownMicros[i] = held;
        }
    }
}
