// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {ERC1967Proxy} from "@openzeppelin/contracts/proxy/ERC1967/ERC1967Proxy.sol";
import {Test} from "forge-std/Test.sol";
import {IDaimonOracle, IDreamOracle, IGolemVitals, IVitalityOracle} from "../../src/interfaces/IVitals.sol";
import {VitalSigns} from "../../src/libraries/VitalSigns.sol";
import {GolemVitals} from "../../src/oracles/GolemVitals.sol";

interface IHybridAccount {
    function initialize(address owner, string[] calldata keyIds, uint256[] calldata xs, uint256[] calldata ys) external;
}

contract GolemVitalsTest is Test {
    using VitalSigns for uint256;

    GolemVitals private vitals;

    uint256 private ownerKey = uint256(keccak256("owner"));
    uint256 private golemKey = uint256(keccak256("golem"));
    uint256 private thiefKey = uint256(keccak256("thief"));
    address private owner = vm.addr(ownerKey);
    address private writer = vm.addr(golemKey);
    address private thief = vm.addr(thiefKey);
    bytes32 private constant SALT = "salt";
    bytes32 private golem;

    function setUp() public {
        vm.warp(1_800_000_000);
        vitals = new GolemVitals();
        golem = vitals.register(owner, writer, SALT, _registration(golemKey, owner, writer, SALT));
    }

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
        assertEq(vitals.vitals(id).writer(), account);
        vm.prank(account);
        vitals.heartbeat(id);
    }

    /// The Hybrid account takes any signature of its signer. Were the key not signed too, what the signer signed for itself
    /// would register every account it controls.
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
        assertEq(vitals.vitals(id), 0);
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

    /// Each small write leaves the rest of the word alone.
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
        uint256 expected = vitals.vitals(golem);
        vm.revertToState(before);
        vitals.setMood(golem, p, a, d);
        vitals.setDreaming(golem, dreaming);
        vitals.post(golem, phase, score);
        vitals.heartbeat(golem);
        assertEq(vitals.vitals(golem), expected);
    }

    function test_write_everyOneIsAHeartbeat() public {
        vm.startPrank(writer);
        skip(1);
        vitals.publish(golem, 0, 1, false, 0, 0, 0);
        assertEq(vitals.vitals(golem).lastUpdate(), block.timestamp);
        skip(1);
        vitals.post(golem, 0, 1);
        assertEq(vitals.vitals(golem).lastUpdate(), block.timestamp);
        skip(1);
        vitals.setDreaming(golem, true);
        assertEq(vitals.vitals(golem).lastUpdate(), block.timestamp);
        skip(1);
        vitals.setMood(golem, 1, 1, 1);
        assertEq(vitals.vitals(golem).lastUpdate(), block.timestamp);
        skip(1);
        vitals.heartbeat(golem);
        assertEq(vitals.vitals(golem).lastUpdate(), block.timestamp);
        skip(1);
        vitals.handOver(golem, thief);
        assertEq(vitals.vitals(golem).lastUpdate(), block.timestamp);
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

    /// The owner's account is what session executions come from, so it is nobody special to the writer's functions.
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
        assertEq(vitals.vitals(golem).phase(), from);
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

    /// A thief with the key can narrow and keep quiet, never widen: from whatever row, no sequence leads to an earlier phase.
    function test_thiefWithTheKey_neverWidens(uint8 phase, uint8[8] calldata attempts) public {
        phase = uint8(bound(phase, 0, 4));
        vm.startPrank(writer);
        vitals.post(golem, phase, 0);
        for (uint256 i; i < attempts.length; i++) {
            try vitals.post(golem, attempts[i] % 6, 10_000) {} catch {}
            assertGe(vitals.vitals(golem).phase(), phase);
            phase = vitals.vitals(golem).phase();
        }
    }

    // ---- handOver

    function test_handOver_newWriterPosts() public {
        address next = makeAddr("next");
        vm.expectEmit(address(vitals));
        emit IGolemVitals.WriterChanged(golem, writer, next);
        vm.prank(writer);
        vitals.handOver(golem, next);
        vm.prank(next);
        vitals.post(golem, 1, 6_000);
        assertEq(vitals.vitals(golem).writer(), next);
    }

    function test_handOver_keepsTheRow() public {
        vm.startPrank(writer);
        vitals.publish(golem, 3, 1_500, true, -7, 8, -9);
        uint256 before = vitals.vitals(golem);
        vitals.handOver(golem, thief);
        assertEq(vitals.vitals(golem) >> 160, before >> 160);
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
        assertEq(vitals.vitals(golem) >> 248, VitalSigns.DEAD);
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

    /// Signed ahead and kept: no reset in between makes the kill switch void.
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
        uint256 before = vitals.vitals(golem);
        skip(1 days);
        bytes memory signature = _resetSignature(ownerKey, golem, to, 0, block.timestamp);
        if (from != to) {
            vm.expectEmit(address(vitals));
            emit IVitalityOracle.PhaseTransition(golem, from, to, 1_234);
        }
        vm.prank(makeAddr("anyone"));
        vitals.resetPhase(owner, writer, SALT, to, 0, block.timestamp, signature);

        assertEq(vitals.vitals(golem).phase(), to);
        assertEq(vitals.nonces(golem), 1);
        // All else stays, the last heartbeat too: an owner's signature is no sign of life from the Golem.
        uint256 phaseBits = uint256(0xff) << 160;
        assertEq(vitals.vitals(golem) & ~phaseBits, before & ~phaseBits);
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
        assertEq(vitals.vitals(id).phase(), 0);
    }

    function test_resetPhase_ownerIsAnUpgradedEoa() public {
        address code = deployCode("out/protocols/EIP7702StatelessDeleGator.json", abi.encode(address(1), address(2)));
        vm.signAndAttachDelegation(code, ownerKey);
        assertEq(owner.code.length, 23);
        vm.prank(writer);
        vitals.post(golem, 3, 0);
        _reset(0, 0);
        assertEq(vitals.vitals(golem).phase(), 0);
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
        assertEq(vitals.vitals(golem).phase(), 4);
    }

    /// (r, n − s) recovers to the same key. The nonce is used up all the same, and OpenZeppelin refuses a high s anyway.
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

    /// One that somebody kept back is void once a later one was used.
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

    /// A thief may call itself the owner of the same key and salt, but then it is another Golem.
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
        uint256 before = vitals.vitals(golem);
        bytes memory signature = _writerSignature(ownerKey, golem, fresh, 0, block.timestamp);
        vm.expectEmit(address(vitals));
        emit IGolemVitals.WriterChanged(golem, thief, fresh);
        vitals.resetWriter(owner, writer, SALT, fresh, 0, block.timestamp, signature);

        assertEq(vitals.vitals(golem) >> 160, before >> 160);
        assertEq(vitals.nonces(golem), 1);
        vm.prank(fresh);
        vitals.heartbeat(golem);
        _expect(abi.encodeWithSelector(IVitalityOracle.NotAuthorized.selector, thief));
        vm.prank(thief);
        vitals.heartbeat(golem);
    }

    function test_resetWriter_isNoSignOfLife() public {
        uint40 updated = vitals.vitals(golem).lastUpdate();
        skip(1 days);
        bytes memory signature = _writerSignature(ownerKey, golem, thief, 0, block.timestamp);
        vitals.resetWriter(owner, writer, SALT, thief, 0, block.timestamp, signature);
        assertEq(vitals.vitals(golem).lastUpdate(), updated);
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

    // ---- what the tests sign with

    function _registration(uint256 key, address owner_, address key_, bytes32 salt)
        private
        view
        returns (bytes memory)
    {
        bytes32 typeHash = keccak256("RegisterGolem(address owner,address key,bytes32 salt)");
        return _sign(key, keccak256(abi.encode(typeHash, owner_, key_, salt)));
    }

    function _deregistration(uint256 key, bytes32 id, uint256 deadline) private view returns (bytes memory) {
        bytes32 typeHash = keccak256("DeregisterGolem(bytes32 golem,uint256 deadline)");
        return _sign(key, keccak256(abi.encode(typeHash, id, deadline)));
    }

    function _resetSignature(uint256 key, bytes32 id, uint8 phase, uint256 nonce, uint256 deadline)
        private
        view
        returns (bytes memory)
    {
        bytes32 typeHash = keccak256("ResetPhase(bytes32 golem,uint8 phase,uint256 nonce,uint256 deadline)");
        return _sign(key, keccak256(abi.encode(typeHash, id, phase, nonce, deadline)));
    }

    function _writerSignature(uint256 key, bytes32 id, address newWriter, uint256 nonce, uint256 deadline)
        private
        view
        returns (bytes memory)
    {
        bytes32 typeHash = keccak256("ResetWriter(bytes32 golem,address writer,uint256 nonce,uint256 deadline)");
        return _sign(key, keccak256(abi.encode(typeHash, id, newWriter, nonce, deadline)));
    }

    function _sign(uint256 key, bytes32 structHash) private view returns (bytes memory) {
        bytes32 domain = keccak256(
            abi.encode(
                keccak256("EIP712Domain(string name,string version,uint256 chainId,address verifyingContract)"),
                keccak256("GolemVitals"),
                keccak256("1"),
                block.chainid,
                address(vitals)
            )
        );
        (uint8 v, bytes32 r, bytes32 s) = vm.sign(key, keccak256(abi.encodePacked("\x19\x01", domain, structHash)));
        return abi.encodePacked(r, s, v);
    }

    function _reset(uint8 phase, uint256 nonce) private {
        bytes memory signature = _resetSignature(ownerKey, golem, phase, nonce, block.timestamp);
        vitals.resetPhase(owner, writer, SALT, phase, nonce, block.timestamp, signature);
    }

    /// MetaMask's own account contract, from its own bytecode.
    function _hybridAccount(address signer) private returns (address) {
        address implementation =
            deployCode("out/protocols/HybridDeleGator.json", abi.encode(makeAddr("manager"), makeAddr("entryPoint")));
        bytes memory initialize =
            abi.encodeCall(IHybridAccount.initialize, (signer, new string[](0), new uint256[](0), new uint256[](0)));
        return address(new ERC1967Proxy(implementation, initialize));
    }

    // ---- what the tests expect

    function _expect(bytes memory revertData) private {
        vm.expectRevert(revertData);
    }

    function _assertMood(bytes32 id, int8 pleasure, int8 arousal, int8 dominance) private view {
        (int8 p, int8 a, int8 d) = vitals.getPAD(id);
        assertEq(p, pleasure);
        assertEq(a, arousal);
        assertEq(d, dominance);
    }

    function _expectDead() private {
        assertFalse(vitals.vitals(golem).isAlive());
        assertFalse(vitals.vitals(golem).isDreaming());
        (bool registered,) = vitals.getPhase(golem);
        assertFalse(registered);
        bytes memory notFound = abi.encodeWithSelector(IVitalityOracle.GolemNotFound.selector, golem);
        vm.startPrank(writer);
        _expect(notFound);
        vitals.heartbeat(golem);
        _expect(notFound);
        vitals.publish(golem, 4, 0, false, 0, 0, 0);
        _expect(notFound);
        vitals.handOver(golem, writer);
        _expect(notFound);
        vitals.deregister(golem);
        vm.stopPrank();
    }

    function _word(bytes memory data, uint256 at) private pure returns (uint256 word) {
        for (uint256 i; i < 32; i++) {
            word = (word << 8) | uint8(data[at + i]);
        }
    }
}
