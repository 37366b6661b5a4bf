// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {EIP712} from "@openzeppelin/contracts/utils/cryptography/EIP712.sol";
import {SignatureChecker} from "@openzeppelin/contracts/utils/cryptography/SignatureChecker.sol";
import {IDaimonOracle, IDreamOracle, IGolemVitals, IVitalityOracle, IVitals} from "../interfaces/IVitals.sol";
import {VitalSigns} from "../libraries/VitalSigns.sol";

/// @title The on-chain state of each Golem: phase, survival score, dreaming, mood, last heartbeat
/// @notice The writer's key may be stolen, so everything that it can post only narrows what the owner signed. Only the
///         owner's signature moves a phase back. This contract has no administrator.
contract GolemVitals is IGolemVitals, EIP712 {
    using VitalSigns for uint256;

    /// @dev A living row while it is being changed.
    struct Signs {
        address writer;
        uint8 phase;
        uint16 score;
        uint40 lastUpdate;
        int8 pleasure;
        int8 arousal;
        int8 dominance;
        bool dreaming;
    }

    bytes32 private constant REGISTER_TYPEHASH = keccak256("RegisterGolem(address owner,address key,bytes32 salt)");
    bytes32 private constant DEREGISTER_TYPEHASH = keccak256("DeregisterGolem(bytes32 golem,uint256 deadline)");
    bytes32 private constant RESET_PHASE_TYPEHASH =
        keccak256("ResetPhase(bytes32 golem,uint8 phase,uint256 nonce,uint256 deadline)");
    bytes32 private constant RESET_WRITER_TYPEHASH =
        keccak256("ResetWriter(bytes32 golem,address writer,uint256 nonce,uint256 deadline)");

    uint16 private constant FULL_SCORE = 10_000;
    int8 private constant STRONGEST_MOOD = 100;

    /// @inheritdoc IVitals
    mapping(bytes32 golem => uint256 word) public vitalsOf;

    /// @inheritdoc IGolemVitals
    /// @dev In sequence, not in any order: a reset widens, so a later reset invalidates every earlier one that was
    ///      signed and held back.
    mapping(bytes32 golem => uint256) public nonces;

    constructor() EIP712("GolemVitals", "1") {}

    // ---- reading

    /// @inheritdoc IGolemVitals
    function golemId(address owner, address firstKey, bytes32 salt) public pure returns (bytes32) {
        return keccak256(abi.encode(owner, firstKey, salt));
    }

    /// @inheritdoc IVitalityOracle
    function getPhase(bytes32 golem) external view returns (bool registered, uint8 phase) {
        uint256 word = vitalsOf[golem];
        return (word.isAlive(), word.phase());
    }

    /// @inheritdoc IVitalityOracle
    function getState(bytes32 golem)
        external
        view
        returns (bool registered, uint8 phase, uint16 survivalScore, uint40 lastUpdate, address writer)
    {
        uint256 word = vitalsOf[golem];
        return (word.isAlive(), word.phase(), word.survivalScore(), word.lastUpdate(), word.writer());
    }

    /// @inheritdoc IDreamOracle
    function isDreaming(bytes32 golem) external view returns (bool) {
        return _living(golem).isDreaming();
    }

    /// @inheritdoc IDaimonOracle
    function getPAD(bytes32 golem) external view returns (int8 pleasure, int8 arousal, int8 dominance) {
        uint256 word = _living(golem);
        return (word.pleasure(), word.arousal(), word.dominance());
    }

    // ---- the Golem's key

    /// @inheritdoc IGolemVitals
    function register(address owner, address key, bytes32 salt, bytes calldata signature)
        external
        returns (bytes32 golem)
    {
        golem = golemId(owner, key, salt);
        // A dead row is not zero either: a thief would register again to become Thriving.
        if (vitalsOf[golem] != 0) revert AlreadyRegistered(golem);
        // The key is signed as well: several ERC-1271 accounts may accept the signature of the same signer.
        _requireSignature(key, keccak256(abi.encode(REGISTER_TYPEHASH, owner, key, salt)), signature);

        vitalsOf[golem] =
            VitalSigns.pack(key, VitalSigns.THRIVING, FULL_SCORE, uint40(block.timestamp), 0, 0, 0, VitalSigns.ALIVE);
        emit GolemRegistered(golem, owner, key);
    }

    /// @inheritdoc IGolemVitals
    function publish(
        bytes32 golem,
        uint8 phase,
        uint16 survivalScore,
        bool dreaming,
        int8 pleasure,
        int8 arousal,
        int8 dominance
    ) external {
        Signs memory signs = _signsOfCaller(golem);
        _movePhase(golem, signs, phase, survivalScore);
        _changeDreaming(golem, signs, dreaming);
        _changeMood(golem, signs, pleasure, arousal, dominance);
        _beat(golem, signs);
    }

    /// @inheritdoc IGolemVitals
    function post(bytes32 golem, uint8 phase, uint16 survivalScore) external {
        Signs memory signs = _signsOfCaller(golem);
        _movePhase(golem, signs, phase, survivalScore);
        _beat(golem, signs);
    }

    /// @inheritdoc IGolemVitals
    function setDreaming(bytes32 golem, bool dreaming) external {
        Signs memory signs = _signsOfCaller(golem);
        _changeDreaming(golem, signs, dreaming);
        _beat(golem, signs);
    }

    /// @inheritdoc IGolemVitals
    function setMood(bytes32 golem, int8 pleasure, int8 arousal, int8 dominance) external {
        Signs memory signs = _signsOfCaller(golem);
        _changeMood(golem, signs, pleasure, arousal, dominance);
        _beat(golem, signs);
    }

    /// @inheritdoc IGolemVitals
    function heartbeat(bytes32 golem) external {
        _beat(golem, _signsOfCaller(golem));
    }

    /// @inheritdoc IGolemVitals
    function handOver(bytes32 golem, address newWriter) external {
        Signs memory signs = _signsOfCaller(golem);
        _changeWriter(golem, signs, newWriter);
        _beat(golem, signs);
    }

    /// @inheritdoc IGolemVitals
    function deregister(bytes32 golem) external {
        _bury(golem, _signsOfCaller(golem));
    }

    // ---- the owner

    /// @inheritdoc IGolemVitals
    function deregisterAsOwner(address firstKey, bytes32 salt) external {
        bytes32 golem = golemId(msg.sender, firstKey, salt);
        _bury(golem, _signs(golem));
    }

    /// @inheritdoc IGolemVitals
    function deregisterWithSignature(
        address owner,
        address firstKey,
        bytes32 salt,
        uint256 deadline,
        bytes calldata signature
    ) external {
        bytes32 golem = golemId(owner, firstKey, salt);
        Signs memory signs = _signs(golem);
        _requireInTime(deadline);
        _requireSignature(owner, keccak256(abi.encode(DEREGISTER_TYPEHASH, golem, deadline)), signature);
        _bury(golem, signs);
    }

    /// @inheritdoc IGolemVitals
    function resetPhase(
        address owner,
        address firstKey,
        bytes32 salt,
        uint8 phase,
        uint256 nonce,
        uint256 deadline,
        bytes calldata signature
    ) external {
        bytes32 golem = golemId(owner, firstKey, salt);
        Signs memory signs = _signs(golem);
        _requireInTime(deadline);
        _useNonce(golem, nonce);
        _requireSignature(owner, keccak256(abi.encode(RESET_PHASE_TYPEHASH, golem, phase, nonce, deadline)), signature);
        _changePhase(golem, signs, phase);
        _store(golem, signs);
    }

    /// @inheritdoc IGolemVitals
    function resetWriter(
        address owner,
        address firstKey,
        bytes32 salt,
        address newWriter,
        uint256 nonce,
        uint256 deadline,
        bytes calldata signature
    ) external {
        bytes32 golem = golemId(owner, firstKey, salt);
        Signs memory signs = _signs(golem);
        _requireInTime(deadline);
        _useNonce(golem, nonce);
        _requireSignature(
            owner, keccak256(abi.encode(RESET_WRITER_TYPEHASH, golem, newWriter, nonce, deadline)), signature
        );
        _changeWriter(golem, signs, newWriter);
        _store(golem, signs);
    }

    // ---- authorization

    function _living(bytes32 golem) private view returns (uint256 word) {
        word = vitalsOf[golem];
        if (!word.isAlive()) revert GolemNotFound(golem);
    }

    function _signs(bytes32 golem) private view returns (Signs memory) {
        uint256 word = _living(golem);
        return Signs({
            writer: word.writer(),
            phase: word.phase(),
            score: word.survivalScore(),
            lastUpdate: word.lastUpdate(),
            pleasure: word.pleasure(),
            arousal: word.arousal(),
            dominance: word.dominance(),
            dreaming: word.isDreaming()
        });
    }

    function _signsOfCaller(bytes32 golem) private view returns (Signs memory signs) {
        signs = _signs(golem);
        if (signs.writer != msg.sender) revert NotAuthorized(msg.sender);
    }

    function _requireInTime(uint256 deadline) private view {
        if (block.timestamp > deadline) revert SignatureExpired(deadline, block.timestamp);
    }

    function _useNonce(bytes32 golem, uint256 nonce) private {
        uint256 expected = nonces[golem];
        if (nonce != expected) revert WrongNonce(golem, expected, nonce);
        nonces[golem] = expected + 1;
    }

    function _requireSignature(address signer, bytes32 structHash, bytes calldata signature) private view {
        if (!SignatureChecker.isValidSignatureNowCalldata(signer, _hashTypedDataV4(structHash), signature)) {
            revert InvalidSignature(signer);
        }
    }

    // ---- changes

    function _movePhase(bytes32 golem, Signs memory signs, uint8 phase, uint16 score) private {
        if (phase < signs.phase) revert PhaseNotMonotonic(signs.phase, phase);
        if (score > FULL_SCORE) revert ScoreTooHigh(score);
        signs.score = score;
        _changePhase(golem, signs, phase);
    }

    function _changePhase(bytes32 golem, Signs memory signs, uint8 phase) private {
        if (phase > VitalSigns.TERMINAL) revert UnknownPhase(phase);
        if (phase != signs.phase) emit PhaseTransition(golem, signs.phase, phase, signs.score);
        signs.phase = phase;
    }

    function _changeDreaming(bytes32 golem, Signs memory signs, bool dreaming) private {
        if (dreaming != signs.dreaming) emit DreamChanged(golem, dreaming);
        signs.dreaming = dreaming;
    }

    function _changeMood(bytes32 golem, Signs memory signs, int8 pleasure, int8 arousal, int8 dominance) private {
        if (!_isMood(pleasure) || !_isMood(arousal) || !_isMood(dominance)) {
            revert MoodOutOfRange(pleasure, arousal, dominance);
        }
        bool same = pleasure == signs.pleasure && arousal == signs.arousal && dominance == signs.dominance;
        if (!same) emit MoodChanged(golem, pleasure, arousal, dominance);
        (signs.pleasure, signs.arousal, signs.dominance) = (pleasure, arousal, dominance);
    }

    function _isMood(int8 value) private pure returns (bool) {
        return value >= -STRONGEST_MOOD && value <= STRONGEST_MOOD;
    }

    function _changeWriter(bytes32 golem, Signs memory signs, address writer) private {
        if (writer == address(0)) revert WriterIsZero(golem);
        emit WriterChanged(golem, signs.writer, writer);
        signs.writer = writer;
    }

    // ---- storage

    /// @dev Every action of the writer is a heartbeat.
    function _beat(bytes32 golem, Signs memory signs) private {
        signs.lastUpdate = uint40(block.timestamp);
        _store(golem, signs);
    }

    function _store(bytes32 golem, Signs memory signs) private {
        vitalsOf[golem] = _pack(signs, signs.dreaming ? VitalSigns.ALIVE | VitalSigns.DREAMING : VitalSigns.ALIVE);
    }

    function _bury(bytes32 golem, Signs memory signs) private {
        vitalsOf[golem] = _pack(signs, VitalSigns.DEAD);
        emit GolemDeregistered(golem);
    }

    function _pack(Signs memory signs, uint8 flags) private pure returns (uint256) {
        return VitalSigns.pack(
            signs.writer,
            signs.phase,
            signs.score,
            signs.lastUpdate,
            signs.pleasure,
            signs.arousal,
            signs.dominance,
            flags
        );
    }
}
