// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {CaveatEnforcer, EnforcerTest, ICaveatEnforcer, Mandate, VitalSigns} from "./EnforcerTest.sol";
import {GolemPhaseEnforcer} from "../../src/enforcers/GolemPhaseEnforcer.sol";
import {ActionClass} from "../../src/libraries/ActionClass.sol";
import {Actions} from "../../src/libraries/Actions.sol";
import {Vitality} from "../../src/libraries/Vitality.sol";

contract GolemPhaseEnforcerTest is EnforcerTest {
    GolemPhaseEnforcer private enforcer = new GolemPhaseEnforcer(vitals, policyCage, manager);

    function _enforcer() internal view override returns (ICaveatEnforcer) {
        return ICaveatEnforcer(address(enforcer));
    }

    function _goodTerms() internal view override returns (bytes memory) {
        return _phaseTerms(0, USDC);
    }

    function _phaseTerms(uint32 grace, uint8 settlement) private view returns (bytes memory) {
        return abi.encodePacked(GOLEM, grace, settlement, _mandate());
    }

    /// @dev The table of allowed classes, written a second time: class by class, phase by phase.
    function test_beforeHook_table() public {
        _row(_single(_swapCall(address(usdc), address(weth), 1e6)), ActionClass.SWAP, "++---");
        _row(_single(_swapCall(address(weth), address(usdc), 1e18)), ActionClass.UNWIND, "++++-");
        _row(_single(_addLiquidityCall(1e6, 1e15)), ActionClass.ADD_LIQUIDITY, "++---");
        _row(_single(_depositCall(1e6)), ActionClass.DEPOSIT, "++---");
        _row(_single(_collectCall()), ActionClass.REMOVE_LIQUIDITY, "+++++");
        _row(_single(_withdrawCall(1e6)), ActionClass.WITHDRAW, "+++++");
        _row(_payment(1e6), ActionClass.PAYMENT, "++++-");
        _row(abi.encodePacked(payee, uint256(1)), ActionClass.PAYMENT, "++++-");
        _row(abi.encodePacked(spawner, uint256(0), bytes4("spwn")), ActionClass.SPAWN, "+----");
        _row(_single(_approveCall(address(usdc), router, 0)), ActionClass.DISAPPROVE, "+++++");
    }

    function test_beforeHook_batchIsJudgedByEveryCall() public {
        _setVitals(VitalSigns.CONSERVATION, 0, 0, 0, VitalSigns.ALIVE);
        bytes memory execution =
            _batch(_approveCall(address(usdc), router, 1e6), _swapCall(address(usdc), address(weth), 1e6));
        _refuses(
            _goodTerms(),
            "",
            BATCH,
            execution,
            _notAllowed(ActionClass.SWAP | ActionClass.APPROVE, VitalSigns.CONSERVATION)
        );
        execution = _batch(_approveCall(address(weth), router, 1e6), _swapCall(address(weth), address(usdc), 1e6));
        _before(_goodTerms(), BATCH, execution);
    }

    function test_beforeHook_deadMansSwitch(uint8 posted, uint32 grace, uint32 silent) public {
        posted = uint8(bound(posted, 0, 4));
        _setVitals(posted, 0, 0, 0, VitalSigns.ALIVE);
        skip(silent);
        uint256 phase = posted + (grace == 0 ? 0 : uint256(silent) / grace);
        if (phase > 4) phase = 4;
        bytes memory execution = _single(_swapCall(address(usdc), address(weth), 1e6));
        if (phase < 2) _before(_phaseTerms(grace, USDC), SINGLE, execution);
        else _refuses(_phaseTerms(grace, USDC), execution, _notAllowed(ActionClass.SWAP, phase));
    }

    function test_beforeHook_noSettlementAsset_nothingUnwinds() public {
        _setVitals(VitalSigns.DECLINING, 0, 0, 0, VitalSigns.ALIVE);
        bytes memory execution = _single(_swapCall(address(weth), address(usdc), 1e18));
        _refuses(_phaseTerms(0, 255), execution, _notAllowed(ActionClass.SWAP, VitalSigns.DECLINING));
    }

    function test_beforeHook_revert_settlementUnknown(uint8 settlement) public {
        settlement = uint8(bound(settlement, 3, 254));
        bytes memory reason = abi.encodeWithSelector(CaveatEnforcer.TermsUnknown.selector, settlement);
        _refuses(_phaseTerms(0, settlement), _payment(10e6), reason);
    }

    function test_beforeHook_revert_unregistered() public {
        _unregister();
        _refuses(_goodTerms(), _payment(10e6), abi.encodeWithSelector(Vitality.GolemNotAlive.selector, GOLEM));
    }

    function test_beforeHook_revert_dead() public {
        _setVitals(VitalSigns.TERMINAL, 0, 0, 0, VitalSigns.DEAD);
        bytes memory execution = _single(_withdrawCall(1e6));
        _refuses(_goodTerms(), execution, abi.encodeWithSelector(Vitality.GolemNotAlive.selector, GOLEM));
    }

    /// @dev Signed as a publishing contract, the oracle is still refused as a target.
    function test_beforeHook_revert_oracleAsTarget() public {
        bytes memory mandate = abi.encodePacked(
            abi.encodePacked(account, uint8(1), uint8(1), uint8(0)),
            abi.encodePacked(address(usdc), address(0), uint24(0), uint8(14)),
            abi.encodePacked(Mandate.PUBLISH, address(vitals), bytes4("publ"))
        );
        bytes memory terms = abi.encodePacked(GOLEM, uint32(0), uint8(0), mandate);
        bytes memory execution = abi.encodePacked(address(vitals), uint256(0), bytes4("publ"));
        _refuses(terms, execution, abi.encodeWithSelector(Actions.TargetNotAllowed.selector, vitals));
    }

    function _row(bytes memory execution, uint256 class, bytes5 allowed) private {
        for (uint8 phase; phase < 5; ++phase) {
            _setVitals(phase, 0, 0, 0, VitalSigns.ALIVE);
            if (allowed[phase] == "+") _before(_goodTerms(), SINGLE, execution);
            else _refuses(_goodTerms(), execution, _notAllowed(class, phase));
        }
    }

    function _notAllowed(uint256 classes, uint256 phase) private pure returns (bytes memory) {
        return abi.encodeWithSelector(ActionClass.ClassNotAllowedInPhase.selector, classes, phase);
    }
}
