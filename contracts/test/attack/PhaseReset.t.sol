// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {LivingGolem} from "./LivingGolem.sol";
import {Delegation} from "../Framework.sol";
import {IGolemVitals, IVitalityOracle} from "../../src/interfaces/IVitals.sol";
import {ActionClass} from "../../src/libraries/ActionClass.sol";
import {Vitality} from "../../src/libraries/Vitality.sol";

/// @title A Golem whose phase forbids the thief's action, and all ways back that are not the owner's
/// @dev Each test ends with a redemption that is still refused: row and Cage are tested together.
contract PhaseResetTest is LivingGolem {
    function setUp() public override {
        super.setUp();
        vm.prank(session);
        live.post(golem, 4, 0);
        _refusedInPhase(4);
    }

    function test_reset_ownersSignatureBringsItBack() public {
        _reset(_resetSignature(ownerKey, 0, 0, block.timestamp), 0, 0);
        _pay(d, 1);
    }

    function test_reset_revert_replayed() public {
        bytes memory signature = _resetSignature(ownerKey, 0, 0, block.timestamp);
        _reset(signature, 0, 0);
        vm.prank(session);
        live.post(golem, 4, 0);
        vm.expectRevert(abi.encodeWithSelector(IGolemVitals.WrongNonce.selector, golem, 1, 0));
        _reset(signature, 0, 0);
        vm.expectRevert(abi.encodeWithSelector(IGolemVitals.InvalidSignature.selector, owner));
        _reset(signature, 0, 1);
        _refusedInPhase(4);
    }

    function test_reset_revert_otherPhaseThanSigned() public {
        bytes memory signature = _resetSignature(ownerKey, 3, 0, block.timestamp);
        vm.expectRevert(abi.encodeWithSelector(IGolemVitals.InvalidSignature.selector, owner));
        _reset(signature, 0, 0);
        _refusedInPhase(4);
    }

    function test_reset_revert_signedByTheSession() public {
        bytes memory signature = _resetSignature(sessionKey, 0, 0, block.timestamp);
        vm.expectRevert(abi.encodeWithSelector(IGolemVitals.InvalidSignature.selector, owner));
        _reset(signature, 0, 0);
        _refusedInPhase(4);
    }

    /// @dev Naming oneself as the owner gives another Golem id.
    function test_reset_revert_sessionAsTheOwner() public {
        bytes memory signature = _resetSignature(sessionKey, 0, 0, block.timestamp);
        bytes32 other = live.golemId(session, session, SALT);
        vm.expectRevert(abi.encodeWithSelector(IVitalityOracle.GolemNotFound.selector, other));
        live.resetPhase(session, session, SALT, 0, 0, block.timestamp, signature);
        _refusedInPhase(4);
    }

    function test_reset_revert_signedForAnotherChain() public {
        bytes memory signature = _resetSignatureFor(address(live), block.chainid + 1, ownerKey, 0, 0, block.timestamp);
        vm.expectRevert(abi.encodeWithSelector(IGolemVitals.InvalidSignature.selector, owner));
        _reset(signature, 0, 0);
        _refusedInPhase(4);
    }

    function test_reset_revert_signedForAnotherContract() public {
        address other = _deployOurs("GolemVitals", "");
        bytes memory signature = _resetSignatureFor(other, block.chainid, ownerKey, 0, 0, block.timestamp);
        vm.expectRevert(abi.encodeWithSelector(IGolemVitals.InvalidSignature.selector, owner));
        _reset(signature, 0, 0);
        _refusedInPhase(4);
    }

    function test_reset_revert_expired() public {
        uint256 deadline = block.timestamp;
        bytes memory signature = _resetSignature(ownerKey, 0, 0, deadline);
        vm.warp(deadline + 1);
        vm.expectRevert(abi.encodeWithSelector(IGolemVitals.SignatureExpired.selector, deadline, deadline + 1));
        live.resetPhase(owner, session, SALT, 0, 0, deadline, signature);
        vm.expectRevert(abi.encodeWithSelector(IGolemVitals.InvalidSignature.selector, owner));
        live.resetPhase(owner, session, SALT, 0, 0, deadline + 1, signature);
        _refusedInPhase(4);
    }

    /// @dev A new key does not make used signatures valid again.
    function test_reset_revert_replayedAfterHandOver() public {
        bytes memory signature = _resetSignature(ownerKey, 0, 0, block.timestamp);
        _reset(signature, 0, 0);
        vm.prank(session);
        live.handOver(golem, thief);
        vm.prank(thief);
        live.post(golem, 4, 0);
        vm.expectRevert(abi.encodeWithSelector(IGolemVitals.WrongNonce.selector, golem, 1, 0));
        _reset(signature, 0, 0);
        vm.expectRevert(abi.encodeWithSelector(IVitalityOracle.NotAuthorized.selector, session));
        vm.prank(session);
        live.post(golem, 4, 0);
        _refusedInPhase(4);
    }

    /// @dev A signature that was held back is invalid once a later one was used.
    function test_reset_revert_keptBackUntilAfterAnother() public {
        bytes memory kept = _resetSignature(ownerKey, 0, 0, block.timestamp);
        _reset(_resetSignature(ownerKey, 3, 0, block.timestamp), 3, 0);
        vm.expectRevert(abi.encodeWithSelector(IGolemVitals.WrongNonce.selector, golem, 1, 0));
        _reset(kept, 0, 0);
        vm.expectRevert(abi.encodeWithSelector(ActionClass.ClassNotAllowedInPhase.selector, _swapClasses(), 3));
        _redeem(d, BATCH, _swap(1e6, account));
    }

    function test_phase_revert_movedBackwardsByItsWriter() public {
        vm.startPrank(session);
        vm.expectRevert(abi.encodeWithSelector(IVitalityOracle.PhaseNotMonotonic.selector, 4, 0));
        live.post(golem, 0, 10_000);
        vm.expectRevert(abi.encodeWithSelector(IVitalityOracle.PhaseNotMonotonic.selector, 4, 3));
        live.publish(golem, 3, 10_000, false, 0, 0, 0);
        vm.stopPrank();
        _refusedInPhase(4);
    }

    function test_register_revert_theSameAgain() public {
        bytes memory signature = _registration(sessionKey, owner, session, SALT);
        vm.expectRevert(abi.encodeWithSelector(IGolemVitals.AlreadyRegistered.selector, golem));
        live.register(owner, session, SALT, signature);
        _refusedInPhase(4);
    }

    function test_register_revert_aDeadOneAgain() public {
        vm.prank(session);
        live.deregister(golem);
        bytes memory signature = _registration(sessionKey, owner, session, SALT);
        vm.expectRevert(abi.encodeWithSelector(IGolemVitals.AlreadyRegistered.selector, golem));
        live.register(owner, session, SALT, signature);
        bytes memory reset = _resetSignature(ownerKey, 0, 0, block.timestamp);
        vm.expectRevert(abi.encodeWithSelector(IVitalityOracle.GolemNotFound.selector, golem));
        _reset(reset, 0, 0);
        vm.expectRevert(abi.encodeWithSelector(Vitality.GolemNotAlive.selector, golem));
        _pay(d, 1);
    }

    /// @dev The thief's own Golem for the same owner is another Golem; the terms name the first.
    function test_register_anotherOneChangesNothing() public {
        (address other, uint256 otherKey) = makeAddrAndKey("thief's Golem");
        bytes32 own = live.register(owner, other, SALT, _registration(otherKey, owner, other, SALT));
        assertTrue(own != golem);
        _refusedInPhase(4);
    }

    /// @dev Another owner's unregistered Golem cannot be registered without its key.
    function test_register_revert_somebodyElses() public {
        (address other,) = makeAddrAndKey("another Golem");
        Bounds memory b = _bounds();
        b.golem = live.golemId(owner, other, SALT);
        Delegation memory early = _again(b, 2);
        bytes memory signature = _registration(sessionKey, owner, other, SALT);
        vm.expectRevert(abi.encodeWithSelector(IGolemVitals.InvalidSignature.selector, other));
        live.register(owner, other, SALT, signature);
        vm.expectRevert(abi.encodeWithSelector(Vitality.GolemNotAlive.selector, b.golem));
        _pay(early, 1);
    }

    function _reset(bytes memory signature, uint8 phase, uint256 nonce) private {
        live.resetPhase(owner, session, SALT, phase, nonce, block.timestamp, signature);
    }

    function _refusedInPhase(uint8 phase) private {
        vm.expectRevert(abi.encodeWithSelector(ActionClass.ClassNotAllowedInPhase.selector, ActionClass.PAYMENT, phase));
        _pay(d, 1);
    }

    function _swapClasses() private pure returns (uint256) {
        return ActionClass.SWAP | ActionClass.APPROVE;
    }
}
