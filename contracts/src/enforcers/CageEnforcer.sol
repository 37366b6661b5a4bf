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
import {Floors} from "../libraries/Floors.sol";
import {Lifetime} from "../libraries/Lifetime.sol";
import {Lineage} from "../libraries/Lineage.sol";
import {Mandate} from "../libraries/Mandate.sol";
import {Plan, Plans} from "../libraries/Plan.sol";
import {Prices} from "../libraries/Prices.sol";
import {RollingBudget} from "../libraries/RollingBudget.sol";
import {Royalty} from "../libraries/Royalty.sol";
import {Slippage} from "../libraries/Slippage.sol";
import {StaticRead} from "../libraries/StaticRead.sol";
import {Totals} from "../libraries/Totals.sol";
import {VaultNAV} from "../libraries/VaultNAV.sol";
import {Vitality} from "../libraries/Vitality.sol";
import {VitalSigns} from "../libraries/VitalSigns.sol";
import {IERC4626} from "@openzeppelin/contracts/interfaces/IERC4626.sol";
import {StorageSlot} from "@openzeppelin/contracts/utils/StorageSlot.sol";
import {TransientSlot} from "@openzeppelin/contracts/utils/TransientSlot.sol";
import {Math} from "@openzeppelin/contracts/utils/math/Math.sol";

