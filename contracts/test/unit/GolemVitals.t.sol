// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {GolemVitalsWorld} from "./GolemVitalsWorld.sol";
import {IDaimonOracle, IDreamOracle, IGolemVitals, IVitalityOracle} from "../../src/interfaces/IVitals.sol";
import {VitalSigns} from "../../src/libraries/VitalSigns.sol";
import {GolemVitals} from "../../src/oracles/GolemVitals.sol";

/// @title Registration and posting
contract GolemVitalsTest is GolemVitalsWorld {
    using VitalSigns for uint256;

    // ---- register

    function test_register_startsThriving() public {
        bytes32 salt = "another";
        bytes32 id = keccak256(abi.encode(owner, writer, salt));
        vm.expectEmit(address(vitals));
        emit IVitalityOracle.GolemRegistered(id, owner, writer);
        vm.prank(makeAddr("anyone"));
        assertEq(vitals.register(owner, writer, salt, _registration(golemKey, owner, writer, salt)), id);

        assertEq(vitals.golemId(owner, writer, salt), id);
        (bool registered, uint8 phase, uint16 score, uint40 updated, address postedBy) = vitals.getState(id);
        assertTrue(registered);
        assertEq(phase, VitalSigns.THRIVING);
        assertEq(score, 10_000);
        assertEq(updated, block.timestamp);
        assertEq(postedBy, writer);
        assertFalse(vitals.isDreaming(id));
        _assertMood(id, 0, 0, 0);
        assertEq(vitals.nonces(id), 0);
    }

    function test_register_sessionAccountWithErc1271() public {
        address account = _hybridAccount(writer);
        bytes32 id = vitals.register(owner, account, SALT, _registration(golemKey, owner, account, SALT));
        assertEq(vitals.vitalsOf(id).writer(), account);
        vm.prank(account);
        vitals.heartbeat(id);
    }

    /// The Hybrid account accepts any signature of its signer. If the key were not signed too, the signer's own
    /// registration would register every account that it controls.
    function test_register_revert_signatureForAnotherKeyOfTheSameSigner() public {
        address account = _hybridAccount(writer);
        bytes memory signature = _registration(golemKey, owner, writer, "new");
        _expect(abi.encodeWithSelector(IGolemVitals.InvalidSignature.selector, account));
        vitals.register(owner, account, "new", signature);
    }

    function test_register_revert_twice() public {
        bytes memory signature = _registration(golemKey, owner, writer, SALT);
        _expect(abi.encodeWithSelector(IGolemVitals.AlreadyRegistered.selector, golem));
        vitals.register(owner, writer, SALT, signature);
    }

    function test_register_revert_deadGolemComesBack() public {
        vm.prank(writer);
        vitals.deregister(golem);
        bytes memory signature = _registration(golemKey, owner, writer, SALT);
        _expect(abi.encodeWithSelector(IGolemVitals.AlreadyRegistered.selector, golem));
        vm.prank(writer);
        vitals.register(owner, writer, SALT, signature);
        _expectDead();
    }

    function test_register_revert_somebodyElsesGolem() public {
        bytes memory signature = _registration(thiefKey, owner, writer, "new");
        _expect(abi.encodeWithSelector(IGolemVitals.InvalidSignature.selector, writer));
        vm.prank(thief);
        vitals.register(owner, writer, "new", signature);
    }

    function test_register_thiefsOwnKeyGivesAnotherId(bytes32 salt) public view {
        assertNotEq(vitals.golemId(owner, thief, salt), vitals.golemId(owner, writer, salt));
        assertNotEq(vitals.golemId(thief, writer, salt), vitals.golemId(owner, writer, salt));
    }

    function test_register_revert_signatureNamesAnotherOwner() public {
        bytes memory signature = _registration(golemKey, owner, writer, "new");
        _expect(abi.encodeWithSelector(IGolemVitals.InvalidSignature.selector, writer));
        vitals.register(thief, writer, "new", signature);
    }

    function test_register_revert_signatureNamesAnotherSalt() public {
        bytes memory signature = _registration(golemKey, owner, writer, "new");
        _expect(abi.encodeWithSelector(IGolemVitals.InvalidSignature.selector, writer));
        vitals.register(owner, writer, "newer", signature);
    }

    function test_register_revert_anotherContract() public {
        bytes memory signature = _registration(golemKey, owner, writer, "new");
        GolemVitals other = new GolemVitals();
        _expect(abi.encodeWithSelector(IGolemVitals.InvalidSignature.selector, writer));
        other.register(owner, writer, "new", signature);
    }

    function test_register_revert_anotherChain() public {
        bytes memory signature = _registration(golemKey, owner, writer, "new");
        vm.chainId(8453);
        _expect(abi.encodeWithSelector(IGolemVitals.InvalidSignature.selector, writer));
        vitals.register(owner, writer, "new", signature);
    }

    function test_register_revert_zeroKey(bytes calldata signature) public {
        _expect(abi.encodeWithSelector(IGolemVitals.InvalidSignature.selector, address(0)));
        vitals.register(owner, address(0), SALT, signature);
    }

    // ---- reading

    function test_read_unknownGolem(bytes32 id) public {
        vm.assume(id != golem);
        assertEq(vitals.vitalsOf(id), 0);
        (bool registered, uint8 phase) = vitals.getPhase(id);
        assertFalse(registered);
        assertEq(phase, 0);
        (registered,,,,) = vitals.getState(id);
        assertFalse(registered);
        _expect(abi.encodeWithSelector(IVitalityOracle.GolemNotFound.selector, id));
        vitals.isDreaming(id);
        _expect(abi.encodeWithSelector(IVitalityOracle.GolemNotFound.selector, id));
        vitals.getPAD(id);
    }

    function test_write_revert_unknownGolem(bytes32 id) public {
        vm.assume(id != golem);
        vm.startPrank(writer);
        bytes memory notFound = abi.encodeWithSelector(IVitalityOracle.GolemNotFound.selector, id);
        _expect(notFound);
        vitals.publish(id, 0, 0, false, 0, 0, 0);
        _expect(notFound);
        vitals.heartbeat(id);
        _expect(notFound);
        vitals.handOver(id, thief);
        _expect(notFound);
        vitals.deregister(id);
    }

    // ---- publish, post, setDreaming, setMood, heartbeat

    function test_publish_storesEverything(
        uint8 phase,
        uint16 score,
        bool dreaming,
        int8 pleasure,
        int8 arousal,
        int8 dominance,
        uint32 later
    ) public {
        phase = uint8(bound(phase, 0, 4));
        score = uint16(bound(score, 0, 10_000));
        pleasure = int8(bound(pleasure, -100, 100));
        arousal = int8(bound(arousal, -100, 100));
        dominance = int8(bound(dominance, -100, 100));
        skip(later);
        vm.prank(writer);
        vitals.publish(golem, phase, score, dreaming, pleasure, arousal, dominance);

        (bool registered, uint8 storedPhase, uint16 storedScore, uint40 updated, address postedBy) =
            vitals.getState(golem);
        assertTrue(registered);
        assertEq(storedPhase, phase);
        assertEq(storedScore, score);
        assertEq(updated, block.timestamp);
        assertEq(postedBy, writer);
        assertEq(vitals.isDreaming(golem), dreaming);
        _assertMood(golem, pleasure, arousal, dominance);
        (registered, storedPhase) = vitals.getPhase(golem);
        assertTrue(registered);
        assertEq(storedPhase, phase);
    }

    /// Each small write leaves the rest of the word unchanged.
    function test_smallWrites_addUpToOnePublish(uint8 phase, uint16 score, bool dreaming, int8 p, int8 a, int8 d)
        public
    {
        phase = uint8(bound(phase, 0, 4));
        score = uint16(bound(score, 0, 10_000));
        p = int8(bound(p, -100, 100));
        a = int8(bound(a, -100, 100));
        d = int8(bound(d, -100, 100));
        vm.startPrank(writer);
        uint256 before = vm.snapshotState();
        vitals.publish(golem, phase, score, dreaming, p, a, d);
        uint256 expected = vitals.vitalsOf(golem);
        vm.revertToState(before);
        vitals.setMood(golem, p, a, d);
        vitals.setDreaming(golem, dreaming);
        vitals.post(golem, phase, score);
        vitals.heartbeat(golem);
        assertEq(vitals.vitalsOf(golem), expected);
    }

    function test_write_everyOneIsAHeartbeat() public {
        vm.startPrank(writer);
        skip(1);
        vitals.publish(golem, 0, 1, false, 0, 0, 0);
        assertEq(vitals.vitalsOf(golem).lastUpdate(), block.timestamp);
        skip(1);
        vitals.post(golem, 0, 1);
        assertEq(vitals.vitalsOf(golem).lastUpdate(), block.timestamp);
        skip(1);
        vitals.setDreaming(golem, true);
        assertEq(vitals.vitalsOf(golem).lastUpdate(), block.timestamp);
        skip(1);
        vitals.setMood(golem, 1, 1, 1);
        assertEq(vitals.vitalsOf(golem).lastUpdate(), block.timestamp);
        skip(1);
        vitals.heartbeat(golem);
        assertEq(vitals.vitalsOf(golem).lastUpdate(), block.timestamp);
        skip(1);
        vitals.handOver(golem, thief);
        assertEq(vitals.vitalsOf(golem).lastUpdate(), block.timestamp);
    }

    function test_publish_emitsWhatChanged() public {
        vm.expectEmit(address(vitals));
        emit IVitalityOracle.PhaseTransition(golem, 0, 2, 4_000);
        vm.expectEmit(address(vitals));
        emit IDreamOracle.DreamChanged(golem, true);
        vm.expectEmit(address(vitals));
        emit IDaimonOracle.MoodChanged(golem, -100, 0, 100);
        vm.prank(writer);
        vitals.publish(golem, 2, 4_000, true, -100, 0, 100);
    }

    function test_publish_isSilentWhereNothingChanged() public {
        vm.startPrank(writer);
        vitals.publish(golem, 2, 4_000, true, -100, 0, 100);
        vm.recordLogs();
        vitals.publish(golem, 2, 3_999, true, -100, 0, 100);
        vitals.heartbeat(golem);
        assertEq(vm.getRecordedLogs().length, 0);
    }

    function test_setMood_emitsWhicheverOfTheThreeChanged() public {
        vm.startPrank(writer);
        vm.recordLogs();
        vitals.setMood(golem, 1, 0, 0);
        vitals.setMood(golem, 1, 1, 0);
        vitals.setMood(golem, 1, 1, 1);
        assertEq(vm.getRecordedLogs().length, 3);
    }

    function test_write_revert_notTheWriter(address caller) public {
        vm.assume(caller != writer);
        bytes memory refused = abi.encodeWithSelector(IVitalityOracle.NotAuthorized.selector, caller);
        vm.startPrank(caller);
        _expect(refused);
        vitals.publish(golem, 0, 10_000, false, 0, 0, 0);
        _expect(refused);
        vitals.post(golem, 0, 10_000);
        _expect(refused);
        vitals.setDreaming(golem, false);
        _expect(refused);
        vitals.setMood(golem, 0, 0, 0);
        _expect(refused);
        vitals.heartbeat(golem);
        _expect(refused);
        vitals.handOver(golem, caller);
        _expect(refused);
        vitals.deregister(golem);
    }

    /// Session executions come from the owner's account, so it has no special rights in the writer's functions.
    function test_write_revert_ownerIsNotTheWriter() public {
        _expect(abi.encodeWithSelector(IVitalityOracle.NotAuthorized.selector, owner));
        vm.prank(owner);
        vitals.post(golem, 0, 10_000);
    }

    function test_post_revert_phaseBackwards(uint8 from, uint8 to) public {
        from = uint8(bound(from, 1, 4));
        to = uint8(bound(to, 0, from - 1));
        vm.startPrank(writer);
        vitals.post(golem, from, 100);
        _expect(abi.encodeWithSelector(IVitalityOracle.PhaseNotMonotonic.selector, from, to));
        vitals.post(golem, to, 10_000);
        _expect(abi.encodeWithSelector(IVitalityOracle.PhaseNotMonotonic.selector, from, to));
        vitals.publish(golem, to, 10_000, false, 0, 0, 0);
        assertEq(vitals.vitalsOf(golem).phase(), from);
    }

    function test_post_revert_unknownPhase(uint8 phase) public {
        phase = uint8(bound(phase, 5, 255));
        vm.startPrank(writer);
        _expect(abi.encodeWithSelector(IGolemVitals.UnknownPhase.selector, phase));
        vitals.post(golem, phase, 0);
        _expect(abi.encodeWithSelector(IGolemVitals.UnknownPhase.selector, phase));
        vitals.publish(golem, phase, 0, false, 0, 0, 0);
    }

    function test_post_revert_scoreTooHigh(uint16 score) public {
        score = uint16(bound(score, 10_001, type(uint16).max));
        vm.prank(writer);
        _expect(abi.encodeWithSelector(IGolemVitals.ScoreTooHigh.selector, score));
        vitals.post(golem, 0, score);
    }

    function test_setMood_revert_outOfRange(uint8 which, int8 wrong, bool above) public {
        wrong = int8(above ? bound(wrong, 101, 127) : bound(wrong, -128, -101));
        int8[3] memory mood;
        mood[which % 3] = wrong;
        vm.startPrank(writer);
        _expect(abi.encodeWithSelector(IGolemVitals.MoodOutOfRange.selector, mood[0], mood[1], mood[2]));
        vitals.setMood(golem, mood[0], mood[1], mood[2]);
        _expect(abi.encodeWithSelector(IGolemVitals.MoodOutOfRange.selector, mood[0], mood[1], mood[2]));
        vitals.publish(golem, 0, 0, false, mood[0], mood[1], mood[2]);
    }

    /// A thief with the key can narrow and stay silent, never widen: from any row, no sequence leads to an earlier
    /// phase.
    function test_thiefWithTheKey_neverWidens(uint8 phase, uint8[8] calldata attempts) public {
        phase = uint8(bound(phase, 0, 4));
        vm.startPrank(writer);
        vitals.post(golem, phase, 0);
        for (uint256 i; i < attempts.length; i++) {
            try vitals.post(golem, attempts[i] % 6, 10_000) {} catch {}
            assertGe(vitals.vitalsOf(golem).phase(), phase);
            phase = vitals.vitalsOf(golem).phase();
        }
    }
}
