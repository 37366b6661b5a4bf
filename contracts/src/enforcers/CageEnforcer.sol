// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {ConstitutionalEnforcer} from "./ConstitutionalEnforcer.sol";
import {MandateEnforcer} from "./MandateEnforcer.sol";
import {IPolicyCage} from "../interfaces/IPolicyCage.sol";
import {IVitals} from "../interfaces/IVitals.sol";
import {ActionClass} from "../libraries/ActionClass.sol";
import {Actions} from "../libraries/Actions.sol";
import {Allowance} from "../libraries/Allowance.sol";
import {CageTerms} from "../libraries/CageTerms.sol";
import {CoSigners} from "../libraries/CoSigners.sol";
import {FairSpot} from "../libraries/FairSpot.sol";
import {Lifetime} from "../libraries/Lifetime.sol";
import {Lineage} from "../libraries/Lineage.sol";
import {Mandate} from "../libraries/Mandate.sol";
import {Plan, Plans} from "../libraries/Plan.sol";
import {Prices} from "../libraries/Prices.sol";
import {RollingBudget} from "../libraries/RollingBudget.sol";
import {Royalty} from "../libraries/Royalty.sol";
import {Slippage} from "../libraries/Slippage.sol";
import {VaultNav} from "../libraries/VaultNav.sol";
import {Vitality} from "../libraries/Vitality.sol";
import {VitalSigns} from "../libraries/VitalSigns.sol";
import {StorageSlot} from "@openzeppelin/contracts/utils/StorageSlot.sol";
import {Math} from "@openzeppelin/contracts/utils/math/Math.sol";

