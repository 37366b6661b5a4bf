// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {CageWorld, SettableFeed} from "../CageWorld.sol";
import {Delegation, INonfungiblePositionManager, ISwapRouter02} from "../Framework.sol";
import {CageEnforcer} from "../../src/enforcers/CageEnforcer.sol";
import {ActionClass} from "../../src/libraries/ActionClass.sol";
import {Allowance} from "../../src/libraries/Allowance.sol";
import {CageTerms} from "../../src/libraries/CageTerms.sol";
import {CoSigners} from "../../src/libraries/CoSigners.sol";
import {FairSpot} from "../../src/libraries/FairSpot.sol";
import {Lifetime} from "../../src/libraries/Lifetime.sol";
import {Methods} from "../../src/libraries/Methods.sol";
import {Prices} from "../../src/libraries/Prices.sol";
import {RollingBudget} from "../../src/libraries/RollingBudget.sol";
import {Slippage} from "../../src/libraries/Slippage.sol";
import {VaultNAV} from "../../src/libraries/VaultNAV.sol";
import {Vitality} from "../../src/libraries/Vitality.sol";
import {IVitals} from "../../src/interfaces/IVitals.sol";

/// @title Every limit of the Cage, through the real manager: one test for each field of its terms
contract CageEnforcerTest is CageWorld {
    function test_swap_insideTheBounds() public {
        Delegation memory d = _caged(_bounds());
        _redeem(d, BATCH, _swap(100e6, account));
        assertEq(usdc.balanceOf(account), 999_900e6);
        assertGt(weth.balanceOf(account), 100 ether);
        assertEq(_spentCents(account, GOLEM), 100_00);
    }

    function test_window_bothEndsBelong() public {
        Bounds memory b = _bounds();
        (b.start, b.end) = (uint40(block.timestamp + 10), uint40(block.timestamp + 20));
        Delegation memory d = _caged(b);
        uint256 start = b.start;
        _refused(d, abi.encodeWithSelector(Lifetime.OutsideWindow.selector, start - 10, start, start + 10));
        vm.warp(start);
        _pay(d, 1);
        vm.warp(start + 10);
        _pay(d, 1);
        vm.warp(start + 11);
        _refused(d, abi.encodeWithSelector(Lifetime.OutsideWindow.selector, start + 11, start, start + 10));
    }

    function test_vitals_revert_unknownOrDreaming() public {
        Delegation memory d = _caged(_bounds());
        _setVitals(0, true, 0, 0, 0);
        _refused(d, abi.encodeWithSelector(Vitality.GolemDreaming.selector, GOLEM));
        vm.mockCall(vitals, abi.encodeCall(IVitals.vitalsOf, (GOLEM)), abi.encode(uint256(0)));
        _refused(d, abi.encodeWithSelector(Vitality.GolemNotAlive.selector, GOLEM));
    }

    function test_mood_bindsRestrictedClassesOnly() public {
        Bounds memory b = _bounds();
        (b.minPleasure, b.maxArousal, b.minDominance) = (-20, 30, -40);
        b.restricted = uint16(ActionClass.PAYMENT);
        Delegation memory d = _caged(b);
        _setVitals(0, false, -20, 30, -40);
        _pay(d, 1);
        _moodRefused(d, -21, 30, -40);
        _moodRefused(d, -20, 31, -40);
        _moodRefused(d, -20, 30, -41);
        _redeem(d, BATCH, _swap(1e6, account));
    }

    function test_classes_methods_pairs_revert_unsigned() public {
        Bounds memory b = _bounds();
        b.classes = uint16(ActionClass.ALL & ~ActionClass.PAYMENT);
        _refused(
            _caged(b), abi.encodeWithSelector(CageEnforcer.ClassNotAllowed.selector, ActionClass.PAYMENT, b.classes)
        );
        b = _bounds();
        b.methods = uint24(Methods.ALL & ~Methods.TRANSFER_BIT);
        _refused(
            _caged(b), abi.encodeWithSelector(CageEnforcer.MethodNotAllowed.selector, Methods.TRANSFER_BIT, b.methods)
        );
        b = _bounds();
        // Everything except USDC, the first asset, into WETH, the second.
        b.pairs = type(uint64).max & ~uint64(1 << 1);
        Delegation memory d = _caged(b);
        vm.expectRevert(abi.encodeWithSelector(CageEnforcer.PairNotAllowed.selector, 1 << 1, b.pairs));
        _redeem(d, BATCH, _swap(1e6, account));
    }

    function test_phase_swapOnlyWhileThrivingOrStable(uint8 phase) public {
        phase = uint8(bound(phase, 0, 4));
        Delegation memory d = _caged(_bounds());
        _setVitals(phase, false, 0, 0, 0);
        if (phase > 1) {
            vm.expectRevert(
                abi.encodeWithSelector(
                    ActionClass.ClassNotAllowedInPhase.selector, ActionClass.SWAP | ActionClass.APPROVE, phase
                )
            );
        }
        _redeem(d, BATCH, _swap(1e6, account));
    }

    function test_grace_silenceNarrowsPhaseByPhase() public {
        Bounds memory b = _bounds();
        b.grace = 1 hours;
        Delegation memory d = _caged(b);
        uint256 start = vm.getBlockTimestamp();
        vm.warp(start + 2 hours - 1);
        wethFeed.set(3000e8, vm.getBlockTimestamp());
        _redeem(d, BATCH, _swap(1e6, account));
        vm.warp(start + 2 hours);
        vm.expectRevert(
            abi.encodeWithSelector(
                ActionClass.ClassNotAllowedInPhase.selector, ActionClass.SWAP | ActionClass.APPROVE, 2
            )
        );
        _redeem(d, BATCH, _swap(1e6, account));
        _pay(d, 1);
        vm.warp(start + 4 hours);
        _refused(d, abi.encodeWithSelector(ActionClass.ClassNotAllowedInPhase.selector, ActionClass.PAYMENT, 4));
    }

    /// @dev In a late phase, unwinding swaps into the settlement asset.
    function test_settlement_unwindsInDeclining() public {
        Bounds memory b = _bounds();
        b.settlement = 1;
        Delegation memory d = _caged(b);
        _setVitals(3, false, 0, 0, 0);
        _redeem(d, BATCH, _swap(1e6, account));
    }

    function test_size_isItsPhases(uint8 phase) public {
        phase = uint8(bound(phase, 0, 3));
        Bounds memory b = _bounds();
        for (uint256 i; i < 5; ++i) {
            b.sizes[i] = uint24(10 * (i + 1));
        }
        Delegation memory d = _caged(b);
        _setVitals(phase, false, 0, 0, 0);
        uint256 most = uint256(b.sizes[phase]);
        _pay(d, most * 1e6);
        _refusedPayment(
            d,
            most * 1e6 + 1,
            abi.encodeWithSelector(CageEnforcer.SizeExceeded.selector, most * 100 + 1, most * 100, phase)
        );
    }

    function test_day_toTheCent(uint256 first) public {
        first = bound(first, 0, 1_000e6);
        Bounds memory b = _bounds();
        b.sizes[0] = 10_000;
        Delegation memory d = _caged(b);
        _pay(d, first);
        uint256 spent = (first + 9_999) / 10_000;
        uint256 left = 1_000_00 - spent;
        _refusedPayment(
            d,
            left * 10_000 + 1,
            abi.encodeWithSelector(RollingBudget.SpendLimitExceeded.selector, spent, left + 1, 1_000_00)
        );
        _pay(d, left * 10_000);
    }

    function test_slippage_revert_aboveTheSigned() public {
        Bounds memory b = _bounds();
        b.slippage = 4;
        Delegation memory d = _caged(b);
        // The pool's fee alone is five basis points.
        vm.expectPartialRevert(Slippage.SlippageExceeded.selector);
        _redeem(d, BATCH, _swap(100e6, account));
        b.slippage = 6;
        _redeem(_caged(b), BATCH, _swap(100e6, account));
    }

    function test_cadence_oneInEveryInterval() public {
        Bounds memory b = _bounds();
        b.cadence = 1 weeks;
        Delegation memory d = _caged(b);
        uint256 first = vm.getBlockTimestamp();
        _pay(d, 1);
        vm.warp(first + 1 weeks - 1);
        _refused(d, abi.encodeWithSelector(Lifetime.TooSoon.selector, first, 1 weeks));
        vm.warp(first + 1 weeks);
        _pay(d, 1);
    }

    function test_calls_areCounted() public {
        Bounds memory b = _bounds();
        b.calls = 2;
        Delegation memory d = _caged(b);
        _pay(d, 1);
        _pay(d, 1);
        _refused(d, abi.encodeWithSelector(CageEnforcer.CallsUsedUp.selector, 2));
    }

    /// @dev The thief moves the pool's price, makes the owner add liquidity, and trades back.
    function test_spread_revert_liquidityIntoASkewedPool() public {
        Bounds memory b = _bounds();
        b.spread = 50;
        Delegation memory d = _caged(b);
        vm.startPrank(account);
        usdc.approve(address(positions), type(uint256).max);
        weth.approve(address(positions), type(uint256).max);
        vm.stopPrank();
        _redeem(d, SINGLE, _single(address(positions), 0, _mint()));
        assertEq(positions.balanceOf(account), 1);

        usdc.mint(thief, 50_000_000e6);
        vm.startPrank(thief);
        usdc.approve(address(router), type(uint256).max);
        router.exactInputSingle(
            ISwapRouter02.ExactInputSingleParams(address(usdc), address(weth), 500, thief, 50_000_000e6, 0, 0)
        );
        vm.stopPrank();
        vm.expectPartialRevert(FairSpot.SpotUnfair.selector);
        _redeem(d, SINGLE, _single(address(positions), 0, _mint()));
    }

    // Optional sections, each after all the others that can precede it.

    function test_sections_eachIsReadFromItsPlace() public {
        SettableFeed sequencer = new SettableFeed(0);
        sequencer.set(0, block.timestamp - 2 hours);
        Bounds memory b = _bounds();
        b.extras = uint16(CageTerms.SEQUENCER | CageTerms.VAULT_NAV | CageTerms.REPLICANT | CageTerms.ROYALTY);
        b.sections = abi.encodePacked(
            abi.encodePacked(address(sequencer)),
            abi.encodePacked(address(vault), uint16(10_000), uint40(50_00)),
            abi.encodePacked(uint40(80_00), uint40(block.timestamp), uint32(1 days)),
            abi.encodePacked(payee, uint16(1_000))
        );
        Delegation memory d = _caged(b);
        _pay(d, 50e6);
        _refusedPayment(d, 50e6 + 1, abi.encodeWithSelector(VaultNAV.NAVExceeded.selector, 50e6 + 1, 50e6));
        _refusedPayment(d, 31e6, abi.encodeWithSelector(Allowance.AllowanceExceeded.selector, 50_00, 31_00, 80_00));
        sequencer.set(1, block.timestamp - 2 hours);
        _refused(
            d, abi.encodeWithSelector(Prices.SequencerDown.selector, address(sequencer), 1, block.timestamp - 2 hours)
        );
        sequencer.set(0, 0);
        _refused(d, abi.encodeWithSelector(Prices.SequencerDown.selector, address(sequencer), 0, 0));
        sequencer.set(0, 1);
        uint256 born = vm.getBlockTimestamp();
        vm.warp(born + 1 days + 1);
        _refused(d, abi.encodeWithSelector(Lifetime.OutsideWindow.selector, born + 1 days + 1, born, born + 1 days));
    }

    function test_threshold_signedOnceForExactlyThis() public {
        (address key, uint256 secret) = makeAddrAndKey("council");
        Bounds memory b = _bounds();
        b.extras = uint16(CageTerms.THRESHOLD);
        b.sections = abi.encodePacked(uint8(1), uint8(1), key);
        Delegation memory d = _caged(b);
        bytes memory execution = _single(address(usdc), 0, _transfer(payee, 1));
        d.caveats[0].args = _coSign(secret, d, execution);
        vm.expectPartialRevert(CoSigners.SignatureInvalid.selector);
        _redeem(d, SINGLE, _single(address(usdc), 0, _transfer(payee, 2)));
        _redeem(d, SINGLE, execution);
        vm.expectRevert(abi.encodeWithSelector(CageEnforcer.NonceUsed.selector, manager.getDelegationHash(d), 7));
        _redeem(d, SINGLE, execution);
    }

    function _coSign(uint256 secret, Delegation memory d, bytes memory execution) private view returns (bytes memory) {
        bytes32 domain = keccak256(
            abi.encode(
                keccak256("EIP712Domain(string name,string version,uint256 chainId,address verifyingContract)"),
                keccak256("Bardo Threshold"),
                keccak256("2"),
                block.chainid,
                address(cage)
            )
        );
        bytes32 message = keccak256(
            abi.encode(
                CoSigners.TYPEHASH,
                address(manager),
                manager.getDelegationHash(d),
                SINGLE,
                keccak256(execution),
                uint256(7),
                vm.addr(secret)
            )
        );
        (uint8 v, bytes32 r, bytes32 s) = vm.sign(secret, keccak256(abi.encodePacked("\x19\x01", domain, message)));
        bytes[] memory signatures = new bytes[](1);
        signatures[0] = abi.encodePacked(r, s, v);
        return abi.encode(uint256(7), uint256(1), signatures);
    }

    function _mint() private view returns (bytes memory) {
        bool usdcFirst = address(usdc) < address(weth);
        INonfungiblePositionManager.MintParams memory p;
        (p.token0, p.token1) = usdcFirst ? (address(usdc), address(weth)) : (address(weth), address(usdc));
        (p.amount0Desired, p.amount1Desired) =
            usdcFirst ? (uint256(30e6), uint256(0.01 ether)) : (uint256(0.01 ether), uint256(30e6));
        (p.fee, p.tickLower, p.tickUpper) = (500, -887_270, 887_270);
        (p.recipient, p.deadline) = (account, type(uint256).max);
        return abi.encodeCall(INonfungiblePositionManager.mint, (p));
    }

    function _pay(Delegation memory d, uint256 amount) private {
        _redeem(d, SINGLE, _single(address(usdc), 0, _transfer(payee, amount)));
    }

    function _refused(Delegation memory d, bytes memory reason) private {
        _refusedPayment(d, 1, reason);
    }

    function _refusedPayment(Delegation memory d, uint256 amount, bytes memory reason) private {
        vm.expectRevert(reason);
        _redeem(d, SINGLE, _single(address(usdc), 0, _transfer(payee, amount)));
    }

    function _moodRefused(Delegation memory d, int8 p, int8 a, int8 dominance) private {
        _setVitals(0, false, p, a, dominance);
        _refused(d, abi.encodeWithSelector(Vitality.MoodOutOfBounds.selector, p, a, dominance));
        _setVitals(0, false, 0, 0, 0);
    }
}