/// @title The Cage: every limit of Bardo in one caveat
/// @notice Limits phase with dead-man's switch, time window, dreams, mood, targets, methods, swap pairs, payees,
///         recipients, approvals, slippage, daily spending, size per phase, cadence and call count; and if signed, a
///         vault's share, a Replicant's allowance, royalties, a constitution and co-signers. It uses the libraries of
///         the separate enforcers and gives the same verdicts, but reads the terms once and takes one snapshot.
///         `CageTerms` has the layout of its terms.
contract CageEnforcer is ConstitutionalEnforcer {
    using CageTerms for bytes;
    using CageTerms for uint256;
    using Mandate for bytes;
    using VitalSigns for uint256;
    using RollingBudget for uint256;
    using TransientSlot for TransientSlot.Uint256Slot;

    /// @notice Thrown when the owner did not sign this class of action.
    error ClassNotAllowed(uint256 classes, uint256 allowed);
    /// @notice Thrown when the owner did not sign this method.
    error MethodNotAllowed(uint256 methods, uint256 allowed);
    /// @notice Thrown when the owner did not sign this swap direction.
    error PairNotAllowed(uint256 pairs, uint256 allowed);
    /// @notice Thrown when all signed executions are used up.
    error CallsUsedUp(uint256 calls);
    /// @notice Thrown when an execution takes more than the phase allows.
    error SizeExceeded(uint256 cents, uint256 maxCents, uint256 phase);
    /// @notice Thrown when the gas drawn in 24 hours would exceed the signed cap, in millionths of the native currency.
    error GasLimitExceeded(uint256 spent, uint256 asked, uint256 limit);
    /// @notice Thrown when the nonce of these co-signatures is already used.
    error NonceUsed(bytes32 delegationHash, uint256 nonce);

    /// @notice The state of a lineage.
    struct State {
        /// @dev Spending of the last 28 hours and the last execution; see `RollingBudget`.
        uint256 budget;
        /// @dev The number of executions, counted only if it is limited.
        uint256 calls;
        /// @dev Lifetime spending in cents, counted only if it is limited.
        uint256 everSpent;
        /// @dev The highest portfolio value seen under the constitution, in cents.
        uint256 highWaterCents;
        /// @dev The last session under a constitution.
        Session session;
        /// @dev Drawn for gas in the last 28 hours, in millionths of the native currency; see `RollingBudget`.
        uint256 gasDrawn;
        /// @dev Spending in the requested period; see `Totals`.
        uint256 total;
    }

    /// @dev A millionth of the native currency.
    uint256 private constant GAS_UNIT = 1e12;

    mapping(bytes32 key => uint256) private _calls;
    mapping(bytes32 key => uint256) private _everSpent;
    mapping(bytes32 key => uint256) private _gasDrawn;
    mapping(bytes32 key => mapping(uint256 period => uint256)) private _totals;
    mapping(bytes32 key => mapping(uint256 nonce => bool)) private _usedNonce;

    constructor(IVitals vitals_, IPolicyCage policyCage_, address delegationManager_)
        MandateEnforcer(vitals_, policyCage_, delegationManager_)
    {}

    /// @notice All checks that are possible before the execution.
    function beforeHook(
        bytes calldata terms,
        bytes calldata args,
        bytes32 mode,
        bytes calldata execution,
        bytes32 delegationHash,
        address delegator,
        address
    ) external {
        _requireManager();
        terms.requireWellFormed();
        if (terms.has(CageTerms.THRESHOLD)) {
            _useNonce(Lineage.key(delegator, delegationHash), delegationHash, args);
            _requireCoSigned(terms, args, _message(args, mode, execution, delegationHash));
        }
        _before(terms, mode, execution, delegator);
    }

    /// @notice Checks what the execution took and brought in.
    /// @dev The terms are those that `beforeHook` has checked: without it no frame is open, and a manager that passes
    ///      other terms only deceives itself.
    function afterHook(
        bytes calldata terms,
        bytes calldata,
        bytes32 mode,
        bytes calldata execution,
        bytes32,
        address delegator,
        address
    ) external {
        bytes32 key = Lineage.key(delegator, terms.golem());
        (uint256 classes, bytes32 frame) = _after(terms, key);
        if (classes & ActionClass.SALE != 0 && terms.has(CageTerms.ROYALTY)) {
            _requireRoyalty(terms, mode, execution, frame);
        }
    }

    /// @notice The complete state of a lineage in one call: each additional external function makes every hook more
    ///         expensive.
    /// @param constitution the constitution whose highest value to read; zero if none was signed
    /// @param period the period whose total to read; zero for the whole life
    function lineageState(address delegator, bytes32 golem, bytes32 constitution, uint256 period)
        external
        view
        returns (State memory state)
    {
        bytes32 key = Lineage.key(delegator, golem);
        state.budget = _budgetOf(key);
        state.calls = _calls[key];
        state.everSpent = _everSpent[key];
        state.highWaterCents = _highWaterCents[key][constitution];
        state.session = _sessions[key];
        state.gasDrawn = _gasDrawn[key];
        state.total = _totals[key][period];
    }

    function _before(bytes calldata terms, bytes32 mode, bytes calldata execution, address delegator) private {
        address gasRecipient = _requireKnown(terms, terms.mandate().assetCount());
        Plan p = _planToOpen(mode, execution, terms.mandate(), terms.limits().settlement(), gasRecipient);
        bytes32 key = Lineage.key(delegator, terms.golem());
        _requireTime(terms, key, p.classes());
        _requireAllowed(terms.rights(), p);
        (uint256 phase, uint256 navMicros) = _judge(terms, terms.mandate(), p);
        bytes32 frame = _open(key, p, terms.mandate(), phase, navMicros);
        if (terms.extras() != 0) _openSections(terms, key, p, frame);
    }

    /// @dev Refuses undefined bits and numbers instead of giving them a meaning.
    /// @return gasRecipient the address that may draw gas; zero if no cap is signed
    function _requireKnown(bytes calldata terms, uint256 assets) private pure returns (address gasRecipient) {
        if (terms.rights().hasUnknown()) revert TermsUnknown(terms.rights());
        uint256 limits = terms.limits();
        if (limits.dayCents() > RollingBudget.MAX_CENTS) revert TermsUnknown(limits);
        uint256 settlement = limits.settlement();
        if (
            limits.slippage() > 10_000 || limits.spread() > 10_000
                || (settlement >= assets && settlement != NO_SETTLEMENT)
        ) revert TermsUnknown(limits);
        if (terms.extras() >= CageTerms.GAS) gasRecipient = _requireKnownSections(terms);
    }

    function _requireKnownSections(bytes calldata terms) private pure returns (address gasRecipient) {
        if (terms.has(CageTerms.GAS)) {
            uint256 gas_ = terms.gas();
            if (gas_ == 0 || gas_ > RollingBudget.MAX_CENTS) revert TermsUnknown(gas_);
            gasRecipient = _redeemer();
        }
        if (terms.has(CageTerms.TOTALS)) Totals.requireSound(terms.section(CageTerms.TOTALS));
        if (terms.has(CageTerms.FLOORS)) Floors.requireSound(terms.section(CageTerms.FLOORS));
    }

    /// @return phase the effective phase
    /// @return navMicros what the vault's size allows, if that was signed
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
        if (flows.classes & ActionClass.GAS == 0) {
            uint256 maxCents = limits.sizeCents(flows.tag);
            if (cents > maxCents) revert SizeExceeded(cents, maxCents, flows.tag);
            if (flows.classes & ActionClass.WITHDRAW != 0) {
                unchecked {
                    // The sum is within the day's limit: `_shortfallCents` has checked it.
                    cents += _shortfallCents(terms, key, flows, cents);
                }
            }
            _setBudget(key, _budgetOf(key).spend(cents, limits.dayCents()));
        } else {
            // Gas has its own cap, and a draw does not restart the cadence.
            _setBudget(key, _budgetOf(key).spendUnnoted(cents, limits.dayCents()));
        }
        if (terms.extras() != 0) _afterSections(terms, mandate, key, flows, cents);
        return (flows.classes, flows.frame);
    }

    /// @return navMicros what the vault's size allows, read before the execution
    function _beforeSections(bytes calldata terms, bytes calldata mandate, Plan p)
        private
        view
        returns (uint256 navMicros)
    {
        // A rollup or a vault that is down must not block closing positions.
        bool closes = p.classes() & ~ActionClass.SETTLEMENT == 0;
        if (!closes && terms.has(CageTerms.SEQUENCER)) {
            Prices.requireSequencerUp(terms.sequencer());
        }
        if (terms.has(CageTerms.REPLICANT)) {
            (, uint256 born, uint256 lifespan) = terms.replicant();
            unchecked {
                // 40 bits and 32.
                Lifetime.requireWithin(born, born + lifespan);
            }
        }
        if (terms.has(CageTerms.CONSTITUTION)) {
            _requireConstitutionalPlan(terms.constitution(), mandate, p);
        }
        if (!closes && terms.has(CageTerms.VAULT_NAV)) navMicros = _navMicros(terms, mandate);
    }

    /// @dev What these sections record before the execution, and what they book before it.
    function _openSections(bytes calldata terms, bytes32 key, Plan p, bytes32 frame) private {
        if (p.classes() & ActionClass.GAS != 0) {
            _drawGas(key, p.out(terms.mandate().assetOf(address(0))), terms.gas());
        }
        if (p.vault() != address(0) && terms.has(CageTerms.FLOORS)) {
            bool hasFloor = Floors.floorOf(terms.section(CageTerms.FLOORS), p.vault()) != 0;
            // Written in both cases: an earlier execution may have left its vault in this slot.
            _slot(frame, OWN_WORDS).tstore(hasFloor ? uint160(p.vault()) : 0);
            if (hasFloor) _slot(frame, OWN_WORDS + 1).tstore(_balance(p.vault(), p.account()));
        }
    }

    /// @param amount the amount drawn, in the smallest unit
    /// @param limit in millionths of the native currency
    function _drawGas(bytes32 key, uint256 amount, uint256 limit) private {
        uint256 asked;
        unchecked {
            // An amount has at most 127 bits.
            asked = (amount + GAS_UNIT - 1) / GAS_UNIT;
        }
        (uint256 spent, uint256 next) = _gasDrawn[key].book(asked, RollingBudget.PERIOD);
        unchecked {
            // The amount drawn has at most 31 bits, and the sum is compared only if `asked` is within the limit.
            if (asked > limit || spent + asked > limit) revert GasLimitExceeded(spent, asked, limit);
        }
        _gasDrawn[key] = next;
    }

    /// @param outCents the other outflow of the execution
    /// @return cents the shortfall of a vault below the signed floor
    function _shortfallCents(bytes calldata terms, bytes32 key, Flows memory flows, uint256 outCents)
        private
        view
        returns (uint256 cents)
    {
        if (!terms.has(CageTerms.FLOORS)) return 0;
        address vault = address(uint160(_slot(flows.frame, OWN_WORDS).tload()));
        if (vault == address(0)) return 0;
        (uint256 asset, uint256 came, uint256 owed) = _proceeds(terms, flows.frame, vault);
        if (came >= owed) return 0;
        (uint256 price, uint256 unit) = Prices.quote(terms.mandate(), asset);
        unchecked {
            // Compared above. A shortfall that overflows counts as one above every limit. Cents have at most 240 bits.
            cents = _cents(Prices.microsUp(Math.min(owed - came, type(uint128).max), price, unit));
            if (!_budgetOf(key).holds(outCents + cents, terms.limits().dayCents())) {
                revert Floors.BelowFloor(vault, came, owed);
            }
        }
    }

    /// @return asset the index of the vault's asset
    /// @return came the amount that the vault paid
    /// @return owed the minimum that it had to pay for the redeemed shares
    function _proceeds(bytes calldata terms, bytes32 frame, address vault)
        private
        view
        returns (uint256 asset, uint256 came, uint256 owed)
    {
        bytes calldata mandate = terms.mandate();
        uint256 burned = Math.saturatingSub(_slot(frame, OWN_WORDS + 1).tload(), _balance(vault, mandate.account()));
        if (burned != 0) {
            owed = Floors.owed(burned, Floors.floorOf(terms.section(CageTerms.FLOORS), vault));
            asset = Actions.tracked(mandate, StaticRead.addressOf(vault, IERC4626.asset.selector));
            came = Math.saturatingSub(_balance(mandate.token(asset), mandate.account()), _balanceBefore(frame, asset));
        }
    }

    /// @param cents all spending, including a vault's shortfall
    function _afterSections(
        bytes calldata terms,
        bytes calldata mandate,
        bytes32 key,
        Flows memory flows,
        uint256 cents
    ) private {
        if (terms.has(CageTerms.VAULT_NAV) && flows.classes & ~ActionClass.SETTLEMENT != 0) {
            VaultNAV.requireWithin(flows.outMicros, Math.min(flows.note, _navMicros(terms, mandate)));
        }
        // An execution that spends nothing always passes: a lowered allowance must not block closing positions.
        if (cents != 0) _spendFromSections(terms, key, cents);
        if (terms.has(CageTerms.CONSTITUTION)) {
            _requireConstitutional(key, terms.constitution(), mandate, flows, _budgetOf(key).spentNow());
        }
    }

    function _spendFromSections(bytes calldata terms, bytes32 key, uint256 cents) private {
        if (terms.has(CageTerms.REPLICANT)) {
            (uint256 allowed,,) = terms.replicant();
            _everSpent[key] = Allowance.spend(_everSpent[key], cents, allowed);
        }
        if (terms.has(CageTerms.TOTALS)) {
            bytes calldata totals = terms.section(CageTerms.TOTALS);
            for (uint256 i; i < Totals.count(totals); ++i) {
                (uint256 period, uint256 limit) = Totals.entry(totals, i);
                _totals[key][period] = Totals.spend(_totals[key][period], period, cents, limit);
            }
        }
    }

    function _navMicros(bytes calldata terms, bytes calldata mandate) private view returns (uint256) {
        (address vault, uint256 bps, uint256 capCents) = terms.vaultNAV();
        _requireBps(bps);
        return VaultNAV.limitMicros(mandate, vault, bps, capCents);
    }

    function _requireRoyalty(bytes calldata terms, bytes32 mode, bytes calldata execution, bytes32 frame) private view {
        (address author, uint256 bps) = terms.royalty();
        _requireBps(bps);
        Plan p = Plans.createFor(author);
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

    function _requireCoSigned(bytes calldata terms, bytes calldata args, CoSigners.Message memory m) private view {
        (uint256 threshold, bytes calldata keys) = terms.coSigners();
        CoSigners.requireSigned(keys, threshold, m, args);
    }

    function _message(bytes calldata args, bytes32 mode, bytes calldata execution, bytes32 delegationHash)
        private
        view
        returns (CoSigners.Message memory)
    {
        return CoSigners.message(msg.sender, delegationHash, mode, execution, CoSigners.nonceOf(args));
    }

    function _useNonce(bytes32 key, bytes32 delegationHash, bytes calldata args) private {
        uint256 nonce = CoSigners.nonceOf(args);
        if (_usedNonce[key][nonce]) revert NonceUsed(delegationHash, nonce);
        _usedNonce[key][nonce] = true;
    }

    function _requireTime(bytes calldata terms, bytes32 key, uint256 classes) private {
        (uint256 start, uint256 end) = terms.rights().window();
        Lifetime.requireWithin(start, end);
        if (classes & ActionClass.GAS == 0) _requireTurn(terms.limits(), key);
    }

    /// @dev A gas draw is exempt from cadence and call count: a Golem that acts once a week could not pay for gas
    ///      otherwise.
    function _requireTurn(uint256 limits, bytes32 key) private {
        uint256 cadence = limits.cadence();
        if (cadence != 0) Lifetime.requireRested(_budgetOf(key).lastExecution(), cadence);
        uint256 maxCalls = limits.calls();
        if (maxCalls != 0) {
            uint256 count = _calls[key] + 1;
            if (count > maxCalls) revert CallsUsedUp(maxCalls);
            _calls[key] = count;
        }
    }

    // Every execution reads and writes this word. A lineage's key is already a hash, so the word is stored at that slot
    // directly, without hashing again.

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

    /// @return phase the effective phase, after the dead-man's switch
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
