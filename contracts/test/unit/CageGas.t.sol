// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {Attack} from "../attack/Attack.sol";
import {Delegation, Execution} from "../Framework.sol";
import {CageEnforcer} from "../../src/enforcers/CageEnforcer.sol";
import {CaveatEnforcer} from "../../src/enforcers/CaveatEnforcer.sol";
import {IPolicyCage} from "../../src/interfaces/IPolicyCage.sol";
import {ActionClass} from "../../src/libraries/ActionClass.sol";
import {Actions} from "../../src/libraries/Actions.sol";
import {CageTerms} from "../../src/libraries/CageTerms.sol";
import {Lifetime} from "../../src/libraries/Lifetime.sol";
import {RollingBudget} from "../../src/libraries/RollingBudget.sol";

/// @title Gas as a payment inside the same root
contract CageGasTest is Attack {
    /// @dev 0.05 of the native currency a day, at 3,000 dollars.
    uint32 private constant LIMIT = 50_000;

    function setUp() public override {
        super.setUp();
        vm.deal(account, 10 ether);
    }

    function test_gas_drawnByTheRedeemer() public {
        Delegation memory by = _caged(_gasBounds());
        uint256 before = session.balance;
        _draw(by, session, 0.02 ether);
        assertEq(session.balance - before, 0.02 ether);
        assertEq(_spentCents(account, GOLEM), 60_00, "it counts in the day's budget");
        assertEq(_drawn(), 20_000);
    }

    function test_gas_revert_capOfTheDay() public {
        Delegation memory by = _caged(_gasBounds());
        _draw(by, session, 0.03 ether);
        vm.expectRevert(abi.encodeWithSelector(CageEnforcer.GasLimitExceeded.selector, 30_000, 20_001, LIMIT));
        _draw(by, session, 0.02 ether + 1);
        _draw(by, session, 0.02 ether);
        skip(24 hours);
        vm.expectRevert(abi.encodeWithSelector(CageEnforcer.GasLimitExceeded.selector, 50_000, 1, LIMIT));
        _draw(by, session, 1);
        skip(4 hours);
        wethFeed.set(3000e8, vm.getBlockTimestamp());
        _draw(by, session, 0.05 ether);
    }

    function test_gas_revert_moreThanTheCapAtOnce() public {
        Delegation memory by = _caged(_gasBounds());
        vm.expectRevert(abi.encodeWithSelector(CageEnforcer.GasLimitExceeded.selector, 0, 50_001, LIMIT));
        _draw(by, session, 0.05 ether + 1);
    }

    /// @dev There is one budget per day: gas that is drawn cannot be spent, and the other way round.
    function test_gas_revert_daysBudget() public {
        Bounds memory b = _gasBounds();
        b.dayCents = 100_00;
        Delegation memory by = _caged(b);
        _pay(by, 90e6);
        vm.expectRevert(abi.encodeWithSelector(RollingBudget.SpendLimitExceeded.selector, 90_00, 30_00, 100_00));
        _draw(by, session, 0.01 ether);
    }

    function test_gas_revert_toAnother() public {
        Delegation memory by = _caged(_gasBounds());
        vm.expectRevert(abi.encodeWithSelector(Actions.PayeeNotAllowed.selector, thief));
        _draw(by, thief, 1);
    }

    function test_gas_revert_notSigned() public {
        Bounds memory b = _gasBounds();
        (b.extras, b.sections) = (0, "");
        Delegation memory by = _caged(b);
        vm.expectRevert(abi.encodeWithSelector(Actions.PayeeNotAllowed.selector, session));
        _draw(by, session, 1);
    }

    function test_gas_revert_classNotSigned() public {
        Bounds memory b = _gasBounds();
        b.classes = uint16(ActionClass.ALL & ~ActionClass.GAS);
        Delegation memory by = _caged(b);
        vm.expectRevert(
            abi.encodeWithSelector(CageEnforcer.ClassNotAllowed.selector, ActionClass.GAS, uint256(b.classes))
        );
        _draw(by, session, 1);
    }

    function test_gas_revert_nativeNotTracked() public {
        Bounds memory b = _gasBounds();
        b.mandate = _mandate();
        Delegation memory by = _caged(b);
        vm.expectRevert(abi.encodeWithSelector(Actions.AssetNotTracked.selector, address(0)));
        _draw(by, session, 1);
    }

    /// @dev Not even in the last phase: a dying Golem must have kept its gas.
    function test_gas_phases() public {
        Delegation memory by = _caged(_gasBounds());
        for (uint8 phase; phase < 5; ++phase) {
            _setVitals(phase, false, 0, 0, 0);
            if (phase == 4) {
                vm.expectRevert(
                    abi.encodeWithSelector(ActionClass.ClassNotAllowedInPhase.selector, ActionClass.GAS, phase)
                );
            }
            _draw(by, session, 0.01 ether);
        }
    }

    /// @dev A draw is exempt from cadence, call count and size.
    function test_gas_takesNoTurn() public {
        Bounds memory b = _gasBounds();
        (b.cadence, b.calls) = (1 days, 1);
        for (uint256 i; i < 5; ++i) {
            b.sizes[i] = 10;
        }
        Delegation memory by = _caged(b);
        _draw(by, session, 0.02 ether);
        _pay(by, 10e6);
        _draw(by, session, 0.02 ether);
        uint256 paidAt = vm.getBlockTimestamp();
        skip(1 hours);
        _draw(by, session, 0.01 ether);
        vm.expectRevert(abi.encodeWithSelector(Lifetime.TooSoon.selector, paidAt, 1 days));
        _pay(by, 1);
        skip(1 days);
        vm.expectRevert(abi.encodeWithSelector(CageEnforcer.CallsUsedUp.selector, 1));
        _pay(by, 1);
    }

    /// @dev Only alone: gas beside a payment would exempt the payment from the cadence.
    function test_gas_revert_besideAPayment() public {
        Delegation memory by = _caged(_gasBounds());
        Execution[] memory list = new Execution[](2);
        list[0] = Execution(session, 1, "");
        list[1] = _call(address(usdc), _transfer(payee, 1));
        vm.expectRevert(
            abi.encodeWithSelector(Actions.MoreThanOneClass.selector, ActionClass.GAS | ActionClass.PAYMENT)
        );
        _redeem(by, BATCH, abi.encode(list));
    }

    function test_gas_revert_withCalldata() public {
        Delegation memory by = _caged(_gasBounds());
        vm.expectRevert(abi.encodeWithSelector(Actions.ValueNotAllowed.selector, session, 1));
        _redeem(by, SINGLE, _single(session, 1, hex"01"));
    }

    /// @dev After a rotation the new key redeems under the old key's delegation, and draws for itself.
    function test_gas_toTheKeyThatRedeems() public {
        address next = makeAddr("the next key");
        Delegation[] memory chain = _sub(_caged(_gasBounds()), next, address(0), "");
        _redeemChain(next, chain, SINGLE, _single(next, 0.01 ether, ""));
        assertEq(next.balance, 0.01 ether);
        vm.expectRevert(abi.encodeWithSelector(Actions.PayeeNotAllowed.selector, session));
        _redeemChain(next, chain, SINGLE, _single(session, 0.01 ether, ""));
    }

    /// @dev A constitution cannot approve native currency; its limits still count what is drawn.
    function test_gas_underAConstitution() public {
        IPolicyCage.AssetLimit[] memory assets = new IPolicyCage.AssetLimit[](1);
        assets[0] = IPolicyCage.AssetLimit(address(usdc), 10_000);
        IPolicyCage.Limits memory limits = IPolicyCage.Limits(60_00, 100_00, 100_00, 1 hours, 10_000);
        bytes32 hash = policyCage.enact(IPolicyCage.Constitution(assets, limits, bytes32(0)));
        Bounds memory b = _gasBounds();
        b.extras |= uint16(CageTerms.CONSTITUTION);
        b.sections = abi.encodePacked(hash, b.sections);
        Delegation memory by = _caged(b);
        vm.expectRevert(abi.encodeWithSelector(IPolicyCage.TransactionLimitExceeded.selector, 60_03, 60_00));
        _draw(by, session, 0.02001 ether);
        _draw(by, session, 0.02 ether);
        vm.expectRevert(abi.encodeWithSelector(IPolicyCage.SessionLimitExceeded.selector, 100_04, 100_00));
        _draw(by, session, 0.01334334 ether);
        vm.expectRevert(abi.encodeWithSelector(IPolicyCage.AssetNotApproved.selector, hash, address(0)));
        _redeem(by, SINGLE, _single(payee, 1, ""));
    }

    function test_gas_surviveSigningAgain() public {
        _draw(_caged(_gasBounds()), session, 0.05 ether);
        Delegation memory again = _again(_gasBounds(), 2);
        vm.expectRevert(abi.encodeWithSelector(CageEnforcer.GasLimitExceeded.selector, 50_000, 1, LIMIT));
        _draw(again, session, 1);
    }

    function test_gas_revert_malformed() public {
        Bounds memory b = _gasBounds();
        b.sections = abi.encodePacked(uint32(0));
        Delegation memory none = _caged(b);
        vm.expectRevert(abi.encodeWithSelector(CaveatEnforcer.TermsUnknown.selector, 0));
        _draw(none, session, 1);
        b.sections = abi.encodePacked(uint32(1 << 28));
        Delegation memory much = _caged(b);
        vm.expectRevert(abi.encodeWithSelector(CaveatEnforcer.TermsUnknown.selector, 1 << 28));
        _draw(much, session, 1);
    }

    function _draw(Delegation memory by, address to, uint256 amount) private {
        _redeem(by, SINGLE, _single(to, amount, ""));
    }

    function _drawn() private view returns (uint256) {
        return RollingBudget.spentNow(cage.lineageState(account, GOLEM, 0, 0).gasDrawn);
    }

    /// @dev The usual limits, native currency by WETH's feed, and the section.
    function _gasBounds() private view returns (Bounds memory b) {
        b = _bounds();
        bytes memory usual = _mandate();
        bytes memory native = abi.encodePacked(address(0), address(wethFeed), uint24(1 hours), uint8(26));
        uint256 targets = 23 + 2 * 44;
        b.mandate = abi.encodePacked(
            abi.encodePacked(account, uint8(3), uint8(4), uint8(1)),
            _slice(usual, 23, targets),
            native,
            _slice(usual, targets, usual.length)
        );
        b.extras = uint16(CageTerms.GAS);
        b.sections = abi.encodePacked(LIMIT);
    }
}
