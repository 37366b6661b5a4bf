// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {MeteredEnforcer} from "./MeteredEnforcer.sol";
import {IVitals} from "../interfaces/IVitals.sol";
import {ActionClass} from "../libraries/ActionClass.sol";
import {Actions} from "../libraries/Actions.sol";
import {Allowance} from "../libraries/Allowance.sol";
import {CageTerms} from "../libraries/CageTerms.sol";
import {CoSigners} from "../libraries/CoSigners.sol";
import {FairSpot} from "../libraries/FairSpot.sol";
import {Lifetime} from "../libraries/Lifetime.sol";
import {Mandate} from "../libraries/Mandate.sol";
import {Methods} from "../libraries/Methods.sol";
import {Plan} from "../libraries/Plan.sol";
import {Prices} from "../libraries/Prices.sol";
import {RollingBudget} from "../libraries/RollingBudget.sol";
import {Royalty} from "../libraries/Royalty.sol";
import {Slippage} from "../libraries/Slippage.sol";
import {VaultNav} from "../libraries/VaultNav.sol";
import {Vitality} from "../libraries/Vitality.sol";
import {VitalSigns} from "../libraries/VitalSigns.sol";
import {Math} from "@openzeppelin/contracts/utils/math/Math.sol";

/// @title The Cage: every bound of Bardo in one caveat
/// @notice Phase with dead-man's switch, time window, dreams, mood, targets, methods, swap pairs, payees, recipients,
///         approvals, slippage, daily spending, size per phase, cadence and call count; and where signed, a vault's
///         share, a Replicant's allowance, royalties and co-signers. The same libraries and verdicts as the separate
///         enforcers, one reading of the terms, one snapshot. Its terms are drawn in `CageTerms`.
contract CageEnforcer is MeteredEnforcer {
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

    /// @notice Where Golems post how they are.
    IVitals public immutable vitals;

    /// @notice Per lineage: spending of the last 28 hours and the last execution; see `RollingBudget`.
    mapping(bytes32 key => uint256) public budget;
    /// @notice Per lineage: executions so far, counted only where they are bounded.
    mapping(bytes32 key => uint256) public callCount;
    /// @notice Per lineage: cents ever, counted only where they are bounded.
    mapping(bytes32 key => uint256) public everSpent;
    mapping(bytes32 key => mapping(uint256 nonce => bool)) private _usedNonce;

    constructor(IVitals vitals_) {
        vitals = vitals_;
    }

    /// @notice Everything that can be known before anything moves.
    function beforeHook(
        bytes calldata terms,
        bytes calldata args,
        bytes32 mode,
        bytes calldata execution,
        bytes32 delegationHash,
        address delegator,
        address
    ) external override {
        if (terms.length > 1 && terms.has(CageTerms.THRESHOLD)) {
            _useNonce(keccak256(abi.encode(msg.sender, delegator, delegationHash)), delegationHash, args);
            _requireCoSigned(terms, args, _digest(args, mode, execution, delegationHash));
        }
        _before(terms, mode, execution, delegator);
    }

    /// @notice What it took and what it brought.
    function afterHook(
        bytes calldata terms,
        bytes calldata,
        bytes32 mode,
        bytes calldata execution,
        bytes32,
        address delegator,
        address
    ) external override {
        bytes32 key = _key(terms, delegator);
        uint256 classes = _after(terms, key);
        if (classes & ActionClass.SALE != 0 && terms.has(CageTerms.ROYALTY)) {
            _requireRoyalty(terms, mode, execution, key);
        }
    }

    /// @notice What a lineage has spent that still counts, in cents.
    function spentCents(address manager, address delegator, bytes32 golem) external view returns (uint256) {
        return budget[lineageKey(manager, delegator, golem)].spentNow();
    }

    function _before(bytes calldata terms, bytes32 mode, bytes calldata execution, address delegator) private {
        (bytes calldata mandate,) = terms.split();
        _requireKnown(terms, mandate);
        Plan memory p = _plan(terms, mandate, mode, execution);
        bytes32 key = _key(terms, delegator);
        _requireTime(terms, key);
        _requireAllowed(terms, p);
        _open(key, p, mandate, _judge(terms, mandate, p));
    }

    /// @dev Bits and numbers without a meaning are refused here, not given one.
    function _requireKnown(bytes calldata terms, bytes calldata mandate) private pure {
        (uint256 rights, uint256 limits) = (terms.rights(), terms.limits());
        uint256 settlement = limits.settlement();
        if (
            (rights.classes() | rights.restricted()) > ActionClass.ALL || rights.methods() > Methods.ALL
                || limits.dayCents() > RollingBudget.MAX_CENTS
        ) revert TermsUnknown(rights);
        if (
            limits.slippage() > 10_000 || limits.spread() > 10_000
                || (settlement >= mandate.assetCount() && settlement != 255)
        ) revert TermsUnknown(limits);
    }

    function _plan(bytes calldata terms, bytes calldata mandate, bytes32 mode, bytes calldata execution)
        private
        view
        returns (Plan memory)
    {
        return Actions.plan(mode, execution, mandate, terms.limits().settlement(), address(vitals));
    }

    /// @return note what `_after` must know: the phase, and above it what a vault's size allows
    function _judge(bytes calldata terms, bytes calldata mandate, Plan memory p) private view returns (uint256 note) {
        note = _requireFit(terms, p.classes);
        if (p.pool != address(0)) FairSpot.requireFair(mandate, p.pool, terms.limits().spread());
        if (terms.hasSections()) note |= _beforeSections(terms, mandate) << 8;
    }

    function _after(bytes calldata terms, bytes32 key) private returns (uint256) {
        (bytes calldata mandate,) = terms.split();
        Flows memory flows = _close(key, mandate);
        if (flows.classes & ActionClass.SWAPS != 0) {
            Slippage.requireWithin(flows.outMicros, flows.inMicros, terms.limits().slippage());
        }
        if (flows.pool != address(0)) FairSpot.requireFair(mandate, flows.pool, terms.limits().spread());
        uint256 cents = _cents(flows.outMicros);
        uint256 phase = uint8(flows.note);
        uint256 maxCents = terms.limits().size(phase) * 100;
        if (cents > maxCents) revert SizeExceeded(cents, maxCents, phase);
        budget[key] = budget[key].spend(cents, terms.limits().dayCents());
        if (terms.hasSections()) _afterSections(terms, mandate, key, flows);
        return flows.classes;
    }

    /// @return navMicros what a vault's size allows, as seen before anything moved
    function _beforeSections(bytes calldata terms, bytes calldata mandate) private view returns (uint256 navMicros) {
        if (terms.has(CageTerms.SEQUENCER)) {
            Prices.requireSequencerUp(address(bytes20(terms.section(CageTerms.SEQUENCER)[:20])));
        }
        if (terms.has(CageTerms.REPLICANT)) {
            bytes calldata s = terms.section(CageTerms.REPLICANT);
            uint256 born = uint40(bytes5(s[5:10]));
            Lifetime.requireWithin(born, born + uint32(bytes4(s[10:14])));
        }
        if (terms.has(CageTerms.VAULT_NAV)) navMicros = _navMicros(terms, mandate);
    }

    function _afterSections(bytes calldata terms, bytes calldata mandate, bytes32 key, Flows memory flows) private {
        if (terms.has(CageTerms.VAULT_NAV)) {
            uint256 nav = Math.min(flows.note >> 8, _navMicros(terms, mandate));
            VaultNav.requireWithin(flows.outMicros, nav);
        }
        if (terms.has(CageTerms.REPLICANT)) {
            uint256 allowed = uint40(bytes5(terms.section(CageTerms.REPLICANT)[:5]));
            uint256 cents = _cents(flows.outMicros);
            // What takes nothing is not refused: an allowance that was lowered must not keep positions from closing.
            if (cents != 0) everSpent[key] = Allowance.spend(everSpent[key], cents, allowed);
        }
    }

    function _navMicros(bytes calldata terms, bytes calldata mandate) private view returns (uint256) {
        bytes calldata s = terms.section(CageTerms.VAULT_NAV);
        return
            VaultNav.limitMicros(mandate, address(bytes20(s[:20])), uint16(bytes2(s[20:22])), uint40(bytes5(s[22:27])));
    }

    function _requireRoyalty(bytes calldata terms, bytes32 mode, bytes calldata execution, bytes32 key) private view {
        (bytes calldata mandate,) = terms.split();
        bytes calldata s = terms.section(CageTerms.ROYALTY);
        Plan memory p;
        p.author = address(bytes20(s[:20]));
        Actions.fill(p, mode, execution, mandate);
        _requirePaid(mandate, p, key, uint16(bytes2(s[20:22])));
    }

    function _requirePaid(bytes calldata mandate, Plan memory p, bytes32 key, uint256 bps) private view {
        for (uint256 i; i < mandate.assetCount(); ++i) {
            address token = mandate.token(i);
            Royalty.requirePaid(token, _balanceBefore(key, i), _balance(token, p.account), p.out[i], p.royalty[i], bps);
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

    /// @dev The terms' length is checked by `split`, which comes later; this must not read past their end.
    function _key(bytes calldata terms, address delegator) private view returns (bytes32) {
        if (terms.length < CageTerms.HEAD) {
            revert CageTerms.CageTermsMalformed(0, 0, terms.length, CageTerms.HEAD + Mandate.HEAD);
        }
        return lineageKey(msg.sender, delegator, terms.golem());
    }

    function _requireTime(bytes calldata terms, bytes32 key) private {
        (uint256 start, uint256 end) = terms.rights().window();
        Lifetime.requireWithin(start, end);
        uint256 cadence = terms.limits().cadence();
        if (cadence != 0) Lifetime.requireRested(budget[key].lastExecution(), cadence);
        uint256 maxCalls = terms.limits().calls();
        if (maxCalls != 0) {
            uint256 count = callCount[key] + 1;
            if (count > maxCalls) revert CallsUsedUp(maxCalls);
            callCount[key] = count;
        }
    }

    function _requireAllowed(bytes calldata terms, Plan memory p) private pure {
        uint256 classes = terms.rights().classes();
        if (p.classes & ~classes != 0) revert ClassNotAllowed(p.classes, classes);
        uint256 methods = terms.rights().methods();
        if (p.methods & ~methods != 0) revert MethodNotAllowed(p.methods, methods);
        uint256 pairs = terms.rights().pairs();
        if (p.pairs & ~pairs != 0) revert PairNotAllowed(p.pairs, pairs);
    }

    /// @return phase the one that counts, after the dead-man's switch
    function _requireFit(bytes calldata terms, uint256 classes) private view returns (uint8 phase) {
        bytes32 golem = terms.golem();
        uint256 signs = Vitality.requireAlive(vitals, golem);
        Vitality.requireAwake(signs, golem);
        phase = signs.effectivePhase(terms.rights().grace());
        ActionClass.requireAllowedIn(classes, phase);
        if (classes & terms.rights().restricted() != 0) {
            (int8 pleasure, int8 arousal, int8 dominance) = terms.rights().mood();
            Vitality.requireMood(signs, pleasure, arousal, dominance);
        }
    }
}
