// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {GolemVitalsWorld} from "./GolemVitalsWorld.sol";
import {IGolemVitals, IVitalityOracle} from "../../src/interfaces/IVitals.sol";
import {VitalSigns} from "../../src/libraries/VitalSigns.sol";
import {GolemVitals} from "../../src/oracles/GolemVitals.sol";

/// @title The writer of a row, its end and its resets
contract GolemVitalsKeepersTest is GolemVitalsWorld {
    using VitalSigns for uint256;

    // ---- handOver

    function test_handOver_newWriterPosts() public {
        address next = makeAddr("next");
        vm.expectEmit(address(vitals));
        emit IGolemVitals.WriterChanged(golem, writer, next);
        vm.prank(writer);
        vitals.handOver(golem, next);
        vm.prank(next);
        vitals.post(golem, 1, 6_000);
        assertEq(vitals.vitalsOf(golem).writer(), next);
    }

    function test_handOver_keepsTheRow() public {
        vm.startPrank(writer);
        vitals.publish(golem, 3, 1_500, true, -7, 8, -9);
        uint256 before = vitals.vitalsOf(golem);
        vitals.handOver(golem, thief);
        assertEq(vitals.vitalsOf(golem) >> 160, before >> 160);
    }

    function test_handOver_revert_oldWriterPosts() public {
        vm.startPrank(writer);
        vitals.handOver(golem, makeAddr("next"));
        _expect(abi.encodeWithSelector(IVitalityOracle.NotAuthorized.selector, writer));
        vitals.heartbeat(golem);
        _expect(abi.encodeWithSelector(IVitalityOracle.NotAuthorized.selector, writer));
        vitals.deregister(golem);
    }

    function test_handOver_revert_zero() public {
        vm.prank(writer);
        _expect(abi.encodeWithSelector(IGolemVitals.WriterIsZero.selector, golem));
        vitals.handOver(golem, address(0));
    }

    // ---- deregister

    function test_deregister_isFinalAndKeepsTheLastPhase(uint8 phase, bool dreaming) public {
        phase = uint8(bound(phase, 0, 4));
        vm.startPrank(writer);
        vitals.publish(golem, phase, 77, dreaming, 1, 2, 3);
        vm.expectEmit(address(vitals));
        emit IVitalityOracle.GolemDeregistered(golem);
        vitals.deregister(golem);
        vm.stopPrank();

        (bool registered, uint8 lastPhase) = vitals.getPhase(golem);
        assertFalse(registered);
        assertEq(lastPhase, phase);
        assertEq(vitals.vitalsOf(golem) >> 248, VitalSigns.DEAD);
        _expectDead();
    }

    function test_deregister_byTheOwner() public {
        vm.prank(owner);
        vitals.deregisterAsOwner(writer, SALT);
        _expectDead();
    }

    function test_deregister_revert_strangerAsOwner(address stranger) public {
        vm.assume(stranger != owner);
        bytes32 id = vitals.golemId(stranger, writer, SALT);
        _expect(abi.encodeWithSelector(IVitalityOracle.GolemNotFound.selector, id));
        vm.prank(stranger);
        vitals.deregisterAsOwner(writer, SALT);
    }

    function test_deregister_byTheOwnersSignature() public {
        bytes memory signature = _deregistration(ownerKey, golem, block.timestamp);
        vm.expectEmit(address(vitals));
        emit IVitalityOracle.GolemDeregistered(golem);
        vm.prank(makeAddr("anyone"));
        vitals.deregisterWithSignature(owner, writer, SALT, block.timestamp, signature);
        _expectDead();
    }

    /// Signed in advance: no reset in between invalidates the kill switch.
    function test_deregister_signatureOutlivesAReset() public {
        uint256 deadline = block.timestamp + 365 days;
        bytes memory kill = _deregistration(ownerKey, golem, deadline);
        _reset(0, 0);
        vitals.deregisterWithSignature(owner, writer, SALT, deadline, kill);
        _expectDead();
    }

    function test_deregister_revert_expiredSignature() public {
        uint256 deadline = block.timestamp - 1;
        bytes memory signature = _deregistration(ownerKey, golem, deadline);
        _expect(abi.encodeWithSelector(IGolemVitals.SignatureExpired.selector, deadline, block.timestamp));
        vitals.deregisterWithSignature(owner, writer, SALT, deadline, signature);
    }

    function test_deregister_revert_notSignedByTheOwner() public {
        bytes memory signature = _deregistration(thiefKey, golem, block.timestamp);
        _expect(abi.encodeWithSelector(IGolemVitals.InvalidSignature.selector, owner));
        vitals.deregisterWithSignature(owner, writer, SALT, block.timestamp, signature);
    }

    function test_deregister_revert_signatureForAnotherGolem() public {
        vitals.register(owner, writer, "other", _registration(golemKey, owner, writer, "other"));
        bytes memory signature = _deregistration(ownerKey, golem, block.timestamp);
        _expect(abi.encodeWithSelector(IGolemVitals.InvalidSignature.selector, owner));
        vitals.deregisterWithSignature(owner, writer, "other", block.timestamp, signature);
    }

    function test_deregister_revert_deadlineNotTheSignedOne() public {
        bytes memory signature = _deregistration(ownerKey, golem, block.timestamp);
        skip(1);
        _expect(abi.encodeWithSelector(IGolemVitals.InvalidSignature.selector, owner));
        vitals.deregisterWithSignature(owner, writer, SALT, block.timestamp, signature);
    }

    function test_deregister_revert_signatureAfterDeath() public {
        bytes memory signature = _deregistration(ownerKey, golem, block.timestamp);
        vitals.deregisterWithSignature(owner, writer, SALT, block.timestamp, signature);
        _expect(abi.encodeWithSelector(IVitalityOracle.GolemNotFound.selector, golem));
        vitals.deregisterWithSignature(owner, writer, SALT, block.timestamp, signature);
    }

    // ---- resetPhase

    function test_resetPhase_movesAnywhere(uint8 from, uint8 to) public {
        from = uint8(bound(from, 0, 4));
        to = uint8(bound(to, 0, 4));
        vm.prank(writer);
        vitals.publish(golem, from, 1_234, true, 5, -6, 7);
        uint256 before = vitals.vitalsOf(golem);
        skip(1 days);
        bytes memory signature = _resetSignature(ownerKey, golem, to, 0, block.timestamp);
        if (from != to) {
            vm.expectEmit(address(vitals));
            emit IVitalityOracle.PhaseTransition(golem, from, to, 1_234);
        }
        vm.prank(makeAddr("anyone"));
        vitals.resetPhase(owner, writer, SALT, to, 0, block.timestamp, signature);

        assertEq(vitals.vitalsOf(golem).phase(), to);
        assertEq(vitals.nonces(golem), 1);
        // All else stays, including the last heartbeat: an owner's signature is not a heartbeat of the Golem.
        uint256 phaseBits = uint256(0xff) << 160;
        assertEq(vitals.vitalsOf(golem) & ~phaseBits, before & ~phaseBits);
    }

    function test_resetPhase_goesOnlyForwardAgainAfterwards() public {
        vm.prank(writer);
        vitals.post(golem, 4, 0);
        _reset(1, 0);
        vm.startPrank(writer);
        _expect(abi.encodeWithSelector(IVitalityOracle.PhaseNotMonotonic.selector, 1, 0));
        vitals.post(golem, 0, 10_000);
        vitals.post(golem, 2, 4_000);
    }

    function test_resetPhase_ownerIsAHybridAccount() public {
        address account = _hybridAccount(owner);
        bytes32 id = vitals.register(account, writer, SALT, _registration(golemKey, account, writer, SALT));
        vm.prank(writer);
        vitals.post(id, 3, 0);
        bytes memory signature = _resetSignature(ownerKey, id, 0, 0, block.timestamp);
        vitals.resetPhase(account, writer, SALT, 0, 0, block.timestamp, signature);
        assertEq(vitals.vitalsOf(id).phase(), 0);
    }

    function test_resetPhase_ownerIsAnUpgradedEoa() public {
        address code = deployCode("out/protocols/EIP7702StatelessDeleGator.json", abi.encode(address(1), address(2)));
        vm.signAndAttachDelegation(code, ownerKey);
        assertEq(owner.code.length, 23);
        vm.prank(writer);
        vitals.post(golem, 3, 0);
        _reset(0, 0);
        assertEq(vitals.vitalsOf(golem).phase(), 0);
    }

    function test_resetPhase_revert_replayed() public {
        bytes memory signature = _resetSignature(ownerKey, golem, 0, 0, block.timestamp);
        vitals.resetPhase(owner, writer, SALT, 0, 0, block.timestamp, signature);
        vm.prank(writer);
        vitals.post(golem, 4, 0);
        vm.startPrank(thief);
        _expect(abi.encodeWithSelector(IGolemVitals.WrongNonce.selector, golem, 1, 0));
        vitals.resetPhase(owner, writer, SALT, 0, 0, block.timestamp, signature);
        _expect(abi.encodeWithSelector(IGolemVitals.InvalidSignature.selector, owner));
        vitals.resetPhase(owner, writer, SALT, 0, 1, block.timestamp, signature);
        assertEq(vitals.vitalsOf(golem).phase(), 4);
    }

    /// (r, n − s) recovers to the same key. The nonce is used up in any case, and OpenZeppelin refuses a high s.
    function test_resetPhase_revert_replayedWithTheOtherS() public {
        bytes memory signature = _resetSignature(ownerKey, golem, 0, 0, block.timestamp);
        (bytes32 r, bytes32 s, uint8 v) =
            (bytes32(_word(signature, 0)), bytes32(_word(signature, 32)), uint8(signature[64]));
        uint256 order = 0xFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFEBAAEDCE6AF48A03BBFD25E8CD0364141;
        bytes memory twin = abi.encodePacked(r, order - uint256(s), v == 27 ? uint8(28) : uint8(27));
        _expect(abi.encodeWithSelector(IGolemVitals.InvalidSignature.selector, owner));
        vitals.resetPhase(owner, writer, SALT, 0, 0, block.timestamp, twin);
        vitals.resetPhase(owner, writer, SALT, 0, 0, block.timestamp, signature);
        _expect(abi.encodeWithSelector(IGolemVitals.WrongNonce.selector, golem, 1, 0));
        vitals.resetPhase(owner, writer, SALT, 0, 0, block.timestamp, twin);
    }

    /// A signature that was held back is invalid once a later one was used.
    function test_resetPhase_revert_keptBackWhileAnotherWasUsed() public {
        uint256 deadline = block.timestamp + 30 days;
        bytes memory keptBack = _resetSignature(ownerKey, golem, 0, 0, deadline);
        _reset(2, 0);
        _expect(abi.encodeWithSelector(IGolemVitals.WrongNonce.selector, golem, 1, 0));
        vitals.resetPhase(owner, writer, SALT, 0, 0, deadline, keptBack);
    }

    function test_resetPhase_revert_nonceAhead(uint256 nonce) public {
        nonce = bound(nonce, 1, type(uint256).max);
        bytes memory signature = _resetSignature(ownerKey, golem, 0, nonce, block.timestamp);
        _expect(abi.encodeWithSelector(IGolemVitals.WrongNonce.selector, golem, 0, nonce));
        vitals.resetPhase(owner, writer, SALT, 0, nonce, block.timestamp, signature);
    }

    function test_resetPhase_revert_signatureForAnotherGolem() public {
        bytes32 other = vitals.register(owner, writer, "other", _registration(golemKey, owner, writer, "other"));
        vm.prank(writer);
        vitals.post(other, 4, 0);
        bytes memory signature = _resetSignature(ownerKey, golem, 0, 0, block.timestamp);
        _expect(abi.encodeWithSelector(IGolemVitals.InvalidSignature.selector, owner));
        vitals.resetPhase(owner, writer, "other", 0, 0, block.timestamp, signature);
    }

    function test_resetPhase_revert_anotherContract() public {
        bytes memory signature = _resetSignature(ownerKey, golem, 0, 0, block.timestamp);
        GolemVitals other = new GolemVitals();
        GolemVitals here = vitals;
        vitals = other;
        other.register(owner, writer, SALT, _registration(golemKey, owner, writer, SALT));
        _expect(abi.encodeWithSelector(IGolemVitals.InvalidSignature.selector, owner));
        other.resetPhase(owner, writer, SALT, 0, 0, block.timestamp, signature);
        here.resetPhase(owner, writer, SALT, 0, 0, block.timestamp, signature);
    }

    function test_resetPhase_revert_anotherChain(uint64 chainId) public {
        chainId = uint64(bound(chainId, 1, type(uint64).max));
        vm.assume(chainId != block.chainid);
        bytes memory signature = _resetSignature(ownerKey, golem, 0, 0, block.timestamp);
        vm.chainId(chainId);
        _expect(abi.encodeWithSelector(IGolemVitals.InvalidSignature.selector, owner));
        vitals.resetPhase(owner, writer, SALT, 0, 0, block.timestamp, signature);
    }

    function test_resetPhase_revert_phaseNotTheSignedOne() public {
        bytes memory signature = _resetSignature(ownerKey, golem, 2, 0, block.timestamp);
        _expect(abi.encodeWithSelector(IGolemVitals.InvalidSignature.selector, owner));
        vitals.resetPhase(owner, writer, SALT, 0, 0, block.timestamp, signature);
    }

    function test_resetPhase_revert_deadlineNotTheSignedOne() public {
        bytes memory signature = _resetSignature(ownerKey, golem, 0, 0, block.timestamp);
        skip(1);
        _expect(abi.encodeWithSelector(IGolemVitals.InvalidSignature.selector, owner));
        vitals.resetPhase(owner, writer, SALT, 0, 0, block.timestamp, signature);
    }

    function test_resetPhase_revert_expired(uint256 deadline) public {
        deadline = bound(deadline, 0, block.timestamp - 1);
        bytes memory signature = _resetSignature(ownerKey, golem, 0, 0, deadline);
        _expect(abi.encodeWithSelector(IGolemVitals.SignatureExpired.selector, deadline, block.timestamp));
        vitals.resetPhase(owner, writer, SALT, 0, 0, deadline, signature);
    }

    function test_resetPhase_revert_signedByTheGolem() public {
        bytes memory signature = _resetSignature(golemKey, golem, 0, 0, block.timestamp);
        _expect(abi.encodeWithSelector(IGolemVitals.InvalidSignature.selector, owner));
        vitals.resetPhase(owner, writer, SALT, 0, 0, block.timestamp, signature);
    }

    /// A thief may claim to be the owner of the same key and salt, but that gives another Golem id.
    function test_resetPhase_revert_thiefNamesItselfOwner() public {
        bytes32 id = vitals.golemId(thief, writer, SALT);
        bytes memory signature = _resetSignature(thiefKey, golem, 0, 0, block.timestamp);
        _expect(abi.encodeWithSelector(IVitalityOracle.GolemNotFound.selector, id));
        vitals.resetPhase(thief, writer, SALT, 0, 0, block.timestamp, signature);
    }

    function test_resetPhase_revert_callFromTheOwnersAccountIsNoSignature() public {
        _expect(abi.encodeWithSelector(IGolemVitals.InvalidSignature.selector, owner));
        vm.prank(owner);
        vitals.resetPhase(owner, writer, SALT, 0, 0, block.timestamp, "");
    }

    function test_resetPhase_revert_unknownPhase(uint8 phase) public {
        phase = uint8(bound(phase, 5, 255));
        bytes memory signature = _resetSignature(ownerKey, golem, phase, 0, block.timestamp);
        _expect(abi.encodeWithSelector(IGolemVitals.UnknownPhase.selector, phase));
        vitals.resetPhase(owner, writer, SALT, phase, 0, block.timestamp, signature);
    }

    function test_resetPhase_revert_deadGolem() public {
        bytes memory signature = _resetSignature(ownerKey, golem, 0, 0, block.timestamp);
        vm.prank(writer);
        vitals.deregister(golem);
        _expect(abi.encodeWithSelector(IVitalityOracle.GolemNotFound.selector, golem));
        vitals.resetPhase(owner, writer, SALT, 0, 0, block.timestamp, signature);
        _expectDead();
    }

    // ---- resetWriter

    function test_resetWriter_replacesAStolenKey() public {
        vm.prank(writer); // the thief has it
        vitals.handOver(golem, thief);
        address fresh = makeAddr("fresh");
        uint256 before = vitals.vitalsOf(golem);
        bytes memory signature = _writerSignature(ownerKey, golem, fresh, 0, block.timestamp);
        vm.expectEmit(address(vitals));
        emit IGolemVitals.WriterChanged(golem, thief, fresh);
        vitals.resetWriter(owner, writer, SALT, fresh, 0, block.timestamp, signature);

        assertEq(vitals.vitalsOf(golem) >> 160, before >> 160);
        assertEq(vitals.nonces(golem), 1);
        vm.prank(fresh);
        vitals.heartbeat(golem);
        _expect(abi.encodeWithSelector(IVitalityOracle.NotAuthorized.selector, thief));
        vm.prank(thief);
        vitals.heartbeat(golem);
    }

    function test_resetWriter_isNoSignOfLife() public {
        uint40 updated = vitals.vitalsOf(golem).lastUpdate();
        skip(1 days);
        bytes memory signature = _writerSignature(ownerKey, golem, thief, 0, block.timestamp);
        vitals.resetWriter(owner, writer, SALT, thief, 0, block.timestamp, signature);
        assertEq(vitals.vitalsOf(golem).lastUpdate(), updated);
    }

    function test_resetWriter_revert_replayed() public {
        bytes memory signature = _writerSignature(ownerKey, golem, thief, 0, block.timestamp);
        vitals.resetWriter(owner, writer, SALT, thief, 0, block.timestamp, signature);
        _expect(abi.encodeWithSelector(IGolemVitals.WrongNonce.selector, golem, 1, 0));
        vitals.resetWriter(owner, writer, SALT, thief, 0, block.timestamp, signature);
    }

    function test_resetWriter_revert_notSignedByTheOwner() public {
        bytes memory signature = _writerSignature(golemKey, golem, thief, 0, block.timestamp);
        _expect(abi.encodeWithSelector(IGolemVitals.InvalidSignature.selector, owner));
        vitals.resetWriter(owner, writer, SALT, thief, 0, block.timestamp, signature);
    }

    function test_resetWriter_revert_writerNotTheSignedOne() public {
        bytes memory signature = _writerSignature(ownerKey, golem, writer, 0, block.timestamp);
        _expect(abi.encodeWithSelector(IGolemVitals.InvalidSignature.selector, owner));
        vitals.resetWriter(owner, writer, SALT, thief, 0, block.timestamp, signature);
    }

    function test_resetWriter_revert_expired() public {
        uint256 deadline = block.timestamp - 1;
        bytes memory signature = _writerSignature(ownerKey, golem, thief, 0, deadline);
        _expect(abi.encodeWithSelector(IGolemVitals.SignatureExpired.selector, deadline, block.timestamp));
        vitals.resetWriter(owner, writer, SALT, thief, 0, deadline, signature);
    }

    function test_resetWriter_revert_zero() public {
        bytes memory signature = _writerSignature(ownerKey, golem, address(0), 0, block.timestamp);
        _expect(abi.encodeWithSelector(IGolemVitals.WriterIsZero.selector, golem));
        vitals.resetWriter(owner, writer, SALT, address(0), 0, block.timestamp, signature);
    }

    function test_resetWriter_revert_deadGolem() public {
        bytes memory signature = _writerSignature(ownerKey, golem, thief, 0, block.timestamp);
        vm.prank(writer);
        vitals.deregister(golem);
        _expect(abi.encodeWithSelector(IVitalityOracle.GolemNotFound.selector, golem));
        vitals.resetWriter(owner, writer, SALT, thief, 0, block.timestamp, signature);
    }
}
