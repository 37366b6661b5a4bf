// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {MeteredEnforcer} from "./MeteredEnforcer.sol";
import {IPolicyCage} from "../interfaces/IPolicyCage.sol";
import {ActionClass} from "../libraries/ActionClass.sol";
import {Mandate} from "../libraries/Mandate.sol";
import {Plan} from "../libraries/Plan.sol";
import {Prices} from "../libraries/Prices.sol";
import {Math} from "@openzeppelin/contracts/utils/math/Math.sol";

/// @title An enforcer that keeps to an owner's constitution
/// @notice Only approved assets move. What one execution, one session and any 24 hours spend is bounded. What a Golem buys
///         stays within its share of the portfolio, and the portfolio within a distance of its highest value. Closing a
///         position to the account always passes the last two: a breaker that locks the doors is none.
/// @dev The portfolio is what the account holds of the mandate's assets. What lies in a vault or a pool is not in it, and
///      counts as gone until it is back. The constitution comes from the terms: what the account adopts, a session could
///      make it adopt.
abstract contract ConstitutionalEnforcer is MeteredEnforcer {
    using Mandate for bytes;

    /// @dev A session begins with the first spending after the one before is over. Around that moment two of them meet, and
    ///      twice the limit passes; the day's limit is the strict one.
    struct Session {
        uint40 start;
        uint64 cents;
    }

    struct Portfolio {
        uint256 beforeMicros;
        uint256 nowMicros;
        /// @dev What is held now of the assets that became more; zero for others.
        uint256[8] grownMicros;
    }

    /// @dev Closing positions, also by a swap into the settlement asset with the approval that it needs.
    uint256 private constant CLOSING = ActionClass.SETTLEMENT | ActionClass.UNWIND | ActionClass.APPROVE;

    /// @dev Per lineage: the last session and what it spent.
    mapping(bytes32 key => Session) internal _sessions;
    /// @dev Per lineage and constitution: an owner who moves money out signs a new constitution, and starts anew.
    mapping(bytes32 key => mapping(bytes32 constitution => uint256)) internal _highWaterCents;

    function _requireConstitutionalPlan(bytes32 constitution, bytes calldata mandate, Plan p) internal view {
        // Refuses a constitution that nobody enacted.
        policyCage.limitsOf(constitution);
        for (uint256 i; i < mandate.assetCount(); ++i) {
            if (p.out(i) != 0) _requireApproved(constitution, mandate.token(i));
        }
    }

    /// @param dayCents what the lineage has spent in the last 24 hours, this execution included
    function _requireConstitutional(
        bytes32 key,
        bytes32 constitution,
        bytes calldata mandate,
        Flows memory flows,
        uint256 dayCents
    ) internal {
        for (uint256 i; i < mandate.assetCount(); ++i) {
            if (flows.moved >> i & 1 != 0) _requireApproved(constitution, mandate.token(i));
        }
        uint256 cents = _cents(flows.outMicros);
        // What takes nothing is not refused, whatever was spent before.
        if (cents != 0) _spendInSession(key, constitution, cents, dayCents);
        // Closing a position always passes, even while a feed is down.
        if (flows.classes & ~CLOSING != 0) _requireSound(key, constitution, mandate, flows.frame);
    }

    function _requireApproved(bytes32 constitution, address token) private view {
        if (!policyCage.isApprovedAsset(constitution, token)) revert IPolicyCage.AssetNotApproved(constitution, token);
    }

    function _spendInSession(bytes32 key, bytes32 constitution, uint256 cents, uint256 dayCents) private {
        Session memory session = _sessions[key];
        if (block.timestamp >= session.start + uint256(policyCage.limitsOf(constitution).sessionSeconds)) {
            session = Session(uint40(block.timestamp), 0);
        }
        policyCage.checkSpendingLimit(constitution, cents, session.cents + cents, dayCents);
        // Within a limit of 64 bits, as was just checked.
        session.cents += uint64(cents);
        _sessions[key] = session;
    }

    function _requireSound(bytes32 key, bytes32 constitution, bytes calldata mandate, bytes32 frame) private {
        Portfolio memory portfolio = _portfolio(frame, mandate);
        uint256 nowCents = portfolio.nowMicros / Prices.MICROS_PER_CENT;
        uint256 stored = _highWaterCents[key][constitution];
        // What was there before counts, or the first execution could lose it all.
        uint256 highest = Math.max(stored, portfolio.beforeMicros / Prices.MICROS_PER_CENT);
        policyCage.checkDrawdown(constitution, highest, nowCents);
        for (uint256 i; i < mandate.assetCount(); ++i) {
            uint256 held = portfolio.grownMicros[i];
            if (held == 0) continue;
            policyCage.checkConcentration(constitution, mandate.token(i), _cents(held), nowCents);
        }
        highest = Math.max(highest, nowCents);
        if (highest != stored) _highWaterCents[key][constitution] = highest;
    }

    /// @dev Both values at the prices of this moment, so that they differ by what the execution did and nothing else.
    function _portfolio(bytes32 frame, bytes calldata mandate) private view returns (Portfolio memory portfolio) {
        address account = mandate.account();
        for (uint256 i; i < mandate.assetCount(); ++i) {
            uint256 before = _balanceBefore(frame, i);
            uint256 now_ = _balance(mandate.token(i), account);
            if (before == 0 && now_ == 0) continue;
            (uint256 price, uint256 unit) = Prices.quote(mandate, i);
            portfolio.beforeMicros += Prices.micros(before, price, unit);
            uint256 held = Prices.micros(now_, price, unit);
            portfolio.nowMicros += held;
            if (now_ > before) portfolio.grownMicros[i] = held;
        }
    }
}