/// @title The Cage: every bound of Bardo in one caveat
/// @notice Phase with dead-man's switch, time window, dreams, mood, targets, methods, swap pairs, payees, recipients,
///         approvals, slippage, daily spending, size per phase, cadence and call count; and where signed, a vault's
///         share, a Replicant's allowance, royalties, a constitution and co-signers. The same libraries and verdicts as
///         the separate enforcers, one reading of the terms, one snapshot. Its terms are drawn in `CageTerms`.
contract CageEnforcer is ConstitutionalEnforcer {
    using CageTerms for bytes;
    using CageTerms for uint256;
    using Mandate for bytes;
    using VitalSigns for uint256;
    using RollingBudget for uint256;

    /// @notice The owner did not sign for this class of action.
    error ClassNotAllowed(uint256 classes, uint256 allowed);
    /// @notice The owner did not sign for this method.
    error MethodNotAllowed(uint256 methods, uint256 allowed);
    /// @notice The owner did not sign for this direction of swap.
    error PairNotAllowed(uint256 pairs, uint256 allowed);
    /// @notice All signed executions are used up.
    error CallsUsedUp(uint256 calls);
    /// @notice More at once than the phase allows.
    error SizeExceeded(uint256 cents, uint256 maxCents, uint256 phase);
    /// @notice These co-signatures were used already.
    error NonceUsed(bytes32 delegationHash, uint256 nonce);

    /// @notice What the Cage remembers of a lineage.
    struct State {
        /// @dev Spending of the last 28 hours and the last execution; see `RollingBudget`.
        uint256 budget;
        /// @dev Executions so far, counted only where they are bounded.
        uint256 calls;
        /// @dev Cents ever, counted only where they are bounded.
        uint256 everSpent;
        /// @dev The highest value that the portfolio was seen at under the constitution, in cents.
        uint256 highWaterCents;
        /// @dev The last session under a constitution.
        Session session;
    }

    mapping(bytes32 key => uint256) private _calls;
    mapping(bytes32 key => uint256) private _everSpent;
    mapping(bytes32 key => mapping(uint256 nonce => bool)) private _usedNonce;

    constructor(IVitals vitals_, IPolicyCage policyCage_) MandateEnforcer(vitals_, policyCage_) {}

    /// @notice Everything that can be known before anything moves.
    function beforeHook(
        bytes calldata terms,
        bytes calldata args,
        bytes32 mode,
        bytes calldata execution,
        bytes32 delegationHash,
        address delegator,
        address
    ) external {
        terms.requireWellFormed();
        if (terms.has(CageTerms.THRESHOLD)) {
            _useNonce(Lineage.key(msg.sender, delegator, delegationHash), delegationHash, args);
            _requireCoSigned(terms, args, _digest(args, mode, execution, delegationHash));
        }
        _before(terms, mode, execution, delegator);
    }

    /// @notice What it took and what it brought.
    /// @dev The terms are those that `beforeHook` has seen: without it nothing is open, and a manager that sends others here
    ///      deceives only itself.
    function afterHook(
        bytes calldata terms,
        bytes calldata,
        bytes32 mode,
        bytes calldata execution,
        bytes32,
        address delegator,
        address
    ) external {
        bytes32 key = Lineage.key(msg.sender, delegator, terms.golem());
        (uint256 classes, bytes32 frame) = _after(terms, key);
        if (classes & ActionClass.SALE != 0 && terms.has(CageTerms.ROYALTY)) {
            _requireRoyalty(terms, mode, execution, frame);
        }
    }

    /// @notice Everything in one question. (Each question that a contract answers makes every hook dearer.)
    /// @param constitution whose highest value is asked for; zero where none was signed
    function lineageState(address manager, address delegator, bytes32 golem, bytes32 constitution)
        external
        view
        returns (State memory)
    {
        bytes32 key = Lineage.key(manager, delegator, golem);
        return State(_budgetOf(key), _calls[key], _everSpent[key], _highWaterCents[key][constitution], _sessions[key]);
    }

    function _before(bytes calldata terms, bytes32 mode, bytes calldata execution, address delegator) private {
        _requireKnown(terms, terms.mandate().assetCount());
        Plan p = _planToOpen(mode, execution, terms.mandate(), terms.limits().settlement());
        bytes32 key = Lineage.key(msg.sender, delegator, terms.golem());
        _requireTime(terms, key);
        _requireAllowed(terms.rights(), p);
        (uint256 phase, uint256 navMicros) = _judge(terms, terms.mandate(), p);
        _open(key, p, terms.mandate(), phase, navMicros);
    }

    /// @dev Bits and numbers without a meaning are refused here, not given one.
    function _requireKnown(bytes calldata terms, uint256 assets) private pure {
        if (terms.rights().hasUnknown()) revert TermsUnknown(terms.rights());
        uint256 limits = terms.limits();
        if (limits.dayCents() > RollingBudget.MAX_CENTS) revert TermsUnknown(limits);
        uint256 settlement = limits.settlement();
        if (
            limits.slippage() > 10_000 || limits.spread() > 10_000
                || (settlement >= assets && settlement != NO_SETTLEMENT)
        ) revert TermsUnknown(limits);
    }

    /// @return phase the one that counts
    /// @return navMicros what a vault's size allows, where that was signed
    function _judge(bytes calldata terms, bytes calldata mandate, Plan p)
        private
        view
        returns (uint256 phase, uint256 navMicros)
    {
        phase = _requireFit(terms, p.classes());
        if (p.pool() != address(0)) FairSpot.requireFair(mandate, p.pool(), terms.limits().spread());
        if (terms.extras() != 0) navMicros = _beforeSections(terms, mandate, p);
    }

    function _after(bytes calldata terms, bytes32 key) private returns (uint256 classes, bytes32 frame) {
        bytes calldata mandate = terms.mandate();
        Flows memory flows = _close(key, mandate);
        uint256 limits = terms.limits();
        if (flows.classes & ActionClass.SWAPS != 0) {
            Slippage.requireWithin(flows.outMicros, flows.inMicros, limits.slippage());
        }
        if (flows.pool != address(0)) FairSpot.requireFair(mandate, flows.pool, limits.spread());
        uint256 cents = _cents(flows.outMicros);
        uint256 maxCents = limits.sizeCents(flows.tag);
        if (cents > maxCents) revert SizeExceeded(cents, maxCents, flows.tag);
        _setBudget(key, _budgetOf(key).spend(cents, limits.dayCents()));
        if (terms.extras() != 0) _afterSections(terms, mandate, key, flows);
        return (flows.classes, flows.frame);
    }

    /// @return navMicros what a vault's size allows, as seen before anything moved
    function _beforeSections(bytes calldata terms, bytes calldata mandate, Plan p)
        private
        view
        returns (uint256 navMicros)
    {
        if (terms.has(CageTerms.SEQUENCER)) {
            Prices.requireSequencerUp(address(bytes20(terms.section(CageTerms.SEQUENCER)[:20])));
        }
        if (terms.has(CageTerms.REPLICANT)) {
            bytes calldata s = terms.section(CageTerms.REPLICANT);
            uint256 born = uint40(bytes5(s[5:10]));
            Lifetime.requireWithin(born, born + uint32(bytes4(s[10:14])));
        }
        if (terms.has(CageTerms.CONSTITUTION)) {
            _requireConstitutionalPlan(terms.constitution(), mandate, p);
        }
        if (terms.has(CageTerms.VAULT_NAV)) navMicros = _navMicros(terms, mandate);
    }

    function _afterSections(bytes calldata terms, bytes calldata mandate, bytes32 key, Flows memory flows) private {
        if (terms.has(CageTerms.VAULT_NAV)) {
            uint256 nav = Math.min(flows.note, _navMicros(terms, mandate));
            VaultNav.requireWithin(flows.outMicros, nav);
        }
        if (terms.has(CageTerms.REPLICANT)) {
            uint256 allowed = uint40(bytes5(terms.section(CageTerms.REPLICANT)[:5]));
            uint256 cents = _cents(flows.outMicros);
            // What takes nothing is not refused: an allowance that was lowered must not keep positions from closing.
            if (cents != 0) _everSpent[key] = Allowance.spend(_everSpent[key], cents, allowed);
        }
        if (terms.has(CageTerms.CONSTITUTION)) {
            _requireConstitutional(key, terms.constitution(), mandate, flows, _budgetOf(key).spentNow());
        }
    }

    function _navMicros(bytes calldata terms, bytes calldata mandate) private view returns (uint256) {
        bytes calldata s = terms.section(CageTerms.VAULT_NAV);
        uint256 bps = uint16(bytes2(s[20:22]));
        _requireBps(bps);
        return VaultNav.limitMicros(mandate, address(bytes20(s[:20])), bps, uint40(bytes5(s[22:27])));
    }

    function _requireRoyalty(bytes calldata terms, bytes32 mode, bytes calldata execution, bytes32 frame) private view {
        bytes calldata s = terms.section(CageTerms.ROYALTY);
        uint256 bps = uint16(bytes2(s[20:22]));
        _requireBps(bps);
        Plan p = Plans.createFor(address(bytes20(s[:20])));
        Actions.fill(p, mode, execution, terms.mandate());
        _requirePaid(terms.mandate(), p, frame, bps);
    }

    function _requirePaid(bytes calldata mandate, Plan p, bytes32 frame, uint256 bps) private view {
        for (uint256 i; i < mandate.assetCount(); ++i) {
            address token = mandate.token(i);
            Royalty.requirePaid(
                token, _balanceBefore(frame, i), _balance(token, p.account()), p.out(i), p.royalty(i), bps
            );
        }
    }

    function _requireCoSigned(bytes calldata terms, bytes calldata args, bytes32 digest) private view {
        bytes calldata s = terms.section(CageTerms.THRESHOLD);
        CoSigners.requireSigned(s[2:], uint8(s[0]), digest, args);
    }

    function _digest(bytes calldata args, bytes32 mode, bytes calldata execution, bytes32 delegationHash)
        private
        view
        returns (bytes32)
    {
        return CoSigners.digest(msg.sender, delegationHash, mode, execution, CoSigners.nonceOf(args));
    }

    function _useNonce(bytes32 key, bytes32 delegationHash, bytes calldata args) private {
        uint256 nonce = CoSigners.nonceOf(args);
        if (_usedNonce[key][nonce]) revert NonceUsed(delegationHash, nonce);
        _usedNonce[key][nonce] = true;
    }

    function _requireTime(bytes calldata terms, bytes32 key) private {
        (uint256 start, uint256 end) = terms.rights().window();
        Lifetime.requireWithin(start, end);
        uint256 limits = terms.limits();
        uint256 cadence = limits.cadence();
        if (cadence != 0) Lifetime.requireRested(_budgetOf(key).lastExecution(), cadence);
        uint256 maxCalls = limits.calls();
        if (maxCalls != 0) {
            uint256 count = _calls[key] + 1;
            if (count > maxCalls) revert CallsUsedUp(maxCalls);
            _calls[key] = count;
        }
    }

    // Every execution reads and writes this word. A lineage's key is a hash already: it is where the word is, without
    // another one.

    function _budgetOf(bytes32 key) private view returns (uint256) {
        return StorageSlot.getUint256Slot(key).value;
    }

    function _setBudget(bytes32 key, uint256 word) private {
        StorageSlot.getUint256Slot(key).value = word;
    }

    function _requireAllowed(uint256 rights, Plan p) private pure {
        uint256 classes = p.classes() & ~rights.classes();
        uint256 methods = p.methods() & ~rights.methods();
        if (classes | methods | (p.pairs() & ~rights.pairs()) != 0) {
            if (classes != 0) revert ClassNotAllowed(p.classes(), rights.classes());
            if (methods != 0) revert MethodNotAllowed(p.methods(), rights.methods());
            revert PairNotAllowed(p.pairs(), rights.pairs());
        }
    }

    /// @return phase the one that counts, after the dead-man's switch
    function _requireFit(bytes calldata terms, uint256 classes) private view returns (uint256 phase) {
        bytes32 golem = terms.golem();
        uint256 rights = terms.rights();
        uint256 signs = Vitality.requireAliveAndAwake(vitals, golem);
        phase = signs.effectivePhase(rights.grace());
        ActionClass.requireAllowedIn(classes, phase);
        if (classes & rights.restricted() != 0) {
            (int8 pleasure, int8 arousal, int8 dominance) = rights.mood();
            Vitality.requireMood(signs, pleasure, arousal, dominance);
        }
    }
}
