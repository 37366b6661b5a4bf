// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {MandateEnforcer} from "./MandateEnforcer.sol";
import {MeteredEnforcer} from "./MeteredEnforcer.sol";
import {IPolicyCage} from "../interfaces/IPolicyCage.sol";
import {ActionClass} from "../libraries/ActionClass.sol";
import {Actions} from "../libraries/Actions.sol";
import {Mandate} from "../libraries/Mandate.sol";
import {Plan} from "../libraries/Plan.sol";
import {Prices} from "../libraries/Prices.sol";
import {RollingBudget} from "../libraries/RollingBudget.sol";
import {Math} from "@openzeppelin/contracts/utils/math/Math.sol";

/// @title An owner's constitution, on every execution
/// @notice Only approved assets move. What one execution, one session and any 24 hours spend is bounded. What a Golem buys
///         stays within its share of the portfolio, and the portfolio within a distance of its highest value. Closing a
///         position to the account always passes the last two: a breaker that locks the doors is none.
/// @dev The portfolio is what the account holds of the mandate's assets. What lies in a vault or a pool is not in it, and
///      counts as gone until it is back. The constitution comes from the terms: what the account adopts, a session could
///      make it adopt.
///      | bytes | field        |                                                                 |
///      | ----- | ------------ | --------------------------------------------------------------- |
///      | 32    | constitution | its hash                                                        |
///      | 32    | lineage      | whose spending counts together                                  |
///      | …     | mandate      | see `Mandate`                                                   |
contract PolicyCageEnforcer is MeteredEnforcer, MandateEnforcer {
    using Mandate for bytes;
    using RollingBudget for uint256;

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

    uint256 private constant HEAD = 64;

    /// @notice Where constitutions are kept.
    IPolicyCage public immutable policyCage;

    /// @notice Per lineage: spending of the last 28 hours; see `RollingBudget`.
    mapping(bytes32 key => uint256) public budget;
    /// @notice Per lineage: the last session and what it spent.
    mapping(bytes32 key => Session) public sessions;
    /// @dev Per lineage and constitution: an owner who moves money out signs a new constitution, and starts anew.
    mapping(bytes32 key => mapping(bytes32 constitution => uint256)) private _highWaterCents;

    constructor(IPolicyCage policyCage_) {
        policyCage = policyCage_;
    }

    /// @notice What a lineage has spent that still counts for its day, in cents.
    function spentCents(address manager, address delegator, bytes32 lineage) external view returns (uint256) {
        return budget[lineageKey(manager, delegator, lineage)].spentNow();
    }

    /// @notice The highest value that a lineage's portfolio was seen at, in cents.
    function highWaterCents(address manager, address delegator, bytes32 lineage, bytes32 constitution)
        external
        view
        returns (uint256)
    {
        return _highWaterCents[lineageKey(manager, delegator, lineage)][constitution];
    }

    function beforeHook(
        bytes calldata terms,
        bytes calldata,
        bytes32 mode,
        bytes calldata execution,
        bytes32,
        address delegator,
        address
    ) external override {
        _before(terms, mode, execution, delegator);
    }

    function afterHook(
        bytes calldata terms,
        bytes calldata,
        bytes32,
        bytes calldata,
        bytes32,
        address delegator,
        address
    ) external override {
        _after(_mandate(terms, HEAD), bytes32(terms[:32]), _key(terms, delegator));
    }

    function _before(bytes calldata terms, bytes32 mode, bytes calldata execution, address delegator) private {
        bytes calldata mandate = _mandate(terms, HEAD);
        bytes32 constitution = bytes32(terms[:32]);
        // Refuses a constitution that nobody enacted.
        policyCage.limitsOf(constitution);
        Plan memory p = Actions.plan(mode, execution, mandate, NO_SETTLEMENT, address(policyCage));
        for (uint256 i; i < mandate.assetCount(); ++i) {
            if (p.out[i] != 0) _requireApproved(constitution, mandate.token(i));
        }
        _open(_key(terms, delegator), p, mandate, 0);
    }

    function _key(bytes calldata terms, address delegator) private view returns (bytes32) {
        return lineageKey(msg.sender, delegator, bytes32(terms[32:64]));
    }

    function _after(bytes calldata mandate, bytes32 constitution, bytes32 key) private {
        Flows memory flows = _close(key, mandate);
        for (uint256 i; i < mandate.assetCount(); ++i) {
            // Only what moved was priced.
            if (flows.price[i] != 0) _requireApproved(constitution, mandate.token(i));
        }
        uint256 cents = _cents(flows.outMicros);
        // What takes nothing is not refused, whatever was spent before.
        if (cents != 0) _spend(key, constitution, cents);
        // Closing a position always passes, even while a feed is down.
        if (flows.classes & ~ActionClass.SETTLEMENT != 0) _requireSound(key, constitution, mandate, flows);
    }

    function _requireApproved(bytes32 constitution, address token) private view {
        if (!policyCage.isApprovedAsset(constitution, token)) revert IPolicyCage.AssetNotApproved(constitution, token);
    }

    function _spend(bytes32 key, bytes32 constitution, uint256 cents) private {
        Session memory session = sessions[key];
        if (block.timestamp >= session.start + uint256(policyCage.limitsOf(constitution).sessionSeconds)) {
            session = Session(uint40(block.timestamp), 0);
        }
        uint256 word = budget[key];
        policyCage.checkSpendingLimit(constitution, cents, session.cents + cents, word.spentNow() + cents);
        // Within a limit of 64 bits, as was just checked.
        session.cents += uint64(cents);
        sessions[key] = session;
        budget[key] = word.spend(cents, RollingBudget.MAX_CENTS);
    }

    function _requireSound(bytes32 key, bytes32 constitution, bytes calldata mandate, Flows memory flows) private {
        Portfolio memory portfolio = _portfolio(key, mandate, flows);
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
    function _portfolio(bytes32 key, bytes calldata mandate, Flows memory flows)
        private
        view
        returns (Portfolio memory portfolio)
    {
        address account = mandate.account();
        for (uint256 i; i < mandate.assetCount(); ++i) {
            uint256 before = _balanceBefore(key, i);
            uint256 now_ = _balance(mandate.token(i), account);
            if (before == 0 && now_ == 0) continue;
            uint256 price = flows.price[i] == 0 ? Prices.priceOf(mandate, i) : flows.price[i];
            portfolio.beforeMicros += Prices.micros(mandate, i, before, price, Math.Rounding.Floor);
            uint256 held = Prices.micros(mandate, i, now_, price, Math.Rounding.Floor);
            portfolio.nowMicros += held;
            if (now_ > before) portfolio.grownMicros[i] = held;
        }
    }
}
