// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {MeteredEnforcer} from "./MeteredEnforcer.sol";
import {IVitals} from "../interfaces/IVitals.sol";
import {ActionClass} from "../libraries/ActionClass.sol";
import {Actions} from "../libraries/Actions.sol";
import {CageTerms} from "../libraries/CageTerms.sol";
import {Plan} from "../libraries/Plan.sol";
import {RollingBudget} from "../libraries/RollingBudget.sol";
import {VitalSigns} from "../libraries/VitalSigns.sol";

/// @title The Cage: every bound of Bardo in one caveat
/// @notice Phase with dead-man's switch, time window, dreams, mood, targets, methods, swap pairs, payees, recipients,
///         approvals, slippage, daily spending, size per phase, cadence and call count; and where signed, a vault's
///         share, a Replicant's allowance, royalties, co-signers and a constitution. The same libraries and verdicts as
///         the separate enforcers, one reading of the terms, one snapshot.
contract CageEnforcer is MeteredEnforcer {
    using CageTerms for bytes;
    using VitalSigns for uint256;
    using RollingBudget for uint256;

    /// @notice Before its first or after its last second.
    error OutsideWindow(uint256 timestamp, uint256 start, uint256 end);
    /// @notice The Golem was never registered, or is dead.
    error GolemNotAlive(bytes32 golem);
    /// @notice A dreaming Golem does not act.
    error GolemDreaming(bytes32 golem);
    /// @notice The Golem is not in the state of mind that the owner wants for this.
    error MoodOutOfBounds(int8 pleasure, int8 arousal, int8 dominance);
    /// @notice The owner did not sign for this class of action.
    error ClassNotAllowed(uint256 classes, uint256 allowed);
    /// @notice The owner did not sign for this method.
    error MethodNotAllowed(uint256 methods, uint256 allowed);
    /// @notice The owner did not sign for this direction of swap.
    error PairNotAllowed(uint256 pairs, uint256 allowed);
    /// @notice Too soon after the execution before.
    error TooSoon(uint256 lastExecution, uint256 cadence);
    /// @notice All signed executions are used up.
    error CallsUsedUp(uint256 calls);
    /// @notice A swap brought in too little for what it took.
    error SlippageExceeded(uint256 outMicros, uint256 inMicros, uint256 maxBps);
    /// @notice More at once than the phase allows.
    error SizeExceeded(uint256 cents, uint256 maxCents, uint256 phase);

    /// @notice Where Golems post how they are.
    IVitals public immutable vitals;

    /// @notice Per lineage: spending of the last 28 hours and the last execution; see `RollingBudget`.
    mapping(bytes32 key => uint256) public budget;
    /// @notice Per lineage: how many executions there were, counted only where they are bounded.
    mapping(bytes32 key => uint256) public callCount;

    constructor(IVitals vitals_) {
        vitals = vitals_;
    }

    /// @notice Everything that can be known before anything moves.
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

    /// @notice What it took and what it brought.
    function afterHook(
        bytes calldata terms,
        bytes calldata,
        bytes32,
        bytes calldata,
        bytes32,
        address delegator,
        address
    ) external override {
        _after(terms, delegator);
    }

    function _before(bytes calldata terms, bytes32 mode, bytes calldata execution, address delegator) private {
        (bytes calldata mandate,) = terms.split();
        _requireWindow(terms);
        bytes32 key = lineageKey(msg.sender, delegator, terms.golem());
        _requireCadence(key, terms);
        Plan memory p = Actions.plan(mode, execution, mandate, uint8(terms[97]), address(vitals));
        _requireAllowed(terms, p);
        _open(key, p, mandate, _requireFit(terms, p.classes));
    }

    function _after(bytes calldata terms, address delegator) private {
        (bytes calldata mandate,) = terms.split();
        bytes32 key = lineageKey(msg.sender, delegator, terms.golem());
        Flows memory flows = _close(key, mandate);
        if (flows.classes & ActionClass.SWAPS != 0) {
            uint256 bps = terms.slippage();
            if (bps > 10_000 || flows.inMicros * 10_000 < flows.outMicros * (10_000 - bps)) {
                revert SlippageExceeded(flows.outMicros, flows.inMicros, bps);
            }
        }
        uint256 cents = _cents(flows.outMicros);
        uint256 maxCents = terms.size(flows.note) * 100;
        if (cents > maxCents) revert SizeExceeded(cents, maxCents, flows.note);
        budget[key] = budget[key].spend(cents, terms.dayCents());
    }

    /// @notice What a lineage has spent that still counts, in cents.
    function spentCents(address manager, address delegator, bytes32 golem) external view returns (uint256) {
        return budget[lineageKey(manager, delegator, golem)].spentNow();
    }

    function _requireWindow(bytes calldata terms) private view {
        (uint256 start, uint256 end) = terms.window();
        if (block.timestamp < start || block.timestamp > end) revert OutsideWindow(block.timestamp, start, end);
    }

    function _requireCadence(bytes32 key, bytes calldata terms) private {
        uint256 cadence = terms.cadence();
        if (cadence != 0) {
            uint256 last = budget[key].lastExecution();
            if (last != 0 && block.timestamp < last + cadence) revert TooSoon(last, cadence);
        }
        uint256 maxCalls = terms.calls();
        if (maxCalls != 0) {
            uint256 count = callCount[key] + 1;
            if (count > maxCalls) revert CallsUsedUp(maxCalls);
            callCount[key] = count;
        }
    }

    function _requireAllowed(bytes calldata terms, Plan memory p) private pure {
        uint256 classes = terms.classes();
        if (p.classes & ~classes != 0) revert ClassNotAllowed(p.classes, classes);
        uint256 methods = terms.methods();
        if (p.methods & ~methods != 0) revert MethodNotAllowed(p.methods, methods);
        uint256 pairs = terms.pairs();
        if (p.pairs & ~pairs != 0) revert PairNotAllowed(p.pairs, pairs);
    }

    /// @return phase the one that counts, after the dead-man's switch
    function _requireFit(bytes calldata terms, uint256 classes) private view returns (uint8 phase) {
        bytes32 golem = terms.golem();
        uint256 signs = vitals.vitals(golem);
        if (!signs.isAlive()) revert GolemNotAlive(golem);
        if (signs.isDreaming()) revert GolemDreaming(golem);
        phase = signs.effectivePhase(terms.grace());
        ActionClass.requireAllowedIn(classes, phase);
        if (classes & terms.restricted() != 0) {
            (int8 pleasure, int8 arousal, int8 dominance) = terms.mood();
            if (signs.pleasure() < pleasure || signs.arousal() > arousal || signs.dominance() < dominance) {
                revert MoodOutOfBounds(signs.pleasure(), signs.arousal(), signs.dominance());
            }
        }
    }
}
